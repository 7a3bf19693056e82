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


NOTA = """None of the above; none of the above.; NONE OF THE ABOVE!; “None of the above”; (none of the above)
D. None of the above; 1) None of the above; (d) none of these; Option D: none of the above; choice 4 - None of them
D: None of the above; None of these; None of those; None of them; Neither of these; Neither of the above
None of the other choices; None of the above choices; None of the answers is right; None of these options
None of these candidates; None of these films were nominated; None of the following; None of the above are correct
<b>None</b> of the above; None of the above\u200b; None of\u00a0the above; Neither of the two above
None of the others; neither of them."""
NO_NOTA = """None of the Spice Girls; None; Neither; Nobody; No one; Some of the above; All of the above; One of these
None of his business; None of the money; Not one of the 50 states; None were aged above 55; Nothing of the above
None of the teams that played; None of the candidates' wives; None of Taiwan's; They chose none of the above
Above; of the above; None of the aboveground lines"""


@pytest.mark.parametrize("choice", [choice.strip() for line in NOTA.splitlines() for choice in line.split(";")])
def test_choices_that_say_none_of_the_above(choice: str) -> None:
    """None of the above in any spelling, with a letter or number before it, and words for choices in it."""
    assert text.nota_index(["x", choice]) == 1
    assert text.nota_index([choice, "x", "None of the above"]) == 2  # the last one counts


@pytest.mark.parametrize("choice", [choice.strip() for line in NO_NOTA.splitlines() for choice in line.split(";")])
def test_choices_that_do_not(choice: str) -> None:
    """None of something else, or other words of that kind."""
    assert text.nota_index(["x", choice]) is None and text.nota_index([]) is None
