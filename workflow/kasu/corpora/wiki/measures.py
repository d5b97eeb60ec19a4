"""Numbers, measures and dates as MediaWiki and the commonest templates of wikis write them."""

import re
from collections.abc import Mapping

_NUMBER = re.compile(r"([-−+]?)(0|[1-9][0-9]*)(?:\.([0-9]+))?")
# Grouping and decimal separator by language (separatorTransformTable of MediaWiki's messages);
# other languages are not known
_SEPARATORS = {
    ",.": "en ga he ja ka ko ms simple th ur zh cy mt sco sw tl",
    ".,": "az bs ca crh da de el eu fy gl hr id is mk nds nl ro sl sq sr tr vi jv su",
    " ,": "af be bg br cs eo es et fi fr fur hu hy ia it kk lt ltg lv nb nn no oc pl pt ru se sk "
    "sv uk uz wa ba ce cv os sah tt udm ast qu io",
}
# What templates take for a number: also one with separators, and with a unit after it
_QUANTITIES = {
    separators: re.compile(
        rf"([-−+]?)([0-9]{{1,3}}(?:(?:[\xa0 {separators[0]}]|&nbsp;|&#160;)[0-9]{{3}})+|[0-9]+)"
        rf"(?:[.{separators[1]}]([0-9]+))?((?: |&nbsp;)[^0-9]+)?"
    )
    for separators in _SEPARATORS
}
SEPARATORS = {
    language: separators
    for separators, languages in _SEPARATORS.items()
    for language in languages.split()
}
# Languages that do not group four digits (minimumGroupingDigits)
_NARROW = "es et bg hy pl ru uk kk sah ast an ba ce cv os tt udm qu"
_FROM_FIVE = frozenset(_NARROW.split())

# The singular, plural and symbol of each unit of {{convert}}, as the English template writes them;
# an empty symbol is the word
UNITS = {
    "km": ("kilometre", "kilometres", "km"),
    "m": ("metre", "metres", "m"),
    "cm": ("centimetre", "centimetres", "cm"),
    "mm": ("millimetre", "millimetres", "mm"),
    "mi": ("mile", "miles", "mi"),
    "nmi": ("nautical mile", "nautical miles", "nmi"),
    "yd": ("yard", "yards", "yd"),
    "ft": ("foot", "feet", "ft"),
    "in": ("inch", "inches", "in"),
    "km2": ("square kilometre", "square kilometres", "km2"),
    "m2": ("square metre", "square metres", "m2"),
    "sqmi": ("square mile", "square miles", "sq mi"),
    "sqft": ("square foot", "square feet", "sq ft"),
    "ha": ("hectare", "hectares", "ha"),
    "acre": ("acre", "acres", ""),
    "kg": ("kilogram", "kilograms", "kg"),
    "g": ("gram", "grams", "g"),
    "lb": ("pound", "pounds", "lb"),
    "t": ("tonne", "tonnes", "t"),
    "km/h": ("kilometre per hour", "kilometres per hour", "km/h"),
    "mph": ("mile per hour", "miles per hour", "mph"),
    "C": ("°C", "°C", "°C"),
    "F": ("°F", "°F", "°F"),
    "K": ("K", "K", "K"),
}
UNITS |= {"°C": UNITS["C"], "°F": UNITS["F"], "mile": UNITS["mi"], "kph": UNITS["km/h"]}
_ONE = re.compile(r"[-−+]1(?:\.0+)?|1\.0+")
_RANGES = {"to": " to ", "and": " and ", "-": "–", "–": "–", "by": " by ", "or": " or "}
# Arguments of {{convert}} that leave the text of its first half as it is
_HARMLESS = frozenset({"sigfig", "round", "lk", "debug"})

_MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre",
)  # fmt: skip
_DATE = re.compile(r"(?:(1er|[0-9]{1,2}) )?([^\W\d_]+|[0-9]{1,2})(?: ([0-9]{1,4}))?")


