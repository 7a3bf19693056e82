"""What is wrong with the questions of a folder of the original's outputs, counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .. import options
from . import atomic, multihop
from .faults import SEPARATOR
from .folder import places
from .log import OriginalLog
from .queries import QUERIES
from .templates import fault_kinds


@dataclass
class FaultReport:
    """Counts over some logs.

    Attributes:
        asked: multi-hop questions by template.
        faulty: those with any fault, by template.
        kinds: by template, how often each kind of fault.
        atomic: atomic questions: pairs, distinct (questions of a log), ambiguous (those with several answers), and
            not_in_text (pairs whose answer, other than yes and no, is not in the text).
    """

    logs: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    faulty: Counter[str] = field(default_factory=Counter)
    kinds: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    atomic: Counter[str] = field(default_factory=Counter)

    def add(self, log: OriginalLog) -> None:
        """Count the questions of a log."""
        self.logs += 1
        if log.has(QUERIES) or log.place.qa is not None:
            for row in multihop.checked(log):
                name, faults = row.question.template.name, row.known_fault
                self.asked[name] += 1
                self.faulty[name] += faults is not None
                self.kinds[name].update(faults.split(SEPARATOR) if faults else [])
        if log.has(log.json_name) or log.place.qa is not None:
            self.atomic.update(_atomic(atomic.pairs(log)))

    def lines(self) -> Iterator[str]:
        """The table as it is printed."""
        yield f"{'template':9} {'asked':>6} {'faulty':>6}  kinds of fault"
        for name, asked in sorted(self.asked.items()):
            kinds = ", ".join(f"{kind} {self.kinds[name][kind]}" for kind in fault_kinds() if self.kinds[name][kind])
            yield f"{name:9} {asked:6} {self.faulty[name]:6}  {kinds}".rstrip()
        yield f"{'all':9} {self.asked.total():6} {self.faulty.total():6}"
        if self.atomic:
            yield "atomic    " + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in self.atomic.items())

    def as_json(self) -> dict[str, object]:
        """The counts for a machine to read."""
        return {
            "logs": self.logs,
            "templates": {
                name: {"asked": asked, "faulty": self.faulty[name], "kinds": dict(self.kinds[name])}
                for name, asked in sorted(self.asked.items())
            },
            "atomic": dict(self.atomic),
        }


def report(data_dir: str | Path, lifelogs: str | None = None) -> FaultReport:
    """The faults of all logs of a folder, or of those with some numbers."""
    wanted = None if lifelogs is None else set(options.lifelog_indices(lifelogs))
    counts = FaultReport()
    for place in places(data_dir):
        if wanted is None or place.number in wanted:
            counts.add(OriginalLog(place))
    if not counts.logs:
        raise FileNotFoundError(f"{data_dir}: expected logs numbered {lifelogs}, found none")
    return counts


def _atomic(pairs: atomic.AtomicPairs) -> dict[str, int]:
    answers: defaultdict[str, set[str]] = defaultdict(set)
    lacking = 0
    for place, (question, answer) in enumerate(zip(pairs.questions, pairs.answers, strict=True)):
        answers[question].add(answer)
        lacking += answer not in ("yes", "no") and answer not in pairs.text(place)
    ambiguous = sum(len(some) > 1 for some in answers.values())
    return {"pairs": len(pairs), "distinct": len(answers), "ambiguous": ambiguous, "not_in_text": lacking}
