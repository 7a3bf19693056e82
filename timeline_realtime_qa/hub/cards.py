"""Dataset cards: the YAML header that the Hub reads, and the parts of the text that are computed.

What the columns mean and what the dataset is comes from the declarations of each dataset; rows, bytes and examples
come from the built folder.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import datasets
from datasets.features.features import Features, FeatureType
from datasets.info import DatasetInfosDict
from huggingface_hub import DatasetCardData

from ..display.tables import as_markdown
from .folder import Folder


_BOUNDS = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")
LONGEST_TEXT = 160  # characters of a text that an example shows
LONGEST_LIST = 3
APACHE = "https://www.apache.org/licenses/LICENSE-2.0"
_NAME = re.compile(r"\$\{(\w+)\}")
_PASSAGE = re.compile(r"^%% (.+)\n((?:(?!%%).*\n)*)%%\n", re.MULTILINE)


@dataclass(frozen=True)
class Facts:
    """What a card's header says beside what is computed.

    Attributes:
        license: the Hub's identifier; "other" needs `license_name`.
        task_categories, task_ids, annotations_creators, language_creators: from the Hub's lists.
        tags: further ones, such as ``arxiv:2306.01069``.
        default: the config to load when none is named, if it was built.
    """

    name: str
    pretty_name: str
    version: str
    default: str
    license: str
    task_categories: Sequence[str]
    task_ids: Sequence[str]
    annotations_creators: Sequence[str]
    language_creators: Sequence[str]
    source_datasets: Sequence[str]
    tags: Sequence[str]
    license_name: str | None = None
    license_link: str | None = None
    language: Sequence[str] = field(default=("en",))


@dataclass(frozen=True)
class Described:
    """A config as it is declared: what a row is, and type and meaning of each column."""

    about: str
    features: Features
    meanings: Mapping[str, str]


def card(facts: Facts, folder: Folder, configs: Mapping[str, Described], text: str) -> str:
    """A README.md: the header and the text."""
    return f"---\n{header(facts, folder, configs)}\n---\n\n{text.strip()}\n"


def fill(template: str, values: Mapping[str, str], there: Mapping[str, bool] = MappingProxyType({})) -> str:
    """A text with ``${name}`` replaced, and only those passages that are about something that is there.

    Args:
        there: what passages are about: lines from ``%% name other`` to ``%%`` stay where one of these is True.

    Raises:
        ValueError: if a name is not given or one that is given is not used.
    """
    asked = {*_NAME.findall(template), *(name for about in _PASSAGE.findall(template) for name in about[0].split())}
    if given := asked ^ {*values, *there}:
        raise ValueError(f"template and values differ in {', '.join(sorted(given))}")
    text = _PASSAGE.sub(lambda found: found[2] if any(there[name] for name in found[1].split()) else "", template)
    return _NAME.sub(lambda found: values[found[1]], text)


def header(facts: Facts, folder: Folder, configs: Mapping[str, Described]) -> str:
    """The YAML between the dashes, without them."""
    names = _in_order(facts, folder)
    infos = [_info(folder, name, configs[name].features) for name in names]
    values: dict[str, Any] = {
        "pretty_name": facts.pretty_name,
        "language": list(facts.language),
        "license": facts.license,
        "license_name": facts.license_name,
        "license_link": facts.license_link,
        "annotations_creators": list(facts.annotations_creators),
        "language_creators": list(facts.language_creators),
        "multilinguality": ["monolingual"],
        "size_categories": [size_category(folder.rows)],
        "source_datasets": list(facts.source_datasets),
        "task_categories": list(facts.task_categories),
        "task_ids": list(facts.task_ids),
        "tags": list(facts.tags),
        "configs": [_files(facts, folder, name) for name in names],
        "dataset_info": infos[0] if len(infos) == 1 else infos,
    }
    data = DatasetCardData(**{key: value for key, value in values.items() if value})
    return str(data.to_yaml())


def size_category(rows: int) -> str:
    """The Hub's name for a number of rows, such as 10K<n<100K."""
    place = max(len(str(rows)) - 3, 0)  # of the power of ten above it
    if place >= len(_BOUNDS):
        return f"n>{_BOUNDS[-1]}"
    return f"{_BOUNDS[place - 1]}<n<{_BOUNDS[place]}" if place else f"n<{_BOUNDS[0]}"


