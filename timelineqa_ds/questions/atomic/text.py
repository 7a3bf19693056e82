"""Answers found in contexts, and lists of words as they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """A part of a context: its text and where it begins."""

    text: str
    start: int


def listed(words: Sequence[str]) -> str:
    """ "A, B and C"."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def as_told(words: Sequence[str], unit: str) -> list[str]:
    """The ways in which a sentence may put an answer.

    A list has "and" before its last word, or none where the sentence goes on with "and I" itself.
    """
    if unit:
        return [f"{word} {unit}" for word in words]
    joined = listed(words)
    if len(words) > 1:
        return [joined, ", ".join(words)]
    return [joined, joined[:1].upper() + joined[1:]]


def find(context: str, ways: Iterable[str]) -> Span | None:
    """The place of an answer in a context.

    Args:
        ways: the answer in the forms it may have; the first that is there counts.

    Returns:
        None if it is not there as whole words, or is there twice, so that it would not be clear which is meant.
    """
    for text in ways:
        places = _places(context, text)
        if places:
            return Span(text, places[0]) if len(places) == 1 else None
    return None


def _places(context: str, text: str) -> list[int]:
    starts = []
    start = context.find(text)
    while start >= 0:
        end = start + len(text)
        if not (_in_word(context[start - 1 : start]) or _in_word(context[end : end + 1])):
            starts.append(start)
        start = context.find(text, start + 1)
    return starts


def _in_word(character: str) -> bool:
    """Whether a character (or none) would go on with a word."""
    return character.isalnum() or character in ("-", "'", "_")
