"""Accuracy on multiple-choice questions of which one choice may be "none of the above" (NOTA).

Source: Kasai et al. 2022, RealTime QA, Table 1 (arXiv 2207.13332).
"""

# `evaluate` copies the modules that are imported here and no others, so those that the others need are imported, too.
# ruff: noqa: F401

from __future__ import annotations

import warnings

import evaluate
import numpy as np
import numpy.typing as npt

from timeline_realtime_qa.scoring.columns import Rows, checked_rows, count_missing
from timeline_realtime_qa.scoring.nota import is_nota
from timeline_realtime_qa.scoring.results import UNDEFINED, Options, Scores, ratio, with_extras
from timeline_realtime_qa.scoring.rows import RowsMixin

from .indices import INVALID, NO_NOTA, ChoiceQuestions, IntArray, parse_predictions


VERSION = "1.1.0"
LOOKED_AT = 80  # characters of a prediction, to see whether it is a text

_DESCRIPTION = """
Accuracy on multiple-choice questions, apart for questions whose gold answer is "none of the above" (NOTA) and for the
others, with the rate at which a system chooses NOTA and the accuracy of a uniform guess. It is the score of the
original and the NOTA setting of RealTime QA.
"""

_CITATION = """
@inproceedings{kasai2023realtimeqa,
    title={{RealTime QA}: What's the Answer Right Now?},
    author={Jungo Kasai and Keisuke Sakaguchi and Yoichi Takahashi and Ronan Le Bras and Akari Asai and Xinyan Velocity
        Yu and Dragomir Radev and Noah A. Smith and Yejin Choi and Kentaro Inui},
    booktitle={Advances in Neural Information Processing Systems (Datasets and Benchmarks)},
    year={2023},
    url={https://arxiv.org/abs/2207.13332}
}
"""

_URLS = ["https://arxiv.org/abs/2207.13332", "https://github.com/realtimeqa/realtimeqa_public"]

_INPUTS = """
Args:
    predictions: one per question: the index of the chosen choice as int, decimal string, or a list that holds one of
        these; None where the system gave no answer. Anything else a system may have written ("", "null", the text of
        a choice, two indices, an index that does not exist) is wrong and counted in n_invalid.
    references: one per question: the 0-based gold index, or a list of the indices that are right.
    choices: optional, the texts of the choices of each question. The NOTA choice is found among them whatever its
        case and punctuation; the number of choices gives `chance` and tells which indices exist.
    nota_index: optional, the index of the NOTA choice of each question, None where there is none. It takes precedence
        over what is found in `choices`.
    index_base: what the predictions count from, 0 (default) or 1. References always count from 0. "auto" subtracts 1,
        with a warning, when no prediction is 0 and some equal the number of choices; it needs `choices` for that.
    missing: "error" (default) or "wrong": what to do with None predictions.
    return_per_example: also return `accuracy_per_example`.
    confidence_level: e.g. 0.95, also return Wilson intervals as `<key>_low` and `<key>_high`.
    return_signature: also return `signature`, one string that names the choices above.
Returns:
    accuracy: share of right answers.
    accuracy_gold_nota: share of right answers where the gold answer is NOTA.
    accuracy_gold_other: share of right answers where it is not.
    nota_prediction_rate: share of questions where NOTA was chosen.
    chance: expected accuracy of a uniform guess.
    n, n_missing, n_invalid: numbers of questions, of None predictions and of invalid predictions.
    A rate over no questions, or one that needs `choices` or `nota_index` when they are not given, is nan.
Examples:
    >>> import evaluate
    >>> import realtimeqa_ds  # makes the name known; a path or a Space name works without it
    >>> metric = evaluate.load("nota_accuracy")
    >>> metric.compute(predictions=[0, "1", ["2"], [2]], references=[[0], [1], [0], [2]])["accuracy"]
    0.75
    >>> choices = [["Rome", "Oslo", "None of the above"]] * 2
    >>> result = metric.compute(predictions=["2", "2"], references=[[2], [0]], choices=choices)
    >>> result["accuracy_gold_nota"], result["accuracy_gold_other"], result["nota_prediction_rate"]
    (1.0, 0.0, 1.0)
"""

