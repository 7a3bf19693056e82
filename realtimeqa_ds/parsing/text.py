"""Plain text, dates and links from published strings."""

from __future__ import annotations

import datetime
import functools
import math
import re
import unicodedata
from urllib.parse import parse_qsl, urlencode, urlsplit

from selectolax.lexbor import LexborHTMLParser

from timeline_realtime_qa.scoring.nota import is_nota


# What most strings are: printable ASCII without markup, and single blanks within.
_CLEAN = re.compile("[!-%'-;=-~]+(?: [!-%'-;=-~]+)*|")
# Zero-width characters, soft hyphen, word joiner, byte-order mark and direction marks: nothing a reader sees.
_MARKS = r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_INVISIBLE = re.compile(f"[{_MARKS}]")
_CONTROL = re.compile(f"[{_CONTROLS}]")
_HIDDEN = re.compile(f"[{_MARKS}{_CONTROLS}]")
_ANCHOR = re.compile(r'<a href="([^"<>\r]*)">|</a>')
# Tags between whose contents a reader sees a gap.
_BREAKS = "br,p,div,li,tr,iframe"
_BREAK = re.compile(f"<(?:{_BREAKS.replace(',', '|')})[^a-z]", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})([/-])(\d{2})\2(\d{2})")
_MINUTE = re.compile(r"(\d{4})/(\d{2})/(\d{2})/(\d{2}):(\d{2})", re.ASCII)
# Parameters that say how a reader came to a page, not which page it is.
_TRACKING = re.compile(r"utm_\w+|\w*clid|cid|cmp|cmpid|ocid|icid|ref|referrer|iref|smid|mc_\w+", re.IGNORECASE)


def plain(published: str) -> str:
    """Visible text only: markup stripped, entities decoded, invisible characters dropped, white space folded, NFC."""
    return published if _CLEAN.fullmatch(published) else snippet(published)[0]


def snippet(published: str) -> tuple[str, list[str]]:
    """The visible text of an HTML snippet, as `plain` gives it, and the targets of its links, in order, each once."""
    text, targets = published, []
    pieces = _ANCHOR.split(text)
    bare = "".join(pieces[::2])
    if "<" not in bare and "&" not in text:  # nothing but links, as in most explanations: no need to build a tree
        text, targets = bare, [target.strip() for target in pieces[1::2] if target]
    elif (body := LexborHTMLParser(f"<body>{text}</body>").body) is not None:
        targets = [(a.attributes.get("href") or "").strip() for a in body.css("a")]
        if _BREAK.search(text):
            for tag in body.css(_BREAKS):
                tag.insert_before(" ")
                tag.insert_after(" ")
        text = body.text()
    if _HIDDEN.search(text):
        text = _CONTROL.sub(" ", _INVISIBLE.sub("", text))
    text = " ".join(text.split())
    return unicodedata.normalize("NFC", text), list(dict.fromkeys(filter(None, targets)))


@functools.lru_cache(maxsize=1 << 14)
def date(published: str) -> datetime.date | None:
    """A date written YYYY/MM/DD or YYYY-MM-DD; None for anything else."""
    match = _DATE.fullmatch(published.strip())
    try:
        return datetime.date(int(match[1]), int(match[3]), int(match[4])) if match else None
    except ValueError:
        return None


@functools.lru_cache(maxsize=1 << 12)
def minute(published: str) -> int | None:
    """A time written YYYY/MM/DD/HH:MM, in UTC, as seconds since 1970; None for anything else."""
    match = _MINUTE.fullmatch(published)
    try:
        year, month, day, hour, minutes = map(int, match.groups()) if match else (0, 0, 0, 0, 0)
        moment = datetime.datetime(year, month, day, hour, minutes, tzinfo=datetime.timezone.utc)
    except ValueError:
        return None
    return int(moment.timestamp())


def number(published: str) -> float | None:
    """A finite decimal number; None for anything else."""
    try:
        value = float(published) if published.isascii() and "_" not in published else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def nota_index(choices: list[str]) -> int | None:
    """Which choice says "none of the above", in any spelling ("D. None of the above.", "1) Neither of these").

    The last such choice counts, since published NOTA choices come last. None if there is none.
    """
    places = [place for place, choice in enumerate(choices) if is_nota(plain(choice))]
    return places[-1] if places else None


@functools.lru_cache(maxsize=1 << 14)
def page(url: str) -> str | None:
    """A web address in a normal form: without scheme, www, last slash, fragment, tracking; None for any other."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.").rstrip(".")
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not re.search(r"[^\W_]", host) or re.search(r"\s", parts.netloc):
        return None
    kept = [(key, value) for key, value in parse_qsl(parts.query, True) if not _TRACKING.fullmatch(key)]
    return f"{host}{parts.path.rstrip('/')}?{urlencode(sorted(kept))}".removesuffix("?")


def same(text: str, other: str) -> bool:
    """Whether two strings read the same: letters and digits alone, any case."""
    return _letters(text) == _letters(other)


def _letters(published: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", plain(published)).casefold() if c.isalnum())
