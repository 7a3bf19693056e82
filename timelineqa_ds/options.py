"""The keyword arguments of the dataset, checked: every error names what was found and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from timeline_realtime_qa.display.near import did_you_mean, expected, near

from . import spec


YEARS = (1000, 9000)
LONGEST = 57  # years from 18 to 74


def check_world(seed: object, year: object, duration: object) -> None:
    """Raise ValueError unless these are a seed, a final year and a number of years (or None)."""
    _whole("seed", seed, None, None)
    _whole("year", year, *YEARS)
    if duration is not None:
        _whole("duration", duration, 1, None)


def check_data_dir(arguments: Mapping[str, object]) -> None:
    """Raise ValueError if a folder to read is among the arguments given, and one that only makes sense without."""
    data_dir = arguments.get("data_dir")
    given = [name for name in ("seed", "year", "duration") if name in arguments]
    if data_dir is not None and given:
        raise ValueError(
            f"{given[0]}={arguments[given[0]]!r}: expected no {', '.join(given)} together with "
            f"data_dir={str(data_dir)!r}, whose lifelogs were generated already"
        )


def check_density(density: object) -> str:
    """The density, if it is one."""
    if density not in spec.DENSITIES:
        raise ValueError(f"density={density!r}: {expected(density, spec.DENSITIES)}")
    return str(density)


def lifelog_indices(lifelogs: object) -> list[int]:
    """Indices of the personas asked for, ascending and once each.

    Args:
        lifelogs: None (the personas of train, validation and test), "all" (the world of 1,000), "7", "0:10" (the
            end left out, as in Python), "test" (the personas of a split), "0:10,80" or "test,7", a whole number, or a
            list of these.

    Raises:
        ValueError: for anything else, and for a choice of none.
    """
    if lifelogs is None:
        return list(range(spec.DEFAULT_LIFELOGS))
    choices = lifelogs if isinstance(lifelogs, Sequence) and not isinstance(lifelogs, str) else [lifelogs]
    parts = [part for choice in choices for part in (choice.split(",") if isinstance(choice, str) else [choice])]
    indices = sorted({index for part in parts for index in _indices(part)})
    if not indices:
        raise ValueError(f"lifelogs={lifelogs!r} chooses no lifelog; {_EXPECTED}")
    return indices


def split_of(index: int) -> str:
    """The name of the split that a persona is in."""
    return next(split.name for split in spec.SPLITS if split.stop is None or index < split.stop)


def split_members(indices: Sequence[int]) -> dict[str, list[int]]:
    """The indices of each split that has any."""
    members = {split.name: [index for index in indices if split_of(index) == split.name] for split in spec.SPLITS}
    return {name: inside for name, inside in members.items() if inside}


def column_names(columns: Iterable[str] | None, known: Iterable[str]) -> list[str]:
    """The columns asked for, all of `known` for None.

    Raises:
        ValueError: for a column that is not there, one asked for twice, or none at all.
    """
    allowed = list(known)
    if columns is None:
        return allowed
    asked = [columns] if isinstance(columns, str) else list(columns)
    unknown = [name for name in asked if name not in allowed]
    if unknown or not asked or len(set(asked)) < len(asked):
        meant = list(dict.fromkeys(name for wrong in unknown for name in near(str(wrong), allowed)))
        raise ValueError(
            f"columns={columns!r}: {did_you_mean(meant)}expected different names out of {', '.join(allowed)}"
        )
    return asked


_EXPECTED = (
    'expected "all", an index ("7"), a range ("0:10", end left out), a split ("test"), several of these ("0:10,80"), '
    "or a list"
)


def _indices(part: object) -> range:
    text = str(part).strip() if isinstance(part, (int, str)) and not isinstance(part, bool) else ""
    if text == "all":
        return range(spec.WORLD)
    if split := next((split for split in spec.SPLITS if split.name == text), None):
        if split.stop is None:
            raise ValueError(
                f'lifelogs: the split {text!r} has no end; say which of it, such as "{split.start}:{split.start + 40}"'
            )
        return range(split.start, split.stop)
    first, colon, stop = text.partition(":")
    if not first.isdecimal() or (colon and not stop.isdecimal()):
        meant = did_you_mean(near(text, ["all", *(split.name for split in spec.SPLITS)]))
        raise ValueError(f"lifelogs: {part!r} is not a choice of lifelogs; {meant}{_EXPECTED}")
    return range(int(first), int(stop) if colon else int(first) + 1)


def _whole(name: str, value: object, low: int | None, high: int | None) -> int:
    allowed = "" if low is None else f" of at least {low}" if high is None else f" from {low} to {high}"
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or (low is not None and value < low)
        or (high is not None and value > high)
    ):
        raise ValueError(f"{name}={value!r}: expected a whole number{allowed}")
    return value


def check_index(index: object) -> int:
    """The index of a persona, if it is one."""
    return _whole("index", index, 0, None)
