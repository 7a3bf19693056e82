"""Croissant metadata (MLCommons JSON-LD, https://docs.mlcommons.org/croissant) of a built folder.

The Hub makes its own from the Parquet files; this one also says what the columns mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import datasets

from .cards import Described, Facts
from .folder import Folder


CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
REPOSITORY = "repo"
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
) -> dict[str, Any]:
    """The JSON-LD of a folder.

    Args:
        about: a few sentences on the dataset.
        cite: BibTeX.
        license_url: where the licence, or the statement of rights, can be read.
        url: home page of the dataset.
    """
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": facts.name,
        "description": about,
        "version": facts.version,
        "license": license_url,
        "url": url,
        "citeAs": cite,
        "inLanguage": list(facts.language),
        "keywords": [*facts.task_categories, *facts.tags],
        "distribution": [_repository(), *(_file_set(name) for name in folder.configs)],
        "recordSet": [_record_set(name, configs[name]) for name in folder.configs],
    }


def _repository() -> dict[str, Any]:
    # A folder of many files has no checksum of its own; those of its files are in manifest.json.
    return {
        "@type": "cr:FileObject",
        "@id": REPOSITORY,
        "name": REPOSITORY,
        "description": "The folder that this file lies in.",
        "contentUrl": ".",
        "encodingFormat": "git+https",
        "sha256": "https://github.com/mlcommons/croissant/issues/80",
    }


def _file_set(name: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"files-of-{name}",
        "name": f"files-of-{name}",
        "containedIn": {"@id": REPOSITORY},
        "encodingFormat": "application/x-parquet",
        "includes": f"{name}/*.parquet",
    }


def _record_set(name: str, described: Described) -> dict[str, Any]:
    files = {"@id": f"files-of-{name}"}
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"One record is {described.about}.",
        "field": [
            {
                **_field(f"{name}/{column}", column, feature, {"fileSet": files, "extract": {"column": column}}),
                "description": described.meanings[column],
            }
            for column, feature in described.features.items()
        ],
    }


def _field(identifier: str, name: str, feature: Any, source: dict[str, Any]) -> dict[str, Any]:
    """A column or a part of one; the parts of a struct are found by their names."""
    depth, leaf = 0, feature
    while isinstance(leaf, datasets.List):
        depth, leaf = depth + 1, leaf.feature
    field: dict[str, Any] = {"@type": "cr:Field", "@id": identifier, "name": name}
    if depth:
        field |= {"isArray": True, "arrayShape": ",".join(["-1"] * depth)}
    if not isinstance(leaf, dict):
        return field | {"dataType": _TYPES.get(leaf.dtype, "sc:DateTime"), "source": source}
    way = source.get("transform", [])
    return field | {
        "subField": [
            _field(f"{identifier}/{part}", part, one, {**source, "transform": [*way, {"jsonPath": part}]})
            for part, one in leaf.items()
        ]
    }
