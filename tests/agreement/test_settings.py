"""The section `agreement`: its defaults are the paper's."""

from kasu.agreement.settings import AgreementSettings


def test_defaults_are_those_of_the_paper():
    settings = AgreementSettings(corpora=("basque",))
    assert settings.training.hidden == 150
    assert settings.length == (2, 60)
    assert abs(sum(settings.split.dump().values()) - 1) < 1e-9
