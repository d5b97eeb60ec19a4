"""Bundles of UniMorph's features: what looks like one, and what alternatives and negations mean."""

import pytest

from kasu.corpora.paradigms.schema import DIMENSION, MOST, Unreadable, alternatives, is_bundle, tidy


@pytest.mark.parametrize(
    ("features", "bundles"),
    [
        ("N;GEN;PL", ["N;GEN;PL"]),
        ("N;;GEN;", ["N;GEN"]),
        ("N;{GEN/DAT};PL", ["N;GEN;PL", "N;DAT;PL"]),
        ("N;GEN/DAT/ABL", ["N;GEN", "N;DAT", "N;ABL"]),
        ("V;{1/2};{SG/PL}", ["V;1;SG", "V;1;PL", "V;2;SG", "V;2;PL"]),
        ("V;{2;SG/3;PL};PRS", ["V;2;SG;PRS", "V;3;PL;PRS"]),
        ("ADJ;{MASC/NEUT}+PL", ["ADJ;MASC+PL", "ADJ;NEUT+PL"]),
        ("N;{IN+ESS/ON+ESS}", ["N;IN+ESS", "N;ON+ESS"]),
        ("N;{{GEN/DAT}/ACC}", ["N;GEN", "N;DAT", "N;ACC"]),
        (
            "N;non{SG/PL}",
            ["N;GRPL", "N;DU", "N;TRI", "N;PAUC", "N;GRPAUC", "N;INVN"],
        ),
        ("N;not{MASC}", ["N;FEM", "N;NEUT"]),
        ("N;(non)FEM;SG", ["N;MASC;SG", "N;NEUT;SG"]),
        ("V;ACC(3,SG);{PRS/PST}", ["V;ACC(3,SG);PRS", "V;ACC(3,SG);PST"]),
        ("V;ERG(3/2,SG)/PST", ["V;ERG(3/2,SG)", "V;PST"]),
    ],
)
def test_a_bundle_allows_each_of_its_alternatives(features, bundles):
    assert [";".join(bundle) for bundle in alternatives(features)] == bundles


@pytest.mark.parametrize(
    "features",
    [
        "N;{GEN/DAT", "N;GEN/DAT}", "N;{GEN/}", "N;/GEN", "N;{}", "N;{GEN}DAT", "N;non{}",
        "N;non{XYZ}", "N;non{GEN/SG}", "N;non{IN+ESS}", "N;{GEN+/DAT}", "N;(non)", "N;anti{GEN}",
        ";".join(["{SG/PL}"] * 12),
    ],
)  # fmt: skip
def test_a_bundle_that_the_schema_does_not_have_is_unreadable(features):
    with pytest.raises(Unreadable):
        alternatives(features)


def test_a_bundle_may_have_many_alternatives():
    assert len(alternatives(";".join(["{SG/PL}"] * 9))) == 512 < MOST


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("N", True),
        ("V.PTCP;PRS", True),
        ("{GEN/DAT};SG", True),
        ("LGSPEC3;N", True),
        ("PSS1S", True),
        ("N|GEN;SG", True),
        ("pos=N,case=GEN", True),
        ("Case=Gen|Number[psor]=Sing", True),
        ("(non)NOM;N", True),
        ("NATO", False),
        ("XYZ;ABC", False),
        ("Nemo", False),
        ("gen;sg", False),
        ("نام", False),
    ],
)
def test_features_are_told_from_words(text, told):
    assert is_bundle(text) == told


@pytest.mark.parametrize("features", ["+Noun+A3sg", "n.sg/pl", "noun {dual", "n<sg>+a<det>", "/"])
def test_features_of_another_schema_have_no_alternatives(features):
    assert alternatives(features) == ((features,),)


@pytest.mark.parametrize("features", [" N;ABL;SG ", "N|ABL;SG", "N ; ABL;SG", "N|ABL | SG"])
def test_a_bundle_has_semicolons(features):
    assert tidy(features) == "N;ABL;SG"


def test_a_feature_has_one_dimension():
    assert (DIMENSION["DAT"], DIMENSION["INST"], DIMENSION["2"]) == ("case", "case", "person")
