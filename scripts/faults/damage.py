"""Damage that any file may meet: bytes, lines, JSON values, and what else may stand in its place."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .trial import Trial


HOSTILE: list[Any] = [
    *(None, True, False, 0, -1, 3, 1.5, 1e300, 1 << 62, 1 << 63, 1 << 70, float("nan"), float("inf")),
    *("", " ", "0", "1", "9", "-1", "٣", "1.0", "9" * 5_000, "null", "nan", "../theirs/key", "/etc/passwd", "a\0b"),
    *("x" * 20_000, "e\u0301" * 6_000, "<b>" * 3_000, "\u200b", "\ud800", "None of the above", "20190607_0"),
    *([], {}, [[]], [None], ["1"], ["0", "1"], [1], {"a": 1}, [{}], [""], {"": {"": []}}),
]
JUNK = (b"\0", b"\r", b"\n", b" ", b'"', b"{", b"}", b",", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80")
CODINGS = ("utf-16", "utf-8-sig", "latin-1", "utf-32", "cp1252")


def places(told: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values of JSON."""
    inner = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    return [at, *(place for key, value in inner for place in places(value, (*at, key)))]


def replaced(told: Any, place: tuple[Any, ...], value: Any) -> Any:
    """JSON with the value at a place, or all of it, replaced."""
    if not place:
        return value
    inner = told
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return told


def flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 8)) if data else 0):
        changed[chance.randrange(len(data))] ^= chance.randrange(1, 256)
    return bytes(changed)


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def inserted(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    junk = chance.choice(JUNK)
    return data[:at] + junk * chance.choice((1, 1, 3, 2_000)) + data[at + chance.choice((0, 0, 1, 5)) :]


def recoded(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(CODINGS), "replace")


def moved_lines(data: bytes, chance: random.Random) -> bytes:
    """A line twice, gone, blank, elsewhere, or ended as elsewhere."""
    lines = data.splitlines(True) or [b""]
    at = chance.randrange(len(lines))
    how = chance.randrange(6)
    if how == 0:
        lines.insert(chance.randrange(len(lines) + 1), lines[at])
    elif how == 1:
        del lines[at]
    elif how == 2:
        lines.insert(at, chance.choice((b"\n", b" \n", b"\t\n")))
    elif how == 3:
        chance.shuffle(lines)
    elif how == 4:
        lines = [line.replace(b"\n", b"\r\n") for line in lines]
    else:
        lines[-1] = lines[-1].rstrip(b"\n")
    return b"".join(lines)


def other_bytes(data: bytes, chance: random.Random) -> bytes:
    noise = chance.randbytes(300)
    return chance.choice((b"", b"\n", b"\0" * 100, gzip.compress(data), noise, b"[" * 100_000, b"null\n"))


def _spelt(value: Any, chance: random.Random) -> str:
    return json.dumps(value, ensure_ascii=chance.random() < 0.5)


def other_value(data: bytes, chance: random.Random) -> bytes:
    """One value of one line of JSON replaced."""
    return _of_line(data, chance, lambda told: replaced(told, chance.choice(places(told)), chance.choice(HOSTILE)))


def borrowed_value(data: bytes, chance: random.Random) -> bytes:
    """One value of one line of JSON replaced by another of its own."""

    def borrowed(told: Any) -> Any:
        inner = told
        for key in chance.choice(places(told)):
            inner = inner[key]
        return replaced(told, chance.choice(places(told)), json.loads(json.dumps(inner)))

    return _of_line(data, chance, borrowed)


def other_keys(data: bytes, chance: random.Random) -> bytes:
    """A key gone, added, renamed or in another order."""

    def changed(told: Any) -> Any:
        held = [place for place in places(told) if isinstance(at(told, place), dict) and at(told, place)]
        inner = at(told, chance.choice(held)) if held else {}
        keys = list(inner)
        key = chance.choice(keys) if keys else ""
        how = chance.randrange(4)
        if how == 0 and keys:
            del inner[key]
        elif how == 1:
            inner[chance.choice(("unheard of", "", "question_id ", "a\0"))] = chance.choice(HOSTILE)
        elif how == 2 and keys:
            inner[key + " "] = inner.pop(key)
        else:
            chance.shuffle(keys)
            held_values = {name: inner[name] for name in keys}
            inner.clear()
            inner.update(held_values)
        return told

    return _of_line(data, chance, changed)


def at(told: Any, place: tuple[Any, ...]) -> Any:
    """The value at a place."""
    for key in place:
        told = told[key]
    return told


def key_twice(data: bytes, chance: random.Random) -> bytes:
    """A key of some object twice, perhaps spelt with an escape."""
    opening = [place for place in range(len(data)) if data[place : place + 1] == b"{" and b'"' in data[place:]]
    if not opening:
        return data
    start = chance.choice(opening) + 1
    first = data.index(b'"', start)
    end = data.find(b'"', first + 1)
    key = data[first + 1 : end]
    if chance.random() < 0.3 and key[:1].isalpha():
        key = b"\\u%04x" % key[0] + key[1:]
    value = chance.choice((b"null", b'"other"', b"[]", b'["0"]', b"{}", b"7"))
    return data[:start] + b'"' + key + b'": ' + value + b", " + data[start:]


def huge_number(data: bytes, chance: random.Random) -> bytes:
    """Digits of a number, or of a text of digits, become very many."""
    ways = [place for place in range(len(data)) if data[place : place + 1].isdigit()]
    if not ways:
        return data
    start = chance.choice(ways)
    more = chance.choice((b"9" * 5_000, b"9" * 20, b"0" * 400, b"1e999", b".5", b"-", "٣".encode()))
    return data[:start] + more + data[start:]


def _of_line(data: bytes, chance: random.Random, change: Callable[[Any], Any]) -> bytes:
    """One line changed as JSON; the whole as JSON where it is one document."""
    lines = data.splitlines()
    try:
        json.loads(data)
    except ValueError:
        pass
    else:
        lines = [data]
    at_line = chance.randrange(len(lines)) if lines else 0
    try:
        told = change(json.loads(lines[at_line]))
    except (ValueError, IndexError):
        return flipped(data, chance)
    lines[at_line] = _spelt(told, chance).encode("utf-8", "surrogatepass")
    return b"\n".join(lines) + b"\n"


BYTES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "bytes flipped": flipped,
    "cut": cut,
    "bytes put in": inserted,
    "another encoding": recoded,
    "lines moved": moved_lines,
    "other bytes": other_bytes,
    "another value": other_value,
    "a value from elsewhere": borrowed_value,
    "other keys": other_keys,
    "a key twice": key_twice,
    "a huge number": huge_number,
}


def damage_bytes(trial: Trial, path: Path) -> None:
    """Change what a file holds, in one of the ways of `BYTES`."""
    way = trial.chance.choice(list(BYTES))
    trial.is_(f"{way} in {path.name}")
    path.write_bytes(BYTES[way](path.read_bytes(), trial.chance))


LINKS = ("link to nothing", "link to itself", "link to theirs")
PLACES = (*LINKS, "pipe", "folder", "device", "gone", "moved behind a link")


def damage_place(trial: Trial, path: Path) -> str:
    """Put something else in the place of a file or folder; says which of `PLACES`."""
    how = trial.chance.choice(PLACES)
    trial.is_(f"{how} in the place of {path.name}")
    if how == "moved behind a link":
        away = trial.folder / "moved away"
        shutil.move(path, away)
        path.symlink_to(away, away.is_dir())
        return how
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
    if how == "pipe":
        os.mkfifo(path)
    elif how == "folder":
        path.mkdir()
    elif how != "gone":
        leads = {"link to nothing": "nothing", "link to itself": path.name, "device": "/dev/zero"}
        path.symlink_to(leads.get(how, str(trial.theirs / "key")))
    return how
