"""A small reading of RealTime QA files with nothing but `json`: what must come out of a folder, however damaged.

It knows what is published and not how it is cleaned: rows are compared by what stands in the files.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .trial import Unfit, loads
from .week_files import BASES, Week, date, run_of, weekly


Row = dict[str, Any]
SPLITS = {"backnumber": "train", "past": "test", "latest": "latest"}
POOLS = {"gcs": ["gcs"], "dpr": ["dpr"], "gold": ["gold"], "gcs+dpr": ["gcs", "dpr"], "none": []}
OPTIONAL = "may be left out"  # what is left of a question or a NOTA form when it is cleaned, is for others to say
NONE_OF = re.compile(r"none|neither|nothing|not any|no one", re.IGNORECASE)


class Reference:
    """The rows of one config, in order, and how often each rule that leaves something out has met.

    Raises:
        Unfit: where a file cannot be read as it stands.
    """

    def __init__(self, root: Path, config: str, documents: str) -> None:
        self.root, self.config = root, config
        self.retrievers = POOLS[documents]
        self.fallback = documents == "gcs+dpr"
        self.left_out: Counter[str] = Counter()
        self.rows: list[Row] = []
        for week in self._weeks():
            if self._serves(week):
                self.rows += self._of_week(week)

    def _serves(self, week: Week) -> bool:
        """Whether a week has what the config is read from; past weeks without NOTA forms are told of."""
        needed = {
            "nota": "nota" in week.files or week.split == "test",
            "documents": not week.files.keys().isdisjoint(self.retrievers),
            "predictions": bool(week.runs),
        }
        return needed.get(self.config, True)

    def _paths(self, top: str, around: tuple[str, ...] = ()) -> Iterator[str]:
        folder = self.root / top
        if os.path.realpath(folder) in around or not folder.is_dir():
            raise Unfit(f"{top} is no folder")
        for name in sorted(os.listdir(folder)):
            below = f"{top}/{name}"
            if (self.root / below).is_dir() and not name.endswith(".jsonl"):
                yield from self._paths(below, (*around, os.path.realpath(folder)))
            else:
                yield below

    def _weeks(self) -> list[Week]:
        weeks: dict[tuple[str, str], Week] = {}
        runs: list[tuple[str, tuple[str, str, str]]] = []
        tops = [*SPLITS, *(["baseline_results"] if self.config == "predictions" else [])]
        for path in (path for top in tops if os.path.lexists(self.root / top) for path in self._paths(top)):
            if parts := weekly(path):
                stamp, kind = parts
                split = SPLITS[path.split("/")[0]]
                weeks.setdefault((stamp, split), Week(stamp, split)).files[kind] = path
            elif run := run_of(path):
                runs.append(run)
            else:
                self.left_out["off_grammar"] += 1
        without = [week for week in weeks.values() if "qa" not in week.files]
        self.left_out["no_question_file"] += sum(len(week.files) for week in without)
        served = [week for _, week in sorted(weeks.items(), key=lambda item: item[0][0]) if "qa" in week.files]
        for week in served:
            week.runs = sorted(run for stamp, run in runs if stamp == week.stamp and week.split != "train")
        self.left_out["no_question_file"] += len({run for _, run in runs} - {run for w in served for run in w.runs})
        return served

    def _read(self, path: str) -> list[Row] | None:
        """The lines of a file; None, and counted, without any."""
        if not os.path.isfile(self.root / path):
            raise Unfit(f"{path} is no file")
        data = (self.root / path).read_bytes()
        if not data.strip(b" \t\n\r\x0b\x0c"):
            self.left_out["empty_file"] += 1
            return None
        lines = data.removesuffix(b"\n").split(b"\n")
        rows = [loads(line) for line in lines]
        if not all(isinstance(row, dict) for row in rows):
            raise Unfit(f"{path} has something else than objects")
        return rows

    def _of_week(self, week: Week) -> list[Row]:
        published = self._read(week.files["qa"])
        if published is None:
            return []
        ids = [_typed(row.get("question_id"), str) for row in published]
        kept = self._questions(week, published)
        if self.config == "predictions":
            return [row for run in week.runs for row in self._predictions(week, run, ids, kept)]
        rows = kept
        if self.config == "nota":
            rows = self._nota(week, ids, kept)
        pool = self._pool(week, ids)
        if self.config == "documents":
            made = [(row, document) for row in kept.values() for document in (pool or {}).get(row["place"], [])]
            return [{"question_id": row["question_id"], **document} for row, document in made]
        return [
            {**row, "documents": None if pool is None or not self.retrievers else pool[place]}
            for place, row in rows.items()
        ]

    def _questions(self, week: Week, published: list[Row]) -> dict[int, Row]:
        kept: dict[int, Row] = {}
        first: dict[str, Row] = {}
        for place, row in enumerate(published):
            match = re.fullmatch(r"[0-9]{8}_([0-9]+)", row["question_id"])
            if not match:
                raise Unfit("a question_id of another form")
            name = f"{week.stamp}_{match[1]}"
            if name in first:
                if first[name] != row:
                    raise Unfit("two rows of one id")
                self.left_out["doubled_row"] += 1
                continue
            first[name] = row
            sentence = _typed(row.get("question_sentence"), str)
            bare = re.sub(r"<[^>]*>?|&#?\w+;?|\s|[^\x21-\x7e]", "", sentence)
            if not sentence.strip(" \t\n\r"):
                self.left_out["empty_question"] += 1
                continue
            choices, answer = _choices(row, week.split == "latest")
            if not answer and week.split != "latest":
                self.left_out["no_answer"] += 1
                continue
            kept[place] = {
                "place": place, "question_id": name, "source_id": row["question_id"], "week": date(week.stamp),
                "source": _typed(row.get("question_source"), str), "question_raw": sentence, "choices": choices,
                "answer": answer, "answer_text": [choices[i] for i in answer],
                "evidence_raw": _typed(row.get("evidence"), str),
                "source_url": _typed(row.get("question_url"), str).strip(),
                "published_date": _typed(row.get("question_date"), str), OPTIONAL: not bare,
            }  # fmt: skip
        return kept

    def _nota(self, week: Week, ids: list[str], kept: dict[int, Row]) -> dict[int, Row]:
        if "nota" not in week.files:
            self.left_out["no_nota_file"] += 1
            return {}
        rows = self._read(week.files["nota"])
        if rows is None:
            return {}
        _aligned([row.get("question_id") for row in rows], [f"{one}_nota" for one in ids])
        forms = {}
        for place, original in kept.items():
            choices, answer = _choices(rows[place], week.split == "latest")
            if not answer and week.split != "latest":
                self.left_out["no_answer"] += 1
                continue
            own = {"choices": choices, "answer": answer, "answer_text": [choices[i] for i in answer]}
            own["choices of the question"] = original["choices"]  # on which its content_key depends
            ids_of_form = {name: original[name] + "_nota" for name in ("question_id", "source_id")}
            same = all(choices[i] in original["answer_text"] or NONE_OF.search(choices[i]) for i in answer)
            forms[place] = {**original, **ids_of_form, **own, OPTIONAL: original[OPTIONAL] or not same}
        return forms

    def _pool(self, week: Week, ids: list[str]) -> dict[int, list[Row]] | None:
        pools: dict[str, list[list[Row]]] = {}
        for retriever in self.retrievers:
            rows = self._read(week.files[retriever]) if retriever in week.files else None
            if rows is not None:
                _aligned([row.get("question_id") for row in rows], ids)
                pools[retriever] = [_documents(row, retriever) for row in rows]
        if not pools:
            return None
        of_question = {}
        for place in range(len(ids)):
            found = [document for pool in pools.values() for document in pool[place]]
            if self.fallback:
                found = [one for one in found if one["retriever"] == "dpr" or one["text"] is not None][:5]
            of_question[place] = found
        return of_question

    def _predictions(
        self, week: Week, run: tuple[str, str, str], ids: list[str], kept: dict[int, Row]
    ) -> Iterator[Row]:
        system, setting, path = run
        suffix = "_nota" if setting == "nota" else ""
        rows = self._read(path)
        if rows is None:
            return
        base = None if setting == "generation" else BASES.get(system)
        _aligned([row.get("question_id") for row in rows], [one + suffix for one in ids])
        for place, question in kept.items():
            said, choice = _said(rows[place], setting, base, len(question["choices"]))
            if base is not None and choice is None:
                self.left_out["invalid_choice"] += 1
            name = question["question_id"] + suffix
            score = rows[place].get("score")
            number = None if score is None else float(_typed(score, str))
            yield {
                "week": question["week"], "system": system, "setting": setting, "question_id": name,
                "prediction": said, "choice": choice, "index_base": base, "score": number,
                OPTIONAL: question[OPTIONAL],
            }  # fmt: skip


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise Unfit(f"expected {kind.__name__}")
    return value


def _texts(value: Any) -> list[str]:
    return [_typed(item, str) for item in _typed(value, list)]


def _choices(row: Row, latest: bool) -> tuple[list[str], list[int]]:
    choices, value = _texts(row.get("choices")), row.get("answer")
    if value is None and latest:
        return choices, []
    items = [str(value)] if type(value) in (str, int) else _texts(value)
    if not all(re.fullmatch("[0-9]{1,9}", item) and int(item) < len(choices) for item in items):
        raise Unfit("an answer that is no index")
    return choices, [int(item) for item in items]


def _documents(row: Row, retriever: str) -> list[Row]:
    documents = []
    if row.get("search_time") is not None:
        _typed(row["search_time"], str)
    for rank, found in enumerate(_typed(row.get("search_result"), list), 1):
        of = {name: value for name, value in _typed(found, dict).items() if value is not None}
        names = ("doc_id", "text") if retriever == "dpr" else ("title", "text")
        document = {name: None if name not in of else _typed(of[name], str) for name in names}
        authors = None if retriever == "dpr" or "authors" not in of else _texts(of["authors"])
        documents.append({"retriever": retriever, "rank": rank, **document, "authors": authors})
    return documents


def _said(row: Row, setting: str, base: int | None, choices: int) -> tuple[str, list[int] | None]:
    value = row.get("prediction")
    if setting == "generation":
        return (_texts(value)[0] if type(value) is list and len(value) == 1 else _typed(value, str)), None
    items = _texts(value)
    if base is None or not items or not all(re.fullmatch("[0-9]{1,9}", item) for item in items):
        return ",".join(items), None
    chosen = [int(item) - base for item in items]
    return ",".join(items), chosen if all(0 <= index < choices for index in chosen) else None


def _aligned(found: Sequence[Any], expected: Sequence[str]) -> None:
    if list(found) != list(expected):
        raise Unfit("a partner file with other rows")
