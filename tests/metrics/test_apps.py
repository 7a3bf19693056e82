"""The page of each metric Space in a real browser, served as a Space would, where our package cannot be imported."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from timeline_realtime_qa.names.registered import METRICS
from timeline_realtime_qa.space import assemble

from .test_pages import page as declared
from .test_pages import score, table


if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request

try:
    from playwright.sync_api import expect
except ImportError:  # the fixture says what to install
    pass

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spaces")]  # one browser for all
START = """
import runpy, sys
sys.modules.update(dict.fromkeys(("timeline_realtime_qa", "timelineqa_ds", "realtimeqa_ds")))
runpy.run_path("app.py", run_name="__main__")
"""
INSTALL = "apt-get install -y --no-install-recommends chromium, or: python -m playwright install --with-deps chromium"
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
# Begins as JSON and is none, so that the message quotes it; as HTML it would fetch something and run a script.
HOSTILE = '["<img src=//example.org/x onerror=alert(1)><b>bold</b>'


def lacking(what: str) -> NoReturn:
    """Skip, but never where everything is to be tested."""
    if os.environ.get("CI") and sys.platform == "linux":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        import gradio  # noqa: F401
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        lacking(f"needs {error.name}: pip install 'timeline-realtime-qa[test]'")
    with sync_playwright() as playwright:
        known = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
        path = next(filter(None, known), playwright.chromium.executable_path)
        if not Path(path).exists():
            lacking(f"needs Chromium: {INSTALL}")
        running = playwright.chromium.launch(executable_path=path)
        yield running
        running.close()


@pytest.fixture(scope="module")
def addresses(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where the page of each metric is served; all start at once."""
    out = tmp_path_factory.mktemp("spaces")
    served: dict[str, str] = {}
    processes = []
    try:
        for name in METRICS:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            served[name] = f"http://127.0.0.1:{port}"
            settings = {
                "GRADIO_SERVER_NAME": "127.0.0.1",
                "GRADIO_SERVER_PORT": str(port),
                "HF_HOME": str(out / "home"),
            }
            with (out / f"{name}.log").open("w") as log:
                processes.append(
                    subprocess.Popen(
                        [sys.executable, "-c", START],
                        cwd=assemble(name, out / name),
                        env={**os.environ, **settings},
                        stdout=log,
                        stderr=log,
                    )
                )
        for (name, address), process in zip(served.items(), processes, strict=True):
            wait_until_served(address, process, out / f"{name}.log")
        yield served
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_until_served(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", int(address.rpartition(":")[2]))) == 0:
                return
        time.sleep(0.1)
    pytest.fail(log.read_text())


@pytest.fixture(scope="module", params=sorted(METRICS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def shown(name: str, browser: Browser, addresses: dict[str, str]) -> Iterator[Page]:
    """The page of a metric, opened once; it writes no error to the console and asks nobody else for anything."""
    opened = browser.new_page()
    faults: list[str] = []

    def said(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(message.text)

    def asked(request: Request) -> None:
        if not request.url.startswith((addresses[name], "data:", "blob:")):
            faults.append(request.url)

    opened.on("console", said)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("request", asked)
    opened.on("dialog", lambda dialog: faults.append(dialog.message))
    opened.goto(addresses[name])
    yield opened
    opened.close()
    assert faults == []


def press_score(shown: Page, *wanted: Locator) -> None:
    shown.get_by_role("button", name="Score", exact=True).click()
    for place in wanted:
        place.wait_for()


def write(shown: Page, row: int, column: int, text: str) -> None:
    """Write into a cell of the table, as a person does."""
    shown.get_by_test_id(f"cell-{row}-{column}").dblclick()
    editor = shown.get_by_label("Edit cell")
    editor.fill(text)
    editor.press("Enter")
    expect(editor).to_have_count(0)
    expect(shown.get_by_test_id(f"cell-{row}-{column}").locator("span").first).to_have_text(text)


def looks_right(shown: Page, folder: Path) -> None:
    """Nothing is cut off at the side, on any screen; the pictures are for people."""
    assert shown.get_by_text("Flag").count() == shown.get_by_text("Error", exact=True).count() == 0
    for screen, (width, height) in SIZES.items():
        shown.set_viewport_size({"width": width, "height": height})
        shown.screenshot(path=folder / f"{screen}.png", full_page=True)
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_right_input(name: str, shown: Page, tmp_path: Path) -> None:
    shown.get_by_label("confidence_level").fill("0.9")
    signature = shown.get_by_label("signature")
    press_score(shown, signature)
    expected, _ = score(name, table(name), confidence_level="0.9")
    expect(signature).to_have_value(expected.pop("signature"))
    scores = shown.locator(".json-holder").inner_text()
    assert all(f'"{key}"' in scores for key in expected)
    assert shown.get_by_label("Not scored").count() == 0
    looks_right(shown, tmp_path)


def test_wrong_input(name: str, shown: Page, tmp_path: Path) -> None:
    press_score(shown, shown.get_by_label("signature"))
    write(shown, 0, 0, HOSTILE)
    message = shown.get_by_label("Not scored")
    press_score(shown, message)
    cells = table(name)
    cells.loc[0, "predictions"] = HOSTILE
    said = score(name, cells)[1]
    assert HOSTILE in said
    expect(message).to_have_value(said)
    expect(shown.get_by_label("signature")).to_have_count(0)
    # The whole text is to be seen without scrolling in its box, also after a phone was turned.
    for width, height in SIZES.values():
        shown.set_viewport_size({"width": width, "height": height})
        shown.wait_for_function("box => box.scrollHeight <= box.clientHeight + 2", arg=message.element_handle())
    looks_right(shown, tmp_path)


def test_empty_input(name: str, shown: Page, tmp_path: Path) -> None:
    """A prediction that is lacking, whose message names the field that helps; then all else."""
    write(shown, 0, 0, "")
    shown.get_by_label("wrong", exact=True).check()
    press_score(shown, shown.get_by_label("signature"))
    expect(shown.get_by_label("signature")).to_have_value(re.compile(r"missing:wrong"))
    for row in range(len(table(name))):
        for column, content in enumerate(declared(name).columns.values()):
            if content.cells[row]:
                write(shown, row, column, "")
    message = shown.get_by_label("Not scored")
    press_score(shown, message)
    expect(message).to_have_value("nothing to score: predictions and references have 0 rows, expected at least 1")
    looks_right(shown, tmp_path)
