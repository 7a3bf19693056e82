"""The real files: the paper's tables to the digit, the counts of every irregularity, streamed and prepared alike."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import pytest
from click.testing import CliRunner
from datasets import load_dataset

from realtimeqa_ds import spec
from realtimeqa_ds.commands import main
from realtimeqa_ds.published import scores
from realtimeqa_ds.published.runs import joined
from realtimeqa_ds.weeks import listed


ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("public data")
Read = Callable[..., dict[str, Any]]
# Over train and test of the weeks of 2020 to 2024.
FLAGS = {"needs_choices": 184, "needs_picture": 10, "gold_of_choices": 35, "doubtful_gold": 6, "link_unreadable": 1}


@pytest.fixture(scope="module")
def runs(public_data: Path) -> Any:
    return joined(str(public_data))


def test_published_tables(runs: Any) -> None:
    cells = scores.cells(runs)
    assert len(cells) == 32
    assert [cell for cell in cells if abs(cell["difference"]) > 0.05] == []
    assert {cell["n"] for cell in cells if cell["table"] == "table1"} == {1470, 1455}
    best = {cell["column"]: round(cell["ours"], 1) for cell in cells if cell["system"] == "open_gpt3_gcs"}
    assert best == {"multiple_choice": 69.3, "nota": 59.8, "em": 28.7, "f1": 39.4}


def test_reference_scores(runs: Any) -> None:
    """Scores of all periods as the official scorer gives them (str answers read as lists)."""
    path = ROOT.parent / "shared" / "realtimeqa" / "reference_scores.json"
    if not path.is_file():
        pytest.skip(f"needs the reference scores at {path}")
    compared = 0
    for system, settings in json.loads(path.read_text()).items():
        for setting, periods in settings.items():
            config = "multiple_choice" if setting == "original" else setting
            if config not in ("multiple_choice", "nota", "generation"):  # "nota_gen", an experiment of one week
                continue
            for period, expected in periods.items():
                first, last = (
                    f"{expected[end][:4]}-{expected[end][4:6]}-{expected[end][6:]}" for end in ("first", "last")
                )
                pairs = [p for p in runs[system, config] if first <= p[0]["week"].isoformat() <= last]
                found = scores.scores(config, pairs)
                assert len(pairs) == expected["n"]
                for ours, theirs in (("em", "em"), ("f1", "f1"), (config, "accuracy_normalised")):
                    if theirs in expected:
                        assert found[ours][0] == pytest.approx(expected[theirs], abs=1e-12), (system, period, ours)
                        compared += 1
    assert compared >= 6 * 7 * 4


def test_reproduce(public_data: Path, tmp_path: Path) -> None:
    picture = tmp_path / "weeks.png"
    arguments = ["reproduce", "--data-dir", str(public_data), "--plot", str(picture), "--format", "json"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert len(found["cells"]) == 32 and picture.stat().st_size > 20_000
    years = {(r["setting"], r["system"], r["year"]): r for r in found["accuracy_by_year"]}
    row = years["multiple_choice", "open_gpt3_gcs", "2022"]
    assert row["n"] == 810 and row["accuracy_low"] < row["accuracy"] == pytest.approx(0.73, abs=5e-4)


def test_counts_of_irregularities(public_data: Path, table: Read) -> None:
    """As counted over the repository by other means; the archives hold the weeks of 2020 to 2024."""
    train = table("multiple_choice", public_data, "train")
    assert len(train["rows"]) == 2885 and train["counts"]["empty_question"] == 1
    test = table("multiple_choice", public_data)
    counts, rows = test["counts"], {row["question_id"]: row for row in test["rows"]}
    years = Counter(row["week"].year for row in test["rows"])
    assert (years[2022], years[2023], years[2024]) == (810, 1419, 1488)
    assert counts["answer_not_list"] == 10 and counts["doubled_row"] == 10 and counts["foreign_id"] == 1
    assert rows["20230421_20"]["source_id"] == "20230414_20" != rows["20230414_20"]["question"]
    assert [n for n, row in rows.items() if "empty_choice" in row["flags"]] == [
        f"{week}_20" for week in (20220701, 20220708, 20220715, 20220722)
    ]
    assert [n for n, row in rows.items() if "duplicate_choices" in row["flags"]] == [
        "20231208_8",
        "20240223_23",
        "20240726_26",
    ]
    assert [n for n, row in rows.items() if "repeated_question" in row["flags"]] == ["20221209_22", "20221209_23"]
    late = {row["week"] for row in test["rows"] for d in row["documents"] or () if "late_search" in d["flags"]}
    assert counts["late_search"] == 441 and len(late) == 16
    assert all(row["documents"] is None for row in test["rows"] if row["week"].isoformat() == "2022-10-28")
    repeats = Counter(row["content_key"] for row in test["rows"])
    assert repeats[rows["20230623_0"]["content_key"]] == 2  # asked again on 2023-07-21


def test_counts_of_nota(public_data: Path, table: Read) -> None:
    found = table("nota", public_data, documents="none")
    rows = {row["question_id"]: row for row in found["rows"]}
    assert len(rows) == 3717 and found["counts"]["nota_unchanged"] == 11 and found["counts"]["nota_copy_differs"] == 7
    assert found["counts"]["nota_foreign_fields"] == 10 and found["counts"]["nota_absent"] == 1
    year = [row for name, row in rows.items() if "20220617" <= name[:8] <= "20230602"]
    assert len(year) == 1470 and sum(row["nota_index"] in row["answer"] for row in year) == 370
    assert rows["20240209_16_nota"]["choices"][-1] == "None of these candidates"
    assert [name for name, row in rows.items() if row["nota_index"] is None] == ["20240209_16_nota"]
    assert [name for name, row in rows.items() if "nota_all_right" in row["flags"]] == ["20230901_19_nota"]
    assert rows["20230203_26_nota"]["question"][:2] != "7."


def test_excluded_questions(public_data: Path, table: Read) -> None:
    rows = table("generation", public_data, documents="none")["rows"]
    excluded = [row["question_id"] for row in rows if row["excluded"]]
    assert len(excluded) == 15 and excluded[0] == "20220617_11" and excluded[-1] == "20230526_14"


def test_documents(public_data: Path, table: Read) -> None:
    weeks = "2022-06-17:2023-06-02"
    pools = [row["documents"] for row in table("multiple_choice", public_data, weeks=weeks)["rows"]]
    known = [pool for pool in pools if pool is not None]
    assert (
        len(known) == 1440 and sum(len(pool) < 5 for pool in known) == 470 and sum(not pool for pool in known) == 154
    )
    merged = table("multiple_choice", public_data, weeks=weeks, documents="gcs+dpr")["rows"]
    assert {len(row["documents"]) for row in merged if row["documents"] is not None} == {5}
    gold = table("documents", public_data, documents="gold")["rows"]
    assert len(gold) == 280 and sum(row["text"] is None for row in gold) == 26


@pytest.mark.parametrize("documents", ["gcs", "dpr", "gold", "gcs+dpr"])
def test_pinned_and_unknown_bytes_are_read_alike(documents: str, public_data: Path, table: Read) -> None:
    """The two ways to parse a pool file, Arrow's own and row by row, give the same tables and counts."""
    options = {"weeks": "2022-06-17:2022-09-16", "documents": documents}
    assert table("documents", public_data, **options) == table("documents", public_data, verify=False, **options)


