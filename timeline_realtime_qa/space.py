"""A metric as a Space: complete in itself, so that it works where our package is not installed."""

from __future__ import annotations

from pathlib import Path

from . import metric_path, scoring
from .hub import disk


APP = "app.py"  # run as a program, so that what lies beside it is no package


def assemble(name: str, out: Path) -> Path:
    """Write the Space of a metric into the new folder `out`: its files, and the shared ones, imported from beside it.

    Raises:
        ValueError: if a file of the metric has the name of a shared one.
    """
    own, shared = (
        [path for path in Path(folder).iterdir() if path.is_file() and path.name != "__init__.py"]
        for folder in (metric_path(name), scoring.__path__[0])
    )
    if taken := {path.name for path in own} & {path.name for path in shared}:
        raise ValueError(f"{name}: {min(taken)} is the name of a file of {scoring.__name__}: give it another")
    out.mkdir(parents=True)
    for path in (*own, *shared):
        beside = "from " if path.name == APP else "from ."
        text = disk.inside(path.parent, path.name).read_text(encoding="utf-8")
        text = text.replace(f"from {scoring.__name__}.", beside)
        (out / path.name).write_text(text, encoding="utf-8", newline="\n")
    return out
