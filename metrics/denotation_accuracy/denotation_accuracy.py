"""Denotation accuracy: whether two answers, each a set of items, mean the same.

Sources: Tan et al. 2023, TimelineQA (arXiv 2306.01069); Pasupat and Liang 2015, WikiTableQuestions (arXiv 1508.00305);
Liu et al. 2022, TAPEX (arXiv 2107.07653).
"""

# `evaluate` copies the modules that are imported here and no others, so those that the others need are imported, too.
# ruff: noqa: F401

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import eq, not_
from typing import Any

import evaluate

from timeline_realtime_qa.scoring.columns import Rows, checked_rows, count_missing, describe
from timeline_realtime_qa.scoring.results import Options, Scores, ratio, with_extras
from timeline_realtime_qa.scoring.rows import RowsMixin

from .amounts import Amount
from .counting import number_in_words
from .dates import Date
from .equality import equal
from .folding import TooManyMarks
from .lenient import CUT, Judge
from .reading import Memo, absent, is_decimal
from .units import KINDS, UNITS
from .wtq import DELIMITER, WTQ_TOLERANCE, Value, matches, near_decimals, same_spans, same_values, value, values


Gold = str | list[str]
Answer = Gold | None
VERSION = "2.0.0"
TOLERANCE = 1e-6

_DESCRIPTION = """
Share of questions whose predicted answer denotes the gold answer, a list of items. The configuration `timelineqa`
accepts what a person would (units, ways to write numbers, dates, yes and no, and lists); `wtq` agrees with the
official evaluator of WikiTableQuestions and `tapex` with the evaluation of TAPEX.
"""

_CITATION = """
@inproceedings{tan2023timelineqa,
    title={{TimelineQA}: A Benchmark for Question Answering over Timelines},
    author={Wang-Chiew Tan and Jane Dwivedi-Yu and Yuliang Li and Lambert Mathias and Marzieh Saeidi and Jing Nathan
        Yan and Alon Y. Halevy},
    booktitle={Findings of the Association for Computational Linguistics: ACL 2023},
    year={2023},
    url={https://arxiv.org/abs/2306.01069}
}
@inproceedings{pasupat2015compositional,
    title={Compositional Semantic Parsing on Semi-Structured Tables},
    author={Panupong Pasupat and Percy Liang},
    booktitle={Proceedings of ACL-IJCNLP},
    year={2015},
    url={https://arxiv.org/abs/1508.00305}
}
@inproceedings{liu2022tapex,
    title={{TAPEX}: Table Pre-training via Learning a Neural {SQL} Executor},
    author={Qian Liu and Bei Chen and Jiaqi Guo and Morteza Ziyadi and Zeqi Lin and Weizhu Chen and Jian-Guang Lou},
    booktitle={International Conference on Learning Representations},
    year={2022},
    url={https://arxiv.org/abs/2107.07653}
}
"""

_URLS = [f"https://arxiv.org/abs/{paper}" for paper in ("2306.01069", "1508.00305", "2107.07653")]

