"""What a model says, read as a choice or as a short answer by a written grammar; what is not clear is refused.

Metrics take indices and bare answers. This reads them from prose; a step is tried where those before it say nothing:

* thoughts: what follows the last `</think>` is read; a thought without an end is refused.
* code and JSON: the inside of a fence; "answer", "choice", ... of an object, or its only value.
* a box: `\\boxed{B}`, `\\boxed{\\text{Oslo}}`, `#### B`.
* a cue: "The answer is B", "Answer: (2)", "I would go with Oslo", "B is correct", and the like in other languages.
* alone: a text, or its first or last line, that is one label or one choice: "(B)", "B.", "**B**", "B) Oslo", "Oslo";
  for short answers: a text of one line, a list, or a short last line.
* named (choices only): exactly one choice is named in the text, and not denied.

A label is a letter from A or a number from `first`, so that "2" is the second choice. Refused are: two choices named
at one step, a label that is none of the choices, a label beside the text of another choice, and a denial ("not B").
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .cues import AFTER, ANSWER_CUES, BEFORE, DENIED, JSON_KEYS


@dataclass(frozen=True)
class Choice:
    """The choice that a text makes: its index from 0, or None; `reason` says by which step, or why it is refused."""

    index: int | None
    reason: str


@dataclass(frozen=True)
class ShortAnswer:
    """The answer that a text gives, or None; `reason` says by which step, or why it is refused."""

    text: str | None
    reason: str


_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>|<\|channel\|>final<\|message\|>", re.IGNORECASE)
_THOUGHT = re.compile(r"\s*<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_BOX = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_STYLE = re.compile(r"\\(?:text|textbf|mathrm|mathbf|rm|bf)\s*\{([^{}]*)\}")
_HASHES = re.compile(r"^####\s+(\S.*)$", re.MULTILINE)
_OPEN, _CLOSE = "([{<（【［「『〔〈《\"'“‘`*_$ ", ")]}>）】］」』〕〉》\"'”’`*_$"
# A label with what may stand around it: "(B)", "**B.**", "B) ...", "【2】".
_LABEL = re.compile(
    rf"[{re.escape(_OPEN)}]{{0,6}}(?:(?:option|choice|answer|letter|number|no\.|#)\s{{0,3}}[{re.escape(_OPEN)}]{{0,4}})?"
    rf"(?P<label>[A-Za-z]|[0-9]{{1,2}})(?![\w'’])(?P<after>[{re.escape(_CLOSE)}.:。．、：]{{0,6}})",
    re.IGNORECASE,
)
# What may follow a label that nothing else sets apart from a word.
_GOES_ON = re.compile(r"\s*(?:$|\n|[-–—=(,;:!?。]|(?:because|since|as|which|given|due|for|is)\b)", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because|since|given|due to|as)\b", re.IGNORECASE)
_ANOTHER = re.compile(r"\s*(?:,|/|&|\bor\b|\band\b|\boder\b|\bou?\b|\by\b|、|和|或)\s*(?:and |or )?", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[^\W\d_]{3})[.!?](?=\s)|[。！？\n]")
_MARKS = re.compile(r"(?<=\d),(?=\d{3})")
_BETWEEN = re.compile(r"(?:(?<!\d)\.|\.(?!\d)|(?<!\s)-|-(?!\d)|[^\w.-]|_)+")
_ARTICLE = re.compile(r"^(?:the|an?) (?=.)")
_MOST = 200_000  # characters that are read, the last ones
_BLOCK = 1000
_LONGEST = 100  # characters of a short answer that no cue announces


def read_choice(text: str, choices: Sequence[str], first: int = 1) -> Choice:
    """Which of `choices` a model's answer names.

    Args:
        text: what the model said.
        choices: the texts of the choices, as the model was shown them.
        first: the number that the model was shown for the first choice.
    """
    said = _said(text)
    if said is None:
        return Choice(None, "a thought without an end")
    if not said.strip():
        return Choice(None, "nothing is said")
    known = _Choices(choices, first)
    for step, parts in (("a box", _boxes(said)), ("a cue", _announced(said)), ("alone", _lines(said))):
        readings = [reading for part in parts if (reading := known.read(part, whole=step == "alone")) is not None]
        if readings:
            return _agreed(readings, step)
    found = known.named(said)
    if len(found) == 1 and not DENIED.search(said):
        return Choice(found.pop(), "named")
    return Choice(
        None, "a denial" if len(found) == 1 else "several choices are named" if found else "no choice is named"
    )


def read_answer(text: str) -> ShortAnswer:
    """The short answer that a model's answer gives: a number, a name, a list, without the prose around it."""
    said = _said(text)
    if said is None:
        return ShortAnswer(None, "a thought without an end")
    for step, parts in (("a box", _boxes(said)), ("a cue", _announced(said, ANSWER_CUES))):
        found = {_fold(part): part for part in map(_bare, parts) if part}
        if len(found) > 1:
            return ShortAnswer(None, "several answers are given")
        if found:
            return ShortAnswer(found.popitem()[1], step)
    lines = [line for line in said.splitlines() if line.strip()]
    if not lines:
        return ShortAnswer(None, "nothing is said")
    if all(re.match(r"\s*(?:[-*•]|\d{1,3}[.)])\s", line) for line in lines):
        return ShortAnswer(said.strip(), "a list")
    last = _bare(lines[-1])
    if last and len(last) <= _LONGEST and not _SENTENCE.search(lines[-1].strip()):
        return ShortAnswer(last, "alone" if len(lines) == 1 else "the last line")
    return ShortAnswer(None, "no answer is set apart from the prose")


