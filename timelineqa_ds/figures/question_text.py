"""The figures of questions as tables for people."""

from __future__ import annotations

from typing import Any

from .stats import number, paper, percent, relative


TITLES = {
    "multihop": "Multi-hop questions",
    "extended": "Multi-hop questions of further types",
    "atomic": "Atomic questions",
}
ACROSS = 6  # templates in a line


def as_text(figures: dict[str, dict[str, Any]]) -> str:
    """All kinds of questions, one after the other."""
    return "\n\n".join(
        "\n\n".join([f"{TITLES[kind]} of {found['lifelogs']} lifelogs", *(_PARTS[kind](found))])
        for kind, found in figures.items()
    )


def _multihop(found: dict[str, Any]) -> list[str]:
    return [_table3(found), _notes_on_evidence(), _table6(found), _notes_on_types(), _bins(found), _templates(found)]


def _extended(found: dict[str, Any]) -> list[str]:
    return [_table3(found), _shares("type", found["types"]), _bins(found), _templates(found)]


def _atomic(found: dict[str, Any]) -> list[str]:
    rows = [f"{'':14}{'lifelogs':>9}{'questions':>11}{'per log':>9}{'fewest':>8}{'yes':>8}{'events above 2%':>17}"]
    for line in found["parts"]:
        yes, frequent = line["yes_share"], line["frequent_events"]
        rows.append(
            f"{line['part']:14}{line['lifelogs']:>9}{line['questions']:>11}{line['per_lifelog']:>9.1f}"
            f"{line['fewest']:>8}{'-' if yes is None else f'{100 * yes:.1f}%':>8}"
            f"{'-' if frequent is None else frequent:>17}"
        )
    return ["\n".join(rows), *(_shares(name, found[f"{name}s"]) for name in ("type", "event") if found[f"{name}s"])]


def _table3(found: dict[str, Any]) -> str:
    rows = [
        f"{'':14}{'lifelogs':>9}{'questions':>11}{'paper':>7}{'per log':>9}{'paper':>7}{'':>8}{'evidence':>10}"
        f"{'paper':>9}{'largest':>9}{'none':>6}"
    ]
    for line in found["parts"]:
        theirs = line["paper_questions"]
        rows.append(
            f"{line['part']:14}{line['lifelogs']:>9}{line['questions']:>11}{'-' if theirs is None else theirs:>7}"
            f"{line['per_lifelog']:>9.2f}{number(line['paper_per_lifelog']):>7}"
            f"{percent(relative(line['per_lifelog'], line['paper_per_lifelog'])):>8}{line['evidence_mean']:>10.2f}"
            f"{number(line['paper_evidence_mean']):>9}{line['evidence_largest']:>9}{line['without_evidence']:>6}"
        )
    return "\n".join(rows)


def _notes_on_evidence() -> str:
    original = paper()["original"]
    return (
        "evidence: mean number of episodes, each counted once; none: questions without any, whose answer is 0.\n"
        "The paper's lists repeat episodes: measured on the original program, the mean of one persona's lifelogs is\n"
        f"{original['evidence']:,} with the repeats and {original['evidence_unique']} without."
    )


def _table6(found: dict[str, Any]) -> str:
    rows = [
        f"{'type':10}{'questions':>11}{'share':>8}{'paper':>8}{'points':>8}{'as the paper types':>20}{'points':>8}"
    ]
    for line in found["types"]:
        rows.append(
            f"{line['type']:10}{line['questions']:>11}{_share(line['share'])}{_share(line['paper_share'])}"
            f"{line['points']:>+8.1f}{_share(line['as_paper_share'], 20)}{line['as_paper_points']:>+8.1f}"
        )
    return "\n".join(rows)


def _notes_on_types() -> str:
    told = paper()["table6"]
    first, last = told["without"][0], told["without"][-1]
    retyped = ", ".join(f"{name}, an average, as a {kind}" for name, kind in told["typed"].items())
    return (
        f"as the paper types: without {first} to {last}, which the original never answers, and with {retyped}.\n"
        "points: difference to the paper's share."
    )


def _bins(found: dict[str, Any]) -> str:
    rows = [f"{'evidence':10}{'questions':>11}{'share':>8}{'paper':>8}"]
    for line in found["bins"]:
        theirs = line["paper_share"]
        shown = f"{'-':>8}" if theirs is None else _share(theirs)
        rows.append(f"{line['bin']:10}{line['questions']:>11}{_share(line['share'])}{shown}")
    return "\n".join(rows)


def _templates(found: dict[str, Any]) -> str:
    cells = [f"{line['template']:>5}{line['questions']:>7}" for line in found["templates"]]
    lines = ["".join(cells[first : first + ACROSS]) for first in range(0, len(cells), ACROSS)]
    return "\n".join([f"questions of each of {len(cells)} templates", *lines])


def _shares(name: str, lines: list[dict[str, Any]]) -> str:
    rows = [f"{name:28}{'questions':>11}{'share':>8}"]
    return "\n".join(rows + [f"{line[name]:28}{line['questions']:>11}{_share(line['share'])}" for line in lines])


def _share(share: float, width: int = 8) -> str:
    return f"{100 * share:.1f}%".rjust(width)


_PARTS = {"multihop": _multihop, "extended": _extended, "atomic": _atomic}