_INPUTS = """
Args:
    predictions: one per question: a string, a list of strings (the items of the answer; joined by ", " in `tapex`), or
        None where the system gave no answer.
    references: one per question: a string, or the list of the items that together are the gold answer. An empty list
        is the answer "nothing", which only an empty prediction matches.
    answer_type: `timelineqa` only, optional: the type of each gold answer ("number", "date", "text", "boolean" or
        None), so that "3 Idiots" as a text does not equal "3".
    tolerance: `timelineqa` only: how far numbers may differ, as a share of the larger one, or absolutely below 1
        (default 1e-6). Two whole numbers are compared exactly.
    canonical: `wtq` only, optional: for each question the list of the canonical values of the gold items, or None.
    missing: "error" (default) or "wrong": what to do with None predictions.
    return_per_example: also return `denotation_accuracy_per_example`.
    confidence_level: e.g. 0.95, also return a Wilson interval as `denotation_accuracy_low` and `_high`.
    return_signature: also return `signature`, one string that names every choice that affects the score.
Returns:
    denotation_accuracy: share of right answers.
    n, n_missing: numbers of questions and of None predictions.
Examples:
    >>> import evaluate
    >>> import timelineqa_ds  # makes the name known; a path or a Space name works without it
    >>> metric = evaluate.load("denotation_accuracy")
    >>> metric.compute(predictions=["3 days", "May 2, 2021", "Rome"], references=[["3"], ["2021-05-02"], ["Oslo"]])
    {'denotation_accuracy': 0.6666666666666666, 'n': 3, 'n_missing': 0}
    >>> metric.compute(predictions=["Oslo and Rome"], references=[["Rome", "Oslo"]])["denotation_accuracy"]
    1.0
    >>> strict = evaluate.load("denotation_accuracy", "wtq")
    >>> strict.compute(predictions=["3 days"], references=[["3"]])["denotation_accuracy"]
    0.0
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class DenotationAccuracy(RowsMixin, evaluate.Metric):
    """The metric `denotation_accuracy`; see the module's inputs description."""

    own_options = frozenset({"answer_type", "tolerance", "canonical"})
    configs = ("timelineqa", "wtq", "tapex")

    def _info(self) -> evaluate.MetricInfo:
        return self._described(_DESCRIPTION, _CITATION, _INPUTS, _URLS)

    def _check(self, predictions: object, references: object) -> tuple[Rows, Rows]:
        gold = "a gold answer (string) or the list of its items (strings)"
        answer = "a string, a list of strings or None"
        return (
            checked_rows(predictions, "predictions", ({str, list, type(None)}, {str}), answer),
            checked_rows(references, "references", ({str, list}, {str}), gold),
        )

    def _score(self, predictions: list[Answer], references: list[Gold], options: Options, **own: Any) -> Scores:
        n = len(predictions)
        self._refuse_options(own)
        tolerance = _checked_tolerance(own.get("tolerance", TOLERANCE))
        kinds = _checked_kinds(own.get("answer_type"), n)
        canonical = _checked_canonical(own.get("canonical"), references)
        n_missing = count_missing(predictions, options.missing)
        signature: dict[str, object] = {"metric": "denotation_accuracy", "mode": self.config_name}
        if self.config_name == "timelineqa":
            right = _score_lenient(predictions, references, kinds, tolerance)
            signature.update(tol=f"{tolerance:g}", types="given" if kinds is not None else "none")
        elif self.config_name == "wtq":
            right = _score_wtq(predictions, references, canonical)
            signature.update(tol=f"{WTQ_TOLERANCE:g}", canonical="given" if canonical is not None else "none")
        else:
            right = _score_tapex(predictions, references)
            signature.update(tol=0)
        hits = sum(right)
        return with_extras(
            {"denotation_accuracy": ratio(hits, n), "n": n, "n_missing": n_missing},
            options,
            proportions={"denotation_accuracy": (hits, n)},
            means={},
            per_example={"denotation_accuracy": [float(v) for v in right]} if options.return_per_example else {},
            signature=signature,
            version=VERSION,
        )

    def _refuse_options(self, options: Mapping[str, object]) -> None:
        owners = {"answer_type": "timelineqa", "tolerance": "timelineqa", "canonical": "wtq"}
        for name, given in options.items():
            if given is not None and owners[name] != self.config_name:
                raise ValueError(
                    f"{name}: expected only with the configuration {owners[name]!r}, found with {self.config_name!r}"
                )


def _checked_tolerance(tolerance: object) -> float:
    if tolerance is None:
        return TOLERANCE
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)) or not 0 <= tolerance < 1:
        raise ValueError(f"tolerance: expected a number from 0 to below 1, found {describe(tolerance)}")
    return float(tolerance)


def _checked_kinds(column: object, n: int) -> list[str | None] | None:
    """The type of each answer, or None when the option is not given.

    Raises:
        ValueError: naming the first row that is no type, or the numbers of rows if they differ.
    """
    if column is None:
        return None
    known = f"one of {', '.join(KINDS)} or None"
    kinds: list[str | None] = checked_rows(column, "answer_type", ({str, type(None)},), known)
    for kind in set(kinds) - {None, *KINDS}:
        raise ValueError(f"answer_type row {kinds.index(kind)}: expected {known}, found {kind!r}")
    _same_length("answer_type", len(kinds), n)
    return kinds


