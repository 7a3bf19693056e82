"""Where the items of an answer are: lists in Python or JSON notation, separators, and marks before items."""

from __future__ import annotations

import re


Answer = str | list[str]

# A comma of a number, full width or not, is none between items.
CUT = re.compile(r",?\s(?:and|&)\s|,\s|[;|\n；、؛]|(?<!\d)[，،]|[，،](?!\d)", re.IGNORECASE)
CUT_EVERY_COMMA = re.compile(r",?\s(?:and|&)\s|[,;|\n；、؛，،]", re.IGNORECASE)
_MARK = re.compile(r"\s*(?:[-*+•‣◦▪●–—·]|[0-9]{1,3}[.)]|[A-Za-z]\)|\((?:[0-9]{1,3}|[A-Za-z])\))\s+(?=\S)")
_BLANK = re.compile(r"\s*")
_QUOTED = {quote: re.compile(rf"{quote}([^{quote}\\]*(?:\\.[^{quote}\\]*)*){quote}", re.DOTALL) for quote in "'\""}
_BARE = re.compile(r"""[^,'"\[\]]+""")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)


def items(answer: Answer) -> list[str]:
    """The items of an answer that are not blank; a string is one item unless it is a list in Python or JSON."""
    if type(answer) is list and len(answer) != 1:
        return [item for item in answer if item.strip()]
    text = answer if type(answer) is str else answer[0]
    written = _written(text.strip())
    return [item for item in ([text] if written is None else written) if item.strip()]


def _written(text: str) -> list[str] | None:
    """The items of "['a', 'b']" or '["a", 2]'; None if `text` is not such a list."""
    if text[:1] != "[" or text[-1:] != "]" or len(text) < 2:
        return None
    body, place = text[1:-1].rstrip(), 0
    found = []
    while place < len(body):
        start = _blank(body, place)
        quoted = _QUOTED.get(body[start : start + 1])
        match = quoted.match(body, start) if quoted is not None else _BARE.match(body, place)
        if match is None:
            return None
        found.append(match[0].strip() if quoted is None else _ESCAPE.sub(_unescape, match[1]))
        place = _blank(body, match.end())
        if body[place : place + 1] not in ("", ","):
            return None
        place += 1
    return found


def _blank(text: str, place: int) -> int:
    """Where the white space that begins at `place` ends."""
    match = _BLANK.match(text, place)
    return place if match is None else match.end()


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return {"n": "\n", "t": "\t", "r": "\r"}.get(code, code)


def pieces(text: str, cut: re.Pattern[str]) -> list[tuple[int, int]]:
    """Where the pieces of `text` that are not blank begin and end; marks before lines are left out."""
    ends = [(match.start(), match.end()) for match in cut.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    spans = zip(starts, [*(start for start, _ in ends), len(text)], strict=True)
    found = [(start, end) for start, end in spans if text[start:end].strip()]
    if "\n" not in text:
        return found
    return [(marked(text, start, end), end) for start, end in found]


def marked(text: str, start: int = 0, end: int | None = None) -> int:
    """Where the part of `text` begins that follows the mark before an item ("-", "2.", "a)"), if there is one."""
    if text[start : start + 1].isalpha() and text[start + 1 : start + 2] != ")":
        return start
    mark = _MARK.match(text, start, len(text) if end is None else end)
    return start if mark is None else mark.end()
