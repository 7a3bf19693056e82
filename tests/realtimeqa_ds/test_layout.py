"""The grammar of file names, on the names of the pinned commit."""

from __future__ import annotations

import datetime
from collections import Counter

import pytest

from realtimeqa_ds.files import layout, manifest
from realtimeqa_ds.parsing.report import Report


SETTINGS = ("multiple_choice", "nota", "generation")


@pytest.fixture(scope="module")
def pinned() -> tuple[list[layout.Week], Report]:
    report = Report()
    return layout.weeks(manifest.read(), report), report


def test_weeks_of_the_pinned_commit(pinned: tuple[list[layout.Week], Report]) -> None:
    weeks, _ = pinned
    assert Counter(week.split for week in weeks) == {"train": 126, "test": 211, "latest": 1}
    assert [week.date for week in weeks] == sorted(week.date for week in weeks)
    assert all(week.date.weekday() == 4 for week in weeks)
    assert Counter(week.date.year for week in weeks if week.split == "test") == {
        2022: 29,
        2023: 51,
        2024: 52,
        2025: 52,
        2026: 27,
    }


def test_partner_files_of_the_pinned_commit(pinned: tuple[list[layout.Week], Report]) -> None:
    past = [week for week in pinned[0] if week.split == "test"]
    assert [week.stamp for week in past if "gcs" not in week.files] == ["20221028"]
    assert {kind: sum(kind in week.files for week in past) for kind in ("nota", "dpr", "gold")} == {
        "nota": 211,
        "dpr": 78,
        "gold": 22,
    }
    (latest,) = (week for week in pinned[0] if week.split == "latest")
    assert set(latest.files) == {"qa", "nota", "gcs"}
    assert latest.questions == "latest/20260717_qa_public.jsonl"


def test_runs_of_the_pinned_commit(pinned: tuple[list[layout.Week], Report]) -> None:
    runs = [(week, run) for week in pinned[0] for run in week.runs]
    paper = {"closed_gpt3", "closed_t5", "open_gpt3_dpr", "open_gpt3_gcs", "open_rag_dpr", "open_rag_gcs"}
    weeks = Counter((run.system, run.setting) for _, run in runs)
    assert {weeks[system, setting] for system in paper for setting in SETTINGS} == {74}
    assert {run.system for _, run in runs} - paper <= set(layout.index_bases())
    modern = {run.system for week, run in runs if week.date.year == 2026}
    assert len(modern) == 26 and {layout.index_bases()[system] for system in modern} == {1}
    assert weeks["openai_gpt-5.4_gcs", "nota"] == 17 and weeks["meta-llama_llama-4-scout", "generation"] == 26


def test_every_file_of_the_pinned_commit_is_used_or_counted(pinned: tuple[list[layout.Week], Report]) -> None:
    weeks, report = pinned
    used = {path for week in weeks for path in week.files.values()} | {run.path for w in weeks for run in w.runs}
    assert len(used) + report.counts["off_grammar"] + report.counts["no_question_file"] == len(manifest.read())
    assert not any(name in path for path in used for name in ("time", "cnn", "pm_", "20220613", "20220201"))


@pytest.mark.parametrize(
    "path",
    [
        "past/2022/20230617_qa.jsonl",
        "past/2022/20221332_qa.jsonl",
        "past/2022/20220617_qa.json",
        "past/2022/20220617-20220624_qa.jsonl",
        "latest/2026/20260717_qa_public.jsonl",
        "latest/20260717_qa.jsonl",
        "latest/20260717_qa_gen_public.jsonl",
        "past/٢٠٢٢/٢٠٢٢٠٦١٧_qa.jsonl",
        "baseline_results/2022/20220617_qa_nota_open_gpt3_dpr_gen.jsonl",
        "baseline_results/2022/20220617_qa_cnn_open_gpt3_gcs.jsonl",
        "baseline_results/2022/20220617_qa_.jsonl",
    ],
)
def test_off_grammar(path: str) -> None:
    report = Report()
    assert layout.weeks([path], report) == []
    assert report.counts == {"off_grammar": 1}


def test_an_openai_system_is_no_open_system() -> None:
    paths = ["past/2027/20270108_qa.jsonl", "baseline_results/2027/20270108_qa_openai_gpt-9_gcs_gen.jsonl"]
    (week,) = layout.weeks(paths, Report())
    assert week.runs == (layout.Run("openai_gpt-9_gcs", "generation", paths[1]),)
    assert week.date == datetime.date(2027, 1, 8)


def test_a_date_without_questions_is_no_week() -> None:
    report = Report()
    paths = ["past/2022/20220613_gcs.jsonl", "baseline_results/2022/20220613_qa_open_gpt3_gcs.jsonl"]
    assert layout.weeks(paths, report) == []
    assert report.counts == {"no_question_file": 2}
