"""The campaign itself: which area a number is of, workers that may hang or die, and the ledger."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from .trial import FAILURE, Outcome, Trial, Wrong, shared


Area = Callable[[Trial], Outcome]
LIMIT = 60  # seconds that a fault may take; hardly any takes one, but machines are busy
GRACE = 20  # seconds more, after which the process is ended from outside


@dataclass(frozen=True)
class Entry:
    """A line of the ledger."""

    seed: int
    number: int
    area: str
    kind: str
    outcome: str
    detail: str
    seconds: float


class TimeLimit(BaseException):
    """A fault that is not over in time; no `except Exception` takes it."""


def area_of(number: int, areas: Sequence[str]) -> str:
    """The area of a number: all faults of any 20 in a row are of the same mixture."""
    return areas[number % len(areas)]


def one(seed: int, number: int, area: str, inject: Area) -> Entry:
    """Make one fault in this process."""
    start = time.monotonic()
    around = Path(tempfile.mkdtemp(prefix="fault-", dir=shared()))
    trial = Trial(random.Random(f"{seed}/{number}"), around)
    tempfile.tempdir = str(trial.temporary)
    old = signal.signal(signal.SIGALRM, _over)
    signal.alarm(LIMIT)
    try:
        outcome = inject(trial)
        trial.check_outside()
    except TimeLimit:
        outcome = Outcome(FAILURE, f"not over after {LIMIT} s: {traceback.format_exc(limit=-4)}")
    except Wrong as wrong:
        outcome = Outcome(FAILURE, str(wrong))
    except Exception:
        outcome = Outcome(FAILURE, f"the campaign itself: {traceback.format_exc(limit=-6, chain=False)}")
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
        tempfile.tempdir = None
        shutil.rmtree(around, ignore_errors=True)
    return Entry(seed, number, area, trial.kind, outcome.name, outcome.detail, round(time.monotonic() - start, 3))


def _over(signum: int, frame: FrameType | None) -> None:
    raise TimeLimit


class Worker:
    """A process of its own for faults, so that one that hangs or aborts ends nothing else."""

    def __init__(self, seed: int, inject: Callable[[str], Area]) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(seed, inject, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.seed = seed
        self.task: tuple[int, str] | None = None
        self.until = 0.0

    def begin(self, number: int, area: str) -> None:
        self.task, self.until = (number, area), time.monotonic() + LIMIT + GRACE
        self.pipe.send(self.task)

    def result(self) -> Entry | None:
        """The entry of the fault that was begun; None if it may still come."""
        task = self.task
        assert task
        said = f"the process ended with status {self.process.exitcode}"
        try:
            if self.pipe.poll():
                entry: Entry = self.pipe.recv()
                self.task = None
                return entry
        except (EOFError, OSError):
            self.process.join(GRACE)
            said = f"the process ended with status {self.process.exitcode}"
        else:
            if time.monotonic() < self.until:
                return None
            said = f"hangs: not over after {LIMIT + GRACE} s, and it takes no signal"
        self.end()
        return Entry(self.seed, *task, "", FAILURE, said, 0.0)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(seed: int, inject: Callable[[str], Area], pipe: Connection[Any, Any]) -> None:
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 2)  # warnings and progress bars of what is tried
    while True:
        try:
            number, area = pipe.recv()
        except EOFError:
            return
        pipe.send(one(seed, number, area, inject(area)))


def run(seed: int, tasks: Sequence[tuple[int, str]], inject: Callable[[str], Area], workers: int) -> Iterator[Entry]:
    """Make faults in as many processes; yields what came of each, in any order."""
    shared()  # before there are processes, which would each make their own
    waiting = iter(tasks)
    busy: list[Worker] = []
    try:
        for _ in range(workers):
            if (task := next(waiting, None)) is not None:
                busy.append(Worker(seed, inject))
                busy[-1].begin(*task)
        while busy:
            wait([worker.pipe for worker in busy], timeout=1)
            for worker in list(busy):
                if (entry := worker.result()) is None:
                    continue
                yield entry
                busy.remove(worker)
                if (task := next(waiting, None)) is not None:
                    # One that did not answer is gone.
                    fresh = worker if worker.task is None else Worker(seed, inject)
                    fresh.begin(*task)
                    busy.append(fresh)
                elif worker.task is None:
                    worker.end()
    finally:
        for worker in busy:
            worker.end()


def write(ledger: TextIO, entry: Entry) -> None:
    """Append an entry to a ledger."""
    ledger.write(json.dumps(asdict(entry), ensure_ascii=True) + "\n")
