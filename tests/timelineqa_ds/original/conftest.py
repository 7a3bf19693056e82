"""A small invented log, written in the file formats of the original program, with every trap of its outputs."""

from __future__ import annotations

import csv
import json
import shutil
import tarfile
from pathlib import Path

import pytest


ROOT = Path(__file__).parents[3]
SAMPLE = ROOT.parent / "shared" / "timelineqa" / "original_sparse.tar.xz"
NAN = float("nan")
TABLES = {
    "marriages": "eid,married_date,partner_name,location",
    "moves": "eid,date,type_of_move,destination",
    "travel": "eid,start_date,end_date,city,people",
    "travel_places_visited": "eid,start_date,end_date,city,place_visit_date,place,people,action,emotion",
    "travel_dining": "eid,start_date,end_date,city,dining_date,food_type,food_location,place_visit_date,place,people,"
    "action,emotion",
    "annual_medical_care": "eid,date,for_whom,type_of_care",
    "monthly_pet_care": "eid,date,pet_care_type",
    "weekly_grocery": "eid,date,fruits,drinks,toiletries,people_string",
    "weekly_dating": "eid,date,people_string,location",
    "weekly_hobby": "eid,date,hobbies,people_string",
    "weekly_bakeorcook": "eid,date,cuisine,location,people",
    "daily_exercise": "eid,date,exercise,heart_rate",
    "daily_read": "eid,date,readtype,howlong",
    "daily_watchtv": "eid,date,watchtype,howlong",
    "daily_meal": "eid,date,mealtype,foodtype,people_string",
    "daily_chat": "eid,date,timeofday,howlong,friends",
}
NEWEST_FIRST = ("travel", "annual_medical_care")
PERSONA = {
    "age_years": 19, "birth_year": 1985, "birth_month": 3, "birth_day": 9, "birth_city": "Turku",
    "birth_country": "Finland", "num_sibling": 1, "sibling_names": ["Ida"], "biological_mom_name": "Eva",
    "biological_dad_name": "Olof", "gender": "male", "partners_names": ["Vera"], "kids_names": ["Kim"],
    "close_friends_names": ["Ann", "Bo", "Ann"], "professions": ["baker"], "hobbies": ["chess"],
    "exercise": ["curling"], "pet_names": ["Rex"], "trips_per_year": 2, "personality": "calm", "body_metric": True,
}  # fmt: skip


