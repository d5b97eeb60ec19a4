"""The section `inflection`."""

from pathlib import Path

import pytest
import yaml

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.inflection.data.settings import LanguageSettings
from kasu.inflection.settings import (
    SYSTEMS,
    InflectionSettings,
)

ROOT = Path(__file__).resolve().parents[2]


def test_a_file_of_the_folder_is_a_system():
    assert "baseline" in SYSTEMS
    with pytest.raises(KasuError, match=r"systems\[0\]: found 'nn'; expected one of .*baseline"):
        read_settings({"grid": [{"systems": ["nn"]}]}, InflectionSettings)


def test_a_language_is_a_name_or_a_dataset_of_my_own():
    mine = {"name": "mine", "paradigms": "unimorph/eus/eus", "corpus": "demo"}
    languages = read_settings({"languages": ["basque", mine]}, InflectionSettings).languages
    assert languages[0] == "basque"
    assert isinstance(languages[1], LanguageSettings)
    assert languages[1].corpus == "demo"


def test_the_default_is_the_whole_task():
    settings = InflectionSettings()
    assert settings.languages == ("all",)
    (line,) = settings.grid
    stated = {"systems": ["baseline"], "variants": ["published", "insertion"]}
    assert line.dump() == stated | {"options": {}}


def test_the_scales_name_word_counts_of_the_same_languages():
    counts = {}
    for scale in ("real", "paper"):
        config = yaml.safe_load((ROOT / "config" / f"{scale}.yaml").read_text(encoding="utf-8"))
        counts[scale] = {
            row["language"]: row["source"] for row in config["inflection"]["frequencies"]
        }
    assert counts["real"].items() <= counts["paper"].items()
    assert (len(counts["real"]), len(counts["paper"])) == (45, 50)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"sytems": ["baseline"]}, r"config grid\[0\]: unknown key 'sytems'; expected 'systems'"),
        ({"systems": ["baselin"]},
         r"config grid\[0\].systems\[0\]: found 'baselin'; expected one of .*baseline"),
        ({"systems": ["baseline"], "members": 2},
         r"config grid\[0\].members: found 2; expected one of 1, 3, 5, 10, 12, 15, 20, 30, 40, 50"),
        ({"systems": ["baseline"], "settings": ["lo"]},
         r"config grid\[0\].settings\[0\]: found 'lo'; expected one of low, medium, high"),
    ],
)  # fmt: skip
def test_a_wrong_word_in_a_line_is_one_clear_line(line, message):
    with pytest.raises(KasuError, match=message):
        read_settings({"grid": [line]}, InflectionSettings)
