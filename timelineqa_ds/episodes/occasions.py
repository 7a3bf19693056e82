"""When an event takes place, and what only its time scale knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..declared.events import Event
from ..world.columns import Column
from ..world.company import Codes
from ..world.streams import Ints


@dataclass(frozen=True)
class Occasions:
    """The episodes of one event, in order of their start.

    Attributes:
        start, end: day indices of the log's calendar; lifetime events may be before 0. No `end`: the same day.
        trip: index of the trip that each belongs to (sub-episodes).
        slot: which slot of its period each is (annual events).
        people: people given by the time scale.
        given: fields given by the time scale.
    """

    event: Event
    start: Ints
    end: Ints | None = None
    trip: Ints | None = None
    slot: Ints | None = None
    people: Codes | None = None
    given: Mapping[str, Column] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.start)
