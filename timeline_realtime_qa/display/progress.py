"""How far a work is: one style of bar for all that is counted, on stderr, and none where datasets shows none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from datasets.utils import tqdm


def progress(
    of: Iterable[Any] | int,
    unit: str,
    title: str,
    *,
    total: int | None = None,
    quiet: bool = False,
    passing: bool = False,
) -> Any:
    """A bar that counts what one goes through, or to a number, moved on by `update`.

    Args:
        unit: what is counted, in the plural.
        total: how many there are of what has no length.
        passing: whether the bar goes when the work is done, as one beside another bar does.
    """
    counted: dict[str, Any] = {"total": of} if isinstance(of, int) else {"iterable": of, "total": total}
    return tqdm(**counted, unit=f" {unit}", desc=title, disable=quiet, leave=not passing)
