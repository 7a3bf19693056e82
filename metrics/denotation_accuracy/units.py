"""The words that the lenient comparison knows: numbers, magnitudes, units, money, types, booleans, days, months."""

from __future__ import annotations


KINDS = ("number", "date", "text", "boolean")
ARTICLES = frozenset({"a", "an", "the"})
BOOLEANS = {"yes": True, "true": True, "no": False, "false": False}
# Known to be booleans only when the answer is one.
SHORT_BOOLEANS = {**BOOLEANS, "y": True, "n": False, "t": True, "f": False, "1": True, "0": False}

_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {
    **{name: number for number, name in enumerate(_MONTHS, 1)},
    **{name[:3]: number for number, name in enumerate(_MONTHS, 1)},
    "sept": 9,
}
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
# What a date in words may hold beside its numbers and its month.
WEEKDAYS = frozenset([*_DAYS, *(day[:3] for day in _DAYS), "tues", "thur", "thurs", "on", "the", "of"])


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBERS = {word: number for number, word in enumerate(_SMALL)} | {
    word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)
}


def _table(spellings: dict[int, str]) -> dict[str, int]:
    return {word: value for value, words in spellings.items() for word in words.split()}


# English first, then what other languages write after digits.
MAGNITUDES = _table(
    {
        12: "dozen dozens doz",
        20: "score",
        10**2: "hundred hundreds 百",
        10**3: "thousand thousands k grand mille tausend тысяч тысяча тысячи ألف 千",
        10**4: "万 萬 만",
        10**5: "lakh lakhs lac lacs लाख",
        10**6: "million millions mn mln mio millones millón milione milioni milhão milhões millionen миллион миллиона "
        "миллионов млн مليون",
        10**7: "crore crores cr करोड़",
        10**8: "億 亿 억",
        10**9: "billion billions bn bln b milliard milliards milliarde milliarden mrd миллиард миллиарда миллиардов "
        "млрд مليار",
        10**12: "trillion trillions tn trn 兆 조",
        10**15: "quadrillion quadrillions",
        10**18: "quintillion quintillions",
        10**21: "sextillion sextillions",
        10**24: "septillion septillions",
    }
)
# Letters that are a magnitude after a sign of money, and in capitals; otherwise what they are compared with decides.
UNCLEAR: dict[str, tuple[int, tuple[str, ...]]] = {
    "m": (10**6, ("metre", "minute")),
    "mm": (10**6, ("millimetre",)),
    "t": (10**12, ("tonne",)),
}
# "Second" is a unit of time.
PARTS = _table(
    {
        2: "half halves",
        3: "third thirds",
        4: "quarter quarters fourth fourths",
        **{
            number: f"{word} {word}s"
            for number, word in zip(
                (5, 6, 7, 8, 9, 10, 12, 20, 100, 1000, 10**6, 10**9),
                "fifth sixth seventh eighth ninth tenth twelfth twentieth hundredth thousandth millionth "
                "billionth".split(),
                strict=True,
            )
        },
    }
)
POWERS = {"squared": 2, "cubed": 3}

