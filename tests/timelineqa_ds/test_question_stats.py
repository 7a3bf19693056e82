"""Figures of questions: counted anew in plain Python, from shards as from configs, and near the paper's."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from timelineqa_ds import spec
from timelineqa_ds.commands import main
from timelineqa_ds.configs import configs
from timelineqa_ds.figures import atomic as atomic_stats
from timelineqa_ds.figures import question_plot, question_text
from timelineqa_ds.figures import questions as question_stats
from timelineqa_ds.figures.questions import QuestionCounts
from timelineqa_ds.generator import lifelog

from .made import Made


def of(name: str, lifelogs: list[int]) -> question_stats.QuestionCounts:
    return question_stats.of_config(configs()[name], lifelogs, seed=spec.SEED, year=spec.YEAR, duration=None)


@pytest.fixture(scope="module")
def sparse() -> QuestionCounts:
    """Lifelogs of the three splits."""
    return of("sparse", [3, 90, 91, 120])


@pytest.fixture(scope="module")
def atomic() -> QuestionCounts:
    return of("sparse_atomic", [3, 5])


@pytest.fixture
def extended() -> QuestionCounts:
    rows = {
        "lifelog_id": ["sparse-0001"] * 3,
        "question_type": ["sum", "order", "sum"],
        "template": ["x1", "x2", "x1"],
    }
    return question_stats.QuestionCounts(
        configs()["sparse_extended"], ["sparse-0001"], pa.table({**rows, "size": [0, 11, 2000]})
    )


def test_figures_are_those_of_a_plain_count(sparse: QuestionCounts) -> None:
    found = question_stats.figures([sparse])["multihop"]
    rows = sparse.rows.to_pylist()
    assert found["lifelogs"] == 4
    sizes = {
        "train": [row["size"] for row in rows if row["lifelog_id"] == "sparse-0003"],
        "validation": [row["size"] for row in rows if row["lifelog_id"] in ("sparse-0090", "sparse-0091")],
        "test": [row["size"] for row in rows if row["lifelog_id"] == "sparse-0120"],
        "sparse": [row["size"] for row in rows],
        "all": [row["size"] for row in rows],
    }
    parts = {line["part"]: line for line in found["parts"]}
    assert list(parts) == list(sizes)
    for name, some in sizes.items():
        assert (parts[name]["questions"], parts[name]["evidence_largest"]) == (len(some), max(some))
        assert parts[name]["evidence_mean"] == pytest.approx(sum(some) / len(some))
        assert parts[name]["without_evidence"] == some.count(0)
    assert parts["validation"]["lifelogs"] == 2 and parts["test"]["lifelogs"] == 1
    assert {line["type"]: line["questions"] for line in found["types"]} == Counter(r["question_type"] for r in rows)
    assert {line["template"]: line["questions"] for line in found["templates"]} == Counter(r["template"] for r in rows)
    bins = Counter(sum(row["size"] > edge for edge in (10, 100, 1000)) for row in rows)
    assert [line["questions"] for line in found["bins"]] == [bins[place] for place in range(4)]


def test_types_as_the_paper_has_them(sparse: QuestionCounts) -> None:
    """q18 is an average that the paper counts with the counts; q33 to q38 its program never answers."""
    lines = {line["type"]: line for line in question_stats.figures([sparse])["multihop"]["types"]}
    assert list(lines) == ["average", "count", "argmax", "list"]
    kept = [row for row in sparse.rows.to_pylist() if not "q33" <= row["template"] <= "q38"]
    kinds = Counter("count" if row["template"] == "q18" else row["question_type"] for row in kept)
    for name, line in lines.items():
        assert line["as_paper_share"] == pytest.approx(kinds[name] / len(kept))
    assert lines["list"]["paper_share"] == pytest.approx(480 / 4284)
    assert lines["list"]["points"] == pytest.approx(100 * (lines["list"]["share"] - 480 / 4284))


def test_atomic_figures_are_those_of_a_plain_count(atomic: QuestionCounts, made: Made) -> None:
    found = question_stats.figures([atomic])["atomic"]
    logs = [made("sparse", 3), made("sparse", 5)]
    asked = [(log, row) for log in logs for row in log.atomic_questions.to_pylist()]
    assert {line["type"]: line["questions"] for line in found["types"]} == Counter(
        row["question_type"] for _, row in asked
    )
    names = {log.lifelog_id: log.episodes["event"].to_pylist() for log in logs}
    assert {line["event"]: line["questions"] for line in found["events"]} == Counter(
        names[log.lifelog_id][row["evidence"][0]] for log, row in asked
    )
    (part,) = found["parts"]
    answers = Counter(row["answers"]["text"][0] for _, row in asked if row["question_type"] == "yes/no")
    assert part["yes_share"] == pytest.approx(answers["yes"] / answers.total())
    assert part["fewest"] == min(log.atomic_questions.num_rows for log in logs)
    assert part["per_lifelog"] == pytest.approx(len(asked) / 2)
    frequent = [line for line in found["events"] if line["questions"] >= 0.02 * len(asked)]
    assert part["frequent_events"] == len(frequent)


def test_questions_of_other_types_appear(extended: QuestionCounts) -> None:
    found = question_stats.figures([extended])["extended"]
    assert [(line["type"], line["questions"]) for line in found["types"]] == [("order", 1), ("sum", 2)]
    assert [line["questions"] for line in found["bins"]] == [1, 1, 0, 1]
    assert found["bins"][0]["paper_share"] is None and found["parts"][-1]["paper_questions"] is None
    text = question_text.as_text({"extended": found})
    assert "order" in text and "sum" in text and "paper's lists" not in text


def test_shards_say_the_same(sparse: QuestionCounts, tmp_path: Path) -> None:
    """With or without the column `table`, in files of any name, other files among them."""

    def write(config: str, index: int, **options: Any) -> None:
        (tmp_path / config[::-1]).mkdir(exist_ok=True)
        table = configs()[config].rows(index, **options)
        pq.write_table(table, tmp_path / config[::-1] / f"{index}.parquet")

    columns = [name for name in configs()["sparse"].kind.columns if name != "table"]
    for index in (3, 90, 91, 120):
        write("sparse", index, columns=columns if index == 90 else None)
    for config in ("sparse_extended", "sparse_atomic", "sparse_travel"):
        write(config, 3)
    found = question_stats.figures(question_stats.of_folder(tmp_path))
    assert found["multihop"] == question_stats.figures([sparse])["multihop"]
    assert found["extended"] == question_stats.figures([of("sparse_extended", [3])])["extended"]
    assert found["atomic"]["parts"][0]["questions"] == 5000 and found["atomic"]["events"] == []
    assert "Atomic questions of 1 lifelogs" in run("stats", tmp_path).stdout


def test_an_empty_shard_counts_nothing(tmp_path: Path, made: Made) -> None:
    pq.write_table(made("sparse", 5).atomic_questions.slice(0, 0), tmp_path / "a.parquet")
    assert question_stats.of_folder(tmp_path) == []


@pytest.mark.parametrize("kinds", [("sparse",), ("atomic",), ("extended",), ("sparse", "extended", "atomic")])
def test_pictures(kinds: tuple[str, ...], tmp_path: Path, request: pytest.FixtureRequest) -> None:
    pytest.importorskip("matplotlib")
    question_plot.draw(tmp_path / "a.png", [request.getfixturevalue(kind) for kind in kinds])
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_text_tells_what_is_compared(sparse: QuestionCounts) -> None:
    text = question_text.as_text(question_stats.figures([sparse]))
    for told in ("1,131.6 with the repeats and 582.7 without", "q18, an average, as a count", "questions of each of "):
        assert told in text
    assert max(map(len, text.splitlines())) <= 119


def test_the_command_takes_episodes_and_questions(tmp_path: Path) -> None:
    arguments = ("stats", "--config", "sparse_episodes", "--config", "sparse", "--lifelogs", "999")
    shown = run(*arguments).stdout
    assert "sparse  all" in shown and "Multi-hop questions of 1 lifelogs" in shown
    found = json.loads(run(*arguments, "--format", "json").stdout)
    assert found["lifelogs"] == {"sparse": 1} and list(found["questions"]) == ["multihop"]
    refused = CliRunner().invoke(main, [*arguments, "--plot", str(tmp_path / "a.png")])
    assert refused.exit_code == 1 and "of episodes or of questions, found both" in refused.output


@pytest.mark.slow
@pytest.mark.xdist_group("stats")
def test_questions_are_near_the_paper() -> None:
    """10 ages in three densities (every sixth age); of all 160 personas docs/timelineqa.md has the figures."""
    asked = [of(density, list(range(0, 57, 6))) for density in spec.DENSITIES]
    found = question_stats.figures(asked)["multihop"]
    assert 33 <= found["parts"][-1]["per_lifelog"] <= 42
    assert abs(found["parts"][0]["per_lifelog"] / found["parts"][0]["paper_per_lifelog"] - 1) <= 0.20
    assert len(found["templates"]) == 42
    for line in found["types"]:
        assert abs(line["points"]) < 5 and abs(line["as_paper_points"]) < 5
    assert all(line["questions"] for line in found["bins"])


@pytest.mark.slow
def test_atomic_questions_are_balanced() -> None:
    (part,) = question_stats.figures([of("medium_atomic", list(range(0, 57, 6)))])["atomic"]["parts"]
    assert 0.45 <= part["yes_share"] <= 0.55 and part["frequent_events"] >= 15


def test_the_event_of_an_episode_is_found_by_its_id(made: Made) -> None:
    events = atomic_stats.event_names_of(lifelog("sparse", 5))
    assert events.to_pylist() == made("sparse", 5).episodes["event"].to_pylist()


def run(*args: object) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result