class Writer:
    """Episodes and table rows of a log, numbered as they are added."""

    def __init__(self) -> None:
        self.days: dict = {}
        self.tables: dict = {name: [] for name in TABLES}
        self.count = 0

    def add(self, day, event, held, text, pairs=(), table=None, **row):
        """An episode on `day` (YYYY/MM/DD), with a row of a table; the id of the episode."""
        eid = f"e{self.count}"
        self.count += 1
        episodes = self.days.setdefault(day, {})
        number = "" if event == "birth_info" else str(sum(event in key for key in episodes))
        episodes[event + number] = {
            "eid": eid,
            "logical_representation": [day, *held],
            "text_template_based": text,
            "text_model_based": [""],
            "atomic_qa_pairs": [list(pair) for pair in pairs],
            "multihop_qa_pairs": [],
        }
        if table:
            self.tables[table].append({"eid": eid, **row})
        return eid

    def daily(self, day, event, kind, minutes, table, column):
        text = f"{minutes} minutes went to {kind}."
        pairs = [(f"Did I spend time on {kind} on {day}?", "yes"), (f"how long on {day}?", f"{minutes} minutes")]
        self.add(
            day, event, [kind, f"{minutes} minutes"], text, pairs, table, date=day, howlong=minutes, **{column: kind}
        )

    def chat(self, day, friends, minutes):
        names = ", ".join(dict.fromkeys(part.strip() for part in friends.split(",")))
        text = f"With {names}, a talk of {minutes} until noon."
        pairs = [
            (f"who did I talk to on {day}?", friends),
            (f"how long with {friends} on {day}?", f"{minutes} minutes"),
        ]
        row = {"date": day, "timeofday": "before noon", "howlong": minutes, "friends": friends}
        return self.add(day, "chat", [friends, "before noon", f"{minutes} minutes"], text, pairs, "daily_chat", **row)

    def grocery(self, day, fruits, toiletries, people, how):
        text = {
            "online": f"{fruits} came by mail, ordered online.",
            "with": f"{people} and I carried home {fruits}.",
            "met": f"{fruits}, and I saw {people} at the till.",
            "alone": f"{fruits} from the store.",
        }[how]
        named = people if how in ("with", "met") else ""
        held = [text, fruits, "tea", toiletries, people]
        row = {"date": day, "fruits": fruits, "drinks": "tea", "toiletries": toiletries, "people_string": named}
        return self.add(day, "grocery", held, text, [], "weekly_grocery", **row)

    def trip(self, start, end, city, people, visits=(), meals=()):
        """A trip with its visits and meals; a meal's stale columns are those of the last visit."""
        held = [end, people or ["myself"], city]
        who = ", ".join(people) or "myself"
        row = {"start_date": start, "end_date": end, "city": city, "people": who}
        pairs = [(f"when did I go to {city}?", start), ("How long did I stay?", "3")]
        self.add(start, "travel", held, f"From {start} on I saw {city} with {who} ", pairs, "travel", **row)
        row = {"start_date": midnight(start), "end_date": midnight(end), "city": city}
        stale = {}
        for day, place in visits:
            stale = {"place_visit_date": day, "place": place, "people": who, "action": "sang", "emotion": "glad"}
            text = f"In {city} in {day[:7]}, {place} with {who}."
            pairs = [(f"when was {place}?", day)]
            held = [people or ["myself"], place, "sang", "glad"]
            self.add(day, "places_visited", held, text, pairs, "travel_places_visited", **row, **stale)
        for day, food in meals:
            text = f"{food} at Kaja\u2019s  with {who} in {city}."
            held, more = [people or ["myself"], food, "Kaja\u2019s"], {"dining_date": day, "food_type": food}
            more["food_location"] = "Kaja\u2019s"
            pairs = [(f"what did I eat on {day}?", food)]
            wrong = {**stale, "people": "Nobody"} if stale else {}
            self.add(day, "dining", held, text, pairs, "travel_dining", **row, **more, **wrong)


def midnight(day):
    return f"{day.replace('/', '-')} 00:00:00"


