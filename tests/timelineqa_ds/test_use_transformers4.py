"""What only transformers 4 has (TapexTokenizer, the question-answering pipeline of evaluate) takes our files.

It cannot share an environment with this package, so these tests make one of its own, with nothing of ours in it.
TRANSFORMERS4_PYTHON names the interpreter of one that is there already; with torch in it, a tiny model is run too.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from timelineqa_ds.commands import main

from ..environments import make_environment


ROOT = Path(__file__).parents[2]
PACKAGES = ("transformers<5", "datasets", "pandas", "evaluate", "scipy")
VOCABULARY = """
import json, os
from transformers.models.deprecated.tapex.tokenization_tapex import bytes_to_unicode
folder = "microsoft/tapex-large-finetuned-wtq"
os.makedirs(folder)
tokens = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *bytes_to_unicode().values()]
json.dump({token: place for place, token in enumerate(tokens)}, open(f"{folder}/vocab.json", "w"))
open(f"{folder}/merges.txt", "w").write("#version: 0.2\\n")
options = {"tokenizer_class": "TapexTokenizer", "model_max_length": 1024, "max_cell_length": 200}
json.dump(options, open(f"{folder}/tokenizer_config.json", "w"))
"""
TAPEX = """
import pandas as pd
from datasets import load_dataset
from transformers import TapexTokenizer
tokenizer = TapexTokenizer.from_pretrained("microsoft/tapex-large-finetuned-wtq")
cut = whole = 0
for row in load_dataset("parquet", data_files="data/sparse/*.parquet", split="train"):
    header, rows = row["table"]["header"], row["table"]["rows"]
    table = pd.DataFrame(rows, columns=header)
    ids = tokenizer(table=table, query=row["question"], truncation=True, max_length=1024)["input_ids"]
    told = tokenizer.decode(ids, skip_special_tokens=True)
    query, columns = row["question"].lower(), " | ".join(header).lower()
    lines = [" | ".join(cells).lower() for cells in rows]
    # Blank cells leave blanks, of which decoding keeps other numbers.
    linear = [f"row {number} : {line}" for number, line in enumerate(lines, 1)]
    told = " ".join(told.split())
    if len(ids) == 1024:
        assert told.startswith(" ".join(f"{query} col : {columns} {linear[0]}".split())[:len(told)]), told[:300]
        cut += 1
    else:
        assert told == " ".join(" ".join([query, "col :", columns, *linear]).split()), told
        whole += 1
table = pd.DataFrame([], columns=header)
ids = tokenizer(table=table, query="How often?")["input_ids"]
assert tokenizer.decode(ids, skip_special_tokens=True).strip() == "how often?"
assert cut and whole, (cut, whole)
"""
PIPELINE = """
import json, re
import torch
from transformers import AutoTokenizer, BertConfig, BertForQuestionAnswering, pipeline
texts = [text for name in ("question", "context") for text in rows[name]]
words = sorted({word for text in texts for word in re.findall(r"\\w+|[^\\w\\s]", text.lower())})
import os
os.makedirs("tiny", exist_ok=True)
open("tiny/vocab.txt", "w").write("\\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]) + "\\n")
config = BertConfig(vocab_size=len(words) + 5, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                    intermediate_size=64)
BertForQuestionAnswering(config).save_pretrained("tiny")
reader = pipeline("question-answering", model="tiny", tokenizer=AutoTokenizer.from_pretrained("tiny"), device="cpu")
scores = judge.compute(model_or_pipeline=reader, data=rows, metric=SquadRows(), squad_v2_format=False)
assert scores["n"] == 200 and 0 <= scores["f1"] <= 1, scores
"""

pytestmark = [pytest.mark.matrix, pytest.mark.xdist_group("environments")]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The interpreter of an environment with transformers 4."""
    if os.environ.get("TRANSFORMERS4_PYTHON"):
        return os.environ["TRANSFORMERS4_PYTHON"]
    return make_environment(tmp_path_factory.mktemp("transformers4") / "venv", *PACKAGES)


@pytest.fixture(scope="module")
def folder(python: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the blocks of the page run: the shards that its commands write, and a vocabulary in the model's place."""
    folder = tmp_path_factory.mktemp("use")
    (folder / "metrics").symlink_to(ROOT / "metrics")
    for config in ("sparse", "sparse_atomic"):
        options = ["--config", config, "--lifelogs", "126", "--out", str(folder / "data")]
        CliRunner().invoke(main, ["build", *options], catch_exceptions=False)
    run(python, folder, VOCABULARY)
    return folder


def run(python: str, folder: Path, code: str) -> str:
    environment = {**os.environ, "HF_HOME": str(folder / "hf"), "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
    done = subprocess.run([python, "-c", code], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def blocks() -> list[str]:
    page = (ROOT / "docs" / "use.md").read_text(encoding="utf-8")
    return re.findall(r"^```python no-run\n# transformers 4\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def test_tapex_reads_query_header_and_cells(python: str, folder: Path) -> None:
    """In what the ids decode to; a table that is too long loses its end, an empty one leaves the query."""
    run(python, folder, TAPEX)


def test_the_blocks_of_the_page_run(python: str, folder: Path) -> None:
    tapex, evaluator = blocks()
    assert run(python, folder, tapex).count("sparse-0126-q") > 30
    assert "'exact_match': 0." in run(python, folder, evaluator)


def test_a_tiny_model_answers_through_the_evaluator(python: str, folder: Path) -> None:
    if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode:
        pytest.skip("needs torch in the environment that TRANSFORMERS4_PYTHON names")
    run(python, folder, blocks()[1] + PIPELINE)