_SPELLINGS = {
    "millisecond": "ms millisecond milliseconds",
    "second": "s sec secs second seconds 秒",
    "minute": "min mins minute minutes 分",
    "hour": "h hr hrs hour hours 時間 小时",
    "day": "d day days 日 天 일",
    "week": "wk wks week weeks 週 周",
    "fortnight": "fortnight fortnights",
    "month": "mo mos month months か月 ヶ月 个月",
    "year": "y yr yrs year years 年 년",
    "decade": "decade decades",
    "century": "century centuries",
    "time": "x time times 回 次",
    "person": "person persons people 人 명",
    "child": "child children",
    "piece": "piece pieces pcs 個 个 개",
    "millimetre": "millimeter millimeters millimetre millimetres",
    "centimetre": "cm centimeter centimeters centimetre centimetres",
    "kilometre": "km kms kilometer kilometers kilometre kilometres",
    "metre": "meter meters metre metres",
    "foot": "ft foot feet",
    "mile": "mi mile miles",
    "inch": "inch inches",
    "hectare": "ha hectare hectares",
    "gram": "g gr gram grams gramme grammes",
    "milligram": "mg milligram milligrams",
    "kilogram": "kg kgs kilo kilos kilogram kilograms",
    "tonne": "tonne tonnes",
    "ounce": "oz ounce ounces",
    "litre": "l liter liters litre litres",
    "millilitre": "ml milliliter milliliters millilitre millilitres",
    "byte": "byte bytes",
    "megabyte": "mb megabyte megabytes",
    "gigabyte": "gb gigabyte gigabytes",
    "terabyte": "tb terabyte terabytes",
    "percent": "% percent pct",
    "permille": "‰ permille",
    "degree": "° degree degrees",
    "kilometre per hour": "kmh kph",
    "mile per hour": "mph",
}
_MONEY = {
    "pound": "£ pound pounds gbp lb lbs quid",
    "dollar": "$ us$ dollar dollars usd bucks",
    "euro": "€ euro euros eur",
    "yen": "¥ yen jpy 円",
    "rupee": "₹ rupee rupees inr rs",
    "won": "₩ won krw",
    "ruble": "₽ ruble rubles rouble roubles rub",
    "franc": "franc francs chf",
    "yuan": "yuan cny rmb 元",
    "cent": "¢ cent cents",
    "penny": "penny pence",
    "australian dollar": "a$ aud",
    "canadian dollar": "c$ cad",
    "hong kong dollar": "hk$ hkd",
}
UNITS = {
    spelling: unit for table in (_SPELLINGS, _MONEY) for unit, words in table.items() for spelling in words.split()
}
# Units of several words, once each word is read.
PHRASES = {
    "us dollar": "dollar",
    "american dollar": "dollar",
    "pound sterling": "pound",
    "degree c": "degree celsius",
    "degree f": "degree fahrenheit",
    "metre square": "square metre",
    **{f"{short}{power}": f"{word} {unit}" for power, word in (("2", "square"), ("3", "cubic")) for short, unit in (
        ("m", "metre"), ("km", "kilometre"), ("cm", "centimetre"), ("mm", "millimetre"), ("ft", "foot"),
    )},
    **{f"{word} {short}": f"{word} {unit}" for word in ("square", "cubic") for short, unit in (
        ("m", "metre"), ("mm", "millimetre"),
    )},
}  # fmt: skip
MONEY = frozenset(_MONEY)
# What may stand before an amount. "Pounds 5" is no amount.
CURRENCIES = {
    "rs.": "rupee",
    **{
        word: UNITS[word]
        for word in "us$ hk$ a$ c$ $ £ € ¥ ₹ ₩ ₽ usd eur gbp jpy inr rs chf aud cad krw cny rmb hkd rub".split()
    },
}
SIGNS = {"+": 1, "plus": 1, "positive": 1, "-": -1, "minus": -1, "negative": -1}
# Units that are converted: {unit: (unit of the same family, how many of it)}.
FAMILIES: dict[str, tuple[str, int | float]] = {
    "millisecond": ("second", 0.001),
    "second": ("second", 1),
    "minute": ("second", 60),
    "hour": ("second", 3600),
    "day": ("second", 86400),
    "week": ("second", 604800),
    "fortnight": ("second", 1209600),
    "month": ("month", 1),
    "year": ("month", 12),
    "decade": ("month", 120),
    "century": ("month", 1200),
}
# With one of these after it a number is no amount that we understand: "3 pm", "3 or four", "3 of them", "5 below".
NOT_UNITS = (
    frozenset(
        "am pm bc ad bce ce oclock and or nor to of not no non than is was are were in on at by but for from with "
        "without more less fewer over under above below beyond about around roughly approximately approx circa nearly "
        "almost plus minus negative positive out off short ago each odd something some few several many ish so point "
        "half halves maybe perhaps probably possibly if vs versus through until till between up down left st nd rd th "
        "per e i myriad myriads gross scores googol googols zillion zillions hundredweight mil sic fold infinity nan "
        "both either neither only just all".split()
    )
    | WEEKDAYS
    | ARTICLES
    | NUMBERS.keys()
    | MAGNITUDES.keys()
    | PARTS.keys()
    | POWERS.keys()
)