def episodes(log):
    """Two years, 2003 and 2004, of an invented life; days are not added in order."""
    log.add("1985/03/09", "birth_info", [["Eva", "Olof"], ["Turku", "Finland"]],
            "Born on 1985/03/09 in Turku, Finland.", [("where was I born?", "Turku, Finland")])  # fmt: skip
    log.add("2003/02/01", "college move", ["Umea", ["Eva"], "to study"], "Off to college in Umea.", [], "moves",
            date="2003/02/01", type_of_move="college move", destination="North College")  # fmt: skip
    log.add("2007/06/01", "college graduation", ["Umea"], "A degree from Umea.")
    log.trip("2004/07/01", "2004/07/05", "Oslo, Norway", ["Ann", "Jo"],
             [("2004/07/02", "Old Fort"), ("2004/07/03", "Fjord"), ("2004/07/07", "Mole")],
             [("2004/07/02", "herring"), ("2004/07/03", "herring"), ("2004/07/04", "soup")])  # fmt: skip
    log.trip("2003/08/01", "2003/08/04", "Riga, Latvia", [], [("2003/08/02", "Old Fort")],
             [("2003/08/02", "bread"), ("2003/08/03", "fish"), ("2003/08/04", "cake")])  # fmt: skip
    log.trip(
        "2003/03/01", "2003/03/03", "Oslo, Norway", ["Joan"], [("2003/03/02", "Harbor")], [("2003/03/02", "stew")]
    )
    log.trip("2004/03/01", "2004/03/03", "Pisa, Italy", ["Ann"], [], [("2004/03/02", "herring")])
    for day, kind in (("2004/05/05", "annual vision checkup"), ("2003/09/09", "annual dental cleaning and checkup")):
        text = f"I took Kim for his/her {kind}."
        log.add(day, "child_medical_care", [text, "clinic"], text, [],
                "annual_medical_care", date=day, for_whom="child_medical_care", type_of_care=kind)  # fmt: skip
    log.add("2003/04/04", "personal_medical_care", ["My checkup.", "clinic"], "My checkup at the clinic.", [],
            "annual_medical_care", date="2003/04/04", for_whom="personal_medical_care",
            type_of_care="annual physical checkup")  # fmt: skip
    log.chat("2003/05/20", "Bo", 15)
    log.chat("2003/05/01", "Ann, Ann", 10)
    log.chat("2004/06/01", "Ann,  Bo", 35)
    for day, kind, rate in (
        ("2003/06/01", "running", 120),
        ("2003/06/02", "rowing", 130),
        ("2004/06/03", "rowing", 99),
    ):
        log.add(day, "exercise", [kind], f"{kind} it was.", [(f"What exercise on {day}?", kind)], "daily_exercise",
                date=day, exercise=kind, heart_rate=rate)  # fmt: skip
    for day, meal, food, people, named in (
        ("2003/10/01", "breakfast", "eggs, ham, and bread", "Ann, Bo", ""),
        ("2003/10/01", "lunch", "tacos", "Bo", "Bo"),
        ("2003/11/02", "lunch", "tacos", "Ann", ""),
    ):
        text = f"{food} at {meal} with {named}" if named else f"{food} at {meal}"
        log.add(day, meal, [meal, food, people], text, [(f"what for {meal} on {day}", food)], "daily_meal", date=day,
                mealtype=meal, foodtype=food, people_string=named)  # fmt: skip
    log.daily("2004/01/01", "read", "news", 20, "daily_read", "readtype")
    log.daily("2004/01/01", "social media", "social media", 30, "daily_read", "readtype")
    log.daily("2003/12/31", "read", "a book", 40, "daily_read", "readtype")
    log.daily("2005/01/01", "read", "news", 10, "daily_read", "readtype")
    log.daily("2003/07/07", "watch tv", "a movie", 90, "daily_watchtv", "watchtype")
    log.daily("2004/07/08", "watch tv", "a movie", 95, "daily_watchtv", "watchtype")
    log.daily("2004/07/09", "watch tv", "a movie", 85, "daily_watchtv", "watchtype")
    for day, event, dishes in (
        ("2003/06/10", "bake", "tart, rye bread"),
        ("2004/06/10", "cook", "shepherd\u2019s pie, apple tart"),
        ("2004/06/11", "bake", "tart"),
    ):
        log.add(day, event, [f"{dishes} at home", event, dishes, "myself", "home"], f"{dishes} at home", [],
                "weekly_bakeorcook", date=day, cuisine=dishes, location="home", people="myself")  # fmt: skip
    log.grocery("2003/01/10", "figs, plums", "soap", "Cleo", "with")
    log.grocery("2003/02/10", "figs", "soap, comb", "Ann", "online")
    log.grocery("2004/02/10", "plums, figs", "comb, soap", "Cleo", "met")
    log.grocery("2004/03/10", "kiwis", "soap", "Bo", "alone")
    for day, hobby, people, named in (
        ("2003/01/05", "chess", "Jo", "Jo"),
        ("2003/01/12", "chess", "Joan", "Joan"),
        ("2003/01/19", "chess", "Ann", ""),
        ("2003/01/26", "knitting", "Ann, Bo, Jo, Eva", "Ann, Bo, Jo, Eva"),
    ):
        text = f"{hobby} with {named}" if named else f"{hobby}."
        log.add(day, "hobbies", [text, hobby, people], text, [(f"when {hobby}?", day)], "weekly_hobby", date=day,
                hobbies=hobby, people_string=named)  # fmt: skip
    log.add("2004/10/10", "dating", ["Vera", "a park"], "A date with Vera in a park.", [], "weekly_dating",
            date="2004/10/10", people_string="Vera", location="a park")  # fmt: skip
    log.add("2004/11/11", "pet_care", ["a bath"], "Rex had a bath.", [], "monthly_pet_care", date="2004/11/11",
            pet_care_type="a bath")  # fmt: skip


