"""Plain text, dates and the NOTA choice."""

from __future__ import annotations

import datetime
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from realtimeqa_ds.parsing import text


@pytest.mark.parametrize(
    ("published", "plain"),
    [
        ("Plain words, 1-2.", "Plain words, 1-2."),
        ("", ""),
        ("  two   blanks ", "two blanks"),
        ("zero\u200bwidth\ufeff and\u00a0hard", "zerowidth and hard"),
        ("<p>One.</p><p>Two.</p>", "One. Two."),
        ("one<br/>two", "one two"),
        ('The <a href="https://a.example/">“Squid”</a>“ show', "The “Squid”“ show"),
        ("Marks &amp; Spencer &lt;b&gt;", "Marks & Spencer <b>"),
        ("<strong>bold</strong> and <em>slanted</em>", "bold and slanted"),
        ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
        ("cafe\u0301", "café"),
        ("<iframe src='x'></iframe>video", "video"),
    ],
)
def test_plain(published: str, plain: str) -> None:
    assert text.plain(published) == plain
    assert text.snippet(published)[0] == plain


@given(st.text())
def test_plain_is_stable_and_visible(published: str) -> None:
    plain = text.plain(published)
    assert plain == plain.strip()
    assert not any(unicodedata.category(c) in ("Cc", "Cs") or c in "\u200b\ufeff" for c in plain)
    assert unicodedata.is_normalized("NFC", plain)
    if "<" not in plain and "&" not in plain:
        assert text.plain(plain) == plain


WORDS = st.text(st.characters(codec="ascii", exclude_characters="<>&\x00\"'"), max_size=12)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=4))
def test_links_without_a_parser_are_what_the_parser_finds(parts: list[tuple[str, str, str]]) -> None:
    published = "".join(f'{before}<a href="https://x.example/{href}">{inside}</a>' for before, href, inside in parts)
    body = LexborHTMLParser(f"<body>{published}</body>").body
    assert body is not None
    plain, links = text.snippet(published)
    assert plain == text.plain(body.text())
    assert links == list(dict.fromkeys((a.attributes["href"] or "").strip() for a in body.css("a")))


def test_links_are_listed_once_and_in_order() -> None:
    html = '<p><a class="x" href=" https://b.example ">b</a><a href="https://a.example">a</a><a name="n">n</a></p>'
    assert text.snippet(html * 2)[1] == ["https://b.example", "https://a.example"]


@pytest.mark.parametrize(
    ("published", "date"),
    [
        ("2022/06/16", datetime.date(2022, 6, 16)),
        ("2024-03-22", datetime.date(2024, 3, 22)),
        (" 2024-03-22 ", datetime.date(2024, 3, 22)),
        ("2024-03/22", None),
        ("2024/02/30", None),
        ("2024/2/3", None),
        ("22/03/2024", None),
        ("", None),
    ],
)
def test_date(published: str, date: datetime.date | None) -> None:
    assert text.date(published) == date


def test_minute() -> None:
    moment = datetime.datetime(2022, 6, 17, 16, 34, tzinfo=datetime.timezone.utc)
    assert text.minute("2022/06/17/16:34") == int(moment.timestamp())
    assert [text.minute(t) for t in ("2022/06/17", "2022/06/17/24:00", "2022/02/30/10:00", "")] == [None] * 4


@pytest.mark.parametrize(("published", "number"), [("70.25", 70.25), ("-1e3", -1000.0), ("nan", None), ("1_0", None)])
def test_number(published: str, number: float | None) -> None:
    assert text.number(published) == number


@pytest.mark.parametrize(
    ("choices", "index"),
    [
        (["a", "None of the above"], 1),
        (["a", "none of the above."], 1),
        (["A. x", "B. y", "D. None of the above"], 2),
        (["x", "None of these candidates"], 1),
        (["Neither of the above", "x"], 0),
        (["None", "Nobody"], None),
        (["Some of the above", "All of the above"], None),
        ([], None),
        (["None of the above", "x", "None of the above"], 2),
    ],
)
def test_nota_index(choices: list[str], index: int | None) -> None:
    assert text.nota_index(choices) == index
