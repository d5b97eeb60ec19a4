import torch

from kasu.inflection.systems import msu_02, msu_03, msu_04
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session


def test_the_network_keeps_the_weights_of_its_language_model():
    characters, tags = msu_04.symbols([Item("ab", ("V",), "ba")])
    settings = msu_02.Settings(layers=msu_03.LAYERS)
    model = msu_02.network(characters, tags, "low", settings, "forward")
    made = msu_03.network(model, characters, tags, "low", msu_03.Settings(), "")
    assert made.fused is not model
    for weight, other in zip(made.fused.parameters(), model.parameters(), strict=True):
        assert torch.equal(weight, other)
        assert not weight.requires_grad
    assert made.dense.in_features == 128 + 64
    assert (made.history, made.erased) == (2, 0.4)
    assert (len(made.fused.cell.layers), made.fused.history) == (2, 5)


def test_each_member_has_a_language_model_of_its_own(tmp_path, monkeypatch):
    seen = []
    network = msu_03.network

    def recorded(model, *arguments):
        seen.append(model.output.weight.detach().clone())
        return network(model, *arguments)

    monkeypatch.setattr(msu_03, "network", recorded)
    words = [Item(lemma, ("N",), f"{lemma}ak") for lemma in ("bal", "dan", "kel")]
    small = dict.fromkeys(("hidden", "encoder", "embedding", "feature", "dense"), 4)
    small |= {"epochs": 1, "model_epochs": 1}
    runs = [Run(None, 1), Run(None, 2)]
    found = msu_03.FAMILY.train(
        Data("toy", "low", words, words, words), runs, small, Session(tmp_path)
    )
    assert [*found] == runs
    assert len(seen) == 2
    assert not torch.equal(*seen)


def test_a_member_learns_a_suffix(share_right):
    small = {"hidden": 48, "encoder": 32, "epochs": 12, "model_epochs": 4}
    assert share_right("msu_03", small) > 0.9
