"""Faults of publishing: what arrives is the checked folder, as a whole, or an error and nothing of anybody's."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import publish
from click.testing import CliRunner
from huggingface_hub import constants

from tests.publish.hub_repository import Repo, StoredFile
from tests.publish.loopback_hub import Handler, Hub
from timeline_realtime_qa.hub.folder import BuiltSplit, Folder, manifest
from timeline_realtime_qa.hub.shards import File

from . import damage
from .trial import CORRECT, Outcome, Trial, Wrong, judged


REPO = "org/timelineqa"
STATUSES = (400, 401, 403, 404, 408, 409, 412, 413, 422, 429, 500, 502, 503, 504)
OTHER_JSON: tuple[Any, ...] = ({}, [], 5, None, "x", [{}], {"tags": 5}, {"sha": None}, {"files": [{}]})


def hub() -> Hub:
    """The one of this process: its threads do not live on in one that forks."""
    return _hub(os.getpid())


@functools.cache
def _hub(process: int) -> Hub:
    """One for each process, asked without waits."""
    running = Hub()
    running.__enter__()
    settings = {
        "ENDPOINT": running.url,
        "HUGGINGFACE_CO_URL_TEMPLATE": running.url + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_DISABLE_XET": True,
        "HF_HUB_OFFLINE": False,
    }
    for name, value in settings.items():
        setattr(constants, name, value)
    os.environ["HF_TOKEN"] = "hf_test"
    return running


@contextlib.contextmanager
def without_waits() -> Iterator[None]:
    """Let nobody wait before asking again."""
    slept = time.sleep
    time.sleep = lambda seconds: slept(0.001)
    try:
        yield
    finally:
        time.sleep = slept


def made(out: Path, version: str, rows: bytes) -> dict[str, bytes]:
    """A folder as a build writes it, and what of it is to be published."""
    data = {f"sparse/train-{number:05d}-of-00002.parquet": b"%b %d" % (rows, number) for number in range(2)}
    for path, body in data.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(body)
    files = tuple(File(path, "", 1, 1, "0", len(body), sha256(body).hexdigest()) for path, body in data.items())
    made_of = {"dataset": "timelineqa", "version": version, "source": "generated"}
    folder = Folder(out, made_of, {"sparse": {"train": BuiltSplit(files)}}, ())
    texts = {"manifest.json": manifest(folder, {"sparse": "lifelog_id"}), "README.md": b"card " + rows}
    for path, body in texts.items():
        (out / path).write_bytes(body)
    return {**data, **texts}


def publishing(trial: Trial) -> Outcome:
    """A fault of the folder, of the repository, or of the Hub while it is asked."""
    running, chance = hub(), trial.chance
    running.repos.clear()
    running.objects.clear()
    running.failures.clear()
    constants.HF_HUB_CACHE = str(trial.folder / "hub")
    first, out = trial.folder / "first", trial.folder / "out"
    before = chance.choice(("nothing", "an older version", "files of others", "an older version and notes"))
    trial.is_(f"over {before}")
    with without_waits():
        return _over(trial, before, first, out, running)


def _over(trial: Trial, before: str, first: Path, out: Path, running: Hub) -> Outcome:
    """Publish a folder over what is there, with a fault."""
    chance = trial.chance
    if "older" in before:
        made(first, "1.0.0", b"old")
        if (code := _published(first)[0]) != 0:
            raise Wrong(f"the first publishing ended with status {code}")
    if before != "nothing" and before != "an older version":
        _push(running, {"notes.txt": StoredFile(b"theirs", lfs=False)})
    expected = made(out, "1.0.1", b"new")
    old = dict(repo.files) if (repo := running.repos.get(("datasets", REPO))) else {}
    chance.choice((_of_folder, _of_folder, _of_hub, _of_hub, _of_others))(trial, out, running)

    # What is pushed is what lies there by now, if only it goes together.
    expected.update({path: (out / path).read_bytes() for path in expected if os.path.isfile(out / path)})

    def pushed() -> Outcome:
        code, said, error = _published(out)
        if error is not None:
            raise error
        if code:
            raise RuntimeError(said)
        there = {path: file.data for path, file in running.repos["datasets", REPO].files.items()}
        if any(there.get(path) != body for path, body in expected.items()):
            raise Wrong("status 0, but the repository does not hold the folder")
        return Outcome(CORRECT)

    outcome = judged(pushed, (str(out), str(out.resolve()), REPO, running.url, "the Hub", "manifest.json"))
    _set_answer(ANSWER)
    _check_hub(running, old, expected)
    return outcome


ANSWER = Handler.answer


def _set_answer(answer: Callable[[Handler], None]) -> None:
    for method in ("GET", "POST", "PUT", "HEAD", "DELETE"):
        setattr(Handler, f"do_{method}", answer)


def _published(folder: Path) -> tuple[int, str, BaseException | None]:
    """Status and output of the script, and an error that it does not tell as one."""
    done = CliRunner().invoke(publish.main, ["dataset", str(folder), REPO])
    own = done.exception is None or isinstance(done.exception, SystemExit)
    said = done.output[max(done.output.rfind("\nError: "), 0) :]  # after progress bars and log lines
    return done.exit_code, said, None if own else done.exception


def _push(running: Hub, files: dict[str, StoredFile]) -> None:
    """A commit of somebody else."""
    repo = running.repos.setdefault(("datasets", REPO), Repo())
    repo.commits.append((f"{len(repo.commits):040d}", {**repo.files, **files}))
    repo.refs["main"] = len(repo.commits) - 1


def _of_folder(trial: Trial, out: Path, running: Hub) -> None:
    """The folder is damaged before it is pushed."""
    chance = trial.chance
    path = out / chance.choice(("manifest.json", "README.md", "LICENSE", "sparse/train-00000-of-00002.parquet"))
    if not path.exists():
        path.write_text("a licence")
    way = chance.random()
    if way < 0.2:
        trial.is_(f"{path.name} leads to a file of somebody")
        path.unlink()
        path.symlink_to(trial.theirs / "key")
        return
    if way < 0.35:
        damage.damage_place(trial, chance.choice((path, path, out / "sparse")))
        return
    if way < 0.5:
        damage.damage_bytes(trial, path)
        return
    told = json.loads((out / "manifest.json").read_bytes())
    place = chance.choice(damage.places(told))
    value = chance.choice((*damage.HOSTILE, str(trial.theirs / "key"), ".env", "sparse/../../theirs/key"))
    trial.is_(f"{place} of the manifest is {value!r:.80}")
    text = json.dumps(damage.replaced(told, place, value))
    (out / "manifest.json").write_bytes(text.encode("utf-8", "surrogatepass"))


def _of_hub(trial: Trial, out: Path, running: Hub) -> None:
    """The Hub answers with a status, breaks off or says something else, at some calls."""
    chance = trial.chance
    status, times, at = chance.choice(STATUSES), chance.choice((1, 1, 2, 4, 99)), chance.randrange(12)
    how = chance.choice(("status", "status", "status", "broken off", "no JSON", "half", "other JSON"))
    trial.is_(f"{how} {status}, {times} times from request {at} on")
    calls = [0]

    def answer(self: Handler) -> None:
        calls[0] += 1
        if not at < calls[0] <= at + times:
            return ANSWER(self)
        self._read()
        self.close_connection = True
        if how == "status":
            return self.error(status, chance.choice(("InternalError", "RepoNotFound", "EntryNotFound", "x" * 500)))
        if how == "broken off":
            return None
        if how == "half":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\nContent-Type: application/json\r\n\r\n{")
            return None
        if how == "other JSON":
            return self.send(200, chance.choice(OTHER_JSON))
        self.send(200, b"<html>be patient</html>", {"Content-Type": "text/html"})

    _set_answer(answer)


def _of_others(trial: Trial, out: Path, running: Hub) -> None:
    """Somebody else pushes before some commits."""
    chance = trial.chance
    times, path = chance.choice((1, 2, 9)), chance.choice(("notes.txt", "sparse/train-more.parquet", "README.md"))
    trial.is_(f"others push {path} {times} times")
    done = [0]

    def answer(self: Handler) -> None:
        if self.command == "POST" and "/commit/" in self.path and done[0] < times:
            done[0] += 1
            with self.hub.lock:
                _push(self.hub, {path: StoredFile(b"theirs %d" % done[0], lfs=path.endswith(".parquet"))})
        ANSWER(self)

    _set_answer(answer)


def _check_hub(running: Hub, old: dict[str, StoredFile], expected: dict[str, bytes]) -> None:
    """Raise where a secret was sent, others have lost something, or a split is half changed."""
    sent: list[Any] = [*running.objects.values()]
    sent += [file.data for repo in running.repos.values() for _, files in repo.commits for file in files.values()]
    if any(b"PRIVATE KEY" in data for data in sent):
        raise Wrong("a file of somebody's own was sent")
    repo = running.repos.get(("datasets", REPO))
    there = repo.files if repo else {}
    if "notes.txt" in old and b"theirs" not in getattr(there.get("notes.txt"), "data", b""):
        raise Wrong("a file of others is lost")
    ages = {there[path].data.split()[0] for path in expected if path.endswith(".parquet") and path in there}
    if len(ages) > 1:
        raise Wrong(f"a split is half changed: {ages}")
