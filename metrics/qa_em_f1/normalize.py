"""The two official answer normalisations, each from a string to its tokens, and their memo.

Both official scorers lower-case, delete ASCII punctuation and fold white space. SQuAD v1.1 also blanks out English
articles; RealTime QA keeps those and deletes the East Asian counters for years, age and people.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable


Tokens = tuple[str, ...]

_ARTICLES = frozenset({"a", "an", "the"})
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = dict.fromkeys(map(ord, string.punctuation))
_PUNCTUATION_AND_COUNTERS = dict.fromkeys(map(ord, string.punctuation + "年歳人년"))
_ASCII_PUNCTUATION = string.punctuation.encode()
_ASCII_LOWER = bytes(range(256)).lower()


def squad_tokens(text: str) -> Tokens:
    """Tokens of the SQuAD v1.1 normal form: lower case, no ASCII punctuation, no articles."""
    if not text.isascii():
        return tuple(_ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split())
    text = _ascii_normal(text)
    if not text.isprintable():
        # A control character that is no white space ends a word without ending a token.
        return tuple(_ARTICLE.sub(" ", text).split())
    tokens = text.split()
    return tuple(tokens if _ARTICLES.isdisjoint(tokens) else [token for token in tokens if token not in _ARTICLES])


def realtimeqa_tokens(text: str) -> Tokens:
    """Tokens of the RealTime QA normal form: lower case, no ASCII punctuation, no counters; articles stay."""
    text = _ascii_normal(text) if text.isascii() else text.lower().translate(_PUNCTUATION_AND_COUNTERS)
    return tuple(text.split())


def _ascii_normal(text: str) -> str:
    """Lower-cased and without punctuation: for ASCII, one pass over bytes is several times faster than over str."""
    return text.encode("ascii").translate(_ASCII_LOWER, _ASCII_PUNCTUATION).decode("ascii")


class TokenMemo(dict[str, Tokens]):
    """`memo[text]` gives the tokens of `text`, computed once while it is remembered; the memory used is bounded."""

    SIZE = 200_000
    LONGEST = 500

    def __init__(self, tokenize: Callable[[str], Tokens]) -> None:
        super().__init__()
        self._tokenize = tokenize

    def __missing__(self, text: str) -> Tokens:
        tokens = self._tokenize(text)
        if len(text) <= self.LONGEST:
            if len(self) >= self.SIZE:
                self.clear()
            self[text] = tokens
        return tokens
