"""Addresses: the quiz's page in its pool, links of explanations; and the key of a question's text."""

from __future__ import annotations

import pytest

from realtimeqa_ds.parsing import text

from ..tree import Tree
from .marks import GCS, QA, Read, rule


@rule("quiz_page")
@pytest.mark.parametrize(
    ("url", "same"),
    [
        *(
            (url, True)
            for url in ("http://www.a.example/quiz/7/", "https://a.example/quiz/7?utm_source=x&fbclid=1#top")
        ),
        *(
            (url, True)
            for url in ("HTTPS://A.Example/quiz/7", "https://a.example:443/quiz/7", "https://a.example./quiz/7")
        ),
        *(
            (url, False)
            for url in ("https://a.example/quiz/8", "https://a.example/quiz/7?page=2", "https://b.example/quiz/7")
        ),
        *((url, False) for url in ("https://a.example/Quiz/7", "https://a.example/quiz")),
    ],
)
def test_the_quiz_page_under_other_addresses(tree: Tree, table: Read, url: str, same: bool) -> None:
    """The quiz's page with another scheme, www, last slash, port, fragment or tracking: flagged; other pages: not."""
    tree.change(QA, 0, question_url="https://a.example/quiz/7")
    documents = tree.rows(GCS)[0]["search_result"]
    tree.change(GCS, 0, search_result=[{**documents[0], "url": url}])
    (document,) = table("multiple_choice", tree.root)["rows"][0]["documents"]
    assert (document["url"], document["flags"]) == (url, ["quiz_page"] if same else [])


@rule("link_unreadable")
@pytest.mark.parametrize(
    "link",
    ["file:///home/x.pdf", "http://", "https://.", "mailto:a@b.example", "#top", "/quiz", "http://[::1", "http:// a/"],
)
def test_links_that_are_no_pages(tree: Tree, table: Read, link: str) -> None:
    """Links of an explanation that lead to no web page: left out and flagged; the explanation keeps them."""
    raw = f'See <a href="{link}">this</a> and <a href="https://a.example/x?y=1">that</a>.'
    tree.change(QA, 0, evidence=raw)
    row = table("multiple_choice", tree.root)["rows"][0]
    assert row["evidence_links"] == ["https://a.example/x?y=1"] and row["evidence_raw"] == raw
    assert row["flags"] == ["link_unreadable"] and row["evidence"] == "See this and that."
    tree.change(QA, 0, question_url=link)
    assert table("multiple_choice", tree.root)["rows"][0]["source_url"] is None


@pytest.mark.parametrize("split", ["latest", "test", "train"])
def test_a_question_has_one_key_in_all_configs(table: Read, split: str) -> None:
    """With choices or without, public answer or not: content_key is the same."""
    keys = [
        {row["question_id"]: row["content_key"] for row in table(config, split=split)["rows"]}
        for config in ("multiple_choice", "generation")
    ]
    assert keys[0] == keys[1] and len(set(keys[0].values())) == len(keys[0])


def test_pages_are_compared_by_a_normal_form() -> None:
    """The normal form is its own, and of no address that is none."""
    for url in ("https://www.a.example/x/?b=2&a=1&cid=3", "http://a.example"):
        page = text.page(url)
        assert page and text.page(f"https://{page}") == page
    assert text.page("https://www.a.example/x/?b=2&a=1&cid=3") == "a.example/x?a=1&b=2"
    assert [text.page(url) for url in ("", "a.example", "ftp://a.example", "http://]")] == [None] * 4
