"""A folder of Parquet files that is a Hub dataset repository as it stands: what it holds, and the files around it.

The files themselves are written by `shards`; what is known about them comes from their markers.
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from . import content, disk
from .shards import File, config_of, markers, split_of


logger = logging.getLogger(__name__)
CARD, MANIFEST = "README.md", "manifest.json"
AROUND = (CARD, "LICENSE", "CITATION.cff", MANIFEST, "croissant.json")  # the files around the Parquet files
LONGEST_NAME = 96  # characters; the Hub's own limit for repositories
_FIELDS = [field.name for field in fields(File)]


@dataclass(frozen=True)
class BuiltSplit:
    """The files of a config's split, in order."""

    files: tuple[File, ...]

    @property
    def rows(self) -> int:
        return sum(file.rows for file in self.files)

    @property
    def bytes(self) -> int:
        """Size as Parquet."""
        return sum(file.bytes for file in self.files)

    @property
    def arrow_bytes(self) -> int:
        """Size in memory, which `datasets` calls `num_bytes`."""
        return sum(file.arrow_bytes for file in self.files)

    @property
    def content(self) -> str:
        """Hash of all rows, whatever the files."""
        return content.total(file.content for file in self.files)


Configs = Mapping[str, Mapping[str, BuiltSplit]]


@dataclass(frozen=True)
class Folder:
    """What a built folder holds.

    Attributes:
        world: what it was made of.
        configs: the complete splits of each config, both in the order of the declarations.
        incomplete: CONFIG/SPLIT of which files are still lacking.
    """

    out: Path
    world: Mapping[str, Any]
    configs: Configs
    incomplete: tuple[str, ...]

    @property
    def rows(self) -> int:
        return sum(split.rows for splits in self.configs.values() for split in splits.values())

    @property
    def bytes(self) -> int:
        return sum(split.bytes for splits in self.configs.values() for split in splits.values())

    def with_rows(self) -> Folder:
        """The same without splits that hold no row, which `datasets` could not prepare."""
        filled = {
            name: {split: one for split, one in splits.items() if one.rows} for name, splits in self.configs.items()
        }
        return replace(self, configs={name: splits for name, splits in filled.items() if splits})

    def first_row(self, config: str) -> dict[str, object]:
        """The first row of a config."""
        first = next(file for split in self.configs[config].values() for file in split.files if file.rows)
        row: dict[str, object] = next(pq.ParquetFile(self.out / first.path).iter_batches(batch_size=1)).to_pylist()[0]
        return row


def read_folder(out: Path, world: Mapping[str, object], recipes: Mapping[str, str], splits: Sequence[str]) -> Folder:
    """What the markers of a folder say that is there.

    Args:
        world, recipes: only what was made of these counts; the recipes are those of all configs, in order.
        splits: all names there can be, in order.
    """
    known: dict[str, dict[str, File]] = {}
    for marker in markers(out):
        for file in marker.files if dict(marker.world) == dict(world) else ():
            if file.recipe == recipes.get(config_of(file.path)) and (out / file.path).is_file():
                known.setdefault(split_of(file.path), {})[file.path] = file
    complete = {
        at: BuiltSplit(tuple(files[path] for path in sorted(files))) for at, files in known.items() if _whole(files)
    }
    return Folder(
        out,
        world,
        {
            config: {split: complete[f"{config}/{split}"] for split in splits if f"{config}/{split}" in complete}
            for config in recipes
            if any(f"{config}/{split}" in complete for split in splits)
        },
        tuple(sorted(known.keys() - complete.keys())),
    )


def manifest(folder: Folder, groups: Mapping[str, str]) -> bytes:
    """The manifest as JSON: what the folder was made of, and rows, bytes and hashes of configs, splits and files.

    Args:
        groups: the column of each config whose equal values make a group for the content hash.
    """
    configs = {
        name: {
            **_sums(list(splits.values())),
            "group": groups[name],
            "splits": {
                split: {**_sums([one]), "files": [asdict(file) for file in one.files]} for split, one in splits.items()
            },
        }
        for name, splits in folder.configs.items()
    }
    whole = {"made_of": dict(folder.world), "content_hash": content.ABOUT, "configs": configs}
    return json.dumps(
        {**_sums([one for s in folder.configs.values() for one in s.values()]), **whole}, indent=1
    ).encode()


def read_manifest(path: Path) -> tuple[dict[str, str], list[File]]:
    """What a manifest tells: what the dataset was made of (dataset, version and more), and its data files.

    Raises:
        ValueError: if it is none.
    """
    try:
        told = json.loads(disk.read(path.parent, path.name))
        splits = [split for config in told["configs"].values() for split in config["splits"].values()]
        files = [File(**{name: file[name] for name in _FIELDS}) for split in splits for file in split["files"]]
        made_of = dict(told["made_of"])
        if wrong := [name for name in ("dataset", "version") if not _is_text(made_of[name])]:
            raise ValueError(f"expected a text as {wrong[0]}, found {made_of[wrong[0]]!r}")
        if not files:
            raise ValueError("it lists no data files")
        return made_of, files
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"{path} cannot be read as a manifest ({repr(error)[:400]}): expected a folder made by `timelineqa build` "
            "or `realtimeqa build`; run the build command again"
        ) from error


def _is_text(value: object) -> bool:
    """Whether a value is a text that can be a name on the Hub, without the half characters that JSON can spell."""
    return isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_NAME


def is_built(out: Path) -> bool:
    """Whether a build has made a folder or has begun to; also a copy without the state of the build, from the Hub."""
    with contextlib.suppress(ValueError):
        return bool(read_manifest(out / MANIFEST))
    return any(markers(out))


def _sums(splits: Sequence[BuiltSplit]) -> dict[str, int | str]:
    return {
        "rows": sum(split.rows for split in splits),
        "bytes": sum(split.bytes for split in splits),
        "arrow_bytes": sum(split.arrow_bytes for split in splits),
        "content": content.total(split.content for split in splits),
    }


def _whole(files: Mapping[str, File]) -> bool:
    """Whether there are as many files as their names (SPLIT-00000-of-00003.parquet) say."""
    return len(files) == int(next(iter(files)).removesuffix(".parquet").rsplit("-", 1)[1])


def finish(folder: Folder, files: Mapping[str, bytes]) -> None:
    """Write the files around the Parquet files, each as a whole or not at all; the card comes last."""
    for split in folder.incomplete:
        logger.warning("%s/%s is not complete and left out of the card: run its build to the end", folder.out, split)
    for name in sorted(files, key=lambda name: name == CARD):
        disk.write_file(folder.out / name, files[name])
