"""What the tests share: a copy of the sample to damage, the public data where it is there, caches of their own."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from .tree import Tree


ROOT = Path(__file__).parents[1]
# A busy machine is no fault of the code; and what a run of everybody's tests finds must be found again by the next.
settings.register_profile(
    "tests", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("tests")


@pytest.fixture(autouse=True)
def own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that a test prepares outlives it."""
    import datasets

    datasets.disable_progress_bars()
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "hf")
    monkeypatch.setattr(datasets.config, "DOWNLOADED_DATASETS_PATH", tmp_path / "hf" / "downloads")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A copy of the embedded sample."""
    from realtimeqa_ds.files.source import SAMPLE

    shutil.copytree(SAMPLE, tmp_path / "tree")
    return Tree(tmp_path / "tree")


@pytest.fixture
def table() -> Callable[..., dict[str, Any]]:
    """Read one split through the builder's stream, and the counts of the rules that met it."""

    def read(config: str, data_dir: Any = "sample", split: str = "test", **options: Any) -> dict[str, Any]:
        from realtimeqa_ds import options as arguments
        from realtimeqa_ds.files import layout
        from realtimeqa_ds.parsing.report import Report
        from realtimeqa_ds.weeks.reading import Reading

        verify = options.pop("verify", True)
        ranges = arguments.week_ranges(options.pop("weeks", None))
        source = arguments.local(str(data_dir), verify=verify)
        reading = Reading(source, config, **{"documents": "gcs", **options})
        report, rows = Report(), []
        weeks = arguments.select(layout.weeks(source.paths(layout.folders(config)), report), ranges)
        for week in (week for week in reading.serving(weeks) if week.split == split):
            found, of_week = reading.table(week)
            report.update(of_week)
            rows += found.to_pylist()
        return {"rows": rows, "counts": dict(report.counts)}

    return read


def _unpacked() -> Path | None:
    """The public data: the folder RTQA_DATA, or what the archives beside the checkout hold."""
    if os.environ.get("RTQA_DATA"):
        return Path(os.environ["RTQA_DATA"])
    archives = [ROOT.parent / "shared" / "realtimeqa" / f"rtqa_{part}.tar.xz" for part in ("year1", "more")]
    if not all(archive.is_file() for archive in archives):
        return None
    # Outside the checkout: the articles are not ours to commit.
    target = Path(tempfile.gettempdir()) / f"rtqa-tests-{os.getuid()}"
    with FileLock(f"{target}.lock"):
        if not (target / "complete").exists():
            for archive in archives:
                with tarfile.open(archive) as packed:
                    packed.extractall(target, filter="data")
            (target / "complete").touch()
    return target


@pytest.fixture(scope="session")
def public_data() -> Iterator[Path]:
    """Root of the public data, or a skip that says how to get it."""
    root = _unpacked()
    if root is None:
        pytest.skip("needs the public RealTime QA data: set RTQA_DATA to a clone of realtimeqa_public")
    yield root
