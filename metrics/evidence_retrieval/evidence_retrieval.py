"""Precision, recall and F1 of retrieved evidence against the gold evidence sets of questions.

Sources: Tan et al. 2023, TimelineQA (arXiv 2306.01069), whose questions come with the ids of their evidence; Manning,
Raghavan and Schütze 2008, Introduction to Information Retrieval, sections 8.3 and 8.4, for the measures.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import evaluate

from timeline_realtime_qa.scoring.columns import Rows, checked_rows, count_missing, describe
from timeline_realtime_qa.scoring.results import UNDEFINED, Options, Scores, ratio, with_extras
from timeline_realtime_qa.scoring.rows import RowsMixin


Ids = list[int | str]
VERSION = "2.0.0"
SETS = ("precision", "recall", "f1", "exact_set")

_DESCRIPTION = """
Precision, recall and F1 of the evidence that a system retrieves for each question, averaged over questions, the share
of questions with exactly the gold evidence, and for ranked lists recall and nDCG of the first k and the mean
reciprocal rank.
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
"""

_URLS = ["https://arxiv.org/abs/2306.01069", "https://nlp.stanford.edu/IR-book/"]

_INPUTS = """
Args:
    predictions: one per question: the list of the retrieved ids (ints or strings), best first, or None where the
        system gave no answer. An id that comes twice counts once, at its first place.
    references: one per question: the list of the gold ids, in any order; empty if nothing is evidence.
    k: optional, a positive int or a list of these, for ranked lists: also return `recall_at_<k>` and `ndcg_at_<k>`
        for each, and `mrr`.
    empty: what to do with questions whose gold list is empty: "score" (1 if nothing is retrieved, 0 if something is),
        or "skip" (they count in no mean). By default precision, recall, f1 and exact_set score them, and what `k` adds
        skips them, since a system that always returns k ids could not get any of them right.
    missing: "error" (default) or "wrong": what to do with None predictions; "wrong" scores 0.
    return_per_example: also return `<key>_per_example` for each score.
    confidence_level: e.g. 0.95, also return `<key>_low` and `<key>_high`, a Wilson interval for `exact_set` and a
        bootstrap interval with a fixed seed for the means.
    return_signature: also return `signature`, one string that names every choice that affects the scores.
Returns:
    precision: mean over questions of the share of retrieved ids that are gold; 0 where nothing is retrieved.
    recall: mean over questions of the share of gold ids that are retrieved.
    f1: mean over questions of the harmonic mean of both.
    exact_set: share of questions whose retrieved ids are exactly the gold ids.
    recall_at_<k>: recall of the first k ids, for each k asked.
    ndcg_at_<k>: their discounted cumulative gain (1 / log2(1 + rank) for each gold id), as a share of the highest
        there can be.
    mrr: mean of 1 / rank of the first gold id, 0 where there is none.
    n, n_missing: numbers of questions and of None predictions.
    A mean over no questions is nan, and so is the value of a skipped question in `<key>_per_example`.
Examples:
    >>> import evaluate
    >>> import timelineqa_ds  # makes the name known; a path or a Space name works without it
    >>> metric = evaluate.load("evidence_retrieval")
    >>> metric.compute(predictions=[[4, 7, 9], [2]], references=[[7, 4], [2, 3]])["recall"]
    0.75
    >>> metric.compute(predictions=[[4, 7, 9], []], references=[[9], []], k=[1, 3])["recall_at_3"]
    1.0
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class EvidenceRetrieval(RowsMixin, evaluate.Metric):
    """The metric `evidence_retrieval`; see the module's inputs description."""

    own_options = frozenset({"k", "empty"})

    def _info(self) -> evaluate.MetricInfo:
        return self._described(_DESCRIPTION, _CITATION, _INPUTS, _URLS)

    def _check(self, predictions: object, references: object) -> tuple[Rows, Rows]:
        ids = "a list of ids (ints or strings)"
        return (
            checked_rows(predictions, "predictions", ({list, type(None)}, {int, str}), f"{ids} or None"),
            checked_rows(references, "references", ({list}, {int, str}), ids),
        )

    def _score(
        self,
        predictions: list[Ids | None],
        references: list[Ids],
        options: Options,
        k: object = None,
        empty: str | None = None,
    ) -> Scores:
        if empty not in (None, "score", "skip"):
            raise ValueError(f"empty: expected None, 'score' or 'skip', found {describe(empty)}")
        cuts = _checked_cuts(k)
        n_missing = count_missing(predictions, options.missing)
        _refuse_other_ids(predictions, references)
        columns = _score_rows(predictions, references, cuts)
        if empty != "score":
            for key in columns if empty == "skip" else columns.keys() - SETS:
                columns[key] = [
                    value if gold else UNDEFINED for value, gold in zip(columns[key], references, strict=True)
                ]
        counted = {key: [value for value in values if value == value] for key, values in columns.items()}
        exact = counted.pop("exact_set")
        hits = int(sum(exact))
        means = {key: ratio(math.fsum(values), len(values)) for key, values in counted.items()}
        first = {key: means.pop(key) for key in ("precision", "recall", "f1")}
        n = len(predictions)
        return with_extras(
            {**first, "exact_set": ratio(hits, len(exact)), **means, "n": n, "n_missing": n_missing},
            options,
            proportions={"exact_set": (hits, len(exact))},
            means=counted,
            per_example=columns,
            signature={
                "metric": "evidence_retrieval",
                "mean": "macro",
                "empty": empty or ("score+k:skip" if cuts else "score"),
                "k": "+".join(map(str, cuts)) or "none",
            },
            version=VERSION,
        )


