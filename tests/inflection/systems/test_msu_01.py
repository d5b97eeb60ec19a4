import math
from dataclasses import replace

import pytest

from kasu.base.errors import KasuError
from kasu.inflection.systems import msu_01, msu_02, msu_04
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Data, Run, Session

PLURAL = ("N", "PL")
WORDS = [Item(lemma, PLURAL, f"{lemma}ak") for lemma in ("bal", "dan", "kel")]
DATA = Data("toy", "low", WORDS, WORDS[:1], [Item("nal", PLURAL), Item("nal", ("V",))])
SMALL = {
    "hidden": 4, "encoder": 4, "embedding": 4, "feature": 3, "dense": 4, "epochs": 1,
    "model_epochs": 1,
}  # fmt: skip
RANKED, SUMMED = Run("ranked", 1), Run("summed", 1)


class Network:
    """A network with these forms for each new item. A letter costs it 1 bit, but x costs 9."""

    def __init__(self, *forms):
        self.new, self.known, self.asked = iter(forms), {}, []

    def answer(self, items, width):
        self.asked.append((items, width))
        for item in items:
            if (item.source, item.tags) not in self.known:
                self.known[item.source, item.tags] = next(self.new)
        found = (self.known[item.source, item.tags] for item in items)
        return [Answer([*forms], [0.0] * len(forms)) for forms in found]

    def letters(self, items, width):
        self.asked.append((items, width))
        return [
            [-(9 if letter == "x" else 1) * math.log(2) for letter in [*item.target, "end"]]
            for item in items
        ]


class Model:
    """A language model to which a form costs one nat for each letter."""

    def log_prob(self, strings, tags):
        import torch

        return torch.tensor([-float(len(form)) for form in strings], dtype=torch.float64)


def test_the_networks_forms_come_first_and_each_once():
    items = [Item("bal", PLURAL), Item("dan", PLURAL), Item("kel", PLURAL), Item("mor", ())]
    network = [["balak", "bal"], ["dan"], [], []]
    paradigms = [["bala", "balak"], [], ["kelak", "kela"], []]
    assert msu_01.unite(items, network, paradigms) == [
        ["balak", "bal", "bala"], ["dan"], ["kelak", "kela"], ["mor"],
    ]  # fmt: skip


def test_a_letter_costs_4_6_bits_at_most():
    """The cap is −ln 0.01 = 4.605, though the letters are in bits."""
    network = Network()
    found = msu_01.costs(network, [Item("q", PLURAL), Item("r", ())], [["ab", "xbx"], [""]])
    assert found == [pytest.approx([3, 2 * 4.605170 + 2]), pytest.approx([1])]
    (items, width) = network.asked[0]
    assert width == 5
    assert items == [
        Item("q", ("N", "N_PL"), "ab"), Item("q", ("N", "N_PL"), "xbx"), Item("r", (), ""),
    ]  # fmt: skip


def test_five_forms_are_written_with_features_as_the_network_reads_them():
    network = Network(["ab"])
    assert msu_01.written(network, [Item("q", PLURAL)]) == [["ab"]]
    assert network.asked == [([Item("q", ("N", "N_PL"))], 5)]
    assert msu_01.written(None, [Item("q", PLURAL)] * 2) == [(), ()]


@pytest.fixture
def parts(monkeypatch):
    """Replace the trained parts; their calls, and the network that is given."""
    calls, given = [], {"network": None}

    def models(data, seed, options, session):
        calls.append(("models", seed, options))
        return msu_02.Ranked(data.train, [Model(), Model()])

    def network(data, seed, options, session):
        calls.append(("network", seed))
        return given["network"]

    monkeypatch.setattr(msu_02, "train_models", models)
    monkeypatch.setattr(msu_01, "train_network", network)
    return calls, given


def test_both_variants_rank_what_was_trained_once(parts, tmp_path):
    calls, given = parts
    # For the item of dev, for one of test, and for one whose features have no paradigm
    given["network"] = Network(["xxxxx"], ["nxx", "nal"], ["nal"])
    runs = [RANKED, SUMMED, Run("ranked", 2)]
    found = msu_01.FAMILY.train(DATA, runs, SMALL, Session(tmp_path))
    assert [*found] == runs
    assert calls == [
        ("models", 1, {"epochs": 1}), ("network", 1), ("models", 2, {"epochs": 1}), ("network", 2),
    ]  # fmt: skip
    # Two models: each letter costs 2. The paradigm makes balak and nalak
    # Of equals, those of the network come first, the one that it likes best before all
    assert found[RANKED].dev == [Answer(["xxxxx", "balak"], [-10, -10])]
    assert found[RANKED].test == [
        Answer(["nxx", "nal", "nalak"], [-6, -6, -10]), Answer(["nal"], [-6]),
    ]  # fmt: skip
    # Letters and the end cost a bit more each, x up to 4.6
    (one,) = found[SUMMED].dev
    assert one.forms == ["balak", "xxxxx"]
    assert one.scores == pytest.approx([-10 - 6, -10 - 5 * 4.605170 - 1])
    (one, other) = found[SUMMED].test
    assert one.forms == ["nal", "nalak", "nxx"]
    assert one.scores == pytest.approx([-6 - 4, -10 - 6, -6 - 2 - 9.21034])
    assert other == Answer(["nal"], [-10])


