"""The page of the metric Space: three JSON fields and the scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evaluate


HERE = Path(__file__).parent
FIELDS = {
    "predictions": "[[4, 7, 9], [2]]",
    "references": "[[7, 4], [2, 3]]",
    "k": "[1, 5]",
}


def score(*texts: str) -> dict[str, Any]:
    """The result for the JSON texts of `FIELDS`, in that order; an empty text leaves its field out.

    Raises:
        ValueError: if a text is not JSON or the metric refuses the rows.
    """
    metric = evaluate.load(str(HERE / "evidence_retrieval.py"))
    given = {name: json.loads(text) for name, text in zip(FIELDS, texts, strict=True) if text.strip()}
    scores: dict[str, Any] = metric.compute(**given)
    return scores


def page() -> Any:
    """The Gradio page; the card is its text."""
    import gradio  # type: ignore[import-not-found,unused-ignore]

    card = (HERE / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    boxes = [gradio.Textbox(value=value, label=f"{name} (JSON)", lines=3) for name, value in FIELDS.items()]
    return gradio.Interface(
        fn=score, inputs=boxes, outputs=gradio.JSON(label="scores"), title="evidence_retrieval", article=card
    )


if __name__ == "__main__":
    page().launch()