_INDEX = "an index: int, decimal string, or a list that holds one of these"


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class NotaAccuracy(RowsMixin, evaluate.Metric):
    """The metric `nota_accuracy`; see the module's inputs description."""

    own_options = frozenset({"choices", "nota_index", "index_base"})

    def _info(self) -> evaluate.MetricInfo:
        return self._described(_DESCRIPTION, _CITATION, _INPUTS, _URLS)

    def _check(self, predictions: object, references: object) -> tuple[Rows, Rows]:
        levels = ({int, str, list, type(None)}, {int, str})
        gold = "a 0-based gold index (int) or a list of them"
        return (
            checked_rows(predictions, "predictions", levels, f"{_INDEX}, or None"),
            checked_rows(references, "references", ({int, list}, {int}), gold),
        )

    def _score(
        self,
        predictions: Rows,
        references: Rows,
        options: Options,
        choices: object = None,
        nota_index: object = None,
        index_base: int | str = 0,
    ) -> Scores:
        if isinstance(index_base, bool) or index_base not in (0, 1, "auto"):
            raise ValueError(f"index_base: expected 0, 1 or 'auto', found {index_base!r}")
        if choices is not None:
            choices = checked_rows(choices, "choices", ({list}, {str}), "a list of the texts of the choices")
        if nota_index is not None:
            nota_index = checked_rows(nota_index, "nota_index", ({int, type(None)},), "an int or None")
        n_missing = count_missing(predictions, options.missing)
        _warn_of_texts(predictions)
        questions = ChoiceQuestions.read(references, choices, nota_index)
        chosen, base = _zero_based(parse_predictions(predictions), questions, index_base)
        correct = questions.any_row(chosen[questions.row] == questions.gold)
        proportions = {"accuracy": (int(correct.sum()), questions.n), **_nota_counts(chosen, correct, questions)}
        chance = questions.chance()
        scores = {
            **{key: ratio(*counts) for key, counts in proportions.items()},
            "chance": UNDEFINED if chance is None else chance,
            "n": questions.n,
            "n_missing": n_missing,
            "n_invalid": int((chosen == INVALID).sum()) - n_missing,
        }
        named = "index" if nota_index is not None else "choices" if choices is not None else "unknown"
        return with_extras(
            scores,
            options,
            proportions=proportions,
            means={},
            per_example={"accuracy": correct.astype(float).tolist()} if options.return_per_example else {},
            signature={"metric": "nota_accuracy", "base": base, "nota": named},
            version=VERSION,
        )


def _warn_of_texts(predictions: Rows) -> None:
    """Warn where most predictions are letters or words: they are what a model says, and none of them is an index."""
    texts = [row for row in predictions if type(row) is str and any(map(str.isalpha, row[:LOOKED_AT]))]
    if 2 * len(texts) > len(predictions):
        warnings.warn(
            f"{len(texts)} of {len(predictions)} predictions are letters or answers in words, such as "
            f"{texts[0][:40]!r}, and count as invalid: this metric takes indices; "
            "timeline_realtime_qa.scoring.answers.read_choice(text, choices).index reads one from what a model says",
            UserWarning,
            stacklevel=5,
        )


def _nota_counts(
    chosen: IntArray, correct: npt.NDArray[np.bool_], questions: ChoiceQuestions
) -> dict[str, tuple[int, int]]:
    """(hits, rows) of the three rates that need to know the NOTA choice; (0, 0) when it is not known."""
    if questions.nota is None:
        return dict.fromkeys(("accuracy_gold_nota", "accuracy_gold_other", "nota_prediction_rate"), (0, 0))
    gold_nota = questions.any_row(questions.nota[questions.row] == questions.gold)
    says_nota = (chosen == questions.nota) & (questions.nota != NO_NOTA)
    return {
        "accuracy_gold_nota": (int(correct[gold_nota].sum()), int(gold_nota.sum())),
        "accuracy_gold_other": (int(correct[~gold_nota].sum()), int((~gold_nota).sum())),
        "nota_prediction_rate": (int(says_nota.sum()), questions.n),
    }


def _zero_based(stated: IntArray, questions: ChoiceQuestions, index_base: int | str) -> tuple[IntArray, str]:
    """The predictions counted from 0, INVALID where there is no such choice, and the base for the signature."""
    shift = 1 if index_base == 1 else 0
    if index_base != 1 and _looks_one_based(stated, questions):
        shift = int(index_base == "auto" and questions.sizes is not None)
        done = "1 was subtracted from each" if shift else "pass index_base=1 if they do, index_base=0 is what was used"
        warnings.warn(f"the predictions look as if they count from 1 (none is 0): {done}", UserWarning, stacklevel=5)
    chosen = np.where(stated == INVALID, INVALID, stated - shift)
    if questions.sizes is not None:
        chosen = np.where(chosen < questions.sizes, chosen, INVALID)
    return chosen, f"auto->{shift}" if index_base == "auto" else str(shift)


def _looks_one_based(stated: IntArray, questions: ChoiceQuestions) -> bool:
    """No prediction is 0, and some lie one beyond the last choice (or beyond every gold index, choices unknown)."""
    if questions.sizes is not None:
        plausible = (stated >= 0) & (stated <= questions.sizes)
        return bool(not (stated[plausible] == 0).any() and (stated == questions.sizes).any())
    last = int(questions.gold.max())
    return bool(questions.gold.min() == 0 and not (stated == 0).any() and (stated == last + 1).any())
