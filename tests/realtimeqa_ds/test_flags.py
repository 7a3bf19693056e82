"""What flags tell about a question, and `without=`, which leaves out what has one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from realtimeqa_ds.parsing.report import rules
from realtimeqa_ds.weeks import listed, wording

from ..tree import Tree
from .marks import NOTA, QA, Read, rule


ALL = "All of the above"


@rule("needs_choices")
@pytest.mark.parametrize(
    ("question", "needs"),
    [
        ("Which of these did the mayor ban?", True),
        ("Which one of the following is a moon?", True),
        ("Among the following towns, which is largest?", True),
        ("The mayor banned which of the following:", True),
        ("She has won all of these prizes EXCEPT...", True),
        ("Which statement about the ferry is false?", True),
        ("What did the mayor ban following the flood?", False),
        ("What happened the following week?", False),
        ("What do these parcels hold?", False),
        ("Which team was accepted?", False),
    ],
)
def test_questions_that_need_their_choices(tree: Tree, table: Read, question: str, needs: bool) -> None:
    """Questions that point at their choices: flagged in every config; others that use such words: not."""
    tree.change(QA, 0, question_sentence=question)
    for config in ("multiple_choice", "nota", "generation"):
        assert ("needs_choices" in table(config, tree.root)["rows"][0]["flags"]) == needs


@rule("needs_picture")
@pytest.mark.parametrize(
    ("question", "needs"),
    [
        ("Which bird is pictured above?", True),
        ("The map below shows which country?", True),
        ("Where was this photo taken?", True),
        ("Who is seen here with the queen?", True),
        ("Who is this?", True),
        ("Which film won best picture?", False),
        ("Who bought this photo-sharing app?", False),
        ("A photo of what went viral? It rose above others.", False),
        ("What is this week's top song?", False),
    ],
)
def test_questions_that_need_a_picture(tree: Tree, table: Read, question: str, needs: bool) -> None:
    """Questions about a picture beside them: flagged; questions about pictures: not."""
    tree.change(QA, 0, question_sentence=question)
    assert ("needs_picture" in table("multiple_choice", tree.root)["rows"][0]["flags"]) == needs


@rule("gold_of_choices")
@pytest.mark.parametrize(
    ("gold", "flagged"),
    [
        *((gold, True) for gold in (ALL, "all of these.", "All three", "D. All of the above", "Both", "Both of them")),
        *(
            (gold, True)
            for gold in ("A and C", "Both A & B", "Either of these", "Any two of the above", "Options B and C")
        ),
        *(
            (gold, False)
            for gold in ("Three", "None of the above", "Above $4", "All guns", "Both parents", "A and E news")
        ),
    ],
)
def test_golds_that_mean_other_choices(tree: Tree, table: Read, gold: str, flagged: bool) -> None:
    """Right choices that mean others: flagged, in the NOTA form where they are right there, too."""
    tree.change(QA, 0, choices=["A moose", "A walrus", gold], answer=["2"])
    tree.change(NOTA, 0, choices=["A moose", gold, "None of the above"], answer=["1"])
    for config in ("multiple_choice", "nota", "generation"):
        assert ("gold_of_choices" in table(config, tree.root)["rows"][0]["flags"]) == flagged


@rule("nota_all_right")
@pytest.mark.parametrize("gold", [ALL, "All three.", "all of these"])
def test_nota_that_took_all_of_the_above_away(tree: Tree, table: Read, gold: str) -> None:
    """A NOTA form without the choice that made all others right: flagged there, and only there."""
    tree.change(QA, 0, choices=["A moose", "A walrus", gold], answer=["2"])
    tree.change(NOTA, 0, choices=["A moose", "A walrus", "None of the above"], answer=["2"])
    assert table("nota", tree.root)["rows"][0]["flags"] == ["nota_all_right"]
    assert table("multiple_choice", tree.root)["rows"][0]["flags"] == ["gold_of_choices"]
    tree.change(NOTA, 0, choices=["A moose", gold, "None of the above"], answer=["1"])
    assert table("nota", tree.root)["rows"][0]["flags"] == ["gold_of_choices"]


@rule("evidence_names_another")
@pytest.mark.parametrize(
    ("evidence", "choices", "flagged"),
    [
        ("A <em>goat</em>, they said.", ["A walrus", "A goat", "A moose"], True),
        ("It will rise to 11%.", ["10%", "11%", "12%"], True),
        ("It will rise to 11%, not 10%.", ["10%", "11%", "12%"], False),
        ("It will rise to 11% or 12%.", ["10%", "11%", "12%"], False),
        ("NEW YORK is sinking", ["London", "New York", "Rome"], True),
        ("Londoners and New York", ["London", "New York", "Rome"], True),
        ("The mayor of London, from New York", ["London Bridge", "New York", "Rome"], False),
        ("", ["London", "New York", "Rome"], False),
        ("All of the above were there", ["London", "All of the above", "Rome"], False),
    ],
)
def test_explanations_that_name_another_choice(evidence: str, choices: list[str], flagged: bool) -> None:
    """An explanation with one wrong choice in full and no word of the right one: flagged."""
    assert wording.names_another(evidence, choices, [0]) == flagged


def test_explanations_are_compared_in_rows(tree: Tree, table: Read) -> None:
    """The flag about an explanation is on the question's rows in every config."""
    tree.change(QA, 0, evidence="It was a stray goat.")
    for config in ("multiple_choice", "generation", "nota"):
        assert table(config, tree.root)["rows"][0]["flags"] == ["evidence_names_another"]


