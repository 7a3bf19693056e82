"""How numbers are read in the default mode of `denotation_accuracy`: cases by kind, round trips and near misses."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .scorers import DenotationAccuracy, read


METRIC = DenotationAccuracy()
OWN = Path(__file__).with_name("readings.jsonl")
REPORTED = Path(__file__).parents[3] / "shared" / "faults" / "readings.jsonl"
CASES = [
    json.loads(line)
    for path in (OWN, REPORTED)
    for line in (path.read_text(encoding="utf-8").splitlines() if path.exists() else ())
]


def right(prediction: str, gold: Any, kind: str | None = None) -> bool:
    result = METRIC.compute(predictions=[prediction], references=[gold], answer_type=[kind])
    return bool(result and result["denotation_accuracy"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['prediction']!r} for {case['references']}")
def test_a_reading(case: dict[str, Any]) -> None:
    """Digits of other forms, magnitudes, signs, money, units, brackets, list marks, separators."""
    assert right(case["prediction"], case["references"], case.get("answer_type")) == bool(case["score"])


ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
ONES += "seventeen eighteen nineteen".split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int, joined: bool) -> str:
    """A number below 10 ** 12 in English."""
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            link = " and " if joined and rest and rest < 100 else " "
            return f"{in_words(number // size, joined)} {name}{link + in_words(rest, joined) if rest else ''}"
    if number < 20:
        return ONES[number]
    return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")


def digits(text: str, zero: str) -> str:
    return "".join(chr(ord(zero) + int(c)) if c.isdecimal() else c for c in text)


SCRIPTS = st.sampled_from("0٠۰०０𝟎๐")
MAGNITUDES = [("k", 3), ("K", 3), ("M", 6), ("mn", 6), ("bn", 9), ("b", 9), (" thousand", 3), (" million", 6)]
MAGNITUDES += [(" billion", 9), (" trillion", 12), (" quadrillion", 15), (" lakh", 5), (" crore", 7), ("万", 4)]
UNITS = [("{} days", "day"), ("{} km", "kilometre"), ("{}%", "percent"), ("{} per cent", "percent"), ("${}", "dollar")]
UNITS += [("{} euros", "euro"), ("£{}", "pound"), ("USD {}", "dollar"), ("{}-minute", "minute"), ("{} trips", "trip")]


@settings(max_examples=300)
@given(st.integers(0, 10**12 - 1), st.booleans())
def test_numbers_in_words(number: int, joined: bool) -> None:
    assert read(in_words(number, joined), "number") == number
    assert read(f"minus {in_words(number, joined)}".title(), "number") == -number


@settings(max_examples=300)
@given(
    st.integers(0, 10**9),
    st.integers(0, 999),
    SCRIPTS,
    st.sampled_from(["{:d}", "{:,d}", "grouped"]),
    st.sampled_from(["", "-", "−", "+"]),
    st.sampled_from(["{}", "({})", "{}.", '"{}"', "**{}**", " {} "]),
)
def test_digits(whole: int, part: int, zero: str, form: str, sign: str, around: str) -> None:
    written = f"{whole:,d}".replace(",", " ") if form == "grouped" else form.format(whole)
    text = around.format(sign + digits(f"{written}.{part:03d}", zero))
    expected = (whole * 1000 + part) / 1000 * (-1 if sign in ("-", "−") else 1)
    assert read(text, "number") == pytest.approx(expected, rel=1e-15)
    # One digit more or less is another number.
    assert read(text.replace(digits(".", zero), digits("1.", zero)), "number") != read(text, "number")


@settings(max_examples=300)
@given(st.integers(1, 999), st.integers(0, 9), st.sampled_from(MAGNITUDES), st.sampled_from(UNITS))
def test_magnitudes_and_units(whole: int, tenth: int, magnitude: tuple[str, int], unit: tuple[str, str]) -> None:
    (name, power), (form, unit_name) = magnitude, unit
    value = (whole * 10 + tenth) * 10 ** (power - 1)
    number = f"{whole}.{tenth}{name}"
    assert read(number, "number") == value
    assert read(form.format(number), "number") == ("unit", value, unit_name)
    assert not right(number, f"{whole}.{tenth}", "number") and right(form.format(number), str(value), "number")


@given(st.integers(0, 99), st.sampled_from("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"))
def test_vulgar_fractions(whole: int, fraction: str) -> None:
    expected = whole + unicodedata.numeric(fraction)
    for text in (f"{whole}{fraction}", f"{whole} {fraction}"):
        assert read(text, "number") == pytest.approx(expected)
    assert right(fraction, str(unicodedata.numeric(fraction)), "number")


NOT_UNDERSTOOD = [
    "{}?!x1",
    "{} or 7",
    "~{}",
    "{}+",
    "{}-7",
    "{}/0",
    "{} of 7",
    "{}^",
    "{}₂",
    "{}①",
    "{}'",
    "<{}",
    "{} zillion",
]
NOT_UNDERSTOOD += [
    "{} below",
    "{} pm",
    "${} euros",
    "{}q",
    "{}:30",
    "{}, 7",
    "{} ½ ½",
    "x{}",
    "no. {}",
    "{} at most",
    "±{}",
]


@given(st.integers(0, 10**6), st.sampled_from(NOT_UNDERSTOOD))
def test_what_is_not_understood_is_no_number(number: int, form: str) -> None:
    assert isinstance(read(form.format(number), "number"), str)
    assert not right(form.format(number), str(number), "number")
