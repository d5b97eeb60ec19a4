"""Numbers, measures and dates as wikis write them."""

import pytest

from kasu.corpora.wiki.measures import french_date, measure, write_number, write_quantity


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("7", "fr", "7"),
        ("1234567.25", "en", "1,234,567.25"),
        ("1234567.25", "fr", "1 234 567,25"),
        ("1234", "de", "1.234"),
        ("1234", "es", "1234"),
        ("12345", "es", "12 345"),
        ("-4500", "eu", "−4.500"),
        (" 12 ", "ka", "12"),
        ("12,5", "fr", None),
        ("1e6", "en", None),
        ("007", "en", None),
        ("0.07", "en", "0.07"),
        ("1234", "fa", None),
        ("1234", "hi", None),
    ],
)
def test_numbers_are_written_as_in_the_language(text, language, expected):
    assert write_number(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("4821,75", "fr", "4 821,75"),
        ("4821.75", "fr", "4 821,75"),
        ("4 821,5", "fr", "4 821,5"),
        ("4&nbsp;821", "fr", "4 821"),
        ("12500 km", "fr", "12 500 km"),
        ("1.500", "eu", "1.500"),
        ("1,500", "en", "1,500"),
        ("2,5", "eu", "2,5"),
        ("2.5", "eu", "2,5"),
        ("4821.750", "fr", "4 821,750"),
        ("4&#160;821", "en", "4,821"),
        ("3,14", "en", None),
        ("7", "fa", None),
        ("3 à 5", "fr", None),
        ("beaucoup", "fr", None),
    ],
)
def test_quantities_may_have_separators_and_a_unit(text, language, expected):
    assert write_quantity(text, language) == expected


def call(text):
    """Arguments as a template has them."""
    arguments, number = {}, 0
    for part in text.split("|"):
        name, equals, value = part.partition("=")
        number += not equals
        arguments[name if equals else str(number)] = value if equals else part
    return arguments


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12|km|mi", "12 kilometres"),
        ("1|km", "1 kilometre"),
        ("0.5|mi|km|1", "0.5 miles"),
        ("1200|ft|m|abbr=on", "1,200 ft"),
        ("1,200|ft|m|abbr=in", "1,200 ft"),
        ("3|m|ft|sp=us", "3 meters"),
        ("7|km2|sqmi|adj=on", "7-square-kilometre"),
        ("7|ft|m|adj=on|abbr=on", "7 ft"),
        ("20|C|F|adj=on", "20 °C"),
        ("-5|C", "−5 °C"),
        ("2|to|3|lb|kg", "2 to 3 pounds"),
        ("2|-|3|kg", "2–3 kilograms"),
        ("2|acre|ha|abbr=on", "2 acres"),
        ("1|acre|ha|abbr=on", "1 acre"),
        ("9|mi|km|0", "9 miles"),
        ("9|ft|in|0", "9 feet"),
        ("4|-|9|mi|adj=on", "4–9-mile"),
        ("9|ft|7|in", None),
        ("9|ft|7|in|m|abbr=on", None),
        ("4|to|9|mi|adj=on", None),
        ("9|mi|km|adj=mid|-long", None),
        ("1.0|mi", None),
        ("-1|km", None),
        ("0.5|to|1.0|km|abbr=on", "0.5 to 1.0 km"),
        ("5|t|sp=us", None),
        ("5|km|mi|order=flip", None),
        ("5|km|mi|disp=or", None),
        ("5|hands", None),
        ("5+1/2|mi", None),
        ("5", None),
    ],
)
def test_the_first_half_of_a_conversion(text, expected):
    assert measure(call(text)) == expected


def test_a_short_conversion_has_symbols_unless_it_says_otherwise():
    assert measure(call("9|km|mi"), "on") == "9 km"
    assert measure(call("9|km|mi|abbr=off"), "on") == "9 kilometres"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14|juillet|1902", "14 juillet 1902"),
        ("1|Mars|1902", "1er mars 1902"),
        ("3 4 1902", "3 avril 1902"),
        ("mai 1902", "mai 1902"),
        ("1902", None),
        ("3|13|1902", None),
        ("3|avril|1902|en musique", "3 avril 1902"),
        ("hier", None),
    ],
)
def test_french_dates(text, expected):
    assert french_date(call(text)) == expected
