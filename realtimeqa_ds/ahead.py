"""Working ahead: the tables of the next weeks are made in threads while the caller is busy with the current one.

Hashing and parsing, most of the work where pools are read, release the interpreter's lock. Only weeks whose files are
all on this disk are begun ahead, so that a stream that stops early neither downloads nor waits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pyarrow as pa

from .files.layout import Week
from .parsing.report import Report


Made = tuple[pa.Table, Report]
DEPTH = 3


class Ahead:
    """The tables of a split's `weeks`, in whatever order they are asked for: it learns the step between them."""

    def __init__(self, weeks: Sequence[Week], depth: int = DEPTH) -> None:
        self.weeks = tuple(weeks)
        self.depth = depth
        self._forget()

    def _forget(self) -> None:
        self._pid = os.getpid()
        self._threads: ThreadPoolExecutor | None = None
        self._begun: dict[str, Future[Made]] = {}
        self._last: int | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"weeks": self.weeks, "depth": self.depth}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def get(self, week: Week, make: Callable[[Week], Made], is_here: Callable[[Week], bool]) -> Made:
        """What `make(week)` gives, or raises; it may have been begun by an earlier call.

        `is_here` tells whether all files of a week are on this disk.
        """
        if self._pid != os.getpid():  # after a fork the threads are in the other process
            self._forget()
        place = self.weeks.index(week)
        begun = self._begun.pop(week.stamp, None)
        step = place - self._last if self._last is not None else 1
        if begun is None and self._last is not None:
            self._begun.clear()  # the guess was wrong: rather none than another
        elif step > 0:
            for further in self.weeks[place + step :: step][: self.depth]:
                if further.stamp not in self._begun and is_here(further):
                    self._threads = self._threads or ThreadPoolExecutor(self.depth)
                    self._begun[further.stamp] = self._threads.submit(make, further)
        self._last = place
        return begun.result() if begun else make(week)
