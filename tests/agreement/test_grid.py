"""Lines of the grid: conditions, variants, corpora and training sets that fit each other."""

import pytest
from pydantic import ValidationError

from kasu.agreement.settings import AgreementSettings
from kasu.base.errors import KasuError


def test_conditions_are_base_or_known_names_joined():
    def conditions(*names):
        grid = [{"conditions": list(names)}]
        return AgreementSettings.model_validate({"corpora": ["basque"], "grid": grid}).grid

    assert conditions("base", "single_verb+no_ak")[0].conditions == ("base", "single_verb+no_ak")
    for wrong in ("no_verbs", "base+no_ak", "no_ak+", ""):
        with pytest.raises(ValidationError):
            conditions(wrong)


def test_a_line_names_variants_of_the_datasets():
    given = {"corpora": ["basque"], "variant": ["paper"], "grid": [{"variants": ["released"]}]}
    line = r"config agreement.grid\[0\].variants: found released; expected one of agreement.variant"
    with pytest.raises(KasuError, match=line):
        AgreementSettings.model_validate(given)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            {"systems": ["mlp"]},
            "systems: found mlp; expected majority or lemma or ngram or lstm or bilstm",
        ),
        (
            {"task": "suffix", "conditions": ["no_ak+suffixes_only"]},
            "conditions: found suffixes_only; expected for task suffix: base, ",
        ),
    ],
)
def test_a_line_fits_its_task(line, message):
    given = {"corpora": ["basque"], "grid": [{"task": "suffix"}, line]}
    with pytest.raises(KasuError, match=rf"config agreement.grid\[1\].{message}"):
        AgreementSettings.model_validate(given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"grid": [{"conditions": ["base@900k"]}]},
            r"grid\[0\].conditions: found base@900k; expected a training set after @: 300k",
        ),
        (
            {"training_sets": [{"name": "old", "corpus": "classics"}]},
            "training_sets old: found corpus classics; expected one of agreement.corpora",
        ),
        (
            {"training_sets": [{"name": "a"}, {"name": "a"}]},
            "training_sets: 'a' 2 times; expected each name once",
        ),
        (
            {"grid": [{"task": "suffix", "conditions": ["suffixes_only@300k"]}]},
            r"grid\[0\].conditions: found suffixes_only; expected for task suffix",
        ),
    ],
)
def test_training_sets_and_conditions_fit_each_other(given, message):
    defined = {"corpora": ["basque"], "training_sets": [{"name": "300k"}]}
    with pytest.raises(KasuError, match=f"config agreement.{message}"):
        AgreementSettings.model_validate(defined | given)


def test_a_condition_may_name_a_training_set():
    given = {"corpora": ["basque"], "training_sets": [{"name": "300k"}]}
    grid = [{"task": "suffix", "conditions": ["no_verb+no_ak@300k"]}]
    assert AgreementSettings.model_validate(given | {"grid": grid}).grid[0].conditions == (
        "no_verb+no_ak@300k",
    )


def test_a_line_of_the_grid_names_corpora_of_the_study():
    grid = [{"corpora": ["french"]}]
    with pytest.raises((KasuError, ValidationError), match="found french; expected one of agree"):
        AgreementSettings.model_validate({"corpora": ["basque"], "grid": grid})
