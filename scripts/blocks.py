"""Run blocks of Python, each as if it stood alone in an empty file of an empty folder: blocks.py < JSON > JSON

Every block gets a process of its own, split off from this one, which has imported what blocks need of others, and
nothing of ours. So a block that lacks an import fails, and none waits for libraries to be imported once more.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
import types
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


OTHERS = ("datasets", "duckdb", "evaluate", "pandas", "pyarrow.parquet")
OURS = ("timeline_realtime_qa", "timelineqa_ds", "realtimeqa_ds")
FORKS = hasattr(os, "fork")
EXAMPLES = re.compile(r"^\s*>>> ", re.MULTILINE)


class Ran(NamedTuple):
    """What a block has printed, and the error that it ended with, or ""."""

    printed: str
    error: str


def run(blocks: Sequence[str]) -> list[Ran]:
    """Run blocks in another process, offline, one after the other."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HF_HOME": home, "HF_HUB_OFFLINE": "1", "PYTHONUTF8": "1"}
        command, given = [sys.executable, __file__], json.dumps(list(blocks))
        done = subprocess.run(command, input=given, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [Ran(*ran) for ran in json.loads(done.stdout)]


def alone(code: str) -> Ran:
    """Run a block in a process and a folder of its own, with caches of its own."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("printed", "error")]
        here = Path(folder, "empty")
        here.mkdir()
        if FORKS:
            if not (child := os.fork()):
                _as_child(code, here, paths)
            _, status = os.waitpid(child, 0)
        else:
            with paths[0].open("w") as out, paths[1].open("w") as err:
                command = [sys.executable, "-c", f"import blocks; blocks.execute({code!r})"]
                environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
                status = subprocess.run(command, cwd=here, env=environment, stdout=out, stderr=err).returncode
        printed, error = (path.read_text(encoding="utf-8") for path in paths)
    return Ran(printed, (error or f"status {status}") if status else "")


def _as_child(code: str, here: Path, paths: Sequence[Path]) -> None:
    """In the process that was split off, which ends here."""
    status = 1
    try:
        os.chdir(here)
        for number, path in enumerate(paths, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
        datasets = importlib.import_module("datasets")
        datasets.config.HF_DATASETS_CACHE = here.parent / "cache"
        datasets.config.DOWNLOADED_DATASETS_PATH = here.parent / "cache" / "downloads"
        execute(code)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def execute(code: str) -> None:
    """Run a block as the module `__main__`; one of examples with their results as a doctest."""
    sys.path.insert(0, "")
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    if EXAMPLES.search(code):
        test = doctest.DocTestParser().get_doctest(code, module.__dict__, "block", None, 0)
        if (failed := doctest.DocTestRunner(verbose=False).run(test).failed) or not test.examples:
            raise RuntimeError(f"{failed} of {len(test.examples)} examples give something else")
    else:
        exec(compile(code, "block.py", "exec"), module.__dict__)


def main() -> None:
    if FORKS:
        for name in OTHERS:
            importlib.import_module(name)
    if imported := sorted(set(OURS) & sys.modules.keys()):
        raise RuntimeError(f"blocks would find {', '.join(imported)} imported")
    print(json.dumps([alone(code) for code in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
