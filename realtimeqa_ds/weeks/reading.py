"""From a week's files to its table: what one config reads, given its options.

The builder adds what `datasets` wants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from .. import spec
from ..files.layout import Week
from ..files.source import Source
from ..parsing.report import Report
from . import documents, predictions, snapshot, tables
from .questions import source_key


@dataclass(frozen=True)
class Reading:
    """A config with its options and its source; `sources` holds keys of newspapers, None for all."""

    source: Source
    config: str
    documents: str = "gcs"
    top_k: int | None = None
    sources: frozenset[str] | None = None

    def needs(self, week: Week) -> list[str]:
        """The paths that are opened for `week`, the question file first."""
        if self.config == "predictions":
            return [week.questions(self.config), *(run.path for run in week.runs)]
        kinds = [*(["nota"] if self.config == "nota" else []), *documents.POOLS[self.documents]]
        return [week.questions(self.config), *(week.files[kind] for kind in kinds if kind in week.files)]

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
        return len(self.needs(week)) > 1 or self.config not in ("documents", "predictions")

    def with_rows(self, weeks: Sequence[Week]) -> list[Week]:
        """Those of `weeks` that have questions of the newspapers asked for.

        Raises:
            ValueError: if none has; the message names the newspapers that are there.
        """
        if self.sources is None:
            return list(weeks)
        named = {week: self._newspapers(week) for week in weeks}
        asked = [week for week, names in named.items() if self.sources & set(map(source_key, names))]
        if not asked:
            there = ", ".join(sorted(set().union(*named.values())))
            raise ValueError(f"no question comes from sources={sorted(self.sources)}; these weeks have {there}")
        return asked

    def _newspapers(self, week: Week) -> set[str]:
        spine = snapshot.backbone(self.source, week, self.config, Report())
        return {question.source for question in spine.kept.values()}

    def table(self, week: Week) -> tuple[pa.Table, Report]:
        """All rows of one week, and what was counted on the way.

        Raises:
            DataError: for a row or a file that breaks a promise that no rule covers.
            DownloadError: for a file that cannot be fetched.
        """
        report = Report()
        self.source.prefetch(self.needs(week), quiet=True)  # all at once, where a stream gets here first
        spine = snapshot.backbone(self.source, week, self.config, report)
        if not spine.ids:  # an empty file, which is counted: its partner files have nothing to join
            return spec.schema(self.config).empty_table(), report
        if self.sources is not None:
            spine = spine.only(self.sources)
        if self.config == "predictions":
            return tables.predictions(predictions.predictions(self.source, week, spine, report)), report
        rows = list(spine.kept.values())
        if self.config == "nota":
            rows = snapshot.nota_questions(self.source, week, spine, report)
        pool = None
        if self.documents != "none":
            pool = documents.pools(self.source, week, spine, self.documents, self.top_k, report)
        if self.config == "documents":
            return tables.documents(rows, pool), report
        return tables.questions(self.config, rows, pool), report
