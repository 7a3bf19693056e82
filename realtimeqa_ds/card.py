"""The dataset card and the other files around the Parquet files of a built folder."""

from __future__ import annotations

import dataclasses
import json

from timeline_realtime_qa.hub import cards
from timeline_realtime_qa.hub.croissant import croissant
from timeline_realtime_qa.hub.folder import Folder, manifest

from . import spec
from .build import GROUP
from .files import layout


_TOLD = json.loads((spec.DATA / "card.json").read_text(encoding="utf-8"))
SAMPLE_RIGHTS = _TOLD["sample_rights"]
FACTS = cards.Facts(name=spec.NAME, version=spec.VERSION, default=spec.DEFAULT_CONFIG, **_TOLD["public"])
SAMPLE_FACTS = dataclasses.replace(FACTS, **_TOLD["sample"])


def files(folder: Folder) -> dict[str, bytes]:
    """README.md, LICENSE, CITATION.cff, manifest.json and croissant.json by name."""
    shown = folder.with_rows()
    facts, rights, rights_url = FACTS, spec.LICENSE, spec.HOMEPAGE
    if _is_sample(folder):
        facts, rights, rights_url = SAMPLE_FACTS, SAMPLE_RIGHTS, cards.APACHE
    described = {
        name: cards.Described(
            spec.ABOUT[name], spec.features(name), {key: column.about for key, column in spec.COLUMNS[name].items()}
        )
        for name in shown.configs
    }
    jsonld = croissant(facts, shown, described, spec.DESCRIPTION, spec.CITATION, rights_url, spec.HOMEPAGE)
    citation = cards.fill(_data("dataset.cff"), {"version": spec.VERSION, "homepage": spec.HOMEPAGE})
    return {
        "README.md": cards.card(facts, shown, described, _text(facts, shown, described, rights)).encode(),
        "LICENSE": f"{rights}\n".encode(),
        "CITATION.cff": citation.encode(),
        "manifest.json": manifest(folder, dict.fromkeys(folder.configs, GROUP)),
        "croissant.json": json.dumps(jsonld, indent=1).encode(),
    }


def _text(facts: cards.Facts, folder: Folder, described: dict[str, cards.Described], rights: str) -> str:
    default = cards.default_config(facts, folder)
    articles = folder.world["articles"]
    values = {
        "description": spec.DESCRIPTION,
        "homepage": spec.HOMEPAGE,
        "citation": spec.CITATION.strip(),
        "license": "Apache-2.0" if _is_sample(folder) else "none given, see above",
        "version": spec.VERSION,
        "rights": rights,
        "rows": f"{folder.rows:,}",
        "bytes": cards.amount(folder.bytes),
        "source": _source(folder),
        "articles": "Articles are left out: the column `documents` is null."
        if articles == "none"
        else f"Articles of the pool {articles} are included.",
        "default": default,
        "split": next(iter(folder.configs[default])),
        "structure": "\n\n".join(cards.section([name], about, folder) for name, about in described.items()),
        "sizes": cards.sizes(folder),
    }
    splits = {split for there in folder.configs.values() for split in there}
    there = {name: name in folder.configs for name in spec.COLUMNS} | {"articles": articles != "none"}
    there |= {split: split in splits for split in layout.SPLITS.values()}
    return str(cards.fill(_data("card.md"), values, there))


def _source(folder: Folder) -> str:
    source = folder.world["source"]
    named = {"sample": "the invented sample of the package", "local files": "a local copy of the public repository"}
    return named.get(source, f"the public repository at commit {source}")


def _is_sample(folder: Folder) -> bool:
    return bool(folder.world["source"] == "sample")


def _data(name: str) -> str:
    return (spec.DATA / name).read_text(encoding="utf-8")