def _said(text: str) -> str | None:
    """What is said after all thoughts, in a fence or JSON object perhaps; None if the thoughts have no end."""
    *_, text = _THOUGHT_END.split(_normal(text[-_MOST:]))
    if _THOUGHT.match(text):
        return None
    bare = text.strip()
    if len(bare) > 6 and bare.startswith("```") and bare.endswith("```"):
        # What stands beside the opening fence is the name of a language.
        text = bare[3:-3].partition("\n")[2] or bare[3:-3]
    start, end = text.find("{"), text.rfind("}")
    if start >= 0 and not text[:start].strip() and not text[end + 1 :].strip():
        try:
            value = json.loads(text[start : end + 1])
        except (ValueError, RecursionError):
            return text
        if isinstance(value, dict):
            values = [item for key, item in value.items() if key.lower() in JSON_KEYS] or list(value.values())
            if len(values) == 1 and isinstance(values[0], list) and len(values[0]) == 1:
                values = values[0]
            if len(values) == 1 and isinstance(values[0], (str, int, float)) and not isinstance(values[0], bool):
                return str(values[0])
    return text


def _boxes(text: str) -> list[str]:
    return [_STYLE.sub(r"\1", box) for box in _BOX.findall(text)] or _HASHES.findall(text)[-1:]


def _announced(text: str, cues: re.Pattern[str] = BEFORE) -> list[str]:
    """What cues announce, each to the end of its sentence, and what others look back at ("B is correct")."""
    parts = []
    for cue in cues.finditer(text):
        rest = text[cue.end() : cue.end() + 500].lstrip("*_ \t:：\n")
        end = _SENTENCE.search(rest)
        parts.append(rest[: end.start()] if end else rest)
    return parts + ([match[1] for match in AFTER.finditer(text)] if cues is BEFORE else [])


def _lines(text: str) -> list[str]:
    """The text, or its first and last line where there are several."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines if len(lines) < 2 else [lines[0], lines[-1]]


def _bare(text: str) -> str:
    """Without markup, quotes and closing punctuation around it."""
    text = text.strip().strip("*_`$ ").removesuffix(".").strip("*_`$ ")
    quoted = re.fullmatch(r"[\"'“‘「](.*)[\"'”’」]", text)
    return quoted[1] if quoted else text


def _agreed(readings: Iterable[Choice], step: str) -> Choice:
    """The one choice that readings of a step make, or the first refusal among them."""
    readings = list(readings)
    refused = next((reading for reading in readings if reading.index is None), None)
    if refused is not None:
        return refused
    if len({reading.index for reading in readings}) > 1:
        return Choice(None, "several choices are named")
    return Choice(readings[0].index, step)


def _normal(text: str) -> str:
    """The compatibility form of a text, made in blocks: combining marks in a row cost their square."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFKC", text[at : at + _BLOCK]) for at in range(0, len(text), _BLOCK))


