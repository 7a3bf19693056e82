"""Atomic questions go into readers of SQuAD's layout: their preparation, and a tiny model where torch is installed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import evaluate
import pytest
from datasets import Dataset, load_dataset
from tokenizers import BertWordPieceTokenizer

import timelineqa_ds  # noqa: F401  (makes the names known)


MODEL_NEEDS = "needs transformers with torch: pip install 'timeline-realtime-qa[examples]'"
LONGEST, STRIDE = 48, 12  # tokens; short, so that some contexts are cut into several
INPUTS = ("input_ids", "attention_mask", "token_type_ids", "start_positions", "end_positions")
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Questions with a span, by way of the JSON file that transformers' run_qa.py reads, and as it reads it."""
    found = load_dataset("timelineqa", "sparse_atomic", split="train", lifelogs="6", streaming=True)
    spans = [row for row in found if row["answers"]["answer_start"]]
    folder = tmp_path_factory.mktemp("json")
    kept = ("id", "context", "question", "answers")
    (folder / "train.json").write_text(json.dumps({"data": [{name: row[name] for name in kept} for row in spans]}))
    read = load_dataset(
        "json", data_files={"train": str(folder / "train.json")}, field="data", cache_dir=str(folder / "cache")
    )["train"]
    assert read["id"][:] == [row["id"] for row in spans] and len(spans) > 3000
    assert read["answers"][:] == [row["answers"] for row in spans]
    return read


@pytest.fixture(scope="module")
def tokenizer(rows: Dataset) -> BertWordPieceTokenizer:
    """A fast tokenizer of BERT's kind, as transformers wraps them, whose vocabulary is the words of these rows."""
    texts = [text for name in ("question", "context") for text in rows[name]]
    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text.lower())})
    places = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words])}
    made = BertWordPieceTokenizer(places)
    made.enable_truncation(LONGEST, STRIDE, "only_second")
    made.enable_padding(length=LONGEST)
    return made


def features(rows: Mapping[str, list[Any]], tokenizer: BertWordPieceTokenizer) -> dict[str, list[Any]]:
    """Windows of tokens with the places of the answer, 0 where a window has not all of it: as is usual for SQuAD."""
    pairs = list(zip(rows["question"], rows["context"], strict=True))
    made: dict[str, list[Any]] = {name: [] for name in ("row", "offsets", *INPUTS)}
    for row, (encoded, answers) in enumerate(zip(tokenizer.encode_batch(pairs), rows["answers"], strict=True)):
        first = answers["answer_start"][0]
        stop = first + len(answers["text"][0])
        for window in (encoded, *encoded.overflowing):
            texts = zip(window.offsets, window.sequence_ids, strict=True)
            inside = [n for n, ((low, high), text) in enumerate(texts) if text == 1 and low < stop and high > first]
            whole = inside and window.offsets[inside[0]][0] <= first and window.offsets[inside[-1]][1] >= stop
            values = (row, window.offsets, window.ids, window.attention_mask, window.type_ids)
            places = (inside[0], inside[-1]) if whole else (0, 0)
            for name, value in zip(made, (*values, *places), strict=True):
                made[name].append(value)
    return made


def test_each_answer_is_whole_tokens(rows: Dataset, tokenizer: BertWordPieceTokenizer) -> None:
    """Cut out of the context by the tokens found for it, an answer is itself."""
    some = rows[:600]
    made = features(some, tokenizer)
    answered = set()
    for row, offsets, start, end in zip(
        made["row"], made["offsets"], made["start_positions"], made["end_positions"], strict=True
    ):
        if start:
            assert some["context"][row][offsets[start][0] : offsets[end][1]] == some["answers"][row]["text"][0]
            answered.add(row)
    assert answered == set(range(600))
    assert len(made["row"]) > 600, "no context was cut"
    assert not any(tokenizer.token_to_id("[UNK]") in ids for ids in made["input_ids"])


def test_questions_without_a_span_have_no_start() -> None:
    """Yes/no questions: the empty `answer_start` is what such scripts take for a question without an answer."""
    found = load_dataset("timelineqa", "sparse_atomic", split="train", lifelogs="6", streaming=True)
    polar = [row for row in found if row["question_type"] == "yes/no"]
    assert polar and all(row["answers"]["answer_start"] == [] for row in polar)
    assert {row["answers"]["text"][0] for row in polar} == {"yes", "no"}


def tiny(tokenizer: BertWordPieceTokenizer) -> Any:
    transformers = pytest.importorskip("transformers", reason=MODEL_NEEDS)
    pytest.importorskip("torch", reason=MODEL_NEEDS)
    transformers.set_seed(0)
    quiet = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    config = transformers.BertConfig(vocab_size=tokenizer.get_vocab_size(), **SIZES, **quiet)
    return transformers.BertForQuestionAnswering(config)


def test_a_tiny_model_learns_and_is_scored(rows: Dataset, tokenizer: BertWordPieceTokenizer) -> None:
    some = rows[:64]
    made, model = features(some, tokenizer), tiny(tokenizer)
    torch = pytest.importorskip("torch", reason=MODEL_NEEDS)
    batch = {name: torch.tensor(made[name]) for name in INPUTS}
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    losses = []
    for _ in range(60):
        output = model(**batch)
        output.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(output.loss.item())
    assert losses[-1] < losses[0] / 2
    gold = [answers["text"] for answers in some["answers"]]
    scores = evaluate.load("qa_em_f1").compute(predictions=spans(model(**batch), made, some), references=gold)
    assert scores["n"] == 64 and scores["exact_match"] > 0.5


def spans(output: Any, made: dict[str, list[Any]], rows: Mapping[str, list[Any]]) -> list[str]:
    """The best span of each row's first window."""
    found: dict[int, str] = {}
    for place, (row, offsets) in enumerate(zip(made["row"], made["offsets"], strict=True)):
        start, end = (int(logits[place].argmax()) for logits in (output.start_logits, output.end_logits))
        found.setdefault(row, rows["context"][row][offsets[start][0] : offsets[max(start, end)][1]])
    return list(found.values())


def test_the_trainer_takes_the_features(rows: Dataset, tokenizer: BertWordPieceTokenizer, tmp_path: Path) -> None:
    made, model = features(rows[:32], tokenizer), tiny(tokenizer)
    pytest.importorskip("accelerate", reason=MODEL_NEEDS)
    transformers = pytest.importorskip("transformers", reason=MODEL_NEEDS)
    arguments = transformers.TrainingArguments(str(tmp_path), max_steps=2, report_to=[], use_cpu=True)
    trainer = transformers.Trainer(
        model, arguments, train_dataset=Dataset.from_dict({name: made[name] for name in INPUTS})
    )
    assert trainer.train().training_loss > 0
