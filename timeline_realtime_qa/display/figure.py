"""An empty figure to draw on, where matplotlib is installed, which is an extra."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from matplotlib.figure import Figure

INSTALL = "pip install 'timeline-realtime-qa[plot]'"


def new_figure(width: float, height: float) -> Figure:
    """An empty matplotlib figure of so many inches.

    Raises:
        RuntimeError: if matplotlib is not installed; the message has the command.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise RuntimeError(f"plots need matplotlib: {INSTALL}") from error
    return Figure(figsize=(width, height), layout="constrained")


def check_picture(path: Path) -> None:
    """Check before anything is made that a picture can be drawn into a file.

    Raises:
        RuntimeError: if matplotlib is not installed; the message has the command.
        ValueError: for an ending that matplotlib does not write.
        FileNotFoundError: if the folder is not there.
    """
    kinds = sorted(new_figure(1, 1).canvas.get_supported_filetypes())
    if path.suffix.removeprefix(".").lower() not in kinds:
        raise ValueError(f"{path}: expected the name of a picture that ends in one of {', '.join(kinds)}")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{path}: expected a folder for the picture at {path.parent}, found none")
