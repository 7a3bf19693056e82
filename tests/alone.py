"""Load every config of a built folder where our package cannot be imported, and keep what comes as Arrow files.

Run as a program by the tests of both datasets: alone.py FOLDER OUT
"""

from __future__ import annotations

import importlib.abc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING


if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import DatasetBuilder

    from timeline_realtime_qa.hub.folder import Folder


OURS = ("timeline_realtime_qa", "realtimeqa_ds", "timelineqa_ds")


class Absent(importlib.abc.MetaPathFinder):
    """Nothing of ours is there."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        if name.partition(".")[0] in OURS:
            raise ModuleNotFoundError(name)


def load(folder: Path, out: Path, python: str = sys.executable) -> dict[str, dict[str, pa.Table]]:
    """The tables of each config and split, loaded in another process from the parent of `folder` by its name."""
    import pyarrow as pa

    command: list[str | Path] = [python, __file__, folder.name, out]
    environment = {**os.environ, "HF_HOME": str(out.with_name("hf")), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, cwd=folder.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, pa.Table]] = {}
    for path in sorted(out.rglob("*.arrow")):
        found.setdefault(path.parent.name, {})[path.stem] = pa.ipc.open_file(path).read_all()
    return found


def equal_to_the_builder(folder: Folder, out: Path, builder: Callable[[str], DatasetBuilder]) -> None:
    """What is loaded, what the manifest tells and what the builder of each config makes have the same content."""
    import pyarrow as pa

    from timeline_realtime_qa.hub.content import content_hash

    loaded = load(folder.out, out)
    told = json.loads((folder.out / "manifest.json").read_text())["configs"]
    assert {name: set(splits) for name, splits in loaded.items()} == {
        name: set(splits) for name, splits in folder.with_rows().configs.items()
    }
    for name, splits in loaded.items():
        streams, group = builder(name).as_streaming_dataset(), told[name]["group"]
        for split, table in splits.items():
            made = pa.concat_tables(list(streams[split].with_format("arrow").iter(10_000)))
            expected = content_hash(made.cast(table.schema), group)
            found = content_hash(table, group), told[name]["splits"][split]["content"]
            assert found == (expected, expected), (name, split)


def main(name: str, out: Path) -> None:
    sys.meta_path.insert(0, Absent())
    import datasets
    import pyarrow as pa

    datasets.disable_progress_bars()
    for config in datasets.get_dataset_config_names(name):
        (out / config).mkdir(parents=True)
        for split, rows in datasets.load_dataset(name, config).items():
            table = rows.with_format("arrow")[:]
            with pa.ipc.new_file(out / config / f"{split}.arrow", table.schema) as file:
                file.write_table(table)
    streamed = datasets.load_dataset(name, config, split=split, streaming=True)
    assert streamed.features == rows.features and next(iter(streamed)) == rows[0]
    (out / "default").write_text(datasets.load_dataset_builder(name).config.name)
    assert not any(module.partition(".")[0] in OURS for module in sys.modules)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
