"""What the wording of a question, its choices and its explanation tells about it; each function is a flag's rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from timeline_realtime_qa.scoring.nota import LABEL

from ..parsing import text


_NUMBER = "(?:two|three|four|five)"
_CHOICES = re.compile(
    r"\b(?:of|among|from|between) (?:these|those|the following)\b|\bwhich (?:one )?statement\b|\bexcept\W*$"
    r"|\bthe following\b(?! (?:day|week|weekend|month|year|morning|afternoon|evening|night|season)s?\b)",
    re.IGNORECASE,
)
_IMAGE = "(?:photo|photograph|picture|image|map|graphic|chart|illustration|screenshot|logo|emoji)s?"
_PICTURE = re.compile(
    rf"\b(?:{_IMAGE}|pictured|shown|seen)\b[^.?!]{{0,40}}?\b(?:above|below|here)\b|\bth(?:is|ese) {_IMAGE}\b(?!-)"
    rf"|\b(?:above|below) (?:\w+ )?{_IMAGE}\b|^(?:what|who|where) (?:is|are|was|were) th(?:is|ese|ey)\W*$",
    re.IGNORECASE,
)
_LETTERS = r"[a-e](?:, [a-e])*,? (?:and|&|or) [a-e]"
_ALL = re.compile(
    rf"{LABEL}all(?: of)?(?: (?:the|these|those|them))?(?: (?:above|{_NUMBER}|choices|options|answers))*\W*",
    re.IGNORECASE,
)
_SOME = re.compile(
    rf"{LABEL}(?:both|either|any|each)(?: (?:{_NUMBER} )?of (?:the above|these|those|them))?\W*"
    rf"|{LABEL}(?:both |either )?(?:options? |choices? )?{_LETTERS}\W*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_SHORT = 3  # letters of a word that tells nothing ("the", "in"); numbers tell whatever their length


def needs_choices(question: str) -> bool:
    """Whether it asks for one of its choices ("which of these") and is none without them."""
    return _CHOICES.search(question) is not None


def needs_picture(question: str) -> bool:
    """Whether it asks about a picture beside it, which the files do not have."""
    return _PICTURE.search(question) is not None


def is_all(choice: str) -> bool:
    """Whether a choice says that all other choices are right."""
    return _ALL.fullmatch(text.plain(choice)) is not None


def of_choices(choice: str) -> bool:
    """Whether a choice means other choices ("All of the above", "Both", "A and B")."""
    return is_all(choice) or _SOME.fullmatch(text.plain(choice)) is not None


def names_another(evidence: str, choices: Sequence[str], answer: Sequence[int]) -> bool:
    """Whether an explanation names one wrong choice in full, and not a word of the right ones."""
    said = _words(evidence)
    wrong = [_words(choice) for i, choice in enumerate(choices) if i not in answer and not of_choices(choice)]
    named = [words for words in wrong if words and f" {' '.join(words)} " in f" {' '.join(said)} "]
    right = [word for i in answer for word in _words(choices[i]) if len(word) > _SHORT or word.isdigit()]
    alone = bool(right) and not any(of_choices(choices[i]) for i in answer)
    return alone and len(named) == 1 and not set(right).intersection(said)


def _words(published: str) -> list[str]:
    return _WORD.findall(text.plain(published).casefold())
