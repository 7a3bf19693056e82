"""The package's own data files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson


DATA = Path(__file__).parents[1] / "data"


def read_json(name: str) -> Any:
    """The JSON document `name` of the data folder.

    Raises:
        ValueError: if the file is not JSON; the message names file, line and column.
    """
    path = DATA / name
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{path}, line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from error
