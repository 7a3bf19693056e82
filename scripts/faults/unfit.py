"""Strict JSON by the standard library, for the small readings that the packages are compared with."""

from __future__ import annotations

import json
from typing import Any


class Unfit(Exception):
    """A file that has no reading: whoever gives rows of it has made them up."""


def loads(data: bytes) -> Any:
    """JSON of one meaning: UTF-8, each key once, no NaN.

    Raises:
        Unfit: for anything else.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Unfit(str(error)) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise Unfit("a key twice")
    return dict(pairs)


def _refuse(constant: str) -> Any:
    raise Unfit(f"{constant} is no number")
