"""A Hub on loopback, the script that pushes there, and folders as a build writes them."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner
from huggingface_hub import constants

from timeline_realtime_qa.hub.folder import BuiltSplit, Folder, manifest
from timeline_realtime_qa.hub.shards import File

from .loopback_hub import Hub


SCRIPT = Path(__file__).parents[2] / "scripts" / "publish.py"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub() as running:
        yield running


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    found = importlib.util.spec_from_file_location("publish", SCRIPT)
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, "publish", module)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def publish(script: ModuleType, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run the script in this process, without its waits."""
    settings = {
        "ENDPOINT": hub.url,
        "HUGGINGFACE_CO_URL_TEMPLATE": hub.url + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_CACHE": str(tmp_path / "hub"),
        "HF_HUB_DISABLE_XET": True,
        "HF_HUB_OFFLINE": False,
    }
    for name, value in settings.items():
        monkeypatch.setattr(constants, name, value)
    monkeypatch.setenv("HF_TOKEN", "hf_test")
    monkeypatch.setattr(time, "sleep", lambda seconds: None)

    def run(*arguments: object, code: int = 0) -> str:
        done = CliRunner().invoke(script.main, [str(one) for one in arguments])
        assert done.exit_code == code, done.output
        assert done.exception is None or isinstance(done.exception, SystemExit)
        return done.output

    return run


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Path]:
    """Write a folder as a build does, with these bytes for data; another of the same dataset goes over it."""

    def write(data: dict[str, bytes], dataset: str = "timelineqa", version: str = "1.0.0") -> Path:
        out = tmp_path / dataset
        configs: dict[str, dict[str, BuiltSplit]] = {}
        for path, body in data.items():
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_bytes(body)
            config, split = path.split("-")[0].split("/")
            files = configs.setdefault(config, {}).get(split, BuiltSplit(())).files
            configs[config][split] = BuiltSplit(
                (*files, File(path, "", 1, 1, "0", len(body), sha256(body).hexdigest()))
            )
        folder = Folder(out, {"dataset": dataset, "version": version, "source": "sample"}, configs, ())
        (out / "manifest.json").write_bytes(manifest(folder, dict.fromkeys(configs, "lifelog_id")))
        (out / "README.md").write_text(f"{dataset} {version}")
        return out

    return write
