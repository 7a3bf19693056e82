"""The page of the metric Space: a configuration, two JSON fields and the scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evaluate


HERE = Path(__file__).parent
CONFIGS = ("timelineqa", "wtq", "tapex")
FIELDS = {
    "predictions": '["3 days", "May 2, 2021", "Oslo and Rome"]',
    "references": '[["3"], ["2021-05-02"], ["Rome", "Oslo"]]',
}


def score(config: str, *texts: str) -> dict[str, Any]:
    """The result of one configuration for the JSON texts of `FIELDS`, in that order.

    Raises:
        ValueError: if a text is not JSON or the metric refuses the rows.
    """
    metric = evaluate.load(str(HERE / "denotation_accuracy.py"), config)
    scores: dict[str, Any] = metric.compute(
        **{name: json.loads(text) for name, text in zip(FIELDS, texts, strict=True)}
    )
    return scores


def page() -> Any:
    """The Gradio page; the card is its text."""
    import gradio  # type: ignore[import-not-found,unused-ignore]

    card = (HERE / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    boxes = [gradio.Textbox(value=value, label=f"{name} (JSON)", lines=3) for name, value in FIELDS.items()]
    config = gradio.Dropdown(list(CONFIGS), value=CONFIGS[0], label="configuration")
    return gradio.Interface(
        fn=score,
        inputs=[config, *boxes],
        outputs=gradio.JSON(label="scores"),
        title="denotation_accuracy",
        article=card,
    )


if __name__ == "__main__":
    page().launch()
