"""The dataset card and the other files around the Parquet files of a built folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import distributions

from datasets.features.features import Features

from timeline_realtime_qa.hub import cards
from timeline_realtime_qa.hub.croissant import croissant
from timeline_realtime_qa.hub.folder import Folder, manifest

from . import spec
from .build import group_column
from .configs import Config, configs
from .declared.vocabulary import DATA, read_json
from .tables.derived import derived_tables


FACTS = cards.Facts(
    name=spec.NAME,
    version=spec.VERSION,
    default=spec.DEFAULT_CONFIG,
    license=spec.LICENSE.lower(),
    **read_json("card.json"),
)


def files(folder: Folder) -> dict[str, bytes]:
    """README.md, LICENSE, CITATION.cff, manifest.json and croissant.json by name."""
    shown = folder.with_rows()
    told = {name: described(configs()[name], folder.world["columns"]) for name in shown.configs}
    citation = cards.fill(
        _data("dataset.cff"), {"version": spec.VERSION, "license": spec.LICENSE, "homepage": spec.HOMEPAGE}
    )
    jsonld = croissant(FACTS, shown, told, spec.DESCRIPTION, spec.CITATION, cards.APACHE, spec.HOMEPAGE)
    return {
        "README.md": cards.card(FACTS, shown, told, _text(folder, shown, told)).encode(),
        "LICENSE": _license(),
        "CITATION.cff": citation.encode(),
        "manifest.json": manifest(folder, {name: group_column(configs()[name]) for name in folder.configs}),
        "croissant.json": json.dumps(jsonld, indent=1).encode(),
    }


def _license() -> bytes:
    """The licence that was installed with this package. (A checkout that Python is started in may be found first.)"""
    for installed in distributions(name="timeline-realtime-qa"):
        if text := installed.read_text("licenses/LICENSE"):
            return text.encode()
    raise FileNotFoundError("the licence of timeline-realtime-qa is not installed: pip install timeline-realtime-qa")


def described(config: Config, columns: Sequence[str] | None = None) -> cards.Described:
    """What the rows of a config are and hold; of `columns` only if given."""
    return cards.Described(config.kind.about, Features.from_arrow_schema(config.schema(columns)), config.kind.columns)


def _text(folder: Folder, shown: Folder, told: dict[str, cards.Described]) -> str:
    default = cards.default_config(FACTS, shown)
    config = _with_lifelogs(shown)
    views, query = _sql(shown)
    values = {
        "description": spec.DESCRIPTION,
        "homepage": spec.HOMEPAGE,
        "citation": spec.CITATION.strip(),
        "license": spec.LICENSE,
        "version": spec.VERSION,
        "years": _years(folder.world["year"], folder.world["duration"]),
        "seed": str(folder.world["seed"]),
        "world": f"{spec.WORLD:,}",
        "rows": f"{folder.rows:,}",
        "bytes": cards.amount(folder.bytes),
        "lifelogs": _lifelogs(shown),
        "command": "timelineqa build --all",
        "default": default,
        "densities": " or ".join(_densities(shown)),
        "split": next(iter(shown.configs[default])),
        "config": config or "",
        "config_split": next(iter(shown.configs[config])) if config else "",
        "lifelog": str(shown.first_row(config)["lifelog_id"]) if config else "",
        "sql": "\n".join(views + query),
        "splits": ", ".join(_range(split) for split in spec.SPLITS if split.name in _splits(shown)),
        "structure": "\n\n".join(cards.section(names, told[names[0]], shown) for names in _kinds(shown)),
        "sizes": cards.sizes(shown),
    }
    kinds = {configs()[name].kind.name for name in shown.configs}
    there = {name: name in kinds for name in ("multihop", "extended", "atomic", "episodes", "personas")}
    there |= {"lifelogs": bool(_densities(shown)), "one_lifelog": config is not None, "test": "test" in _splits(shown)}
    there |= {"tables": bool(views), "queries": bool(query)}
    return str(cards.fill(_data("card.md"), values, there))


def _densities(folder: Folder) -> list[str]:
    """Those that the folder has anything of."""
    found = {configs()[name].density for name in folder.configs}
    return [density for density in spec.DENSITIES if density in found]


def _splits(folder: Folder) -> set[str]:
    return {split for splits in folder.configs.values() for split in splits}


def _with_lifelogs(folder: Folder) -> str | None:
    """A config to take one lifelog of: one of episodes, if there is one, as these are many."""
    columns = folder.world["columns"]
    found = [name for name in folder.configs if configs()[name].density and (not columns or "lifelog_id" in columns)]
    return next((name for name in found if name.endswith("_episodes")), next(iter(found), None))


def _lifelogs(folder: Folder) -> str:
    """What is there: the episodes of each density, or else the configs."""
    episodes = {density: folder.configs.get(f"{density}_episodes", {}).values() for density in spec.DENSITIES}
    found = [
        f"{sum(split.rows for split in splits):,} episodes of the {density} lifelogs"
        for density, splits in episodes.items()
        if splits
    ]
    return ", ".join(found) or f"the configs {', '.join(folder.configs)}"


def _years(last: int, duration: int | None) -> str:
    if duration is None:
        return f"from the year of age 18 to the final year ({last})"
    return f"in {last}" if duration == 1 else f"from {last - duration + 1} to {last}, from the year of age 18 on"


def _sql(folder: Folder) -> tuple[list[str], list[str]]:
    """Statements that give tables of one density their names, and the query of a question where all are there."""
    of = {
        density: [table for table in derived_tables() if f"{density}_{table}" in folder.configs]
        for density in spec.DENSITIES
    }
    density, tables = max(of.items(), key=lambda item: (len(item[1]), item[0] in folder.configs))
    views = [f"CREATE VIEW {table} AS FROM '{density}_{table}/*.parquet';" for table in tables]
    if density not in folder.configs or len(tables) < len(derived_tables()) or folder.world["columns"]:
        return views, []
    return views, ["-- then, for example:", str(folder.first_row(density)["sql"])]


def _range(split: spec.Split) -> str:
    return f"`{split.name}` {split.start} " + ("and later" if split.stop is None else f"to {split.stop - 1}")


def _kinds(folder: Folder) -> list[list[str]]:
    """The configs that are the same but for the density."""
    kinds: dict[str, list[str]] = {}
    for name in folder.configs:
        kinds.setdefault(configs()[name].kind.name, []).append(name)
    return list(kinds.values())


def _data(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")