def _in_order(facts: Facts, folder: Folder) -> list[str]:
    """The configs, the default one first."""
    default = default_config(facts, folder)
    return [default, *(name for name in folder.configs if name != default)]


def default_config(facts: Facts, folder: Folder) -> str:
    """The config that is loaded when none is named: the declared one, or the first if that was not built."""
    return facts.default if facts.default in folder.configs else next(iter(folder.configs))


def _files(facts: Facts, folder: Folder, name: str) -> dict[str, object]:
    files = [{"split": split, "path": f"{name}/{split}-*"} for split in folder.configs[name]]
    default = {"default": True} if name == default_config(facts, folder) else {}
    return {"config_name": name, **default, "version": facts.version, "data_files": files}


def _info(folder: Folder, name: str, features: Features) -> dict[str, object]:
    splits = folder.configs[name]
    info = datasets.DatasetInfo(
        config_name=name,
        features=features,
        splits=datasets.SplitDict.from_split_dict(
            [{"name": split, "num_bytes": one.arrow_bytes, "num_examples": one.rows} for split, one in splits.items()]
        ),
        download_size=sum(one.bytes for one in splits.values()),
        dataset_size=sum(one.arrow_bytes for one in splits.values()),
    )
    data = DatasetCardData()
    DatasetInfosDict({name: info}).to_dataset_card_data(data)
    return dict(data["dataset_info"])


def sizes(folder: Folder) -> str:
    """Rows and bytes of each config and split as a table."""
    lines = ["| config | split | rows | files | Parquet | in memory |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    lines += [
        f"| `{name}` | {split} | {one.rows:,} | {len(one.files)} | {amount(one.bytes)} | {amount(one.arrow_bytes)} |"
        for name, splits in folder.configs.items()
        for split, one in splits.items()
    ]
    return "\n".join(lines)


def columns(described: Described) -> list[tuple[str, str, str]]:
    """Name, type and meaning of each column of a config."""
    return [(name, kind(feature), described.meanings[name]) for name, feature in described.features.items()]


def kind(feature: FeatureType) -> str:
    """A feature's type in words."""
    if isinstance(feature, datasets.List):
        return f"list of {kind(feature.feature)}"
    if isinstance(feature, dict):
        return "{" + ", ".join(f"{name}: {kind(one)}" for name, one in feature.items()) + "}"
    return str(feature.dtype)


def section(names: Sequence[str], described: Described, folder: Folder) -> str:
    """What configs of the same columns hold: what a row is, the columns, and a row of each."""
    rows = [f"A row of `{name}`, shortened:\n\n{example(folder.first_row(name))}" for name in names]
    title = ", ".join(f"`{name}`" for name in names)
    marked = [(f"`{name}`", *others) for name, *others in columns(described)]
    table = as_markdown(("column", "type", "what it holds"), marked)
    return "\n\n".join([f"#### {title}", f"One row is {described.about}.", table, *rows])


def example(row: Mapping[str, object]) -> str:
    """A row as a block of JSON, one line a column, with long texts and lists cut."""
    lines = [f" {json.dumps(name)}: {json.dumps(_short(value), ensure_ascii=False)}" for name, value in row.items()]
    return "```json\n{\n" + ",\n".join(lines) + "\n}\n```"


def _short(value: object) -> object:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{value[:LONGEST_TEXT]}... ({len(value) - LONGEST_TEXT:,} more characters)"
    if isinstance(value, Mapping):
        return {key: _short(one) for key, one in value.items()}
    if isinstance(value, list):
        more = len(value) - LONGEST_LIST
        return [_short(one) for one in value[:LONGEST_LIST]] + ([f"... ({more:,} more)"] if more > 0 else [])
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value


def amount(count: int) -> str:
    """A number of bytes for people, in powers of 1,000."""
    value, unit = float(count), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if value < 1_000 or unit == "TB":
            break
        value /= 1_000
    return f"{value:,.0f} {unit}" if unit == "B" else f"{value:,.1f} {unit}"
