"""From a week's files to its table: what one config reads, given its options.

The builder adds what `datasets` wants.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa

from timeline_realtime_qa.display.near import did_you_mean, near

from .. import spec
from ..files.layout import Week
from ..files.source import Source
from ..parsing.report import Report
from . import documents, predictions, snapshot, tables
from .predictions import Prediction
from .questions import Question
from .snapshot import Backbone


Flagged = TypeVar("Flagged", Question, Prediction)


@dataclass(frozen=True)
class Reading:
    """A config with its options and its source.

    `sources` holds keys of newspapers, None for all; `without` the flags whose rows are left out.
    """

    source: Source
    config: str
    documents: str = "gcs"
    top_k: int | None = None
    sources: frozenset[str] | None = None
    without: frozenset[str] = frozenset()

    def needs(self, week: Week) -> list[str]:
        """The paths that are opened for `week`, the question file first."""
        if self.config == "predictions":
            # Flags of the NOTA form decide which predictions about it are left out.
            kinds, runs = ["nota"] if self.without else [], [run.path for run in week.runs]
        else:
            kinds, runs = [*(["nota"] if self.config == "nota" else []), *documents.POOLS[self.documents]], []
        return [week.questions, *(week.files[kind] for kind in kinds if kind in week.files), *runs]

    def serving(self, weeks: Sequence[Week]) -> list[Week]:
        """Those of `weeks` that have files for this config; for nota also past ones without, which `table` counts.

        Raises:
            ValueError: if none has.
        """
        served = [week for week in weeks if self.serves(week)]
        if not served:
            raise ValueError(
                f"none of the {len(weeks)} weeks asked for has files for the config {self.config!r} with documents="
                f"{self.documents!r}; choose other weeks= or documents="
            )
        if self.config == "nota":
            return [week for week in weeks if self.serves(week) or week.split == "test"]
        return served

    def serves(self, week: Week) -> bool:
        """Whether `week` has the files that this config consists of."""
        if self.config == "nota":
            return "nota" in week.files
        if self.config == "predictions":
            return bool(week.runs)
        return len(self.needs(week)) > 1 or self.config != "documents"

    def with_rows(self, weeks: Sequence[Week]) -> list[Week]:
        """Those of `weeks` that have questions of the newspapers asked for, and without the flags that are not wanted.

        Raises:
            ValueError: if none has; the message names the newspapers that are there.
        """
        if self.sources is None and not self.without:
            return list(weeks)
        spines = {week: snapshot.backbone(self.source, week, Report()) for week in weeks}
        asked = [week for week, spine in spines.items() if self._chosen(spine, Report()).kept]
        if not asked:
            there = sorted({question.source for spine in spines.values() for question in spine.kept.values()})
            meant = did_you_mean([name for asked in self.sources or () for name in near(asked, there)])
            chosen = "any newspaper" if self.sources is None else f"sources={sorted(self.sources)}"
            unflagged = f" without {' or '.join(sorted(self.without))}" if self.without else ""
            raise ValueError(f"no question{unflagged} comes from {chosen}; {meant}these weeks have {', '.join(there)}")
        return asked

    def _chosen(self, spine: Backbone, report: Report) -> Backbone:
        """The questions of the newspapers asked for, without the flags that are not wanted."""
        of_sources = spine if self.sources is None else spine.only(self.sources)
        kept = of_sources.without(self.without)
        if left_out := len(of_sources.kept) - len(kept.kept):
            report.count("left_out", spine.path, left_out)
        return kept

    def table(self, week: Week) -> tuple[pa.Table, Report]:
        """All rows of one week, and what was counted on the way.

        Raises:
            DataError: for a row or a file that breaks a promise that no rule covers.
            DownloadError: for a file that cannot be fetched.
        """
        report = Report()
        self.source.prefetch(self.needs(week), quiet=True)  # all at once, where a stream gets here first
        spine = snapshot.backbone(self.source, week, report)
        if not spine.ids:  # an empty file, which is counted: its partner files have nothing to join
            return spec.schema(self.config).empty_table(), report
        spine = self._chosen(spine, report)
        if self.config == "predictions":
            return tables.predictions(self._predictions(week, spine, report)), report
        rows = list(spine.kept.values())
        if self.config == "nota":
            rows = self._unflagged(snapshot.nota_questions(self.source, week, spine, report), spine.path, report)
        pool = None
        if self.documents != "none":
            pool = documents.pools(self.source, week, spine, self.documents, self.top_k, self.without, report)
        if self.config == "documents":
            return tables.documents(rows, pool), report
        return tables.questions(self.config, rows, pool), report

    def _predictions(self, week: Week, spine: Backbone, report: Report) -> list[Prediction]:
        rows = predictions.predictions(self.source, week, spine, report)
        if not self.without:
            return rows
        forms = snapshot.nota_questions(self.source, week, spine, Report())
        flagged = {form.question_id for form in forms if self.without.intersection(form.flags)}
        return self._unflagged(rows, spine.path, report, flagged)

    def _unflagged(
        self, rows: list[Flagged], path: str, report: Report, flagged: Collection[str] = ()
    ) -> list[Flagged]:
        """Those of `rows` without the flags that are not wanted, and about none of the questions `flagged`."""
        kept = [row for row in rows if row.question_id not in flagged and not self.without.intersection(row.flags)]
        if len(kept) < len(rows):
            report.count("left_out", path, len(rows) - len(kept))
        return kept
