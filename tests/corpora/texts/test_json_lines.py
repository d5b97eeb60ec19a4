"""JSON lines: an object a line, whose keys are distinct."""

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.texts.json_lines import objects, parse_object


def test_objects_come_with_the_numbers_of_their_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"a": "x\u2028"}\r\n \n{"b": null, "c": NaN, "d": {}}\n'.encode())
    (first, one), (second, two) = objects(path)
    assert (first, one) == (1, {"a": "x\u2028"})
    assert (second, two["b"], two["d"], [*two]) == (3, None, {}, ["b", "c", "d"])


def test_blanks_around_a_key_are_stripped_but_not_inside(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{" a": 1, "b\\t": {"c ": [2], "c": 3}}\n')
    assert [*objects(path)] == [(1, {"a": 1, "b": {"c ": [2], "c": 3}})]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"a": 1, "b": 2, "b": 1}', "b"),
        ('{"a": 1, "b": 3, "a ": 2}', "a"),
        ('{"b": {"a": 1, "a": 2}}', "a"),
        ('{"b": [{}, {"c": [{"a": 1, "a": 2}]}], "d": 1}', "a"),
    ],
)
def test_two_equal_keys_are_one_line(tmp_path, line, key):
    path = tmp_path / "x.jsonl"
    path.write_text(f"{{}}\n{line}\n")
    with pytest.raises(KasuError) as error:
        [*objects(path)]
    assert str(error.value) == f"{path}:2: the key {key!r} twice or more; expected each key once"


def test_a_line_alone_keeps_its_keys():
    assert parse_object('{"the": 1, " the": 2}', "x:1") == {"the": 1, " the": 2}
