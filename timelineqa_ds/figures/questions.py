"""What a set of questions is like, beside the paper's Tables 3 and 6: how many, which types, how much evidence.

Questions are counted from tables of a few columns, generated or read from shards; figures are plain dicts, which the
text, the JSON output and the picture all show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .. import options, spec
from ..configs import Config, configs
from ..generator import lifelog
from ..questions.multihop.queries import templates
from .atomic import ATOMIC, atomic_counts, atomic_figures, event_names_of
from .stats import paper, shards


MULTIHOP = ("lifelog_id", "question_type", "template", "evidence")
KINDS = ("multihop", "extended", "atomic")
BINS = ("0-10", "11-100", "101-1000", ">1000")
EDGES = (10, 100, 1000)  # last size of each bin but the last


@dataclass(frozen=True)
class QuestionCounts:
    """The questions of one config: of each its lifelog_id, question_type, template and size (of the evidence); of
    atomic ones, which are many, how many there are of each lifelog_id, question_type, event and yes or no."""

    config: Config
    lifelogs: Sequence[str]
    rows: pa.Table


def of_config(
    config: Config, lifelogs: Iterable[int], *, seed: int, year: int, duration: int | None
) -> QuestionCounts:
    """Generate the questions of lifelogs and count them.

    Raises:
        ValueError: if the config has no questions.
    """
    check_config(config)
    atomic = config.kind.name == "atomic"
    ids, found = [], []
    for index in lifelogs:
        ids.append(f"{config.density}-{index:04d}")
        one = lifelog(str(config.density), index, seed=seed, year=year, duration=duration)
        table = config.table(one, ATOMIC if atomic else MULTIHOP)
        found.append(atomic_counts(table, event_names_of(one)) if atomic else _sizes(table))
    return QuestionCounts(config, ids, pa.concat_tables(found))


def check_config(config: Config, also: Sequence[str] = ()) -> None:
    """Raise ValueError unless a config has questions, or is of the kinds in `also`."""
    if config.kind.name not in (*KINDS, *also):
        raise ValueError(
            "statistics are of an episodes config (such as dense_episodes) or of questions (such as dense or "
            f"dense_atomic), found {config.name}"
        )


def of_folder(folder: Path) -> list[QuestionCounts]:
    """Count the Parquet shards of questions below a folder, by config; of atomic ones the events are not known."""
    found: dict[str, list[pa.Table]] = {}
    for kind, table in shards(folder, MULTIHOP, ATOMIC):
        name, _, _ = table["lifelog_id"][0].as_py().partition("-")
        if kind is ATOMIC:
            name = f"{name}_atomic"
        elif table["template"][0].as_py() not in templates():
            name = f"{name}_extended"
        found.setdefault(name, []).append(_sizes(table) if kind is MULTIHOP else atomic_counts(table, None))
    rows = {name: pa.concat_tables(tables) for name, tables in found.items()}
    return [
        QuestionCounts(config, pc.unique(rows[name]["lifelog_id"]).to_pylist(), rows[name])
        for name, config in configs().items()
        if name in rows
    ]


def _sizes(table: pa.Table) -> pa.Table:
    sizes = pc.list_value_length(table["evidence"]).cast(pa.int64())
    return table.drop_columns(["evidence"]).append_column("size", sizes)


def figures(asked: Sequence[QuestionCounts]) -> dict[str, dict[str, Any]]:
    """The figures of each kind of questions, all densities together."""
    found = {}
    for kind in KINDS:
        some = [one for one in asked if one.config.kind.name == kind]
        if some:
            lifelogs = [lifelog for one in some for lifelog in one.lifelogs]
            rows = pa.concat_tables([one.rows for one in some])
            made = atomic_figures(lifelogs, rows) if kind == "atomic" else _figures(lifelogs, rows, kind == "multihop")
            found[kind] = {"lifelogs": len(lifelogs), **made}
    return found


def _figures(lifelogs: Sequence[str], rows: pa.Table, like_paper: bool) -> dict[str, Any]:
    """Those of multi-hop questions, beside the paper's if it has such."""
    counted = rows.group_by(["template", "question_type"]).aggregate([([], "count_all")]).sort_by("template")
    return {
        "parts": _parts(lifelogs, rows, like_paper),
        "types": _types(rows, like_paper),
        "templates": counted.rename_columns(["template", "type", "questions"]).to_pylist(),
        "bins": _bins(rows, like_paper),
    }


def _parts(lifelogs: Sequence[str], rows: pa.Table, like_paper: bool) -> list[dict[str, Any]]:
    """Table 3: each split and, what the paper does not tell, each density; then all."""
    found = []
    for name in (*(split.name for split in spec.SPLITS), *spec.DENSITIES, "all"):
        inside = [lifelog_id for lifelog_id in lifelogs if name in _parts_of(lifelog_id)]
        sizes = rows.filter(pc.is_in(rows["lifelog_id"], pa.array(inside, pa.string())))["size"].to_numpy()
        theirs = paper()["table3"].get(name) if like_paper else None
        if len(sizes):
            figures = {
                "part": name,
                "lifelogs": len(inside),
                "questions": len(sizes),
                "per_lifelog": len(sizes) / len(inside),
                "evidence_mean": float(sizes.mean()),
                "evidence_largest": int(sizes.max()),
                "without_evidence": int((sizes == 0).sum()),
                "paper_questions": theirs and theirs["questions"],
                "paper_per_lifelog": theirs and theirs["questions"] / theirs["logs"],
                "paper_evidence_mean": theirs and theirs["evidence"],
            }
            found.append(figures)
    return found


def _parts_of(lifelog_id: str) -> tuple[str, str, str]:
    density, _, index = lifelog_id.partition("-")
    return options.split_of(int(index)), density, "all"


def _types(rows: pa.Table, like_paper: bool) -> list[dict[str, Any]]:
    """Table 6: each type's share; beside it that of the templates which the paper has, typed as it types them."""
    counted = rows.group_by("question_type").aggregate([([], "count_all")]).sort_by("question_type")
    ours = zip(*counted.to_pydict().values(), strict=True)
    found = {name: {"type": name, "questions": n, "share": n / rows.num_rows} for name, n in ours}
    if not like_paper:
        return list(found.values())
    told = paper()["table6"]
    theirs, asked = told["types"], rows.select(["template", "question_type"]).to_pandas()
    kinds = asked["template"].map(told["typed"]).fillna(asked["question_type"])
    adapted = kinds[~asked["template"].isin(told["without"])].value_counts(normalize=True)
    for name, line in found.items():
        share, as_paper = theirs[name] / sum(theirs.values()), float(adapted.get(name, 0))
        line.update(
            paper_share=share,
            points=100 * (line["share"] - share),
            as_paper_share=as_paper,
            as_paper_points=100 * (as_paper - share),
        )
    return [found[name] for name in theirs if name in found]


def _bins(rows: pa.Table, like_paper: bool) -> list[dict[str, Any]]:
    counts = np.bincount(np.searchsorted(EDGES, rows["size"].to_numpy(), side="left"), minlength=len(BINS))
    theirs = paper()["table6"]["bins"]
    return [
        {
            "bin": name,
            "questions": int(count),
            "share": int(count) / rows.num_rows,
            "paper_share": theirs[name] / sum(theirs.values()) if like_paper else None,
        }
        for name, count in zip(BINS, counts, strict=True)
    ]
