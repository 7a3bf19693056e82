"""What commands and pages show: tables that fit, figures apart, help, bars, and errors as datasets has them."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shlex
import subprocess
import sys
from typing import Any

import click
import datasets
import pytest
from datasets import load_dataset
from hypothesis import given
from hypothesis import strategies as st

from timeline_realtime_qa.display import tables
from timelineqa_ds.figures import stats

from .conftest import ROOT
from .test_first_use import MAIN, run


COMMANDS = [(program, name) for program, main in MAIN.items() for name in main.commands]


LISTS = ["timelineqa columns dense_extended personas", "realtimeqa columns", "realtimeqa rules", "realtimeqa listed"]


@pytest.mark.parametrize("line", LISTS)
@pytest.mark.parametrize("width", [None, 60, 80, 133])
def test_lists_fit_the_terminal(line: str, width: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list is as wide as the terminal at most, 80 columns in a pipe, and no word of it is lost; JSON and Markdown
    have the same."""
    monkeypatch.delenv("COLUMNS", raising=False)
    if width:
        monkeypatch.setenv("COLUMNS", str(width))
    shown = run(line).stdout
    assert max(map(len, shown.splitlines())) <= (width or 80)
    words = set(re.findall(r"[\w'./]+", shown))
    told = run(f"{line} --format json").stdout
    assert json.loads(told)
    for text in re.findall(r'"(?:about|found|done|reason|source)": "((?:[^"\\]|\\.)*)"', told):
        said = json.loads(f'"{text}"')
        assert set(re.findall(r"[\w'./]+", said)) <= words, said
        assert said.replace("|", "\\|") in run(f"{line} --format markdown").stdout


@given(st.lists(st.lists(st.text("ab c-é", max_size=40), min_size=3, max_size=3), max_size=4), st.integers(20, 90))
def test_any_table_fits(rows: list[list[str]], width: int) -> None:
    """Tables of any texts: never wider than asked, and the letters of every cell are there."""
    shown = tables.as_text(("one", "two", "three"), rows, width)
    assert all(len(line) <= width for line in shown.splitlines())
    letters = sorted(re.sub(r"\s", "", shown.replace("-", "")))
    assert letters == sorted(re.sub(r"[\s-]", "", "onetwothree" + "".join(cell for row in rows for cell in row)))


@given(st.lists(st.floats(0, 1e9), min_size=4, max_size=4), st.floats(0, 1))
def test_columns_of_figures_never_touch(figures: list[float], least: float) -> None:
    """Figures of any size: a blank at least between two columns, and no ratio to what is shown as 0.00."""
    ours, paper, tokens, paper_tokens = figures
    for line in (stats.Line("sparse", "x", ours, paper * least, tokens, paper_tokens),):
        row = stats.table(stats._SHOWN, [line.as_dict()]).splitlines()[1].split()
        assert len(row) == 8 and row[2] == f"{ours:.2f}"
        assert (row[4] == "-") == (row[3] in ("0.00",) and paper * least < 0.005)
        assert row[4] == "-" or row[4].endswith("%")


@pytest.mark.parametrize(("program", "name"), COMMANDS)
def test_help_has_examples_that_can_be_given(program: str, name: str) -> None:
    """Every command has help with an example or more, of which every option and value is one that it takes."""
    told = run(f"{program} {name} --help").stdout
    examples = re.findall(rf"^  ({program} {name}\b.*)$", told, re.MULTILINE)
    assert examples, told
    for line in examples:
        _, _, *arguments = shlex.split(line.partition(" > ")[0])
        command: click.Command = MAIN[program].commands[name]
        for parameter in command.params:  # of which files need not be there
            if isinstance(parameter.type, click.Path):
                parameter.type.exists = False
        command.make_context(name, arguments)