def write_number(text: str, language: str) -> str | None:
    """Write a number as {{formatnum:}} does on the wikis of a language.

    None if it is no plain number, or if the language's separators or digits are not known.
    """
    separators, number = SEPARATORS.get(language), _NUMBER.fullmatch(text.strip())
    if separators is None or number is None:
        return None
    sign, whole, decimals = number.groups()
    if len(whole) > (4 if language in _FROM_FIVE else 3):
        # A separator before every three digits, from the right
        whole = re.sub(r"(?<=[0-9])(?=(?:[0-9]{3})+$)", separators[0], whole)
    return sign.replace("-", "−") + whole + (separators[1] + decimals if decimals else "")


def write_quantity(text: str, language: str) -> str | None:
    """Write a number, which may have separators or a unit, as templates of a language do.

    None if it is none, or if it is not known how the language writes it.
    """
    separators = SEPARATORS.get(language)
    quantity = separators and _QUANTITIES[separators].fullmatch(text.strip())
    if not quantity:
        return None
    sign, whole, decimals, unit = quantity.groups()
    whole = re.sub("&#160;|[^0-9]", "", whole)
    number = write_number(f"{sign}{whole}" + (f".{decimals}" if decimals else ""), language)
    return number and number + (unit or "")


def measure(arguments: Mapping[str, str], abbreviated: str = "off") -> str | None:
    """Return the first half of what {{convert}} shows: "5 kilometres" of "5 kilometres (3.1 mi)".

    `abbreviated` is the default of its argument `abbr`. None if the unit or an argument is not
    among those that are known here.
    """
    given = {name: value.strip() for name, value in arguments.items()}
    positional = [given.pop(str(number)) for number in range(1, 9) if str(number) in given]
    abbreviated = given.pop("abbr", abbreviated)
    american = given.pop("sp", "") == "us"
    adjective = given.pop("adj", "off")
    # Other arguments may change the text in ways that are not known here
    if given.keys() - _HARMLESS or abbreviated not in ("on", "off", "in", "out"):
        return None
    # One value and its unit, or a range: two values with a word between them
    values, between = positional[:1], ""
    if len(positional) > 3 and positional[1] in _RANGES:
        between = _RANGES[positional[1]]
        values, positional = [positional[0], positional[2]], positional[2:]
    if len(positional) < 2 or positional[1] not in UNITS or adjective not in ("on", "off"):
        return None
    numbers = [_quantity(value) for value in values]
    # A further number with a unit belongs to a measure in two units, such as feet and inches
    if None in numbers or any(map(_quantity, positional[2:-1])):
        return None
    singular, plural, symbol = UNITS[positional[1]]
    short = symbol and abbreviated in ("on", "in")
    if not short and adjective == "on" and between not in ("", "–"):
        return None  # its words are joined
    if american and positional[1] == "t":
        return None  # another word
    if not short and adjective == "off" and _ONE.fullmatch(str(numbers[-1])):
        return None  # of 1.0 or −1, wikis differ
    # As an adjective, the unit is singular and joined by a hyphen
    one = adjective == "on" or numbers == ["1"]
    unit = symbol if short else singular if one else plural
    if american:
        unit = unit.replace("metre", "meter")
    if adjective == "on" and not short and not unit.startswith("°"):
        unit = "-" + unit.replace(" ", "-")
    else:
        unit = " " + unit
    return between.join(map(str, numbers)) + unit


def _quantity(value: str) -> str | None:
    plain = value.replace(",", "")
    return write_number(plain, "en") if _NUMBER.fullmatch(plain) else None


def french_date(arguments: Mapping[str, str]) -> str | None:
    """Return the text of {{date|1|janvier|2000}} or {{date|1 janvier 2000}} in French."""
    parts = [arguments[key].strip() for key in ("1", "2", "3") if key in arguments]
    date = _DATE.fullmatch(" ".join(" ".join(parts).split()))
    if date is None:
        return None
    day, month, year = date.groups()
    if month.isdigit():
        month = _MONTHS[int(month) - 1] if 1 <= int(month) <= len(_MONTHS) else ""
    if month.lower() not in _MONTHS:
        return None
    return " ".join(filter(None, ("1er" if day == "1" else day, month.lower(), year)))
