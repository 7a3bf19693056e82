"""The persona and the episodes of an invented log, with every trap of the original program's outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


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
        self.days: dict[str, dict[str, dict[str, Any]]] = {}
        self.tables: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
        self.count = 0

    def add(
        self,
        day: str,
        event: str,
        held: Sequence[object],
        text: str,
        pairs: Sequence[tuple[str, str]] = (),
        table: str | None = None,
        **row: object,
    ) -> str:
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

    def daily(self, day: str, event: str, kind: str, minutes: int, table: str, column: str) -> None:
        text = f"{minutes} minutes went to {kind}."
        pairs = [(f"Did I spend time on {kind} on {day}?", "yes"), (f"how long on {day}?", f"{minutes} minutes")]
        self.add(
            day, event, [kind, f"{minutes} minutes"], text, pairs, table, date=day, howlong=minutes, **{column: kind}
        )

    def chat(self, day: str, friends: str, minutes: int) -> str:
        names = ", ".join(dict.fromkeys(part.strip() for part in friends.split(",")))
        text = f"With {names}, a talk of {minutes} until noon."
        pairs = [
            (f"who did I talk to on {day}?", friends),
            (f"how long with {friends} on {day}?", f"{minutes} minutes"),
        ]
        row = {"date": day, "timeofday": "before noon", "howlong": minutes, "friends": friends}
        return self.add(day, "chat", [friends, "before noon", f"{minutes} minutes"], text, pairs, "daily_chat", **row)

    def grocery(self, day: str, fruits: str, toiletries: str, people: str, how: str) -> str:
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

    def trip(
        self,
        start: str,
        end: str,
        city: str,
        people: list[str],
        visits: Sequence[tuple[str, str]] = (),
        meals: Sequence[tuple[str, str]] = (),
    ) -> None:
        """A trip with its visits and meals; a meal's stale columns are those of the last visit."""
        held = [end, people or ["myself"], city]
        who = ", ".join(people) or "myself"
        row = {"start_date": start, "end_date": end, "city": city, "people": who}
        pairs = [(f"when did I go to {city}?", start), ("How long did I stay?", "3")]
        self.add(start, "travel", held, f"From {start} on I saw {city} with {who} ", pairs, "travel", **row)
        row = {"start_date": midnight(start), "end_date": midnight(end), "city": city}
        stale: dict[str, str] = {}
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


def midnight(day: str) -> str:
    return f"{day.replace('/', '-')} 00:00:00"


def episodes(log: Writer) -> None:
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
