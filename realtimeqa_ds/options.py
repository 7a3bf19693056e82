"""The keyword arguments of `load_dataset("realtimeqa", ...)`: what may be given, checked, and what it selects."""

from __future__ import annotations

import calendar
import datetime
import os
import re
from collections.abc import Sequence
from pathlib import Path

import datasets

from timeline_realtime_qa.display.near import did_you_mean, near

from .files import manifest
from .files.download import RETRIES, RETRY
from .files.layout import Week
from .files.source import COMMIT, REPOSITORY, SAMPLE, LocalSource, RemoteSource, Source
from .parsing.report import rules
from .spec import NAME
from .weeks.documents import POOLS
from .weeks.questions import source_key


Range = tuple[datetime.date, datetime.date]


def source(
    data_dir: str | None,
    revision: str | None,
    base_url: str | None,
    manifest_path: str | None,
    verify: bool,
    download: datasets.DownloadConfig | None = None,
) -> Source:
    """The source that the arguments name; of `download`, the builder's docstring says what counts.

    Raises:
        ValueError: for arguments that contradict each other.
        FileNotFoundError: for a manifest that is not there.
    """
    if manifest_path is not None and not Path(manifest_path).is_file():
        raise FileNotFoundError(f"expected a manifest file at manifest={manifest_path!r}, found none")
    listed = Path(manifest_path) if manifest_path is not None else manifest.PINNED
    if data_dir is not None:
        if revision is not None or base_url is not None:
            raise ValueError("revision= and base_url= name remote files, data_dir= local ones: give one or the other")
        return local(data_dir, listed, verify)
    if not verify:
        raise ValueError("verify=False is for local files and needs data_dir=; downloads are always verified")
    if revision is not None and not re.fullmatch(r"\w[\w.-]*", revision):
        raise ValueError(f"expected revision= to be a commit or a tag (letters, digits, . and -), found {revision!r}")
    if revision not in (None, COMMIT) and manifest_path is None:
        raise ValueError(
            f"expected revision={COMMIT!r}, whose files the package knows by sha256, found {revision!r}; to use "
            "another commit, clone it and pass data_dir=, or pass manifest=FILE, made by `python -m realtimeqa_ds "
            "manifest CLONE`"
        )
    download = download or datasets.DownloadConfig()
    cache = Path(download.cache_dir or datasets.config.DOWNLOADED_DATASETS_PATH) / NAME
    retry = RETRY.new(total=max(RETRIES, download.max_retries))
    return RemoteSource(cache, base_url or REPOSITORY, revision or COMMIT, listed, retry, download.proxies)


def local(data_dir: str, manifest_path: Path = manifest.PINNED, verify: bool = True) -> LocalSource:
    """The folder that `data_dir=` names, or the embedded sample."""
    # On the text, since to a Path "./~x" is "~x", the home of somebody.
    root = SAMPLE if data_dir == "sample" else Path(os.path.expanduser(data_dir)).resolve()
    return LocalSource(root, manifest_path, verify)


def check_documents(config: str, documents: object, top_k: object) -> None:
    """Check `documents=` and `top_k=`.

    Raises:
        ValueError: naming the allowed values.
    """
    allowed = [name for name in POOLS if name != "none" or config != "documents"]
    if documents not in allowed:
        meant = did_you_mean(near(str(documents), allowed))
        names = ", ".join(map(repr, allowed))
        raise ValueError(f"{meant}expected documents= to be one of {names}, found {documents!r}")
    if top_k is not None and (not isinstance(top_k, int) or isinstance(top_k, bool) or top_k < 1):
        raise ValueError(f"expected top_k= to be a whole number from 1, or None for all, found {top_k!r}")


def source_names(sources: str | Sequence[str] | None) -> frozenset[str] | None:
    """`sources=` as a set to compare `source_key` of a row with; None for all.

    Raises:
        ValueError: if it is not a name or a list of names.
    """
    if sources is None:
        return None
    names = [sources] if isinstance(sources, str) else sources
    if not isinstance(names, (list, tuple, set)) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f'expected sources= to be a name such as "CNN" or a list of names, found {sources!r}')
    return frozenset(map(source_key, names))


def flag_names(without: str | Sequence[str] | None) -> frozenset[str]:
    """`without=` as a set of flags.

    Raises:
        ValueError: naming the flags that there are.
    """
    names = [] if without is None else [without] if isinstance(without, str) else without
    known = [rule.id for rule in rules().values() if rule.flags]
    listed = isinstance(names, (list, tuple, set, frozenset))
    if not listed or not all(name in known for name in names):
        wrong = [str(name) for name in names if name not in known] if listed else []
        meant = [flag for name in wrong for flag in near(name, known)]
        raise ValueError(
            f"{did_you_mean(meant)}expected without= to be a flag or a list of flags of {', '.join(known)}, "
            f"found {without!r}"
        )
    return frozenset(names)


def week_ranges(weeks: str | Sequence[str] | None) -> list[Range] | None:
    """`weeks=` as inclusive date ranges; None for all weeks.

    Raises:
        ValueError: if it is not a date, a month, a year, a range FIRST:LAST of these (either end may be left out) or a
            list of these.
    """
    if weeks is None:
        return None
    given = [weeks] if isinstance(weeks, (str, int, datetime.date)) else weeks
    if not isinstance(given, (list, tuple)) or not given:
        raise ValueError(f"{_EXPECTED_WEEKS}, found {weeks!r}")
    return [_range(item) for item in given]


_EXPECTED_WEEKS = (
    'expected weeks= to be a date "2022-06-17", a month "2023-04", a year "2023", a range "2022-06-17:2023-06-02" '
    "(either end may be left out) or a list"
)
_PERIOD = re.compile(r"([1-9]\d{3})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)


def _range(item: object) -> Range:
    first, colon, last = str(item).partition(":")
    try:
        start = _days(first)[0] if first else datetime.date.min
        end = _days(last)[1] if last else datetime.date.max if colon else _days(first)[1]
        if not (first or last) or start > end:
            raise ValueError
    except ValueError:
        raise ValueError(f"{_EXPECTED_WEEKS}, found {item!r}") from None
    return start, end


def _days(period: str) -> Range:
    """The first and the last day of a year, a month or a day."""
    match = _PERIOD.fullmatch(period)
    if not match:
        raise ValueError
    year, month, day = (int(number or 0) for number in match.groups())
    last = day or calendar.monthrange(year, month or 12)[1]
    return datetime.date(year, month or 1, day or 1), datetime.date(year, month or 12, last)


def select(weeks: Sequence[Week], ranges: list[Range] | None) -> list[Week]:
    """The weeks within any of `ranges`.

    Raises:
        ValueError: if a range holds no week; the message names the weeks around it.
    """
    if ranges is None:
        return list(weeks)
    for start, end in ranges:
        if not any(start <= week.date <= end for week in weeks):
            before = max((week.date for week in weeks if week.date < start), default=None)
            after = min((week.date for week in weeks if week.date > end), default=None)
            raise ValueError(
                f"there is no week {start if start == end else f'from {start} to {end}'}; the week before it is "
                f"{before or 'none'}, the one after it {after or 'none'} (weeks are named by their Friday)"
            )
    return [week for week in weeks if any(start <= week.date <= end for start, end in ranges)]