def _checked_cuts(k: Any) -> list[int]:
    """The distinct values of the option `k`, in the order given."""
    cuts = [] if k is None else list(k) if isinstance(k, (list, tuple)) else [k]
    for cut in cuts:
        if isinstance(cut, bool) or not isinstance(cut, int) or cut < 1:
            raise ValueError(f"k: expected a positive int or a list of these, found {describe(cut)} in {describe(k)}")
    return list(dict.fromkeys(cuts))


def _refuse_other_ids(predictions: Sequence[Ids | None], references: Sequence[Ids]) -> None:
    """Refuse columns of which one holds ints and the other strings: no id could ever be equal.

    Raises:
        ValueError: if it is so.
    """
    found, gold = ({type(item) for row in column if row for item in row} for column in (predictions, references))
    if found and gold and found.isdisjoint(gold):
        names = [kinds.pop().__name__ for kinds in (found, gold)]
        raise ValueError(
            f"expected ids of the same type in predictions and references, found {names[0]} in predictions and "
            f"{names[1]} in references; convert one of them"
        )


def _score_rows(
    predictions: Sequence[Ids | None], references: Sequence[Ids], cuts: Sequence[int]
) -> dict[str, list[float]]:
    """The value of each row for each key."""
    names = [f"{measure}_at_{cut}" for measure in ("recall", "ndcg") for cut in cuts] + ["mrr"] * bool(cuts)
    columns: dict[str, list[float]] = {key: [] for key in (*SETS, *names)}
    precision, recall, f1, exact = (columns[key] for key in SETS)
    ranked_columns = [columns[name] for name in names]
    most = max(map(len, references), default=0) if cuts else 0
    ideal = list(accumulate((1 / math.log2(1 + rank) for rank in range(1, most + 1)), initial=0.0))
    for prediction, reference in zip(predictions, references, strict=True):
        gold = set(reference)
        ranked = [] if prediction is None else list(dict.fromkeys(prediction))
        if not gold or not ranked:
            both = float(not gold and not ranked and prediction is not None)
            for column in columns.values():
                column.append(both)
            continue
        same = len(gold.intersection(ranked))
        precision.append(same / len(ranked))
        recall.append(same / len(gold))
        f1.append(2 * same / (len(ranked) + len(gold)))
        exact.append(float(same == len(gold) == len(ranked)))
        if cuts:
            ranks = [rank for rank, item in enumerate(ranked, 1) if item in gold]
            for column, value in zip(ranked_columns, _ranked_values(ranks, len(gold), cuts, ideal), strict=True):
                column.append(value)
    return columns


def _ranked_values(ranks: Sequence[int], size: int, cuts: Sequence[int], ideal: Sequence[float]) -> list[float]:
    """Recall and nDCG at each cut, and the reciprocal rank, of the ranks at which `size` gold ids are found."""
    within = [bisect_right(ranks, cut) for cut in cuts]
    gains = [0.0]
    for rank in ranks:
        gains.append(gains[-1] + 1 / math.log2(1 + rank))
    return [
        *[number / size for number in within],
        *[gains[number] / ideal[min(cut, size)] for number, cut in zip(within, cuts, strict=True)],
        1 / ranks[0] if ranks else 0.0,
    ]
