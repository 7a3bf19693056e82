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
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .. import spec
from ..configs import Config, configs
from ..generator import lifelog
from ..questions.multihop.queries import templates
from .atomic import ATOMIC, atomic_counts, atomic_figures, event_names_of
from .stats import paper


MULTIHOP = ("lifelog_id", "question_type", "template", "evidence")
KINDS = ("multihop", "extended", "atomic")
BINS = ("0-10", "11-100", "101-1000", ">1000")
EDGES = (10, 100, 1000)  # last size of each bin but the last


@dataclass(frozen=True)
class Questions:
    """The questions of one config: of each its lifelog_id, question_type, template and size (of the evidence); of
    atomic ones, which are many, how many there are of each lifelog_id, question_type, event and yes or no."""

    config: Config
    lifelogs: Sequence[str]
    rows: pa.Table


def of_config(config: Config, lifelogs: Iterable[int], *, seed: int, year: int, duration: int | None) -> Questions:
    """Generate the questions of lifelogs and count them.

    Raises:
        ValueError: if the config has no questions.
    """
    if config.kind.name not in KINDS:
        raise ValueError(
            "statistics are of an episodes config (such as dense_episodes) or of questions (such as dense or "
            f"dense_atomic), found {config.name}"
        )
    atomic = config.kind.name == "atomic"
    ids, found = [], []
    for index in lifelogs:
        ids.append(f"{config.density}-{index:04d}")
        one = lifelog(str(config.density), index, seed=seed, year=year, duration=duration)
        table = config.table(one, ATOMIC if atomic else MULTIHOP)
        found.append(atomic_counts(table, event_names_of(one)) if atomic else _sizes(table))
    return Questions(config, ids, pa.concat_tables(found))


def of_folder(folder: Path) -> list[Questions]:
    """Count the Parquet shards of questions below a folder, by config; of atomic ones the events are not known."""
    found: dict[str, list[pa.Table]] = {}
    for path in sorted(folder.rglob("*.parquet")):
        columns = set(pq.read_schema(path).names)
        kept = MULTIHOP if set(MULTIHOP) <= columns else ATOMIC if set(ATOMIC) <= columns else None
        if kept is None:
            continue
        file = pq.ParquetFile(path)
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, columns=list(kept))
            if table.num_rows:
                counted = _sizes(table) if kept is MULTIHOP else atomic_counts(table, None)
                found.setdefault(_config_name(table, kept is ATOMIC), []).append(counted)
    return [_gathered(config, found[name]) for name, config in configs().items() if name in found]


def _config_name(table: pa.Table, atomic: bool) -> str:
    """The config that rows are of, which lie in a folder of any name."""
    density: str = table["lifelog_id"][0].as_py().partition("-")[0]
    if atomic:
        return f"{density}_atomic"
    return density if table["template"][0].as_py() in templates() else f"{density}_extended"


def _gathered(config: Config, tables: Sequence[pa.Table]) -> Questions:
    rows = pa.concat_tables(tables)
    return Questions(config, pc.unique(rows["lifelog_id"]).to_pylist(), rows)


def _sizes(table: pa.Table) -> pa.Table:
    sizes = pc.list_value_length(table["evidence"]).cast(pa.int64())
    return table.drop_columns(["evidence"]).append_column("size", sizes)


def figures(asked: Sequence[Questions]) -> dict[str, dict[str, Any]]:
    """The figures of each kind of questions, all densities together."""
    found = {}
    for kind in KINDS:
        some = [one for one in asked if one.config.kind.name == kind]
        if some:
            lifelogs = [lifelog for one in some for lifelog in one.lifelogs]
            rows = pa.concat_tables([one.rows for one in some])
            found[kind] = atomic_figures(lifelogs, rows) if kind == "atomic" else _figures(kind, lifelogs, rows)
    return found


def _figures(kind: str, lifelogs: Sequence[str], rows: pa.Table) -> dict[str, Any]:
    like_paper = kind == "multihop"  # the paper has none of the other questions
    return {
        "lifelogs": len(lifelogs),
        "parts": _parts(lifelogs, rows, like_paper),
        "types": _types(rows, like_paper),
        "templates": _template_counts(rows),
        "bins": _bins(rows, like_paper),
    }


