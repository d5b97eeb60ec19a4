import math

import pytest

from kasu.base.errors import KasuError
from kasu.inflection.systems import msu_02
from kasu.neural.stopping import Patience
from kasu.transduction.alignments.paradigms import Paradigm, forms_of
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session

SMALL = {"hidden": 6, "feature": 3, "dense": 4, "epochs": 1}
PRESENT = ("V", "PRS")


def test_forms_of_the_paper():
    """The paper prints *делает*, which its first paradigm cannot make of *делать*."""
    paradigms = [
        Paradigm(("", "ать"), ("", "ет")),
        Paradigm(("", "ать"), ("", "ит")),
        Paradigm(("", "ь"), ("", "")),
        Paradigm(("", "чь"), ("", "жет")),
    ]
    (found,) = forms_of([(PRESENT, "делать")], {PRESENT: paradigms})
    assert found == ["делет", "делит", "делат"]


def test_without_a_paradigm_no_form():
    paradigms = {PRESENT: [Paradigm(("", "чь"), ("", "жет"))]}
    assert forms_of([(PRESENT, "делать"), (("V",), "мочь")], paradigms) == [[], []]


def test_sizes_and_recipe_are_those_of_the_program():
    settings = msu_02.Settings()
    made = msu_02.network(Alphabet("abc"), Alphabet(["V"]), "low", settings, "backward")
    assert (made.backward, made.cell.size, made.dense.out_features) == (True, 64, 32)
    assert made.cell.layers[0].kernel.input_size == 32 + 5 * 7
    data = Data("toy", "low", [Item("a", (), "b")] * 1000, [Item("a", (), "b")], [])
    given = msu_02.recipe(data, settings, "forward")
    assert (given.batch_size, given.stop, given.measure) == (16, Patience(5, 50), "loss")
    few = data._replace(train=data.train[:100], dev=[])
    assert msu_02.recipe(few, settings, "forward").batch_size == 10
    assert msu_02.recipe(few, settings, "forward").stop == Patience(50, 50)


def test_many_ways_to_fit_are_cut_and_logged(tmp_path, caplog):
    # Seven variables with an a between each: more than 10,000 ways in a lemma of 40 a
    lemma, form = "bacadaeafaga", "bxcxdxexfxgx"
    train = [Item(lemma, PRESENT, form)]
    # Without a form, the lemma
    asked = [Item("a" * 40, PRESENT), Item("ac", PRESENT), Item("ac", ("V",))]
    data = Data("toy", "low", train, [], asked)
    run = Run(None, 1)
    caplog.set_level("INFO")
    found = msu_02.FAMILY.train(data, [run], SMALL, Session(tmp_path))[run]
    assert not isinstance(found, KasuError)
    assert "a paradigm fits 1 items in more than 10000 ways" in caplog.text
    answer, *others = found.test
    assert [other.forms for other in others] == [["ac"], ["ac"]]
    assert 1 <= len(answer.forms) <= 5
    assert all(map(math.isfinite, answer.scores))


@pytest.mark.parametrize("direction", [0, 1])
def test_a_model_that_diverges_is_the_members_error(tmp_path, monkeypatch, direction):
    network, made = msu_02.network, []

    def spoilt(*arguments):
        made.append(network(*arguments))
        if len(made) == direction + 1:
            made[-1].output.bias.data.fill_(math.nan)
        return made[-1]

    monkeypatch.setattr(msu_02, "network", spoilt)
    words = [Item(lemma, ("N",), f"{lemma}ak") for lemma in ("bal", "dan", "kel")]
    runs = [Run(None, 1), Run(None, 2)]
    bad, good = msu_02.FAMILY.train(
        Data("toy", "low", words, words, words), runs, SMALL, Session(tmp_path)
    ).values()
    assert "loss nan" in str(bad)
    assert [answer.forms[0] for answer in good.test] == ["balak", "danak", "kelak"]


def test_a_member_learns_a_suffix(share_right):
    assert share_right("msu_02", {"epochs": 5}) == 1
