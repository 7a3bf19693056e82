"""The cards of built folders: valid for the Hub, complete, true."""

from __future__ import annotations

import importlib.resources
import itertools
import json
import re
from pathlib import Path
from typing import Any

import datasets
import duckdb
import huggingface_hub
import pyarrow.parquet as pq
import pytest
import yaml
from click.testing import CliRunner
from datasets.info import DatasetInfosDict
from datasets.utils.metadata import MetadataConfigs, known_task_ids

import realtimeqa_ds.build as realtimeqa_build
import realtimeqa_ds.card as realtimeqa_card
import realtimeqa_ds.files.layout as layout
import realtimeqa_ds.options as realtimeqa_options
import realtimeqa_ds.spec as realtimeqa_spec
import timelineqa_ds.build as timelineqa_build
import timelineqa_ds.card as timelineqa_card
import timelineqa_ds.spec as timelineqa_spec
from realtimeqa_ds.commands import main as realtimeqa_commands
from timeline_realtime_qa.hub import building, cards
from timeline_realtime_qa.hub.folder import Folder
from timelineqa_ds.commands import main as timelineqa_commands

from .programs import blocks
from .tree import Tree


# Of the Hub's list of subtasks, those of the tasks that our cards name.
SUBTASKS = {
    "question-answering": {"extractive-qa", "open-domain-qa", "closed-domain-qa"},
    "multiple-choice": {"multiple-choice-qa", "multiple-choice-coreference-resolution"},
    "table-question-answering": set(),
}


def timelineqa(out: Path) -> Folder:
    names = ["sparse", "sparse_extended", "sparse_atomic", "sparse_episodes", "sparse_travel", "personas"]
    jobs = timelineqa_build.plan(out, names, {"train": [0], "test": [120]}, duration=2)
    splits = [split.name for split in timelineqa_spec.SPLITS]
    return building.build(building.Plan(out, jobs, "lifelogs", splits, timelineqa_card.files), 1)


def realtimeqa(out: Path, source: Any = None, articles: str = "gcs") -> Folder:
    source = source or realtimeqa_options.local("sample")
    jobs = realtimeqa_build.plan(out, source, realtimeqa_build.configs(articles), articles)
    splits = list(layout.SPLITS.values())
    return building.build(building.Plan(out, jobs, "weeks", splits, realtimeqa_card.files), 1)


@pytest.fixture(scope="module", params=[timelineqa, realtimeqa], ids=lambda make: make.__name__)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    found: Folder = request.param(tmp_path_factory.mktemp(request.param.__name__) / request.param.__name__)
    return found


@pytest.fixture
def card(folder: Folder) -> huggingface_hub.DatasetCard:
    found: huggingface_hub.DatasetCard = huggingface_hub.DatasetCard.load(folder.out / "README.md")
    return found


def resource(name: str) -> Any:
    return json.loads((importlib.resources.files(datasets.utils) / "resources" / name).read_text(encoding="utf-8"))


def test_the_header_uses_the_lists_of_the_hub(card: huggingface_hub.DatasetCard) -> None:
    data: Any = card.data  # which has what the header has as attributes
    assert set(data.task_categories) <= set(known_task_ids)
    assert set(data.task_ids) <= set().union(*(SUBTASKS[task] for task in data.task_categories))
    assert set(data.size_categories) <= set(resource("size_categories.json"))
    assert set(data.annotations_creators) <= set(resource("creators.json")["annotations"])
    assert set(data.language_creators) <= set(resource("creators.json")["language"])
    assert set(data.language) <= set(resource("languages.json"))
    assert set(data.multilinguality) <= set(resource("multilingualities.json"))
    assert data.license in ("apache-2.0", "other")
    assert any(re.fullmatch(r"arxiv:\d{4}\.\d{5}", tag) for tag in data.tags)
    assert data.pretty_name


def test_the_configs_are_those_of_the_folder(folder: Folder, card: huggingface_hub.DatasetCard) -> None:
    shown = folder.with_rows()
    configs = MetadataConfigs.from_dataset_card_data(card.data)
    infos = DatasetInfosDict.from_dataset_card_data(card.data)
    assert set(configs) == set(infos) == set(shown.configs)
    assert [name for name, one in configs.items() if one.get("default")] == [next(iter(configs))]
    for name, splits in shown.configs.items():
        assert {one["split"] for one in configs[name]["data_files"]} == set(splits) == set(infos[name].splits)
        for one in configs[name]["data_files"]:
            found = sorted(path.relative_to(folder.out).as_posix() for path in folder.out.glob(one["path"]))
            assert found == [file.path for file in splits[one["split"]].files]
        for split, info in infos[name].splits.items():
            files = [pq.ParquetFile(folder.out / file.path) for file in splits[split].files]
            assert info.num_examples == sum(file.metadata.num_rows for file in files)
        assert infos[name].download_size == sum(
            (folder.out / f.path).stat().st_size for s in splits.values() for f in s.files
        )
        assert list(infos[name].features) == files[0].schema_arrow.names