@pytest.mark.slow
@pytest.mark.parametrize("config", spec.COLUMNS)
def test_streamed_and_prepared_are_equal(config: str, public_data: Path, tmp_path: Path) -> None:
    options = {"data_dir": str(public_data)}
    copies = load_dataset("realtimeqa", config, cache_dir=str(tmp_path), **options)
    for split, rows in load_dataset("realtimeqa", config, streaming=True, **options).items():
        streamed = [batch for table in rows.with_format("arrow").iter(500) for batch in table.to_batches()]
        copy = copies[split].with_format("arrow")[:]
        assert copy.num_rows == sum(batch.num_rows for batch in streamed)
        assert (
            copy.cast(streamed[0].schema).combine_chunks().equals(type(copy).from_batches(streamed).combine_chunks())
        )


def test_official_scores_of_one_week(public_data: Path, table: Read) -> None:
    """2022-12-30: 20 of 20 right, where the original scorer divides by zero."""
    gold = {row["question_id"]: row for row in table("multiple_choice", public_data, weeks="2022-12-30")["rows"]}
    said = [r for r in table("predictions", public_data, weeks="2022-12-30")["rows"] if r["system"] == "open_gpt3_gcs"]
    said = [row for row in said if row["setting"] == "multiple_choice"]
    found = evaluate.load("nota_accuracy").compute(
        predictions=[row["choice"] for row in said],
        references=[gold[row["question_id"]]["answer"] for row in said],
        missing="wrong",
    )
    assert (found["accuracy"], found["n"]) == (1.0, 20)


def test_listed_questions_of_the_public_data(public_data: Path, table: Read) -> None:
    """Every listed question that is there carries its flag, and comparing the weeks finds no other repeats."""
    rows = [
        row
        for split in ("train", "test")
        for row in table("multiple_choice", public_data, split, documents="none")["rows"]
    ]
    there = {row["question_id"]: row for row in rows}
    weeks = {name[:8] for name in there}
    for entry in listed.listed():
        assert all(entry.flag in there[name]["flags"] for name in entry.questions if name[:8] in weeks), entry
    same: dict[str, list[Any]] = {}
    for row in rows:
        same.setdefault(row["question"].casefold(), []).append(row)
    for row in rows:
        others = [other for other in same[row["question"].casefold()] if other is not row]
        gold = [answer.casefold().strip() for answer in row["answer_text"]]
        again = [o for o in others if o["content_key"] == row["content_key"] and o["week"] != row["week"]]
        otherwise = [
            o for o in others
            if o["content_key"] != row["content_key"] or [a.casefold().strip() for a in o["answer_text"]] != gold
        ]  # fmt: skip
        assert ("asked_again" in row["flags"], "asked_otherwise" in row["flags"]) == (bool(again), bool(otherwise))
    counts = Counter(flag for row in rows for flag in row["flags"])
    assert {flag: counts[flag] for flag in FLAGS} == FLAGS
