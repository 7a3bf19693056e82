"""The questions that the episodes of a log give: candidates, and drafts of those that are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ...declared.events import declarations
from ...episodes import Log
from ...world.streams import Bools, Ints, Streams, scaled
from .forms import YES_NO, EventForms, Form
from .sample import other_values, shuffled
from .text import as_told, find, listed
from .values import Matches, Values


SPARE = 8  # candidates that are looked at beyond those that are missing


class Draft(NamedTuple):
    """A question that can be asked.

    Attributes:
        row: its episode, as a row of the event.
        answer, start: a span of the context; "yes" for yes/no.
        right, wrong: for yes/no, words that are true of the episode, and words that are not (empty if there are none).
    """

    form: Form
    row: int
    context: str
    answer: str
    start: int | None = None
    right: str = ""
    wrong: str = ""


class EventSource:
    """The episodes of one event of a log as a source of questions."""

    def __init__(self, log: Log, asked: EventForms, texts: pa.Array, streams: Streams) -> None:
        self.values = Values(log, asked.event, asked.alike)
        self.asked = asked
        self._texts = texts
        self._streams = streams
        self._once = declarations().events[asked.event].scale == "lifetime"
        self._matches: dict[tuple[str, ...], Matches] = {}
        self._clear: Bools = np.ones(len(self.values), dtype=np.bool_)
        for event in asked.apart:
            self._clear &= ~np.isin(self.values.days, Values(log, event).days)

    def candidates(self, form: Form) -> Ints:
        """The rows that a form can ask about, if they are `alone`."""
        return np.flatnonzero(self._clear & (self.values.codes(form.ask)[:, 0] >= 0))

    def alone(self, form: Form, rows: Ints) -> Bools:
        """Whether each of these rows is the only one that fits what the form names."""
        if form.given not in self._matches:
            self._matches[form.given] = Matches(self.values, form.given)
        return self._matches[form.given].alone(rows)

    def drafts(self, form: Form, rows: Ints, purpose: str) -> Iterator[Draft | None]:
        """The questions of a form about these rows, None where there is none after all."""
        if form.type == YES_NO:
            return self._yes_no(form, rows, purpose)
        return (self._span(form, int(row)) for row in rows)

    def context(self, row: int) -> str:
        """The episode as it is shown."""
        text = self._texts[int(self.values.episode_ids[row])].as_py()
        return f"{self.values.word('day', int(self.values.days[row]))}, {text}"

    def question(self, draft: Draft, named: str, wording: int) -> str:
        """The text of a question, which names `named` if it is a yes/no question."""
        form = draft.form
        words = {field: listed(self.values.told(field, draft.row)) for field in form.given}
        return form.wordings[wording * len(form.wordings) >> 32].format(**words, **{form.ask: named})

    def _span(self, form: Form, row: int) -> Draft | None:
        context = self.context(row)
        span = find(context, as_told(self.values.told(form.ask, row), form.unit))
        return Draft(form, row, context, span.text, span.start) if span else None

    def _yes_no(self, form: Form, rows: Ints, purpose: str) -> Iterator[Draft | None]:
        codes = self.values.codes(form.ask)[rows]
        item = scaled(self._streams.words(f"{purpose}/true", len(rows)), (codes >= 0).sum(axis=1))
        wrong = other_values(self.values, form.ask, rows, self._streams, purpose)
        for row, right, other in zip(rows, codes[np.arange(len(rows)), item], wrong, strict=True):
            # Once in a life things have no alternative; elsewhere a question that can only be true gives itself away.
            if other < 0 and not self._once:
                yield None
                continue
            words = [self.values.word(form.ask, int(code)) if code >= 0 else "" for code in (right, other)]
            yield Draft(form, int(row), self.context(int(row)), "yes", None, *words)


class CandidatePool:
    """The candidates of one event and question type in random order, looked at as far as they are needed."""

    def __init__(self, source: EventSource, forms: Sequence[Form], streams: Streams) -> None:
        self._source = source
        self._forms = forms
        self._purpose = f"atomic/{source.asked.event}/{forms[0].type}"
        rows = [source.candidates(form) for form in forms]
        order = shuffled(sum(map(len, rows)), streams, self._purpose)
        self._which = np.repeat(np.arange(len(forms)), [len(one) for one in rows])[order]
        self._rows = np.concatenate(rows)[order]
        self._next = 0
        self.drafts: list[Draft] = []

    def __len__(self) -> int:
        return len(self._rows)

    def fill(self, wanted: int) -> int:
        """Make drafts until there are `wanted`, and say how many of these there are."""
        while len(self.drafts) < wanted and self._next < len(self):
            missing = wanted - len(self.drafts)
            self._look(slice(self._next, min(self._next + missing + SPARE, len(self))))
        return min(wanted, len(self.drafts))

    def _look(self, part: slice) -> None:
        """Go through a part of the candidates."""
        which, rows = self._which[part], self._rows[part]
        drafted: dict[int, Draft] = {}
        for number, form in enumerate(self._forms):
            places = np.flatnonzero(which == number)
            places = places[self._source.alone(form, rows[places])] if len(places) else places
            purpose = f"{self._purpose}/{form.number}/{part.start}"
            drafts = self._source.drafts(form, rows[places], purpose)
            drafted.update({place: draft for place, draft in zip(places.tolist(), drafts, strict=True) if draft})
        self.drafts += [drafted[place] for place in sorted(drafted)]
        self._next = part.stop