BARS = [
    ("timelineqa stats --config sparse_episodes --lifelogs 3:5 --duration 1", r"episodes: 100%.* 2/2 .*lifelogs"),
    ("timelineqa check --config sparse_episodes --lifelogs 3:5 --duration 1", r"episodes: 100%.* 2/2 .*lifelogs"),
    ("timelineqa build --config personas --lifelogs 1:8 --out made", r"made: 100%.* 7/7 .*lifelogs"),
    ("realtimeqa build --data-dir sample --out made", r"made: 100%.* \d\d/\d\d .*weeks"),
    ("realtimeqa check --weeks 2019-06", r"nota: 100%.* 4/4 .*weeks"),
]


@pytest.mark.parametrize(("line", "bar"), BARS)
def test_bars_of_commands(line: str, bar: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress: units by name, with their total, on stderr alone."""
    monkeypatch.chdir(tmp_path)
    datasets.enable_progress_bars()
    result = run(line)
    assert result.exit_code == 0 and re.search(bar, result.stderr), result.stderr
    assert "it/s" not in result.stderr and "%|" not in result.stdout and result.stdout.strip()


@pytest.mark.parametrize(
    ("arguments", "bar"),
    [
        (
            {"path": "timelineqa", "name": "personas", "lifelogs": "validation"},
            r"personas/validation: .*/40 .*lifelogs",
        ),
        ({"path": "realtimeqa", "name": "generation", "data_dir": "sample"}, r"/test: .*/3 .*weeks"),
    ],
)
def test_bars_while_a_split_is_prepared(
    arguments: dict[str, Any], bar: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Preparing: lifelogs or weeks of their total; a stream, and a process that was told so, show none."""
    datasets.enable_progress_bars()
    list(load_dataset(**arguments, streaming=True, split=None).values())
    assert capfd.readouterr().err == ""
    load_dataset(**arguments)
    shown = capfd.readouterr()
    assert re.search(bar, shown.err) and not shown.out


def test_bars_of_several_processes(capfd: pytest.CaptureFixture[str]) -> None:
    """With num_proc= each process knows its own part only: the bar of datasets alone, and no other written over it."""
    datasets.enable_progress_bars()
    load_dataset("timelineqa", "personas", lifelogs="train", num_proc=2)
    shown = capfd.readouterr().err
    assert "Generating train split" in shown and "lifelogs/s" not in shown


def test_bars_can_be_turned_off(tmp_path: Any) -> None:
    """HF_DATASETS_DISABLE_PROGRESS_BARS, as for all of datasets."""
    command = [sys.executable, "-m", "realtimeqa_ds", "check"]
    environment = {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "HF_HOME": str(tmp_path), "PYTHONUTF8": "1"}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout and not done.stderr


def test_one_kind_of_bar() -> None:
    """Every bar is made in one place, which names the unit."""
    folders = ("timelineqa_ds", "realtimeqa_ds", "timeline_realtime_qa", "metrics", "scripts")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    makers = {path.name for path in files if "tqdm(" in path.read_text(encoding="utf-8")}
    assert makers == {"progress.py"}


def test_the_pages_quote_what_datasets_says() -> None:
    """What README and docs/use.md say that datasets and evaluate say without the import, these do say."""
    source = inspect.getsource(datasets.load).replace("{path}", "NAME")
    for page in ("README.md", "docs/use.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        told = re.findall(r"DatasetNotFoundError: (Dataset '\w+'.*)$", text, re.MULTILINE)
        assert told and all(re.sub(r"'\w+'", "'NAME'", line, count=1) in source for line in told)
        assert re.search(r"ConnectionError: Couldn't reach '\w+' on the Hub \(OfflineModeIsEnabled\)", text)
        assert "Couldn't reach 'NAME' on the Hub" in source and "import timelineqa_ds" in text
    loading = inspect.getsource(importlib.import_module("evaluate.loading"))
    assert "Couldn't find a module script at" in loading and "doesn't exist on the Hugging Face Hub either." in loading