def test_five_forms_by_paradigms_are_kept_the_best_to_the_models(parts, tmp_path):
    _, given = parts
    given["network"] = Network(["yyyyyyyyyyyy"])
    # Seven paradigms, the most frequent of the longest forms
    ends = [end for count in range(1, 8) for end in ["z" * count] * count]
    train = [Item("bal", PLURAL, f"bal{end}") for end in ends]
    data = Data("toy", "low", train, [], [Item("kel", PLURAL)])
    found = msu_01.FAMILY.train(data, [RANKED], SMALL, Session(tmp_path))[RANKED]
    assert found.test[0].forms == ["kelz", "kelzz", "kelzzz", "kelzzzz", "kelzzzzz"]
    given["network"] = Network(["kelzz", "ke"])
    found = msu_01.FAMILY.train(data, [RANKED], SMALL, Session(tmp_path))[RANKED]
    assert found.test[0].forms == ["ke", "kelz", "kelzz", "kelzzz", "kelzzzz"]
    # Another one is the sixth to the models, whatever the network thinks of it
    ends = ["x", "xx", "xxx", "xxxx", "xxxxx", "zzzzzz"]
    data = data._replace(train=[Item("bal", PLURAL, f"bal{end}") for end in ends])
    found = msu_01.FAMILY.train(data, [SUMMED], SMALL, Session(tmp_path))[SUMMED]
    assert found.test[0].forms == ["ke", "kelzz", "kelx", "kelxx", "kelxxx"]


def test_a_network_that_diverges_leaves_the_forms_by_paradigms(tmp_path, monkeypatch, caplog):
    network = msu_04.FAMILY.network

    def spoilt(*arguments):
        made = network(*arguments)
        made.output.bias.data.fill_(math.nan)
        return made

    family = replace(msu_04.FAMILY, network=spoilt)
    monkeypatch.setattr(msu_04, "FAMILY", family)
    caplog.set_level("INFO")
    found = msu_01.FAMILY.train(DATA, [RANKED, SUMMED], SMALL, Session(tmp_path))
    assert "msu_01, toy: only forms by paradigms: training of msu_04-toy-low-released-1" in (
        caplog.text
    )
    assert found[RANKED] == found[SUMMED]
    assert [answer.forms for answer in found[RANKED].test] == [["nalak"], ["nal"]]


def test_a_language_model_that_diverges_is_the_error_of_its_seed(tmp_path, monkeypatch):
    network, made = msu_02.network, []

    def spoilt(*arguments):
        made.append(network(*arguments))
        if len(made) == 2:
            made[-1].output.bias.data.fill_(math.nan)
        return made[-1]

    monkeypatch.setattr(msu_02, "network", spoilt)
    runs = [RANKED, SUMMED, Run("ranked", 2)]
    bad, other, good = msu_01.FAMILY.train(DATA, runs, SMALL, Session(tmp_path)).values()
    assert "loss nan" in str(bad) and other is bad
    assert len(good.test) == 2


def test_no_training_items_are_one_line(tmp_path):
    with pytest.raises(KasuError, match="toy, low: no training items; expected one or more"):
        msu_01.FAMILY.train(DATA._replace(train=[]), [RANKED], SMALL, Session(tmp_path))


def test_parts_are_those_of_the_other_systems(tmp_path, monkeypatch):
    """The network is that of msu-04's member, and the models are those of msu-02's."""
    from kasu.transduction.networks.character_lm import CharacterLM
    from kasu.transduction.networks.pointer_lm import StepTransducer

    weights = {}

    def seen(kind, method):
        original = getattr(kind, method)

        def call(network, *arguments):
            key = kind.__name__, getattr(network, "backward", None)
            weights.setdefault(key, []).append(network.output.weight.detach().clone())
            return original(network, *arguments)

        monkeypatch.setattr(kind, method, call)

    seen(StepTransducer, "answer")
    seen(CharacterLM, "log_prob")
    options = {key: value for key, value in SMALL.items() if key != "model_epochs"}
    msu_01.FAMILY.train(DATA, [RANKED], SMALL, Session(tmp_path / "1"))
    ours, weights = weights, {}
    msu_04.FAMILY.train(DATA, [Run("released", 1)], options, Session(tmp_path / "4"))
    msu_02.FAMILY.train(DATA, [Run(None, 1)], {"epochs": 1}, Session(tmp_path / "2"))
    assert ours.keys() == weights.keys() and len(ours) == 3
    for key, (first, *_) in ours.items():
        assert first.equal(weights[key][0])


@pytest.mark.parametrize("variant", ["ranked", "summed"])
def test_a_member_learns_a_suffix(share_right, variant):
    small = {"hidden": 48, "encoder": 32, "epochs": 12, "model_epochs": 10}
    assert share_right("msu_01", small, variant, "medium") > 0.9
