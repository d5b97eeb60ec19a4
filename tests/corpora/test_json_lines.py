"""JSON lines: an object a line, whose keys are distinct."""

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.json_lines import objects, parse_object


def test_objects_come_with_the_numbers_of_their_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"a": "x\u2028"}\r\n \n{"b": null, "c": NaN, "d": {}}\n'.encode())
    (first, one), (second, two) = objects(path)
    assert (first, one) == (1, {"a": "x\u2028"})
    assert (second, two["b"], two["d"], [*two]) == (3, None, {}, ["b", "c", "d"])


def test_blanks_around_a_key_are_stripped():
    assert parse_object('{" a": 1, "b\\t": {"c ": [2]}}', "x:1") == {"a": 1, "b": {"c": [2]}}


@pytest.mark.parametrize(
    "line", ['{"a": 1, "a": 1}', '{"a": 1, "a ": 2}', '{"b": {"a": 1, "a": 2}}']
)
def test_two_equal_keys_are_one_line(line):
    with pytest.raises(KasuError) as error:
        parse_object(line, "x.jsonl:3")
    assert str(error.value) == "x.jsonl:3: 'a' names two columns; expected a name for each"