def _checked_canonical(column: object, references: Sequence[Gold]) -> list[list[str] | None] | None:
    """The canonical values of the gold items of each row, or None when the option is not given.

    Raises:
        ValueError: naming the first row that is not a list with one value per gold item.
    """
    if column is None:
        return None
    wanted = "a list with the canonical value of each gold item (strings), or None"
    rows: list[list[str] | None] = checked_rows(column, "canonical", ({list, type(None)}, {str}), wanted)
    _same_length("canonical", len(rows), len(references))
    for number, (row, gold) in enumerate(zip(rows, references, strict=True)):
        size = len(gold) if type(gold) is list else 1
        if row is not None and len(row) != size:
            raise ValueError(f"canonical row {number}: expected {size} values, one per gold item, found {len(row)}")
    return rows


def _same_length(name: str, found: int, n: int) -> None:
    if found != n:
        raise ValueError(f"{name}: expected one entry per question, {n} in all, found {found}")


def _score_lenient(
    predictions: Sequence[Answer], references: Sequence[Gold], kinds: Sequence[str | None] | None, tolerance: float
) -> bytearray:
    """1 for each row that is right, 0 for the others."""
    judges = {kind: Judge(kind, tolerance) for kind in (None, *KINDS)}
    found, wanted = _flat(predictions), _flat(references)
    right = bytearray(map(eq, found, wanted))
    judge = judges[None]
    number = 0
    try:
        for number in compress(range(len(right)), map(not_, right)):
            prediction, gold = found[number], wanted[number]
            if prediction is not None:
                if kinds is not None:
                    judge = judges[kinds[number]]
                right[number] = judge.same(prediction, gold)
    except TooManyMarks as error:
        raise ValueError(f"row {number}: {error}") from None
    return right


def _flat(answers: Sequence[Answer]) -> Rows:
    """The answers, those of one item as a string."""
    return [row[0] if type(row) is list and len(row) == 1 else row for row in answers]


def _score_wtq(
    predictions: Sequence[Answer], references: Sequence[Gold], canonical: Sequence[list[str] | None] | None
) -> bytearray:
    """1 for each row that is right, 0 for the others."""
    right = bytearray(len(predictions))
    memo: Memo[Value] = Memo(value)
    number = 0
    try:
        for number, (prediction, gold) in enumerate(zip(predictions, references, strict=True)):
            if prediction is None:
                continue
            exact = canonical[number] if canonical is not None else None
            if type(gold) is list and len(gold) == 1 and exact is None:
                gold = gold[0]
            if type(prediction) is str and type(gold) is str and exact is None:
                right[number] = prediction == gold or _match_wtq(prediction, gold, memo)
                continue
            wanted = [gold] if type(gold) is str else gold
            found = [prediction] if type(prediction) is str else prediction
            right[number] = same_values(values(wanted, exact), values(found))
    except TooManyMarks as error:
        raise ValueError(f"row {number}: {error}") from None
    return right


def _match_wtq(prediction: str, gold: str, memo: Memo[Value]) -> bool:
    if is_decimal(prediction) and is_decimal(gold):
        return near_decimals(prediction, gold)
    wanted = memo[gold]
    return not (wanted[1] == "string" and absent(wanted[0], prediction)) and matches(wanted, memo[prediction])


def _score_tapex(predictions: Sequence[Answer], references: Sequence[Gold]) -> bytearray:
    """1 for each row that is right, 0 for the others."""
    right = bytearray(len(predictions))
    for number, (prediction, gold) in enumerate(zip(predictions, references, strict=True)):
        if prediction is None:
            continue
        if isinstance(gold, list):
            gold = DELIMITER.join(gold) if len(gold) != 1 else gold[0]
        if isinstance(prediction, list):
            prediction = DELIMITER.join(prediction)
        right[number] = same_spans(prediction, gold)
    return right
