"""The page of each metric Space, really started and asked over HTTP, where our package cannot be imported."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from timeline_realtime_qa.names.registered import METRICS
from timeline_realtime_qa.space import assemble


START = """
import runpy, sys
sys.modules.update(dict.fromkeys(("timeline_realtime_qa", "timelineqa_ds", "realtimeqa_ds")))
runpy.run_path("app.py", run_name="__main__")
"""


@pytest.fixture
def page(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Address of the page of a metric, as a Space would run it."""
    pytest.importorskip("gradio", reason="needs gradio: pip install 'timeline-realtime-qa[test]'")
    folder = assemble(request.param, tmp_path / request.param)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "GRADIO_SERVER_NAME": "127.0.0.1",
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "HF_HOME": str(tmp_path / "home"),
    }
    log = (tmp_path / "log").open("w")
    running = subprocess.Popen(
        [sys.executable, "-c", START], cwd=folder, env={**os.environ, **settings}, stdout=log, stderr=log
    )
    try:
        for _ in range(600):
            if running.poll() is not None:
                break
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        assert running.poll() is None, (tmp_path / "log").read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        running.kill()
        running.wait()
        log.close()


@pytest.mark.slow
@pytest.mark.parametrize(("page", "name"), [(name, name) for name in sorted(METRICS)], indirect=["page"])
def test_the_page_answers(page: str, name: str) -> None:
    import gradio_client

    client = gradio_client.Client(page, verbose=False)
    (described,) = client.view_api(return_format="dict")["named_endpoints"].items()
    endpoint, api = described
    fields: list[Any] = [parameter["parameter_default"] for parameter in api["parameters"]]
    scores = client.predict(*fields, api_name=endpoint)
    assert scores["n"] >= 2 and all(value is None or isinstance(value, (int, float)) for value in scores.values())
    assert json.loads(json.dumps(scores)) == scores
    with pytest.raises(Exception, match="JSON|Expecting|error"):
        client.predict("no JSON", *fields[1:], api_name=endpoint)
