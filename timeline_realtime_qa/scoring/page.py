"""The page of a metric Space: a JSON field for each column, a configuration where there are some, and the scores.

Each metric folder links to this file, so that the folder is self-contained as a metric Space.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import evaluate


@dataclass(frozen=True)
class Page:
    """What the page of a metric asks for.

    Args:
        script: the file of the metric, which has its name; the card is beside it.
        fields: the JSON text that each argument of `compute` has at first. An empty one leaves its argument out.
        configs: the configurations of the metric, if it has any.
    """

    script: Path
    fields: Mapping[str, str]
    configs: Sequence[str] = ()

    def score(self, *texts: str) -> dict[str, Any]:
        """The scores for the texts of the fields, in their order, after the configuration where there are some.

        Raises:
            ValueError: if a text is not JSON or the metric refuses the rows.
        """
        config, texts = (texts[0], texts[1:]) if self.configs else (None, texts)
        metric = evaluate.load(str(self.script), config)
        given = {name: json.loads(text) for name, text in zip(self.fields, texts, strict=True) if text.strip()}
        scores: dict[str, Any] = metric.compute(**given)
        # JSON has no nan.
        return {key: None if value != value else value for key, value in scores.items()}

    def interface(self) -> Any:
        """The Gradio page; the card is its text."""
        import gradio  # type: ignore[import-not-found,unused-ignore]

        card = self.script.with_name("README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
        inputs: list[Any] = []
        if self.configs:
            inputs.append(gradio.Dropdown(list(self.configs), value=self.configs[0], label="configuration"))
        for name, value in self.fields.items():
            inputs.append(gradio.Textbox(value=value, label=f"{name} (JSON)", lines=3))
        return gradio.Interface(
            fn=self.score, inputs=inputs, outputs=gradio.JSON(label="scores"), title=self.script.stem, article=card
        )