def _parts(lifelogs: Sequence[str], rows: pa.Table, like_paper: bool) -> list[dict[str, Any]]:
    """Table 3: each split and, what the paper does not tell, each density; then all."""
    of_rows, sizes = np.array(rows["lifelog_id"].to_pylist(), dtype=np.str_), rows["size"].to_numpy()
    of_logs = np.array(lifelogs, dtype=np.str_)
    row_indices, log_indices = _indices(of_rows), _indices(of_logs)
    picked = {
        split.name: tuple(
            (indices >= split.start) & (indices < (split.stop or np.inf)) for indices in (row_indices, log_indices)
        )
        for split in spec.SPLITS
    }
    for density in spec.DENSITIES:
        picked[density] = tuple(np.char.startswith(names, density) for names in (of_rows, of_logs))
    picked["all"] = (np.ones(len(of_rows), dtype=bool), np.ones(len(of_logs), dtype=bool))
    return [
        _part(name, sizes[in_rows], int(in_logs.sum()), like_paper)
        for name, (in_rows, in_logs) in picked.items()
        if in_rows.any()
    ]


def _indices(lifelogs: npt.NDArray[np.str_]) -> npt.NDArray[np.int64]:
    return np.char.partition(lifelogs, "-")[:, 2].astype(np.int64)


def _part(name: str, sizes: npt.NDArray[np.int64], lifelogs: int, like_paper: bool) -> dict[str, Any]:
    theirs = paper()["table3"].get(name) if like_paper else None
    return {
        "part": name,
        "lifelogs": lifelogs,
        "questions": len(sizes),
        "per_lifelog": len(sizes) / lifelogs,
        "evidence_mean": float(sizes.mean()),
        "evidence_largest": int(sizes.max()),
        "without_evidence": int((sizes == 0).sum()),
        "paper_questions": theirs and theirs["questions"],
        "paper_per_lifelog": theirs and theirs["questions"] / theirs["logs"],
        "paper_evidence_mean": theirs and theirs["evidence"],
    }


def _types(rows: pa.Table, like_paper: bool) -> list[dict[str, Any]]:
    """Table 6: each type's share; beside it that of the templates which the paper has, typed as it types them."""
    ours = _counts(rows["question_type"])
    found = [{"type": name, "questions": ours[name], "share": ours[name] / rows.num_rows} for name in sorted(ours)]
    if like_paper:
        theirs, adapted = paper()["table6"]["types"], _typed_as_paper(rows)
        for line in found:
            name, share = line["type"], theirs[line["type"]] / sum(theirs.values())
            as_paper = adapted.get(name, 0) / max(sum(adapted.values()), 1)
            line.update(
                paper_share=share,
                points=100 * (line["share"] - share),
                as_paper_share=as_paper,
                as_paper_points=100 * (as_paper - share),
            )
        found.sort(key=lambda line: list(theirs).index(line["type"]))
    return found


def _typed_as_paper(rows: pa.Table) -> dict[str, int]:
    told = paper()["table6"]
    rows = rows.filter(pc.invert(pc.is_in(rows["template"], pa.array(told["without"]))))
    kinds = rows["question_type"]
    for name, kind in told["typed"].items():
        kinds = pc.if_else(pc.equal(rows["template"], name), kind, kinds)
    return _counts(kinds)


def _template_counts(rows: pa.Table) -> list[dict[str, Any]]:
    counted = rows.group_by(["template", "question_type"]).aggregate([([], "count_all")]).sort_by("template")
    return [
        {"template": name, "type": kind, "questions": count}
        for name, kind, count in zip(*(counted[name].to_pylist() for name in counted.column_names), strict=True)
    ]


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


def _counts(values: pa.ChunkedArray) -> dict[str, int]:
    return {item["values"]: item["counts"] for item in pc.value_counts(values).to_pylist()}
