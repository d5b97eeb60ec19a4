"""The section `inflection.ladder`."""

import pytest

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.inflection.settings import InflectionSettings

VOTE = {"system": "CA-D-E", "variant": "expert", "source": "outputs/{language}.tsv"}
LADDER = {
    "family": "uzh", "setting": "low", "languages": {"albanian-2017": "albanian"},
    "order": ["static", "expert"], "outputs": [VOTE],
}  # fmt: skip


def read(**output):
    ladder = LADDER | {"outputs": [VOTE | output]}
    return read_settings({"ladder": ladder}, InflectionSettings).ladder


def test_no_ladder_by_default():
    assert InflectionSettings().ladder is None


def test_the_margin_is_two_points_unless_stated():
    assert read().margin == 0.02


def test_single_models_have_seeds_and_a_place_for_them():
    (output,) = read(seeds=[0, 1], source="outputs/{language}_{seed}.tsv").outputs
    assert output.seeds == (0, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"source": "outputs/albanian.tsv"},
        {"source": "outputs/{language}_{seed}.tsv"},
        {"source": "outputs/{language}_{place}.tsv"},
        {"source": "outputs/{language"},
        {"source": "outputs/{}"},
        {"source": "outputs/{language:5d}"},
        {"source": "outputs/{language!r}"},
        {"source": "outputs/{language}{language!s}"},
        {"seeds": [1, 2]},
    ],
)
def test_places_of_a_source_are_language_and_seed(wrong):
    line = r"ladder.outputs\[0\]: found .*; expected system, source with {language}, and perhaps"
    with pytest.raises(KasuError, match=line):
        read(**wrong)


def test_an_order_has_two_variants_or_more():
    line = r"config ladder.order: found \['static'\]; expected a list of two variants or more"
    with pytest.raises(KasuError, match=line):
        read_settings({"ladder": LADDER | {"order": ["static"]}}, InflectionSettings)
