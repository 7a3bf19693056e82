"""Whether the parts of a joint answer, in some order, make up a predicted answer, without trying every order.

The official RealTime QA scorer joins the gold parts in every order (k! of them) and compares each with the prediction.
Lower-casing, deleting characters and folding white space work on each part alone, so a joined answer normalises to
the tokens of its parts one after the other. The question is then whether the predicted tokens can be cut into exactly
these parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from .normalize import Tokens


STEPS = 200_000


def can_join(target: Sequence[str], parts: Sequence[Tokens], steps: int = STEPS) -> bool:
    """Whether some order of `parts`, each used once, concatenates to `target`.

    Linear in practice: where no part begins like another, each cut is forced. In general the question contains
    3-PARTITION and has no known polynomial answer, hence the limit.

    Args:
        target: the tokens to be made up.
        parts: the tokens of each part.
        steps: the work allowed beyond a multiple of the length of `target`.

    Raises:
        ValueError: if the limit is reached before the answer is known.
    """
    if sum(map(len, parts)) != len(target) or Counter(chain.from_iterable(parts)) != Counter(target):
        return False
    counts = Counter(part for part in parts if part)
    return not counts or _Search(tuple(target), counts, steps + 20 * len(target)).run()


@dataclass
class _Search:
    """Depth-first over the cuts of `target`; a set of parts left that failed once is not entered again.

    The position follows from the parts left. Equal parts are interchangeable, so a state is one number in mixed
    radix: how many of each distinct part are left.
    """

    target: Tokens
    counts: Counter[Tokens]
    steps: int
    trie: dict[str | None, Any] = field(default_factory=dict)
    cuts: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def run(self) -> bool:
        left = list(self.counts.values())
        weights = [1]
        for index, part in enumerate(self.counts):
            weights.append(weights[-1] * (left[index] + 1))
            node = self.trie
            for token in part:
                node = node.setdefault(token, {})
            node[None] = index
        state = sum(weight * count for weight, count in zip(weights, left, strict=False))
        return self._descend(left, weights, state)

    def _descend(self, left: list[int], weights: list[int], state: int) -> bool:
        failed: set[int] = set()
        levels: list[Iterator[tuple[int, int]]] = [iter(self._cuts_at(0))]
        taken: list[int] = []
        while levels:
            for part, end in levels[-1]:
                if not left[part] or state - weights[part] in failed:
                    continue
                if end == len(self.target):
                    return True
                left[part] -= 1
                state -= weights[part]
                taken.append(part)
                levels.append(iter(self._cuts_at(end)))
                break
            else:
                levels.pop()
                failed.add(state)
                if taken:
                    part = taken.pop()
                    left[part] += 1
                    state += weights[part]
        return False

    def _cuts_at(self, start: int) -> list[tuple[int, int]]:
        """(part, end) of each distinct part that `target` shows at `start`, longest first."""
        self._spend(1)
        if start not in self.cuts:
            found: list[tuple[int, int]] = []
            node, end = self.trie, start
            while end < len(self.target) and self.target[end] in node:
                node = node[self.target[end]]
                end += 1
                if None in node:
                    found.append((node[None], end))
            self._spend(end - start)
            self.cuts[start] = found[::-1]
        return self.cuts[start]

    def _spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise ValueError(
                f"expected gold parts that can be told apart where they begin, found {self.counts.total()} parts "
                f"with too many possible orders; give the acceptable orders as alternatives ([[one], [another]])"
            )