def _fold(text: str) -> str:
    """Words in lower case between blanks: what is compared of a choice and of what is said."""
    text = _normal(text).casefold().replace("’", "'").replace("'", "")
    return " ".join(_BETWEEN.sub(" ", _MARKS.sub("", text)).split())


class _Choices:
    """The choices of a question, by label and by text."""

    def __init__(self, choices: Sequence[str], first: int) -> None:
        texts = [_fold(choice) for choice in choices]
        self.texts = [_ARTICLE.sub("", text) for text in texts]
        # A number is no label where it may be the text of a choice.
        numbered = not any(text.replace(" ", "").isdecimal() for text in texts)
        self.labels = {chr(ord("a") + at): at for at in range(min(len(choices), 26))}
        if numbered:
            self.labels |= {str(at + first): at for at in range(len(choices))}
        self.numbered = numbered

    def named(self, text: str) -> set[int]:
        """The choices that a text names, none of them only as part of a longer one."""
        said, found = f" {_fold(text)} ", set()
        for at in sorted(range(len(self.texts)), key=lambda at: -len(self.texts[at])):
            wanted = self.texts[at] if any(c > "\u2e80" for c in self.texts[at]) else f" {self.texts[at]} "
            if self.texts[at] and wanted in said:
                found.add(at)
                said = said.replace(wanted, " | ")
        # Equal texts cannot be told apart.
        return found | {at for at, text in enumerate(self.texts) if any(text == self.texts[other] for other in found)}

    def read(self, part: str, whole: bool) -> Choice | None:
        """The choice that a part of a text makes by label or text, a refusal, or None if it says nothing of choices.

        Args:
            part: what a cue announces, or a line.
            whole: whether the part has to be a label or a choice and nothing else.
        """
        label, rest = self._label(part, whole)
        # Other choices may be named in the reasons for a label.
        named = self.named(part if label is None else _REASON.split(part, maxsplit=1)[0])
        if label is None:
            alone = not whole or _ARTICLE.sub("", _fold(part)) in self.texts
            if len(named) != 1 or not alone:
                return Choice(None, "several choices are named") if len(named) > 1 and alone else None
            return Choice(None, "a denial") if DENIED.search(part) else Choice(named.pop(), "text")
        exact = [at for at, text in enumerate(self.texts) if text == _fold(part)]
        if len(exact) == 1 and self.labels.get(label, exact[0]) == exact[0]:
            return Choice(exact[0], "text")
        if label not in self.labels:
            return Choice(None, f"{label.upper()} is none of {len(self.texts)} choices")
        another = _ANOTHER.match(rest)
        if another is not None and self._label(rest[another.end() :], False)[0] is not None:
            return Choice(None, "several labels are given")
        index = self.labels[label]
        if (named and index not in named) or (self.named(label) - {index}):
            return Choice(None, "a label beside the text of another choice")
        return Choice(index, "label")

    def _label(self, part: str, whole: bool) -> tuple[str | None, str]:
        """The label that a part begins with, in lower case, and what follows it."""
        match = _LABEL.match(part)
        if match is None:
            return None, part
        label, rest = match["label"], part[match.end() :]
        apart = any(mark in match["after"] for mark in ").]}】」』］）:：．") or not rest.strip()
        if label.isdecimal():
            # "3 goals" and "3. May" are no labels.
            clear = self.numbered and (not rest.strip() or match["after"][:1] in tuple(")]】:：）"))
        else:
            plain = label.isupper() or any(mark in match["after"] for mark in ")]】）") or not rest.strip()
            clear = plain and (apart or _GOES_ON.match(rest) is not None or _ANOTHER.match(rest) is not None)
        if not clear or (whole and rest.strip() and not apart):
            return None, part
        if "." in match["after"] and rest.strip() and not self.named(rest) and re.match(r"\s*[A-Z]", rest) and whole:
            return None, part  # "J. Smith"
        return label.lower(), rest
