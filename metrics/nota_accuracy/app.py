"""The page of the metric Space: three JSON fields and the scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evaluate


HERE = Path(__file__).parent
FIELDS = {
    "predictions": '["2", "1", "0"]',
    "references": "[[2], [1], [2]]",
    "choices": json.dumps([["Rome", "Oslo", "None of the above"]] * 3),
}


def score(*texts: str) -> dict[str, Any]:
    """The result for the JSON texts of `FIELDS`, in that order; an empty text leaves its field out.

    Raises:
        ValueError: if a text is not JSON or the metric refuses the rows.
    """
    metric = evaluate.load(str(HERE / "nota_accuracy.py"))
    given = {name: json.loads(text) for name, text in zip(FIELDS, texts, strict=True) if text.strip()}
    scores: dict[str, Any] = metric.compute(**given)
    # JSON has no nan.
    return {key: None if value != value else value for key, value in scores.items()}


def page() -> Any:
    """The Gradio page; the card is its text."""
    import gradio  # type: ignore[import-not-found,unused-ignore]

    card = (HERE / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    boxes = [gradio.Textbox(value=value, label=f"{name} (JSON)", lines=3) for name, value in FIELDS.items()]
    return gradio.Interface(
        fn=score, inputs=boxes, outputs=gradio.JSON(label="scores"), title="nota_accuracy", article=card
    )


if __name__ == "__main__":
    page().launch()
