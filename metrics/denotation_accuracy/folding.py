"""One form for what can be written in several ways: case, accents, widths, digits, quotes, dashes, white space."""

from __future__ import annotations

import re
import unicodedata


_FOLDED = str.maketrans(
    {
        **dict.fromkeys(map(chr, range(0x300, 0x370))),
        **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff\u00ad"),
        **dict.fromkeys("‘’´`′‚‛", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "⁄": "/",
        "、": ", ",
        "。": ". ",
        "٫": ".",
        "٬": ",",
        "٪": "%",
    }
)
_DIGIT = re.compile(r"\d")
_SMALL_FRACTION = re.compile("([⁰¹²³⁴-⁹]+)[⁄/∕]([₀-₉]+)")
_SIGNS = frozenset("⁺⁻")  # of exponents
_PARENTHESES = re.compile(r"\(([^()]*)\)")
MOST_MARKS = 1000  # combining marks in a row: Unicode normalisation takes their square


class TooManyMarks(ValueError):
    """A text that cannot be normalised in good time."""


def shape(text: str) -> str:
    """One form for accents, widths, digits, quotes, dashes and white space; no outer quotes, brackets or full stop.

    Text that is more than white space never becomes empty: an answer of one article or mark still says something.
    """
    if not text.isascii():
        text = _apart(text.replace("º", "°"))
        text = unicodedata.normalize("NFC", decomposed(text).translate(_FOLDED))
        text = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    text = " ".join(text.split())
    bare = text.strip("\"'*` ").rstrip(".,;:!?\"'*` ")
    within = _PARENTHESES.fullmatch(bare) if bare[:1] == "(" else None
    return (within and within[1].strip("\"'*` ").rstrip(".,;:!?\"'*` ")) or bare or text


def _apart(text: str) -> str:
    """The text with its super- and subscripts, fractions and other numerals told apart from the digits beside them."""
    numerals = {c: unicodedata.normalize("NFKD", c) for c in set(text) if not c.isascii() and not c.isdecimal()}
    numerals = {c: plain for c, plain in numerals.items() if c in _SIGNS or any(map(str.isdecimal, plain))}
    if not numerals:
        return text
    text = _SMALL_FRACTION.sub(lambda parts: f" {parts[1]}⁄{parts[2]}", text)
    parts, last = [], ""  # "digit", the kind of a numeral, or "" for anything else
    for character in text:
        plain = numerals.get(character)
        if plain is None:
            digit = character.isdecimal()
            parts.append(f"_{character}" if digit and last not in ("", "digit") else character)
            last = "digit" if digit else ""
            continue
        kind = unicodedata.decomposition(character).partition(" ")[0]
        if last == "digit":
            plain = {"<fraction>": " ", "<super>": "^"}.get(kind, "_") + plain
        elif last and not (last == kind in ("<super>", "<sub>")):
            plain = f"_{plain}"
        parts.append(plain)
        last = kind
    return "".join(parts)


def decomposed(text: str) -> str:
    """The compatibility decomposition of a text.

    Raises:
        TooManyMarks: if it has more combining marks in a row than `MOST_MARKS`.
    """
    run = 0
    for character in text if len(text) > MOST_MARKS else "":
        run = run + 1 if unicodedata.combining(character) else 0
        if run > MOST_MARKS:
            raise TooManyMarks(
                f"expected at most {MOST_MARKS:,} combining marks (accents) in a row, since Unicode normalisation "
                f"takes their square, found more after {text[:20]!r}; cut that answer, or leave its row out"
            )
    return unicodedata.normalize("NFKD", text)
