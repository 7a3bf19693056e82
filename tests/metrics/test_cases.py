"""The official scorers' answers, one case a line: kind "text" lists alternatives, "denotation" parts of an answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from timeline_realtime_qa.qa_em_f1.qa_em_f1 import QaEmF1


GOLDEN = Path(__file__).with_name("cases.jsonl")
SHARED = Path(__file__).parents[3] / "shared" / "metrics" / "cases.jsonl"


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


CASES = {case["id"]: case for path in (SHARED, GOLDEN) for case in read(path)}


def compute(case: dict[str, Any], config: str) -> Any:
    references = case["references"]
    if config == "realtimeqa" and case["kind"] == "text":
        references = [[alternative] for alternative in references]
    return QaEmF1(config).compute(predictions=[case["prediction"]], references=[references])


@pytest.mark.parametrize("config", ["squad", "realtimeqa"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_agrees_with_the_official_scorer(case: dict[str, Any], config: str) -> None:
    if not case["references"]:
        with pytest.raises(ValueError, match="references row 0: expected at least one gold answer"):
            compute(case, config)
        return
    if case[f"{config}_em"] is None:
        pytest.skip("not defined: SQuAD knows no joint answers")
    result = compute(case, config)
    assert result["exact_match"] == float(case[f"{config}_em"])
    assert result["f1"] == pytest.approx(case[f"{config}_f1"], abs=1e-6)


def test_the_golden_file_is_complete() -> None:
    cases = read(GOLDEN)
    assert len(cases) == 65
    assert sum(case["squad_em"] is not None for case in cases) == 55
    assert sum(case["realtimeqa_em"] is not None for case in cases) == 64
