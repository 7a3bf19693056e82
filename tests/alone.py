"""Load every config of a built folder where our package cannot be imported, and keep what comes as Arrow files.

Run as a program by the tests of both datasets: alone.py FOLDER OUT [CONFIG ...]
"""

from __future__ import annotations

import importlib.abc
import subprocess
import sys
from pathlib import Path


OURS = ("timeline_realtime_qa", "realtimeqa_ds", "timelineqa_ds")


class Absent(importlib.abc.MetaPathFinder):
    """Nothing of ours is there."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in OURS:
            raise ModuleNotFoundError(name)


def load(folder: Path, out: Path, environment: dict[str, str]) -> dict[str, dict[str, object]]:
    """The tables of each config and split, loaded in another process from the parent of `folder` by its name."""
    import pyarrow as pa

    command = [sys.executable, __file__, folder.name, out]
    done = subprocess.run(command, cwd=folder.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, object]] = {}
    for path in sorted(out.rglob("*.arrow")):
        found.setdefault(path.parent.name, {})[path.stem] = pa.ipc.open_file(path).read_all()
    return found


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
