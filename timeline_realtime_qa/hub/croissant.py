"""Croissant metadata (MLCommons JSON-LD, https://docs.mlcommons.org/croissant) of a built folder.

The Hub makes its own from the Parquet files; this one also says what the columns mean. In croissant.json is what all
folders have in common: the terms of Croissant 1.1, and the folder itself, whose files have their checksums in
manifest.json.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import datasets
from datasets.features.features import FeatureType

from .cards import Described, Facts
from .folder import Folder


_TYPES = {
    "string": "sc:Text",
    "int32": "cr:Int32",
    "int64": "cr:Int64",
    "float64": "cr:Float64",
    "bool": "sc:Boolean",
    "date32": "sc:Date",  # what else there is are points in time
}


def croissant(
    facts: Facts, folder: Folder, configs: Mapping[str, Described], about: str, cite: str, license_url: str, url: str
) -> dict[str, object]:
    """The JSON-LD of a folder.

    Args:
        about: a few sentences on the dataset.
        cite: BibTeX.
        license_url: where the licence, or the statement of rights, can be read.
        url: home page of the dataset.
    """
    common = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return {
        **common,
        "name": facts.name,
        "description": about,
        "version": facts.version,
        "license": license_url,
        "url": url,
        "citeAs": cite,
        "inLanguage": list(facts.language),
        "keywords": [*facts.task_categories, *facts.tags],
        "distribution": [
            *common["distribution"],
            *(
                _node("FileSet", f"files-of-{name}")
                | {
                    "containedIn": {"@id": common["distribution"][0]["@id"]},
                    "encodingFormat": "application/x-parquet",
                    "includes": f"{name}/*.parquet",
                }
                for name in folder.configs
            ),
        ],
        "recordSet": [_record_set(name, configs[name]) for name in folder.configs],
    }


def _node(kind: str, identifier: str) -> dict[str, object]:
    return {"@type": f"cr:{kind}", "@id": identifier, "name": identifier.rpartition("/")[2]}


def _record_set(name: str, described: Described) -> dict[str, object]:
    fields = []
    for column, feature in described.features.items():
        source = {"fileSet": {"@id": f"files-of-{name}"}, "extract": {"column": column}}
        fields.append(_field(f"{name}/{column}", feature, source) | {"description": described.meanings[column]})
    return _node("RecordSet", name) | {"description": f"One record is {described.about}.", "field": fields}


def _field(identifier: str, feature: FeatureType, source: dict[str, Any]) -> dict[str, object]:
    """A column or a part of one; the parts of a struct are found by their names."""
    field, depth = _node("Field", identifier), 0
    while isinstance(feature, datasets.List):
        depth, feature = depth + 1, feature.feature
    if depth:
        field |= {"isArray": True, "arrayShape": ",".join(["-1"] * depth)}
    if not isinstance(feature, dict):
        return field | {"dataType": _TYPES.get(feature.dtype, "sc:DateTime"), "source": source}
    parts = []
    for name, part in feature.items():
        way = [*source.get("transform", []), {"jsonPath": name}]
        parts.append(_field(f"{identifier}/{name}", part, {**source, "transform": way}))
    return field | {"subField": parts}
