"""What an error says of a name that is not known: the near ones, and all of them where they are few."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


FEW = 30  # names that an error still lists
MEANT = 3  # near names that it offers
ALIKE = 0.65  # how alike they are at least: two letters of three that are swapped


def expected(name: object, known: Iterable[str], listing: str | None = None) -> str:
    """What is allowed in the place of `name`, and what may have been meant, as the end of a message.

    Args:
        listing: what lists all of them, named where they are many.
    """
    names = list(known)
    if listing is not None and len(names) > FEW:
        allowed = f"{listing} lists all {len(names)}"
    else:
        allowed = f"expected one of {', '.join(names)}"
    return did_you_mean(near(str(name), names)) + allowed


def did_you_mean(meant: Sequence[str]) -> str:
    """Asks whether one of some near names was meant, with a blank after it; nothing where there are none."""
    *others, last = meant or [""]
    names = f"{', '.join(others)} or {last}" if others else last
    return f"did you mean {names}? " if names else ""


def near(name: str, known: Iterable[str]) -> list[str]:
    """The names that are most like another, case and dashes aside; else those that it is a part of."""
    plain = {_plain(one): one for one in known}
    if _plain(name) in plain:
        return [plain[_plain(name)]]
    found = difflib.get_close_matches(_plain(name), plain, MEANT, ALIKE)
    if not found and len(_plain(name)) > 1:
        found = [one for one in plain if _plain(name) in one][:MEANT]
    return [plain[one] for one in found]


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")
