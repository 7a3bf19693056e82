"""Exact match and token F1 for question answering, as the SQuAD v1.1 and the RealTime QA scorer compute them.

Sources: Rajpurkar et al. 2016, section 6.1 (arXiv 1606.05250); Kasai et al. 2022, Table 1 (arXiv 2207.13332).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import evaluate

from timeline_realtime_qa.scoring.columns import Rows, checked_rows, count_missing, describe
from timeline_realtime_qa.scoring.results import Options, Scores, ratio, with_extras
from timeline_realtime_qa.scoring.rows import RowsMixin

from .normalize import TokenMemo, Tokens, realtimeqa_tokens, squad_tokens


Answer = str | list[str] | None
VERSION = "1.0.0"
SHORT = 50  # tokens of a prediction that may be looked at anew for each alternative
MOST_PARTS = 7  # of a joint answer: 5,040 orders

_DESCRIPTION = """
Exact match and token F1 between predicted and gold answers after normalisation, averaged over questions. The
configuration `squad` agrees with the official SQuAD v1.1 scorer, `realtimeqa` with the official scorer of the
generation setting of RealTime QA. Scores are between 0 and 1.
"""

_CITATION = """
@inproceedings{rajpurkar2016squad,
    title={{SQuAD}: 100,000+ Questions for Machine Comprehension of Text},
    author={Pranav Rajpurkar and Jian Zhang and Konstantin Lopyrev and Percy Liang},
    booktitle={Proceedings of EMNLP},
    year={2016},
    url={https://arxiv.org/abs/1606.05250}
}
@inproceedings{kasai2023realtimeqa,
    title={{RealTime QA}: What's the Answer Right Now?},
    author={Jungo Kasai and Keisuke Sakaguchi and Yoichi Takahashi and Ronan Le Bras and Akari Asai and Xinyan Velocity
        Yu and Dragomir Radev and Noah A. Smith and Yejin Choi and Kentaro Inui},
    booktitle={Advances in Neural Information Processing Systems (Datasets and Benchmarks)},
    year={2023},
    url={https://arxiv.org/abs/2207.13332}
}
"""

_URLS = ["https://arxiv.org/abs/1606.05250", "https://arxiv.org/abs/2207.13332"]

_INPUTS = """
Args:
    predictions: one per question: a string, a list of strings (joined by ", " in `squad` and by " " in `realtimeqa`),
        or None where the system gave no answer.
    references: one per question: a string, or
        in `squad`, a list of alternative answers, of which the best match counts;
        in `realtimeqa`, a list of the parts that together are the answer, in any order, or a list of such lists, which
        are alternatives.
    missing: "error" (default) or "wrong": what to do with None predictions.
    return_per_example: also return `exact_match_per_example` and `f1_per_example`.
    confidence_level: e.g. 0.95, also return `exact_match_low`, `exact_match_high` (Wilson) and `f1_low`, `f1_high`
        (bootstrap with a fixed seed).
    return_signature: also return `signature`, one string that names every choice that affects the scores.
Returns:
    exact_match: share of predictions that equal a gold answer after normalisation.
    f1: mean over questions of the F1 between the tokens of prediction and gold answer.
    n, n_missing: numbers of questions and of None predictions.
Examples:
    >>> import evaluate
    >>> import realtimeqa_ds  # makes the name known; a path or a Space name works without it
    >>> metric = evaluate.load("qa_em_f1")
    >>> metric.compute(predictions=["The Beatles", "in Paris"], references=["beatles", ["Paris", "Paris, France"]])
    {'exact_match': 0.5, 'f1': 0.8333333333333333, 'n': 2, 'n_missing': 0}
    >>> metric = evaluate.load("qa_em_f1", "realtimeqa")
    >>> metric.compute(predictions=["Oslo and Rome"], references=[["Rome", "Oslo and"]])["exact_match"]
    1.0
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class QaEmF1(RowsMixin, evaluate.Metric):
    """The metric `qa_em_f1`; see the module's inputs description."""

    own_options = frozenset[str]()
    configs = ("squad", "realtimeqa")

    def _info(self) -> evaluate.MetricInfo:
        return self._described(_DESCRIPTION, _CITATION, _INPUTS, _URLS)

    def _check(self, predictions: object, references: object) -> tuple[Rows, Rows]:
        answer = "a string, a list of strings or None"
        if self.config_name == "squad":
            levels: tuple[set[type], ...] = ({str, list}, {str})
            gold = "a gold answer (string) or a list of alternatives (strings)"
        else:
            levels = ({str, list}, {str, list}, {str})
            gold = "a gold answer (string), a list of its parts (strings), or a list of such lists as alternatives"
        return (
            checked_rows(predictions, "predictions", ({str, list, type(None)}, {str}), answer),
            checked_rows(references, "references", levels, gold),
        )

    def _score(self, predictions: list[Answer], references: Rows, options: Options) -> Scores:
        n = len(predictions)
        n_missing = count_missing(predictions, options.missing)
        squad = self.config_name == "squad"
        references = references if squad else _alternatives(references)
        if not all(references) and [] in references:
            raise ValueError(
                f"references row {references.index([])}: expected at least one gold answer, found an empty list; "
                f"leave questions without an answer out"
            )
        memo = TokenMemo(squad_tokens if squad else realtimeqa_tokens)
        exact, f1 = _score_rows(predictions, references, memo, ", " if squad else " ")
        hits = int(sum(exact))
        lists = {"exact_match": [float(value) for value in exact], "f1": f1} if options.return_per_example else {}
        scores = {"exact_match": ratio(hits, n), "f1": ratio(math.fsum(f1), n), "n": n, "n_missing": n_missing}
        signature = {
            "metric": "qa_em_f1",
            "mode": self.config_name,
            "norm": "lower+punct+articles" if squad else "lower+punct+counters",
            "refs": "alternatives" if squad else "parts",
        }
        return with_extras(
            scores,
            options,
            proportions={"exact_match": (hits, n)},
            means={"f1": f1},
            per_example=lists,
            signature=signature,
            version=VERSION,
        )


def _alternatives(references: Rows) -> Rows:
    """RealTime QA rows as alternatives: a string stays, the others become a list of strings and lists of parts."""
    rows: Rows = []
    for number, row in enumerate(references):
        if type(row) is not list or not row:
            rows.append(row)
            continue
        if len(row) == 1 and type(row[0]) is str:
            rows.append(row[0])
            continue
        kinds = set(map(type, row))
        if len(kinds) > 1 or [] in row:
            raise ValueError(
                f"references row {number}: expected a list of parts (strings) or a list of such lists, none empty, "
                f"found {describe(row)}"
            )
        alternatives = row if kinds == {list} else [row]
        if (most := max(map(len, alternatives))) > MOST_PARTS:
            raise ValueError(
                f"references row {number}: expected a joint answer of at most {MOST_PARTS} parts, since every order "
                f"counts, found one of {most}; give the orders that count as alternatives ([[one], [another]])"
            )
        rows.append([parts[0] if len(parts) == 1 else parts for parts in alternatives])
    return rows


def _score_rows(
    predictions: Sequence[Answer], references: Rows, memo: TokenMemo, joiner: str
) -> tuple[bytearray, list[float]]:
    """Exact match (0 or 1) and F1 of each row; a list among the alternatives of a row holds the parts of one."""
    exact = bytearray(len(predictions))
    f1 = [0.0] * len(predictions)
    for number, (prediction, reference) in enumerate(zip(predictions, references, strict=True)):
        if prediction is None:
            continue
        said = memo[joiner.join(prediction) if isinstance(prediction, list) else prediction]
        if type(reference) is str:
            gold = memo[reference]
            exact[number], f1[number] = (1, float(bool(said))) if said == gold else (0, bag_f1(said, gold))
        else:
            exact[number], f1[number] = _best(said, reference, memo)
    return exact, f1


def _best(said: Tokens, alternatives: Sequence[str | list[str]], memo: TokenMemo) -> tuple[int, float]:
    """Exact match and F1 of the alternative that is nearest; each costs what it is long, however long `said` is."""
    counts: Counter[str] | None = None
    best = 0.0
    for answer in alternatives:
        if type(answer) is str:
            gold = memo[answer]
            equal = said == gold
        else:
            parts = [memo[part] for part in answer]
            gold = tuple(chain.from_iterable(parts))
            equal = len(said) == len(gold) and can_join(said, parts)
        if equal:
            return 1, 1.0 if said else 0.0
        if len(said) <= SHORT:
            best = max(best, bag_f1(said, gold))
            continue
        if counts is None:
            counts = Counter(said)
        same = sum(min(count, counts.get(token, 0)) for token, count in Counter(gold).items())
        if same:
            precision, recall = same / len(said), same / len(gold)
            best = max(best, 2 * precision * recall / (precision + recall))
    return 0, best


def can_join(target: Tokens, parts: Sequence[Tokens]) -> bool:
    """Whether some order of `parts`, each used once, concatenates to `target`.

    Normalisation works on each part alone, so these are the orders of the joined texts, as the official scorer has it.
    """
    places = {0: 0}  # where the parts of a set, which is a number, end if some order of them begins `target`
    for used in range(2 ** len(parts)):
        for at, part in enumerate(parts) if used in places else ():
            end = places[used] + len(part)
            if not used >> at & 1 and target[places[used] : end] == part:
                places[used | 1 << at] = end
    return places.get(2 ** len(parts) - 1) == len(target)


def bag_f1(found: Tokens, gold: Tokens) -> float:
    """F1 of two bags of tokens; 0 when they share none, also when both are empty (as the official scorers have it)."""
    distinct = set(found)
    if distinct.isdisjoint(gold):
        return 0.0
    shared = distinct.intersection(gold)
    if len(distinct) == len(found):
        same = len(shared)
    else:
        same = sum((Counter(found) & Counter(gold)).values())
    precision, recall = same / len(found), same / len(gold)
    return 2 * precision * recall / (precision + recall)
