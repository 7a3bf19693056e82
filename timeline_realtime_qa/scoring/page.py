"""The page of a metric Space: a table of questions, the arguments of `compute`, and what it returns or says.

The Space of a metric has a copy of this file beside it.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import evaluate


REQUIRED = ("predictions", "references")
TEXT = 'plain text, or JSON where it begins with [ or "'
HELP = """
A row for each question; messages count rows from 0. A double click edits a cell, a right click adds or removes rows.
An empty cell is None. What begins with `[` or `"` is JSON, so that `""` is an empty text.
"""
# As a part of the head: of `css`, Gradio leaves @supports out.
STYLE = """
<style>
.message textarea {color: var(--error-text-color) !important; background: var(--error-background-fill) !important}
@supports (field-sizing: content) {.grows textarea {field-sizing: content; height: auto !important}}
.questions td {font-family: var(--font-mono)}
body:not(.dark) .gradio-container {--block-info-text-color: var(--neutral-600)}
</style>
"""


@dataclass(frozen=True)
class Column:
    """An argument of `compute` that has an entry for each question: a column of the table.

    Args:
        info: what a cell holds.
        cells: what they hold at first.
        text: a cell may be the answer itself; only what begins with a bracket or a quote is JSON.
    """

    info: str
    cells: Sequence[str] = ()
    text: bool = False

    def read(self, cell: str, where: str) -> object:
        """The entry in a cell, None if it is empty.

        Raises:
            ValueError: if it should be JSON and is not.
        """
        if not cell.strip():
            return None
        if self.text and cell.lstrip()[0] not in '["':
            return cell
        return _parsed(cell, where, TEXT if self.text else f"JSON ({self.info})")


@dataclass(frozen=True)
class Argument:
    """An argument of `compute` that holds for all questions: a field below the table.

    Args:
        info: what to enter.
        value: at first. A text is read as a number, or as several with commas between them; an empty one is left out.
        choices: what there is to choose from, if it is not typed in; (label, "") leaves the argument out.
    """

    info: str
    value: object = ""
    choices: Sequence[object] = ()

    def read(self, value: object, where: str) -> object:
        """The value for `compute`, None if there is none.

        Raises:
            ValueError: if a text that was typed in is no number.
        """
        if self.choices or isinstance(value, bool):
            return None if value == "" else value
        numbers = _parsed(str(value or ""), where, self.info, "[{}]")
        return numbers[0] if len(numbers) == 1 else numbers or None


def _parsed(text: str, where: str, expected: str, form: str = "{}") -> Any:
    """What a text says in JSON, once it is put into `form`."""
    try:
        return json.loads(form.format(text))
    except ValueError as error:
        shown = text if len(text) <= 80 else f"{text[:77]}..."
        raise ValueError(f"{where}: expected {expected}, found {shown!r}: {error}") from error


OPTIONS = {
    "missing": Argument("what an empty prediction is: refused, or counted as wrong", "error", ("error", "wrong")),
    "confidence_level": Argument("a number such as 0.95: adds the bounds _low and _high"),
    "return_per_example": Argument("adds the score of each question", False),
}


@dataclass(frozen=True)
class Page:
    """What the page of a metric asks for, and how it answers.

    Args:
        script: the file of the metric, which has its name; the card is beside it.
        columns: the arguments of `compute` with an entry for each question, `predictions` and `references` first.
        arguments: those with one value; the options that all metrics take come after them.
        configs: the configurations of the metric, if it has any.
    """

    script: Path
    columns: Mapping[str, Column]
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    configs: Sequence[str] = ()

    @property
    def fields(self) -> dict[str, Argument]:
        """What is asked below the table, in order."""
        config = Argument("the rules by which answers are compared", (*self.configs, None)[0], self.configs)
        return {**({"configuration": config} if self.configs else {}), **self.arguments, **OPTIONS}

    def score(self, table: Any, *values: object) -> tuple[dict[str, Any] | None, str]:
        """The scores, if there are any, and what the metric says: an error, or its warnings.

        Args:
            table: a row of cells for each question, as a pandas DataFrame.
            values: of the fields, in their order.
        """
        try:
            given = {
                name: self.fields[name].read(value, name) for name, value in zip(self.fields, values, strict=True)
            }
            metric = evaluate.load(str(self.script), given.pop("configuration", None))
            rows = {**self._rows(table), **{name: value for name, value in given.items() if value is not None}}
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                scores = metric.compute(**rows, return_signature=True)
        except ValueError as error:
            return None, str(error)
        except RecursionError:
            return None, "the table holds a list that is nested too deeply: expected lists of texts or numbers"
        said = [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]
        # JSON has no nan.
        return {key: None if value != value else value for key, value in scores.items()}, "\n".join(said)

    def _rows(self, table: Any) -> dict[str, list[object]]:
        """The columns of the table, without the empty rows at its end and optional columns that are empty."""
        # Gradio lets everybody rename, add and remove columns.
        if unknown := [name for name in table if name not in self.columns]:
            raise ValueError(f"table: expected the columns {', '.join(self.columns)}, found {unknown[0]!r}; remove it")
        filled = table.astype(object).where(table.notna(), "")
        cells = {str(name): list(map(str, column)) for name, column in filled.items()}
        n = max((at for column in cells.values() for at, cell in enumerate(column, 1) if cell.strip()), default=0)
        rows = {
            name: [self.columns[name].read(cell, f"{name} row {at}") for at, cell in enumerate(column[:n])]
            for name, column in cells.items()
        }
        return {
            name: rows[name] for name in rows if name in REQUIRED or any(entry is not None for entry in rows[name])
        }

    def launch(self) -> None:
        """Serve the page, which asks nothing of other hosts."""
        self.blocks().launch(head=STYLE, ssr_mode=False)

    def blocks(self) -> Any:
        """The page in Gradio; the card stands below it."""
        import gradio  # type: ignore[import-not-found,unused-ignore]

        card = self.script.with_name("README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
        first = [list(row) for row in zip(*(column.cells for column in self.columns.values()), strict=True)]

        def answer(*entries: Any) -> tuple[Any, ...]:
            scores, message = self.score(*entries)
            signature = None if scores is None else scores.pop("signature")
            return (
                gradio.Textbox(value=message, visible=bool(message), label="Note" if scores else "Not scored"),
                gradio.JSON(value=scores, visible=scores is not None),
                gradio.Textbox(value=signature, visible=scores is not None),
            )

        with gradio.Blocks(title=self.script.stem, analytics_enabled=False) as page:
            gradio.Markdown(f"# {self.script.stem}\n\n{self._help()}")
            table = gradio.Dataframe(
                value=first,
                headers=list(self.columns),
                datatype="str",
                label="questions",
                max_chars=60,
                interactive=True,
                elem_classes="questions",
            )
            with gradio.Row():
                entries = [self._widget(gradio, name) for name in self.fields]
            button = gradio.Button("Score", variant="primary")
            message = gradio.Textbox(visible=False, interactive=False, elem_classes=["message", "grows"])
            scores = gradio.JSON(label="scores", visible=False, open=True)
            signature = gradio.Textbox(label="signature", visible=False, interactive=False, elem_classes="grows")
            button.click(answer, [table, *entries], [message, scores, signature], api_name="score")
            gradio.Markdown(card)
        return page

    def _widget(self, gradio: Any, name: str) -> Any:
        asked = self.fields[name]
        options = {"label": name, "info": asked.info, "value": asked.value}
        if asked.choices:
            return gradio.Radio(list(asked.choices), **options)
        return (gradio.Checkbox if isinstance(asked.value, bool) else gradio.Textbox)(**options)

    def _help(self) -> str:
        """How to fill in the table, as Markdown."""
        columns = "\n".join(f"* `{name}`: {column.info}" for name, column in self.columns.items())
        return f"{HELP}\n\n{columns}"
