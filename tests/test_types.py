"""Types are seen across the packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


ROOT = Path(__file__).parents[1]
MUTANT = 'Job(out=3.14, nonsense="yes")'


@pytest.mark.slow
def test_a_wrong_call_of_another_package_is_an_error(tmp_path: Path) -> None:
    """As setup.cfg has mypy check it; with a cache of its own, since the mutant is not what lies on the disk."""
    source, mutant = ROOT / "timelineqa_ds" / "build.py", tmp_path / "build.py"
    mutant.write_text(f"{source.read_text()}\n{MUTANT}\n")
    options = ["--cache-dir", str(tmp_path / "cache"), "--shadow-file", str(source), str(mutant)]
    done = subprocess.run([sys.executable, "-m", "mypy", *options, source], cwd=ROOT, capture_output=True, text=True)
    assert 'Unexpected keyword argument "nonsense" for "Job"' in done.stdout, done.stdout + done.stderr
    assert 'Argument "out" to "Job" has incompatible type "float"; expected "Path"' in done.stdout
