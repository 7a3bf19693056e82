"""The multi-hop questions about the invented log, and what is wrong with them."""

from __future__ import annotations

from typing import Any

from .invented_log import Writer


NAN = float("nan")
# q_id, parameters, question, answer column, header and rows of the result, ids that the QA file gives
Asked = tuple[str, dict[str, Any], str, str, str, list[list[str]], list[str] | None]


def of(log: Writer, table: str, **wanted: object) -> list[str]:
    """Ids of the rows of a table with these values; a value may be a function."""
    return [
        row["eid"]
        for row in log.tables[table]
        if all(check(row.get(key)) if callable(check) else row.get(key) == check for key, check in wanted.items())
    ]


def queries(log: Writer) -> list[Asked]:
    """What is asked about the invented log."""
    may, june = {"year": 2003, "month": 5}, {"month": 6, "year": 2003}
    in_may, in_june = (lambda day, month=month: day.startswith(f"2003/{month}") for month in ("05", "06"))
    oslo, riga = {"city": "Oslo, Norway"}, {"city": "Riga, Latvia"}
    care, chat, food = "annual_medical_care", "daily_chat", "travel_dining"
    visits, shop, fun = "travel_places_visited", "weekly_grocery", "weekly_hobby"
    fort, soap = of(log, visits, place="Old Fort"), of(log, shop, toiletries="soap")
    oslo_visits = {"city": "Oslo, Norway", "people": " Jo"}
    return [
        ("q1", {}, "Mean kids' vision checkups a year?", "1", "avg(num)", [["0.5"]],
         of(log, care, type_of_care="annual vision checkup")),
        ("q2", {"year": 2004}, "Kids to an optician in 2004?", "1", "count(*)", [["1"]],
         of(log, care, date="2004/05/05")),
        ("q3", {"year": 2004}, "Kids to a dentist in 2004?", "1", "count(*)", [["0"]], []),
        ("q4", may, "Who did I talk with most in May 2003?", "1", "friends,max(length)", [["Ann", "20"]],
         of(log, chat, date=in_may)),
        ("q5", {}, "Minutes each day talking?", "1", "avg(length)", [["20.0"]], of(log, chat)),
        ("q6", {"friends": "Ann", **may}, "How many times did I talk to Ann in May 2003?", "1", "count(*)", [["2"]],
         of(log, chat, date="2003/05/01")),
        ("q7", june, "What exercise came first in June 2003?", "1", "exercise,max(num)", [["rowing", "1"]],
         of(log, "daily_exercise", date=in_june)),
        ("q8", {"exercise": "rowing", **june}, "How many times did I rowing in June 2003?", "1", "count(*)", [["1"]],
         of(log, "daily_exercise", date="2003/06/02")),
        ("q9", {"exercise": "rowing"}, "The month of which year, when did I rowing the most?", "1,2",
         "year,month,max(num)", [["2004", "6", "1"]], of(log, "daily_exercise", exercise="rowing")),
        ("q10", {"mealtype": "lunch", "people_string": NAN, "month": 10, "year": 2003},
         "The lunch dishes that nan had in October of 2003?", "1", "foodtype", [], []),
        ("q11", {"mealtype": "lunch", "foodtype": "tacos", "month": 10, "year": 2003},
         "How often did I have tacos for lunch in October 2003?", "1", "count(*)", [["1"]],
         of(log, "daily_meal", mealtype="lunch", date="2003/10/01")),
        ("q12", {"readtype": "news"}, "What time on average did I spend on news each day?", "1",
         "avg(howlong)", [["10.0"]], of(log, "daily_read", readtype="news")),
        ("q13", {"year": 2003, "readtype": "a book"}, "How many a book did I read in 2003?", "1", "count(*)", [["1"]],
         of(log, "daily_read", readtype="a book")),
        ("q14", {"watchtype": "a movie", "year": 2004}, "How many times a movie have I watched since 2004?", "1",
         "count(*)", [["2"]], of(log, "daily_watchtv", date=lambda day: day.startswith("2004"))),
        ("q15", {"watchtype": "a movie"}, "Year I watched the most of a movie?", "1", "year,max(num)", [["2004", "2"]],
         of(log, "daily_watchtv")),
        ("q16", {"cuisine": " tart", "year": 2002}, "How often did I make  tart after 2002?", "1",
         "count(*)", [["3"]], []),
        ("q17", {}, "What do I bake or cook?", "1", "cuisine,max(num)", [["tart", "2"]], of(log, "weekly_bakeorcook")),
        ("q18", {"year": 2003, "month": 6}, "How many dishes on average in June 2003?", "1", "avg",
         [["0.06451612903225806"]], of(log, "weekly_bakeorcook", date="2003/06/10")),
        ("q19", {"year": 2003}, "Times of grocery shopping in 2003?", "1", "count(*)", [["2"]],
         of(log, shop, date=lambda day: day.startswith("2003"))),
        ("q20", {"toiletries": "soap"}, "What year did I buy soap the most?", "1", "year,max(num)", [["2003", "2"]],
         soap),
        ("q21", {}, "What fruit do I buy?", "1", "fruits,max(num)", [["figs", "3"]], of(log, shop)),
        ("q22", {"people_string": "%Cleo%"}, "The last time for groceries with Cleo?", "1", "max(date_obj)",
         [["2004-02-10 00:00:00"]], []),
        ("q23", {"hobbies": "chess", "people_string": "Jo"}, "How often have I played chess with Jo?", "1", "count(*)",
         [["2"]], of(log, fun, people_string=lambda names: names in ("Jo", "Joan"))),
        ("q24", {"hobbies": "chess"}, "Who do I play chess with?", "1", "people_string,max(num)", [["", "1"]],
         of(log, fun, hobbies="chess")),
        ("q25", {"year": 2003}, "My hobby in 2003?", "1", "hobbies,max(num)", [["knitting", "4"]], of(log, fun)),
        ("q26", oslo, "What did I eat in Oslo, Norway?", "1,:", "food_type",
         [["stew"], ["herring"], ["herring"], ["soup"]], of(log, food, **oslo)),
        ("q27", {}, "The common foods I eat when I travel?", "1,:", "food_type",
         [["herring"], ["soup"], ["bread"], ["fish"], ["stew"]], of(log, food)),
        ("q28", riga, "The common foods in Riga, Latvia?", "1,:", "food_type", [["bread"], ["fish"], ["cake"]],
         of(log, food, **riga)),
        ("q29", {"place": "Old Fort"}, "What did I eat on the day that I visited Old Fort?", "1,:",
         "food_type,dining_date,place", [["bread", "x", "Old Fort"], ["herring", "x", "Old Fort"]],
         of(log, food, place="Old Fort")),
        ("q30", {"place": "Old Fort"}, "How many times did I visit Old Fort?", "1", "count(*)", [["2"]], fort),
        ("q31", oslo, "How many places in Oslo, Norway?", "1", "count(distinct r.place)", [["4"]],
         of(log, visits, **oslo)),
        ("q32", oslo_visits, "Which places in Oslo, Norway did I see with  Jo?", "1,:", "place",
         [["Harbor"], ["Old Fort"], ["Fjord"], ["Mole"]], of(log, visits, **oslo)),
        ("q36", {}, "How many times did I move in all?", "?", "count(*)", [["1"]], None),
        ("q37", {}, "The most recent move?", "?", "max(date_obj)", [["2003-02-01 00:00:00"]], None),
        ("q38", {}, "How many times did I move for work?", "?", "count(*)", [["0"]], None),
        ("q39", oslo, "Times I did travel to Oslo, Norway?", "1", "count(*)", [["2"]], of(log, "travel", **oslo)),
        ("q40", oslo, "The first time I traveled to Oslo, Norway?", "1", "min(date_obj)", [["2003-03-01 00:00:00"]],
         of(log, "travel", **oslo)),
        ("q41", {**oslo, "start_year": 2004}, "Did I travel to Oslo, Norway in year 2004?", "1", "count(*)", [["1"]],
         of(log, "travel", start_date="2004/07/01")),
        ("q42", {}, "My top N destinations?", "1,:", "city,num",
         [["Oslo, Norway", "2"], ["Riga, Latvia", "1"], ["Pisa, Italy", "1"]], of(log, "travel")),
    ]  # fmt: skip


FAULTS = {
    "q04": "duplicate names counted",
    "q05": "wrong denominator",
    "q06": "duplicate names counted",
    "q07": "tie",
    "q09": "tie",
    "q10": "asks about nan",
    "q12": "wrong denominator",
    "q16": "part of a name matched; evidence empty",
    "q18": "wrong denominator",
    "q19": "online orders counted; evidence surplus",
    "q20": "tie; evidence incomplete",
    "q22": "meetings counted; evidence empty",
    "q23": "part of a name matched; evidence surplus",
    "q24": "blank; evidence surplus",
    "q25": "arbitrary winner",
    "q26": "duplicate items",
    "q27": "tie; cut at five",
    "q29": "several days; evidence incomplete; evidence surplus",
    "q30": "name in two cities",
    "q32": "part of a name matched; evidence surplus",
    "q41": "always the same",
    "q42": "number never filled; cut at a comma",
}
