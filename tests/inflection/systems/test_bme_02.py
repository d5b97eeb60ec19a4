from kasu.inflection.systems import bme, bme_02
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.members.families import vote_by_dev

SETTINGS = bme.Settings()


def test_each_member_has_a_configuration_of_its_own():
    settled = [bme_02.settle(SETTINGS, "basque", "low", seed) for seed in range(1, 16)]
    assert len(set(settled)) == 15
    # The one that the authors chose most often comes first
    assert settled[0].parts == ((30, 512, 2), (10, 128, 1), (50, 512, 2))


def test_networks_are_those_of_bme():
    settings = bme_02.settle(SETTINGS, "basque", "low", 1)
    made = bme_02.network(Alphabet("ab"), Alphabet(["N"]), "low", settings, "")
    assert (made.together, made.decoder.cell.size) == (128, 512)
    assert bme_02.FAMILY.members == {"low": 15, "medium": 15, "high": 15}
    assert {"bme-02": vote_by_dev} == bme_02.FAMILY.submissions