def test_the_text_has_the_sections_of_the_hubs_template(card: huggingface_hub.DatasetCard) -> None:
    template = importlib.resources.files(huggingface_hub) / "templates" / "datasetcard_template.md"
    wanted = re.findall(r"^(#+ .+)$", template.read_text(encoding="utf-8").split("---")[-1], re.MULTILINE)
    sections = [line.replace(" [optional]", "") for line in wanted if not line.startswith("# Dataset Card for")]
    headings = re.findall(r"^#+ .+$", card.text, re.MULTILINE)
    assert [line for line in headings if line in sections] == sections
    assert "More Information Needed" not in card.text and "${" not in card.text


def test_every_config_has_its_columns_and_a_row(folder: Folder, card: huggingface_hub.DatasetCard) -> None:
    shown = folder.with_rows()
    for name in shown.configs:
        (example,) = re.findall(
            rf"^A row of `{name}`, shortened:\n\n```json\n(.*?)\n```$", card.text, re.DOTALL | re.MULTILINE
        )
        row, real = json.loads(example), shown.first_row(name)
        assert list(row) == list(real)
        kept = {key: value for key, value in real.items() if isinstance(value, (int, type(None)))}
        assert {key: row[key] for key in kept} == kept
    for row in re.findall(r"^\| `\w+` \| [^|]+ \| (.+) \|$", card.text, re.MULTILINE):
        assert row.strip()


def test_the_sizes_are_true(folder: Folder, card: huggingface_hub.DatasetCard) -> None:
    for name, splits in folder.with_rows().configs.items():
        for split, one in splits.items():
            assert f"| `{name}` | {split} | {one.rows:,} | {len(one.files)} | {cards.amount(one.bytes)} |" in card.text


