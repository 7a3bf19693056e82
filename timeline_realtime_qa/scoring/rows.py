"""One `compute`, `add` and `add_batch` for rows of mixed types, on top of `evaluate.Metric`.

The Space of a metric has a copy of this file beside it. A metric, ``class Name(RowsMixin, evaluate.Metric)``, supplies
`own_options`, `configs` if it has any, `_info` by way of `_described`, `_check` and `_score`.
"""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

import datasets
import evaluate

from .columns import Rows
from .results import Options, Scores


SUPPORTED = ">=0.4.6,<0.5"  # where `evaluate` keeps stored rows as is assumed here
# Private state of `evaluate.Metric` beside num_process; all None while no rows are stored.
STATE = (
    "buf_writer", "cache_file_name", "data", "file_paths", "filelock", "filelocks", "rendez_vous_lock", "writer"
)  # fmt: skip


class RowsMixin:
    """`compute`, `add` and `add_batch` for rows of mixed types, on top of `evaluate.Metric`.

    `evaluate` stores rows in an Arrow file of one fixed type and turns what does not fit into strings without a word.
    Here `compute` scores its arguments directly when one process holds all rows; rows that have to be stored (`add`,
    `add_batch`, several processes) are checked first and stored as JSON text.
    """

    own_options: ClassVar[frozenset[str]]
    configs: ClassVar[tuple[str, ...]] = ()  # the first is the default
    # _score(predictions, references, options, **own options): the result for at least one checked row.
    _score: Callable[..., Scores]

    config_name: str
    num_process: int
    writer: Any
    filelock: object

    def __init__(self, *args: object, **kwargs: object) -> None:
        base: Any = super()
        base.__init__(*args, **kwargs)
        self._moved = ""
        state = {"num_process": kwargs.get("num_process", 1), **dict.fromkeys(STATE)}
        if lacking := [name for name in state if name not in self.__dict__]:
            self.__dict__.update({name: state[name] for name in lacking})
            self._moved = (
                f"rows that are added, or come from several processes, need evaluate{SUPPORTED}, but evaluate "
                f"{evaluate.__version__} is installed, whose Metric has no {lacking[0]}; compute works with all rows "
                f"at once: pip install 'evaluate{SUPPORTED}'"
            )
            _warn(self._moved)

    def _described(self, description: str, citation: str, inputs: str, urls: Sequence[str]) -> evaluate.MetricInfo:
        """What `_info` returns, once the name of the configuration is found to be one of `configs`."""
        if self.config_name == "default" and self.configs:
            self.config_name = self.configs[0]
        if self.config_name not in (self.configs or ("default",)):
            expected = f"one of {', '.join(self.configs)}" if self.configs else "no name, there is only one"
            raise ValueError(f"configuration: expected {expected}, found {self.config_name!r}")
        return evaluate.MetricInfo(
            description=description,
            citation=citation,
            inputs_description=inputs,
            features=datasets.Features({name: datasets.Value("string") for name in ("predictions", "references")}),
            reference_urls=list(urls),
        )

    def _check(self, predictions: object, references: object) -> tuple[Rows, Rows]:
        """Both columns as checked plain rows; raises ValueError for a row of a wrong type."""
        raise NotImplementedError

    def compute(self, *, predictions: object = None, references: object = None, **kwargs: object) -> Scores | None:
        """Score `predictions` against `references`, together with the rows added before, if any.

        Rows added before come first, as everywhere in `evaluate`. A call that fails on its own arguments leaves them
        in place; one that fails while scoring them drops them.

        Args:
            predictions: one entry per question.
            references: one entry per question.
            **kwargs: the options described below.

        Returns:
            The scores; None on a process other than the first when num_process > 1.

        Raises:
            ValueError: for an unknown option, rows of a wrong type or number, or nothing to score.
        """
        self._options(kwargs)
        given = predictions is not None or references is not None
        if not given and self.writer is None:
            raise ValueError("nothing to score: pass predictions= and references=, or call add or add_batch before")
        if self.num_process == 1 and self.writer is None:
            return self._result(predictions, references, kwargs)
        if given:
            self.add_batch(predictions=predictions, references=references)
        base: Any = super()
        try:
            result: Scores | None = base.compute(**kwargs)
        finally:
            self._close()
        return result

    def add_batch(self, *, predictions: object = None, references: object = None, **kwargs: object) -> None:
        """Store rows for a later `compute`.

        Args:
            predictions: one entry per question.
            references: one entry per question.

        Raises:
            ValueError: for rows of a wrong type or number; nothing is stored then.
        """
        self._refuse(kwargs, ())
        batch = dict(zip(("predictions", "references"), self._pair(predictions, references), strict=True))
        if self.num_process == 1 and not batch["predictions"]:
            return
        self._store("add_batch", {name: [json.dumps(row) for row in rows] for name, rows in batch.items()})

    def add(self, *, prediction: object = None, reference: object = None, **kwargs: object) -> None:
        """Store one row for a later `compute`.

        Args:
            prediction: what `predictions` holds for one question.
            reference: what `references` holds for one question.

        Raises:
            ValueError: for a value of a wrong type; nothing is stored then.
        """
        # `evaluate.combine` passes the plural names here.
        prediction = kwargs.pop("predictions", prediction)
        reference = kwargs.pop("references", reference)
        self._refuse(kwargs, ())
        predictions, references = self._pair([prediction], [reference])
        self._store("add", {"prediction": json.dumps(predictions[0]), "reference": json.dumps(references[0])})

    def _compute(self, *, predictions: list[str], references: list[str], **kwargs: object) -> Scores:
        """The result for stored rows, which are JSON text."""
        return self._result([json.loads(row) for row in predictions], [json.loads(row) for row in references], kwargs)

    def _result(self, predictions: object, references: object, kwargs: Mapping[str, object]) -> Scores:
        options, own = self._options(kwargs)
        rows = self._pair(predictions, references)
        if not rows[0]:
            raise ValueError("nothing to score: predictions and references have 0 rows, expected at least 1")
        return self._score(*rows, options, **own)

    def _pair(self, predictions: object, references: object) -> tuple[Rows, Rows]:
        for name, column in (("predictions", predictions), ("references", references)):
            if column is None:
                raise ValueError(f"{name}: expected a list with one entry per question, found None; pass {name}=")
        checked = self._check(predictions, references)
        if len(checked[0]) != len(checked[1]):
            raise ValueError(
                f"expected as many predictions as references, found {len(checked[0])} predictions and "
                f"{len(checked[1])} references; pass one of each per question, in the same order"
            )
        return checked

    def _options(self, kwargs: Mapping[str, Any]) -> tuple[Options, dict[str, object]]:
        common = [field.name for field in fields(Options)]
        self._refuse(kwargs, (*common, *sorted(self.own_options)))
        options = Options(**{name: kwargs[name] for name in common if name in kwargs})
        return options, {name: kwargs[name] for name in kwargs if name not in common}

    def _refuse(self, kwargs: Collection[str], known: Sequence[str]) -> None:
        unknown = sorted(set(kwargs) - set(known))
        if unknown:
            names = ", ".join(("predictions", "references", *known))
            raise ValueError(f"unknown argument {unknown[0]!r}; expected one of {names}")

    def _store(self, method: str, rows: Mapping[str, object]) -> None:
        if self._moved:
            raise RuntimeError(self._moved)
        base: Any = super()
        had_rows = self.writer is not None
        try:
            getattr(base, method)(**rows)
        except BaseException:
            if not had_rows:
                self._close()
            raise

    def _close(self) -> None:
        """Let go of the files and locks of the stored rows, which also makes the instance picklable again."""
        state = self.__dict__
        if self.writer is not None:
            self.writer.close()
        state.update(writer=None, data=None, buf_writer=None)
        paths = state.get("file_paths") or [state.get("cache_file_name")]
        locks = state.get("filelocks") or [self.filelock]
        for path, lock in zip(paths, locks, strict=False):
            # A file whose lock is free may already belong to somebody else.
            if path is not None and lock is not None and lock.is_locked:
                Path(path).unlink(missing_ok=True)
        for lock in (*locks, state.get("rendez_vous_lock")):
            if lock is not None:
                lock.release()
        state.update(file_paths=None, filelocks=None, cache_file_name=None, filelock=None, rendez_vous_lock=None)

    def __getstate__(self) -> dict[str, object]:
        if self.writer is not None:
            raise RuntimeError(
                "rows added with add or add_batch are waiting for compute and cannot be copied or pickled: "
                "call compute first"
            )
        return self.__dict__.copy()


@functools.cache
def _warn(message: str) -> None:
    """Warn once, however many metrics are loaded."""
    warnings.warn(message, RuntimeWarning, stacklevel=3)
