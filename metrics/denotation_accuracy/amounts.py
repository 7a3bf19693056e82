"""A number as people write it, with its unit or currency. What is not understood makes a text no number.

amount    = [sign] [currency] [sign] value {magnitude} ["squared" | "cubed"] [unit] ["below zero"]
value     = digits ["e" digits | "x 10^" digits | "^" digits] | [digits] fraction | words
digits    = of any script, with groups (1,000 or 1 000 or 1'000 or 1,00,000) and decimals after a point
magnitude = a word or letter: thousand, k, M, bn, dozen, lakh, 万, ...; a part: half, third, tenths, ...
unit      = one to three words; known ones (units.py) have one name for all their spellings
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from .counting import number_in_words
from .units import CURRENCIES, MAGNITUDES, MONEY, MONTHS, NOT_UNITS, PARTS, PHRASES, POWERS, SIGNS, UNCLEAR, UNITS


Amount = int | float | tuple[str, int | float, str]  # plain, or ("unit", amount, unit)

_LONGEST = 400
_LONGEST_NUMBER = 300
_SIGN = r"(?:(?P<{0}>[+-]) ?|(?P<{0}_word>plus|minus|positive|negative) )?"
_PREFIX = re.compile(
    _SIGN.format("sign")
    + rf"(?:(?P<currency>{'|'.join(map(re.escape, sorted(CURRENCIES, key=len, reverse=True)))}) ?)?"
    + _SIGN.format("minus"),
    re.IGNORECASE,
)
_DIGITS = re.compile(
    r"(?P<digits>(?:[0-9]{1,3}(?P<mark>[, '])[0-9]{3}(?:(?P=mark)[0-9]{3})*(?![0-9])"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?![0-9])|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)"
    r"(?:e(?P<e>[+-]?[0-9]{1,3})(?![0-9])| ?[x×*·] ?10 ?(?:\^|\*\*) ?(?P<ten>[+-]?[0-9]{1,3})(?![0-9])"
    r"|(?:\^|\*\*)(?P<power>[+-]?[0-9]{1,2})(?![0-9]))?",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"(?:(?P<whole>[0-9]{1,15})(?: | and ))?(?P<part>[0-9]{1,15}) ?/ ?(?P<by>[0-9]{1,15})(?![0-9])")
_AND_PART = re.compile(r" and (?:an? |one )?(half|third|quarter)(?![^\W_])", re.IGNORECASE)
_HAN = "百千万萬億亿兆만억조"
_WORD = re.compile(
    rf"( - | ?-|[ /])?([{_HAN}]|us\$|[^\W\d_{_HAN}]+(?:\^?[23](?![0-9]))?|[%‰°$€£¥₹₩₽¢])\.?", re.IGNORECASE
)
_BELOW_ZERO = re.compile(r"(.*\S) below (?:zero|0)(.*)", re.IGNORECASE | re.DOTALL)
_MOST_WORDS = 3  # of a unit


def amount(text: str) -> Amount | None:
    """The amount that a shaped text is; None if it is none, or one that is not understood."""
    if len(text) > _LONGEST:
        return None
    below = _BELOW_ZERO.fullmatch(text)
    if below is not None:
        found = amount(below[1] + below[2])
        if found is None or (found[1] if isinstance(found, tuple) else found) < 0:
            return None
        return ("unit", -found[1], found[2]) if isinstance(found, tuple) else -found
    prefix = _PREFIX.match(text)
    assert prefix is not None  # every part of it may be absent
    signs = [s.lower() for s in prefix.group("sign", "sign_word", "minus", "minus_word") if s is not None]
    currency = CURRENCIES[prefix["currency"].lower()] if prefix["currency"] else ""
    if len(signs) > 1:
        return None
    read = _value(text[prefix.end() :])
    if read is None:
        return None
    value, rest, in_words = read
    return _with_unit(value * SIGNS[signs[0]] if signs else value, rest, currency, in_words)


def _value(text: str) -> tuple[Fraction, str, bool] | None:
    """The number that `text` begins with, what follows, and whether it is written in words."""
    fraction = _FRACTION.match(text)
    if fraction is not None:
        part, by = int(fraction["part"]), int(fraction["by"])
        if not by or (fraction["whole"] and part >= by):
            return None
        return int(fraction["whole"] or 0) + Fraction(part, by), text[fraction.end() :], False
    match = _DIGITS.match(text)
    if match is None:
        found = number_in_words(text)
        if found is None:
            return None
        value, rest = found
    else:
        if len(match["digits"]) > _LONGEST_NUMBER:
            return None
        value = Fraction(re.sub("[, ']", "", match["digits"]).removesuffix("."))
        power = match["e"] or match["ten"]
        if power:
            value *= Fraction(10) ** int(power)
        elif match["power"]:
            if not value and match["power"].startswith("-"):
                return None
            value **= int(match["power"])
        rest = text[match.end() :]
    half = _AND_PART.match(rest)
    if half is not None and value.denominator == 1:
        value += Fraction(1, PARTS[half[1].lower()])
        rest = rest[half.end() :]
    return value, rest, match is None


def _with_unit(value: Fraction, rest: str, currency: str, in_words: bool) -> Amount | None:
    """The key of a number followed by `rest`; None if that is no magnitude or unit."""
    words = _words(rest)
    if words is None:
        return None
    attached = bool(words) and words[0][0] == ""
    if attached and words[0][1].lower() in ("st", "nd", "rd", "th") and value.denominator == 1:
        words, attached = words[1:], False
    names = [word for _, word in words]
    while names:
        factor = _factor(names[0], bool(currency), value)
        if factor is None:
            break
        value *= factor
        names, attached = names[1:], False
    if names and names[0].lower() in POWERS:
        value **= POWERS[names.pop(0).lower()]
    gaps = [gap for gap, _ in words[len(words) - len(names) :]]
    unit = _unit(gaps, names) if names else ""
    if unit is None or (names and (attached or in_words) and not _known(names, unit, in_words)):
        return None
    if currency and unit not in ("", currency):
        return None
    plain = _number(value)
    if plain is None:
        return None
    return ("unit", plain, unit or currency) if unit or currency else plain


def _words(rest: str) -> list[tuple[str, str]] | None:
    """The words of `rest`, each with what stands before it; None if it holds anything else."""
    words: list[tuple[str, str]] = []
    place = 0
    while place < len(rest):
        match = _WORD.match(rest, place)
        if match is None or len(words) == 2 * _MOST_WORDS or (not words and match[1] == "/"):
            return None
        words.append(((match[1] or "").strip() or (match[1] or ""), match[2]))
        place = match.end()
    return words


def _factor(word: str, money: bool, value: Fraction) -> Fraction | int | None:
    """What a word multiplies the number before it with; None if it is no magnitude."""
    lower = word.lower()
    if lower in UNCLEAR:
        return UNCLEAR[lower][0] if money or (word.isupper() and len(word) == 1) else None
    if lower in PARTS and value.denominator == 1:
        return Fraction(1, PARTS[lower])
    return MAGNITUDES.get(lower)


def _unit(gaps: Sequence[str], names: Sequence[str]) -> str | None:
    """The unit that some words name; None if they name none, or two that do not go together."""
    lowered = [name.lower() for name in names]
    if lowered == ["per", "cent"]:
        return "percent"
    inner = [word for word in lowered[1:] if word != "per"]
    if lowered[0] in MONTHS or not NOT_UNITS.isdisjoint([lowered[0], *inner]):
        return None
    words: list[str] = []
    for gap, word in zip(gaps, lowered, strict=True):
        words.extend((["per"] if gap == "/" and words else []) + [_singular(word)])
    if len(words) - words.count("per") > _MOST_WORDS:
        return None
    named = {word for word in words if word in MONEY or word == "percent"}
    if named and len(words) > 1 and " ".join(words) not in PHRASES:
        return None
    phrase = " ".join(words)
    return PHRASES.get(phrase) or UNITS.get(phrase) or phrase


def _known(names: Sequence[str], unit: str, in_words: bool) -> bool:
    """Whether a unit may follow its number without a blank, or a number in words."""
    known = all(name.lower() in UNITS or name.lower() in UNCLEAR for name in names) or unit in PHRASES.values()
    return known or (not in_words and len(names[0]) > 2)


def _singular(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return UNITS.get(word) or (word[:-1] if plural else word)


def _number(value: Fraction) -> int | float | None:
    if value.denominator == 1:
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return None