@pytest.fixture
def listing(table: Read, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put a question of the sample on the list."""

    def add(flag: str, number: int, key: str | None = None) -> None:
        row = table("multiple_choice")["rows"][number]
        key = key or row["content_key"]
        monkeypatch.setattr(listed, "_by_question", lambda: {(row["question_id"], key): [flag]})

    return add


@rule("doubtful_gold")
@rule("foreign_text")
@rule("asked_again")
@rule("asked_otherwise")
@rule("quiz_in_two_weeks")
@pytest.mark.parametrize(
    "flag", ["doubtful_gold", "foreign_text", "asked_again", "asked_otherwise", "quiz_in_two_weeks"]
)
def test_listed_questions(listing: Callable[..., None], table: Read, flag: str) -> None:
    """Questions on the list: flagged in every config and left as published; another text under the id is not meant."""
    before = table("nota")["rows"]
    listing(flag, 5)
    for config in ("multiple_choice", "generation", "nota"):
        rows = table(config)["rows"]
        assert [number for number, row in enumerate(rows) if flag in row["flags"]] == [5]
    rows[5]["flags"].remove(flag)
    assert rows == before
    listing(flag, 5, "of another text")
    assert not any(flag in row["flags"] for row in table("multiple_choice")["rows"])


@rule("nota_is_option")
def test_an_option_that_reads_like_none_of_the_above(
    listing: Callable[..., None], tree: Tree, table: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A listed choice that is an option of its own: no NOTA choice, whatever it reads like."""
    tree.change(QA, 0, choices=["A moose", "A walrus", "None of these candidates"])
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["nota_index"] == 2
    monkeypatch.setattr(listed, "_by_question", lambda: {(row["question_id"], row["content_key"]): ["nota_is_option"]})
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["nota_index"] is None and row["flags"] == ["nota_is_option"]


def test_the_list_is_whole() -> None:
    """Every listed question has a flag that there is, a reason, a source and the key of its text."""
    flags = [row.flag for row in listed.listed()]
    assert {rules()[flag].kind for flag in flags} == {"keep"} and all("question" in rules()[f].flags for f in flags)
    assert all(row.reason and row.source and row.questions for row in listed.listed())
    pairs = [(row.flag, name) for row in listed.listed() for name in row.questions]
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize(
    ("sentence", "excluded"),
    [
        ("All of these came, except:", True),
        ("All of these came, EXCEPT: ", True),
        ("All of these came except \u00a0 \n  ", True),
        ("All of these came, Except (two)", False),
        ("Which proposal was accepted?", False),
        ("Which one was excepted?", True),
    ],
)
def test_the_official_exclusion(tree: Tree, table: Read, sentence: str, excluded: bool) -> None:
    """The official scorer's rule, case and outer blanks aside: "except" in the last ten characters."""
    tree.change(QA, 0, question_sentence=sentence)
    assert table("generation", tree.root)["rows"][0]["excluded"] == excluded
    assert excluded == ("except" in sentence.lower().strip()[-10:])
