"""The figures of questions as tables for people."""

from __future__ import annotations

from typing import Any

from .stats import Shown, paper, relative, table


TITLES = {
    "multihop": "Multi-hop questions",
    "extended": "Multi-hop questions of further types",
    "atomic": "Atomic questions",
}
ACROSS = 6  # templates in a line
_QUESTIONS, _SHARE = Shown("questions", "questions", ">11"), Shown("share", "share", ">8", ".1%")
_PAPER_SHARE = Shown("paper", "paper_share", ">8", ".1%")
_PART = (Shown("", "part", "14"), Shown("lifelogs", "lifelogs", ">9"), _QUESTIONS)
_TABLE3 = (
    *_PART,
    Shown("paper", "paper_questions", ">7"),
    Shown("per log", "per_lifelog", ">9", ".2f"),
    Shown("paper", "paper_per_lifelog", ">7", ".2f"),
    Shown("", "difference", ">8", "+.1%", "paper_per_lifelog"),
    Shown("evidence", "evidence_mean", ">10", ".2f"),
    Shown("paper", "paper_evidence_mean", ">9", ".2f"),
    Shown("largest", "evidence_largest", ">9"),
    Shown("none", "without_evidence", ">6"),
)
_TABLE6 = (
    Shown("type", "type", "10"),
    _QUESTIONS,
    _SHARE,
    _PAPER_SHARE,
    Shown("points", "points", ">8", "+.1f"),
    Shown("as the paper types", "as_paper_share", ">20", ".1%"),
    Shown("points", "as_paper_points", ">8", "+.1f"),
)
_BINS = (Shown("evidence", "bin", "10"), _QUESTIONS, _SHARE, _PAPER_SHARE)
_ATOMIC = (
    *_PART,
    Shown("per log", "per_lifelog", ">9", ".1f"),
    Shown("fewest", "fewest", ">8"),
    Shown("yes", "yes_share", ">8", ".1%"),
    Shown("events above 2%", "frequent_events", ">17"),
)


def as_text(figures: dict[str, dict[str, Any]]) -> str:
    """All kinds of questions, one after the other."""
    texts = []
    for kind, found in figures.items():
        parts = _atomic(found) if kind == "atomic" else _multihop(found, kind == "multihop")
        texts += [f"{TITLES[kind]} of {found['lifelogs']} lifelogs", *parts]
    return "\n\n".join(texts)


def _multihop(found: dict[str, Any], like_paper: bool) -> list[str]:
    parts = [
        {**line, "difference": relative(line["per_lifelog"], line["paper_per_lifelog"])} for line in found["parts"]
    ]
    types = [_shares("type", found)]
    if like_paper:
        types = [_notes_on_evidence(), table(_TABLE6, found["types"]), _notes_on_types()]
    return [table(_TABLE3, parts), *types, table(_BINS, found["bins"]), _templates(found)]


def _atomic(found: dict[str, Any]) -> list[str]:
    return [table(_ATOMIC, found["parts"]), *(_shares(name, found) for name in ("type", "event") if found[f"{name}s"])]


def _notes_on_evidence() -> str:
    original = paper()["original"]
    return (
        "evidence: mean number of episodes, each counted once; none: questions without any, whose answer is 0.\n"
        "The paper's lists repeat episodes: measured on the original program, the mean of one persona's lifelogs is\n"
        f"{original['evidence']:,} with the repeats and {original['evidence_unique']} without."
    )


def _notes_on_types() -> str:
    told = paper()["table6"]
    first, last = told["without"][0], told["without"][-1]
    retyped = ", ".join(f"{name}, an average, as a {kind}" for name, kind in told["typed"].items())
    return (
        f"as the paper types: without {first} to {last}, which the original never answers, and with {retyped}.\n"
        "points: difference to the paper's share."
    )


def _templates(found: dict[str, Any]) -> str:
    cells = [f"{line['template']:>5}{line['questions']:>7}" for line in found["templates"]]
    lines = ["".join(cells[first : first + ACROSS]) for first in range(0, len(cells), ACROSS)]
    return "\n".join([f"questions of each of {len(cells)} templates", *lines])


def _shares(name: str, found: dict[str, Any]) -> str:
    return table((Shown(name, name, "28"), _QUESTIONS, _SHARE), found[f"{name}s"])
