"""The section `cloze` of the config."""

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.settings import ClozeSettings
from kasu.config.reading import read_settings

SPLITS = {"low": "a", "dev": "b", "test": "c"}


def test_defaults_are_all_languages_copying_and_the_null():
    settings = read_settings({}, ClozeSettings)
    assert settings.languages == ("all",)
    assert [line.systems for line in settings.grid] == [("copy", "frequent")]
    assert settings.grid[0].settings is None


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"grid": [{"systems": ["copi"]}]},
         r"config grid\[0\].systems\[0\]: found 'copi'; expected one of bme_has, copenhagen, "),
        ({"grid": [{"systems": ["copy"], "settings": ["low"]}]},
         r"settings\[0\]: found 'low'; expected one of track1-low, track1-medium, track1-high, "),
        ({"languages": [{"name": "mine"}]}, "expected a name, all, available, or a map with name"),
        ({"languages": [{"name": "mine", "splits": {"dev": "b", "test": "c"}}]},
         "expected dev, test, and one of low, medium, high or more"),
    ],
)  # fmt: skip
def test_a_wrong_word_is_one_clear_line(section, message):
    with pytest.raises(KasuError, match=message):
        read_settings(section, ClozeSettings)


def test_own_splits():
    own = {"name": "mine", "splits": SPLITS}
    (read,) = read_settings({"languages": [own]}, ClozeSettings).languages
    assert read.splits.dump() == SPLITS