def test_every_block_of_the_card_runs_alone(
    folder: Folder, card: huggingface_hub.DatasetCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python in an empty file of an empty folder, with the path of the folder for ORG/NAME; SQL in the folder."""
    codes = re.findall(r"```python.*?\n(.*?)```", card.text, re.DOTALL)
    made = blocks.run([re.sub(r'"ORG/\w+"', repr(str(folder.out)), code) + "print(len(rows))\n" for code in codes])
    assert made and [one.error for one in made] == [""] * len(codes) and all(int(one.printed) for one in made)
    monkeypatch.chdir(folder.out)
    for code in re.findall(r"```sql\n(.*?)```", card.text, re.DOTALL):
        with duckdb.connect() as connection:
            connection.execute(code)


MAKE = {"timelineqa": timelineqa_commands, "realtimeqa": realtimeqa_commands}
SPLITS = {"train", "validation", "test", "extra", "latest"}
NO_QUESTIONS = ["`D`", "`evidence`", "Multi-hop", "Atomic"]


@pytest.mark.parametrize(
    ("name", "options", "splits", "lacking"),
    [
        ("timelineqa", "--config personas --lifelogs validation", {"validation"}, [*NO_QUESTIONS, "D_", "```sql"]),
        ("timelineqa", "--config sparse_jobs --lifelogs test,7", {"train", "test"}, [*NO_QUESTIONS, "D_episodes"]),
        ("timelineqa", "--config medium --lifelogs 161 --duration 1", {"extra"}, ["D_", "```sql", "sparse", "Atomic"]),
        ("timelineqa", "--config sparse_atomic --lifelogs 0 --duration 1", {"train"}, ["`D`", "D_extended", "```sql"]),
        (
            "timelineqa",
            "--config sparse_episodes --lifelogs 119:121 --columns text,event",
            {"validation", "test"},
            [*NO_QUESTIONS, "one_lifelog", "D_TABLE", "Filters go"],
        ),
        ("realtimeqa", "--data-dir sample --weeks 2019-06-07", {"test"}, ["`documents`: ", "**gcs:**"]),
        ("realtimeqa", "--data-dir sample --weeks 2019-05-31", {"train"}, ["`nota`", "`predictions`"]),
        ("realtimeqa", "--data-dir sample --weeks 2019-06-28 --articles", {"latest"}, ["`predictions`"]),
    ],
)
def test_a_card_tells_of_nothing_that_is_not_there(
    name: str, options: str, splits: set[str], lacking: list[str], tmp_path: Path
) -> None:
    """Configs, splits, tables and columns that a folder lacks are not explained, nor are commands shown about them."""
    CliRunner().invoke(MAKE[name], ["build", *options.split(), "--out", str(tmp_path)], catch_exceptions=False)
    text = huggingface_hub.DatasetCard.load(tmp_path / "README.md").text
    structure = text[text.index("## Dataset Structure") : text.index("####")]
    assert set(re.findall(r"`(\w+)`", structure)) & SPLITS == splits
    around = text[: text.index("#### ")] + text[text.index("## Bias") :]
    assert ("Training on" in around) == ("test" in splits)
    assert [words for words in (*lacking, "no tables", "%%") if words in around] == []


def test_the_files_around(folder: Folder) -> None:
    citation = yaml.safe_load((folder.out / "CITATION.cff").read_text())
    assert citation["cff-version"] == "1.2.0" and citation["type"] == "dataset" and citation["references"]
    assert str(citation["version"]) == folder.world["version"]
    assert (folder.out / "LICENSE").read_text().strip()
    card = huggingface_hub.DatasetCard.load(folder.out / "README.md").data
    assert card.license == "apache-2.0"  # of both: RealTime QA's sample is ours
    assert json.loads((folder.out / "croissant.json").read_text())["license"].endswith("/licenses/LICENSE-2.0")
    told = json.loads((folder.out / "manifest.json").read_text())
    assert told["made_of"] == folder.world and told["rows"] == folder.rows
    listed = {file["path"] for c in told["configs"].values() for s in c["splits"].values() for file in s["files"]}
    assert listed == {path.relative_to(folder.out).as_posix() for path in folder.out.glob("[!.]*/*.parquet")}


def test_croissant_is_valid_and_reads_the_files(folder: Folder) -> None:
    mlc = pytest.importorskip("mlcroissant", reason="pip install 'timeline-realtime-qa[publish]'")
    found = mlc.Dataset(folder.out / "croissant.json", mapping={"repo": str(folder.out)})
    assert not found.metadata.ctx.issues.errors
    for name in folder.with_rows().configs:
        (record,) = itertools.islice(found.records(name), 1)
        assert any(key.startswith(f"{name}/") for key in record)


def test_real_data_is_not_said_to_be_ours(tree: Tree, tmp_path: Path) -> None:
    """A card of other files than the sample says what is known about their rights."""
    folder = realtimeqa(tmp_path / "realtimeqa", realtimeqa_options.local(str(tree.root)), "none")
    data = huggingface_hub.DatasetCard.load(folder.out / "README.md").data
    assert (data.license, data.license_name, data.license_link) == ("other", "no-licence-given", "LICENSE")
    assert (folder.out / "LICENSE").read_text() == realtimeqa_spec.LICENSE + "\n"
    assert json.loads((folder.out / "croissant.json").read_text())["license"] == realtimeqa_spec.HOMEPAGE


@pytest.mark.parametrize(
    ("rows", "name"),
    [(999, "n<1K"), (1_000, "1K<n<10K"), (10**9 - 1, "100M<n<1B"), (10**12 - 1, "100B<n<1T"), (10**12, "n>1T")],
)
def test_size_categories(rows: int, name: str) -> None:
    assert cards.size_category(rows) == name


def test_a_template_and_its_values_agree() -> None:
    assert cards.fill("a ${b} $c", {"b": "x"}) == "a x $c"
    for values in ({}, {"b": "x", "d": "y"}):
        with pytest.raises(ValueError, match="template and values differ in"):
            cards.fill("a ${b}", values)


def test_passages_of_a_template() -> None:
    """Of passages, those stay that are about something that is there; one about an unknown thing is refused."""
    template = "a\n%% b\nof b ${n}\n%%\n%% c d\nof c or d\n%%\ne\n"
    assert cards.fill(template, {"n": "1"}, {"b": True, "c": False, "d": False}) == "a\nof b 1\ne\n"
    assert cards.fill(template, {"n": "1"}, {"b": False, "c": False, "d": True}) == "a\nof c or d\ne\n"
    with pytest.raises(ValueError, match="differ in d"):
        cards.fill(template, {"n": "1"}, {"b": True, "c": True})
