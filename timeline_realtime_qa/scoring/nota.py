"""Which choices say "none of the above" (NOTA): one reading for the dataset and for the metric."""

from __future__ import annotations

import re


# "1) ", "(d) ", "Option D: " before the text of a choice.
LABEL = r"(?:\(?(?:(?:option|choice|answer) )?(?:[a-z]|\d{1,2})(?:[.):\]]|\s[-–—])\s*)?"
_OTHERS = r"(?:choice|option|answer|alternative|candidate|possibilitie|response|statement)s?"
_WHICH = "the|these|those|your|all|two|three|four|listed|given|provided|available|remaining"
_THOSE = rf"(?:(?:{_WHICH}) )*(?:above|foregoing|following|others?|{_OTHERS})(?: {_OTHERS})?"
_OF = re.compile("none|neither", re.IGNORECASE)
# Not "None of the Spice Girls", but "Option D: neither of these answers is right".
_NOTA = re.compile(
    rf"{LABEL}(?:(?:[a-z]|\d{{1,2}}) )?[\W_]*(?:none|neither)(?: one)? of "
    rf"(?:{_THOSE}|them|(?:these|those)(?: \w+){{0,2}})"
    r"(?: (?:is|are|was|were|apply|applies)(?: \w+)?)?(?:[\W_]*|\s*[^\w\s'’].*)"
)
_GAPS = re.compile(r"[\s_*]+|(?<=\w)[-‐‑](?=\w)")


def is_nota(choice: str) -> bool:
    """Whether the plain text of a choice says "none of the above", whatever its case, punctuation and label."""
    return bool(_OF.search(choice) and _NOTA.fullmatch(_GAPS.sub(" ", choice).strip().casefold()))
