"""What our builders have in common: wrong names are refused before anything is made, and bars count to an end."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterable, Sequence
from os import getpid
from typing import Any

import datasets

from ..display.near import expected
from ..display.progress import progress


class NamedBuilder(datasets.ArrowBasedBuilder):
    """A builder that knows its configs, arguments and splits by name.

    Attributes:
        LISTING: what lists the names of all configs.
    """

    LISTING: str
    _asked: object = None  # the split, where a stream is opened
    _process: int | None = None  # the one that divides the work

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        names = [config.name for config in self.BUILDER_CONFIGS]
        if (name := kwargs.get("config_name")) is not None and name not in names:
            raise ValueError(f"no config {name!r}; {expected(name, names, self.LISTING)}")
        fields = [field.name for field in dataclasses.fields(self.BUILDER_CONFIG_CLASS)]
        known = {*fields, *inspect.signature(datasets.DatasetBuilder.__init__).parameters}
        for name in kwargs.keys() - known:
            ours = [field for field in fields if field not in ("name", "version", "data_files", "description")]
            raise ValueError(f"no argument {name}={kwargs[name]!r}; {expected(name, ours)}")
        super().__init__(*args, **kwargs)

    def _shares(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        """The splits there are, as `_split_generators` of datasets."""
        raise NotImplementedError

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        self._process = getpid()
        shares = self._shares(dl_manager)
        self._check_split(self._asked, [share.name for share in shares])
        return shares

    def as_streaming_dataset(self, split: Any = None, base_path: str | None = None) -> Any:
        """As in datasets, but a split that is not there is refused with the names of those that are."""
        self._asked = split
        try:
            return super().as_streaming_dataset(split, base_path)
        finally:
            self._asked = None

    def as_dataset(self, split: Any = None, in_memory: bool = False) -> Any:
        """As in datasets, but a split that is not there is refused with the names of those that are."""
        self._check_split(split, self.info.splits or ())
        return super().as_dataset(split, in_memory)

    def _check_split(self, split: object, there: Iterable[str]) -> None:
        """Check the names in a split such as "test", "train[:10]+test"; other forms are left to datasets."""
        names = list(there)
        for part in split.split("+") if isinstance(split, str) and names else ():
            name = re.sub(r"[\[(].*", "", part).strip()
            if name not in (*names, "all"):
                raise ValueError(f"no split {name!r} of the config {self.config.name}; {expected(name, names)}")

    def _preparing(self, members: Sequence[Any], unit: str, split: str | None) -> Any:
        """Go through lifelogs or weeks, counted beside the bar of datasets, which cannot know how many rows come.

        Args:
            split: the one that is prepared; None for a stream, which nobody waits for.
        """
        title = f"{self.dataset_name}/{self.config.name}/{split}"
        # Of several processes (num_proc=) each knows its own part only, and they would write over each other.
        quiet = split is None or getpid() != self._process
        return progress(members, unit, title, passing=True, quiet=quiet)
