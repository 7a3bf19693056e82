"""Comparison of answers as the evaluation of TAPEX makes it, written anew.

An answer is one string. In lower case it is split at ", " into spans; a span that Python reads as a float counts as
that number, any other as its text without outer white space; both sides must hold the same spans equally often.
Behaviour source: Liu et al. 2022 (arXiv 2107.07653) and the evaluator's answers.
"""

from __future__ import annotations

from collections import Counter
from math import isnan


DELIMITER = ", "
_NUMBER_STARTS = frozenset("0123456789+-.in \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f")


def span(text: str) -> str | float:
    """The value of one lower-case span."""
    # An exception costs more than all the rest, so text that cannot be a number is not tried.
    if not text or (text[0] not in _NUMBER_STARTS and text[0].isascii()):
        return text.strip()
    try:
        return float(text)
    except ValueError:
        return text.strip()


def same_spans(prediction: str, gold: str) -> bool:
    """Whether two answers, each one string, hold the same spans. "nan" is equal to nothing, not even to itself."""
    prediction, gold = prediction.lower(), gold.lower()
    if prediction == gold and "nan" not in gold:
        return True
    if DELIMITER not in prediction and DELIMITER not in gold:
        # True for nan too: it differs from itself.
        return span(prediction) == span(gold)
    found, wanted = prediction.split(DELIMITER), gold.split(DELIMITER)
    if len(found) != len(wanted):
        return False
    counts = Counter(map(span, wanted))
    return not any(type(key) is float and isnan(key) for key in counts) and Counter(map(span, found)) == counts