def of(log, table, **wanted):
    """Ids of the rows of a table with these values; a value may be a function."""
    return [
        row["eid"]
        for row in log.tables[table]
        if all(check(row.get(key)) if callable(check) else row.get(key) == check for key, check in wanted.items())
    ]


def queries(log):
    """(q_id, parameters, question, answer column, header and rows of the result, ids that the QA file gives)."""
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


def write_csv(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_log(root, name):
    """The files of the invented log NAME in root/benchmark and root/QA."""
    log = Writer()
    episodes(log)
    folder = root / "benchmark" / name
    folder.mkdir(parents=True)
    (folder / f"{name}.json").write_text(json.dumps(log.days))
    (folder / "persona.json").write_text(json.dumps(PERSONA))
    for table, columns in TABLES.items():
        header = columns.split(",")
        rows = [[row.get(column, "") for column in header] for row in log.tables[table]]
        order = header.index(next(column for column in header if "date" in column))
        rows.sort(key=lambda row: row[order], reverse=table in NEWEST_FIRST)
        write_csv(folder / f"{table}-log.csv", header, rows)
    asked = queries(log)
    for number in range(1, 43):
        (folder / f"q{number}-result.csv").write_text('""\n')
    header = ["q_id", "query", "params", "question", "datafiles", "answer_column"]
    rows = [[q, f"select {q}", json.dumps(params), text, "x", column] for q, params, text, column, *_ in asked]
    write_csv(folder / "queries.csv", header, rows)
    for q, _, _, _, cells, results, _ in asked:
        numbered = [[number, *row] for number, row in enumerate(results)]
        write_csv(folder / f"{q}-result.csv", ["", *cells.split(",")], numbered)
    (root / "QA").mkdir(exist_ok=True)
    (root / "QA" / f"db-{name}.json").write_text(json.dumps(qa_file(log, folder, asked), indent=True))


def qa_file(log, folder, asked):
    """As the original makes it: rows split at every comma, evidence of a day once for each of its rows."""
    places = {
        episode["eid"]: [day, key, episode["eid"], episode["text_template_based"]]
        for day, inside in log.days.items()
        for key, episode in inside.items()
    }
    atomic = [
        {"question": question, "answer": [[answer]], "evidence_list": [places[episode["eid"]]]}
        for inside in log.days.values()
        for episode in inside.values()
        for question, answer in episode["atomic_qa_pairs"]
    ]
    multihop = []
    for q, _, text, column, _, _, ids in asked:
        if column == "?":
            continue
        lines = (folder / f"{q}-result.csv").read_text(encoding="utf-8").splitlines()[1:]
        answers = [line.split(",")[1 : 3 if column == "1,2" else 2] for line in lines]
        days = [places[eid][0] for eid in ids]
        evidence = [places[eid] for day in days for eid in ids if places[eid][0] == day]
        multihop.append({"question": text, "answer": answers, "evidence_list": evidence})
    text = sorted(places.values())
    return {"name": folder.name, "text": text, "atomic-questions": atomic[:5], "multihop-questions": multihop}


@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """A folder with the invented log sparse-7 in `benchmark` and its questions in `QA`; not to be changed."""
    root = tmp_path_factory.mktemp("original")
    write_log(root, "sparse-7")
    return root


@pytest.fixture
def invented(pristine, tmp_path):
    """A copy of the invented log's folder, to be changed."""
    return Path(shutil.copytree(pristine, tmp_path / "copy"))


@pytest.fixture
def write():
    """`write(root, name)`: the invented log under another name."""
    return write_log


@pytest.fixture(scope="session")
def faults():
    """The faults of the invented log's questions, by template."""
    return FAULTS


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """The folder with a sparse log of the original and its QA file, or a skip."""
    if not SAMPLE.is_file():
        pytest.skip(f"needs a log of the original program: {SAMPLE.name} beside the checkout, in shared/timelineqa")
    root = tmp_path_factory.mktemp("sample")
    with tarfile.open(SAMPLE) as packed:
        packed.extractall(root, filter="data")
    return root
