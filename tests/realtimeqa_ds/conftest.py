"""What the tests of RealTime QA share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def sample_manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A manifest of the embedded sample."""
    from realtimeqa_ds.files import manifest
    from realtimeqa_ds.files.source import SAMPLE, LocalSource

    path = tmp_path_factory.mktemp("manifest") / "manifest.tsv"
    path.write_text(manifest.make(SAMPLE, LocalSource(SAMPLE).paths()))
    return path
