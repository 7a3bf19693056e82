"""Programs of scripts/ as modules; they import each other by their names."""

from __future__ import annotations

import importlib
import sys

from .conftest import ROOT


sys.path.insert(0, str(ROOT / "scripts"))
blocks, renew = importlib.import_module("blocks"), importlib.import_module("renew")
