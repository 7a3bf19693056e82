"""Fresh virtual environments, for other versions of what this package works with."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

import pytest


def make_environment(folder: Path, *packages: str) -> str:
    """The interpreter of a new environment with these packages; skips the test where no index can be reached."""
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", *packages]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode and "ConnectionError" in done.stderr:
        pytest.skip("needs a package index")
    assert done.returncode == 0, done.stderr
    return python
