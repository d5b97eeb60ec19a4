"""Waseda: its four parts, the choice among them, and the answers that print lacks."""

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.inflection.data.triples import read_triples
from kasu.inflection.families import FAMILIES
from kasu.inflection.systems import waseda
from kasu.inflection.systems.waseda import VARIANTS, Holistic, Settings, choose
from kasu.neural.stopping import Patience
from kasu.transduction.items import Answer, Item, read_item
from kasu.transduction.members.families import Answers, Data, Run, Session
from kasu.transduction.members.networks import Drawing

PARTICIPLE = "V;V.PTCP;PRS"
PAPER = [
    read_item("show", "V;PST", "showed"),
    read_item("show", PARTICIPLE, "showing"),
    read_item("release", "V;PST", "released"),
    read_item("release", PARTICIPLE, "releasing"),
    read_item("schmear", "V;PST", "schmeared"),
]
TOY = [Item(f"{root}a", ("N", "PL"), f"{root}ak") for root in "bdfghjklmn"] * 6
NETWORKS = ("seq2seq", "augmented")


def test_the_example_of_the_paper():
    assert Holistic(PAPER).inflect(read_item("illustrate", PARTICIPLE)) == "illustrating"
    assert Holistic(PAPER).inflect(read_item("bow", PARTICIPLE)) == "bowing"
    assert Holistic(PAPER[:2]).inflect(read_item("illustrate", PARTICIPLE)) == "illustrateing"


def test_the_most_frequent_solution_of_the_longest_suffix():
    pairs = [("ra", "rax"), ("sa", "say"), ("ta", "tay"), ("pata", "pataz")]
    train = [read_item(lemma, "N", form) for lemma, form in pairs]
    # Equally long suffixes: y twice, x once; of a longer one, z
    assert Holistic(train).inflect(read_item("la", "N")) == "lay"
    assert Holistic(train).inflect(read_item("lata", "N")) == "lataz"
    # Once each: the first of the file
    assert Holistic(train[:2]).inflect(read_item("la", "N")) == "lax"
    assert Holistic(train[1::-1]).inflect(read_item("la", "N")) == "lay"


def test_the_lemma_where_features_are_unseen_or_no_analogy_has_a_solution():
    train = [read_item("ab", "N", "cd"), read_item("ka", "V", "ku")]
    assert Holistic(train).inflect(read_item("ef", "N")) == "ef"
    assert Holistic(train).inflect(read_item("ab", "A")) == "ab"
    assert Holistic([]).inflect(read_item("ab", "N")) == "ab"


def recipe(items, variant="seq2seq", seed=1, **options):
    data = Data("toy", "low", items, [], [])
    return waseda.recipe(data, Drawing(Settings(**options), seed), variant)


def test_sizes_are_those_of_the_paper():
    given = recipe(TOY)
    assert (given.batch_size, given.stop, given.measure) == (20, Patience(30, 500), "loss")
    made = waseda.network(*waseda.alphabets(TOY), "low", Drawing(Settings(), 1), "seq2seq")
    assert made.encoder.table.embedding_dim == made.decoder.table.embedding_dim == 300
    assert (made.encoder.network.size, made.encoder.network.width) == (100, 200)
    assert (made.decoder.cell.size, len(made.decoder.cell.layers)) == (100, 2)
    assert made.decoder.attentions[0].length.item() == pytest.approx(0.1)


@pytest.mark.parametrize(("count", "held"), [(1, 0), (2, 1), (8, 4), (40, 5), (60, 6)])
def test_a_tenth_of_the_lines_is_held_out_and_not_learnt(count, held):
    items = [Item(f"a{number}", (), "a") for number in range(count)]
    given = recipe(items)
    assert len(given.validated) == held
    learnt = [items[place] for place in given.order(np.random.default_rng(1))]
    assert sorted([*learnt, *given.validated]) == sorted(items)
    # Without a line held out, the last epoch is kept
    assert given.stop == Patience(30 if held else 500, 500)
    assert recipe(items).validated == given.validated
    assert count < 40 or recipe(items, seed=2).validated != given.validated


def test_lines_that_end_training_may_be_learnt_too():
    given = recipe(TOY, "augmented", held_out=False)
    assert given.validated == recipe(TOY).validated
    order = given.order(np.random.default_rng(1))
    assert sorted(order) == [*range(len(TOY) + len(given.made))]


def test_rare_rules_make_five_words_each_of_lines_that_are_learnt():
    # Ten lines or so of each of these rules, and one each of others
    common = [Item(f"b{vowel}lt", ("N",), f"b{vowel}lts") for vowel in "aeiou"] * 10
    rare = [Item(f"{letter}on", ("N",), f"{letter}onat") for letter in "cdfghjkmpq"]
    given = recipe([*common, *rare], "augmented")
    learnt = sum(item not in given.validated for item in rare)
    assert len(given.made) == 5 * learnt > 0
    for item in given.made:
        assert item.target == f"{item.source}at"
        assert item.source[0] in "cdfghjkmpq"
        assert 1 <= len(item.source) - 2 <= 4
    assert {len(item.source) for item in given.made} == {3, 4, 5, 6}
    # They are learnt, after the lines
    order = given.order(np.random.default_rng(1))
    assert set(range(60, 60 + len(given.made))) <= set(order)
    again = recipe([*common, *rare], "augmented")
    assert (again.made, again.validated) == (given.made, given.validated)
    assert recipe([*common, *rare]).made == []


DEV = Data("toy", "low", [], [Item("x", (), "y")] * 50, [Item("x", ())] * 50)
DEV50 = [Answer(["y"])] * 50
DIVERGED = KasuError("training of a member", "loss nan", "a finite loss")


def found_by(*rights):
    """What the four parts have found: how many of dev are right, from the first on."""
    parts = (
        right
        if isinstance(right, KasuError)
        else Answers([Answer(["y" if item < right else "n"]) for item in range(50)], DEV50)
        for right in rights
    )
    return {Run(name, 1): part for name, part in zip(VARIANTS["chosen"], parts, strict=True)}


@pytest.mark.parametrize(
    ("rights", "part"),
    [
        ((4, 3, 3, 3), "baseline"),
        ((3, 4, 3, 3), "holistic"),
        ((3, 3, 4, 3), "seq2seq"),
        ((3, 3, 3, 4), "augmented"),
        # Of equals, the first
        ((3, 3, 3, 3), "baseline"),
        ((2, 3, 3, 3), "holistic"),
        ((0, 0, DIVERGED, 0), "baseline"),
        ((0, 0, DIVERGED, 1), "augmented"),
    ],
)
def test_the_best_on_dev_answers(rights, part):
    found = found_by(*rights)
    assert choose(Run("chosen", 1), found, DEV) == found[Run(part, 1)]


def test_without_dev_the_baseline_answers():
    found = found_by(1, 2, 3, 4)
    assert choose(Run("chosen", 1), found, DEV._replace(dev=[])) == found[Run("baseline", 1)]


def test_a_part_asked_for_alone_is_its_own_answer_or_error():
    found = found_by(9, 2, DIVERGED, 4)
    for part in VARIANTS["chosen"]:
        assert choose(Run(part, 1), found, DEV) is found[Run(part, 1)]


def test_incomplete_batches_of_networks_are_empty():
    """Of 50 answers in batches of 20, 40 are there; rules answer all."""
    incomplete = Run("incomplete", 1)
    forms = [answer.forms[0] for answer in choose(incomplete, found_by(1, 1, 1, 9), DEV).test]
    assert forms == ["y"] * 40 + [""] * 10
    # 40 of 50 are fewer than 40 of 40, as print has it
    found = found_by(41, 0, 0, 40)
    assert choose(Run("chosen", 1), found, DEV) == found[Run("baseline", 1)]
    assert choose(incomplete, found, DEV).test[-1] == Answer([""])
    assert choose(incomplete, found_by(41, 0, 0, 32), DEV) == found[Run("baseline", 1)]
    # Full batches are all there; of fewer than 20, nothing is
    assert waseda.drop_rest(DEV50[:40]) == DEV50[:40]
    assert waseda.drop_rest(DEV50[:7]) == [Answer([""])] * 7


def test_a_part_asked_for_alone_trains_no_other(tmp_path, monkeypatch):
    data = Data("toy", "low", TOY, TOY[:1], TOY[:1])
    trained = []

    def train(data, members, options, session):
        trained.extend(members)
        return {member: found_by(1, 1, 1, 1)[Run("seq2seq", 1)] for member in members}

    monkeypatch.setattr(waseda, "NETWORKS", type("", (), {"train": staticmethod(train)}))
    ask = FAMILIES.load("waseda").train
    ask(data, [Run("baseline", 1), Run("holistic", 1)], {}, Session(tmp_path))
    assert trained == []
    monkeypatch.setattr(waseda, "Baseline", None)
    monkeypatch.setattr(waseda, "Holistic", None)
    ask(data, [Run("augmented", 1)], {}, Session(tmp_path))
    assert trained == [Run("augmented", 1)]


def test_variants_together_train_each_network_once(tmp_path, monkeypatch):
    data = Data("toy", "low", TOY, DEV.dev, DEV.test)
    trained = []

    def train(data, members, options, session):
        trained.extend(members)
        return dict.fromkeys(members, found_by(0, 0, 50, 50)[Run("seq2seq", 1)])

    monkeypatch.setattr(waseda, "NETWORKS", type("", (), {"train": staticmethod(train)}))
    runs = [Run(variant, seed) for variant in VARIANTS for seed in (1, 2)]
    found = FAMILIES.load("waseda").train(data, runs, {}, Session(tmp_path))
    assert sorted(trained) == sorted(Run(part, seed) for part in NETWORKS for seed in (1, 2))
    assert list(found) == runs
    assert found[Run("chosen", 2)].test == DEV50
    assert found[Run("incomplete", 2)].test == [*DEV50[:40], *[Answer([""])] * 10]


def test_without_training_items_the_lemma_answers(tmp_path):
    asked = [read_item("bal", "N;PL")]
    runs = [Run(variant, 1) for variant in VARIANTS if variant != "incomplete"]
    found = FAMILIES.load("waseda").train(
        Data("toy", "low", [], [], asked), runs, {}, Session(tmp_path)
    )
    assert found == dict.fromkeys(runs, Answers([], [Answer(["bal"])]))


def test_a_network_that_diverges_costs_no_other_part(tmp_path):
    data = Data("toy", "low", TOY[:12], TOY[:4], TOY[:4])
    options = {"hidden": 4, "embedding": 4, "epochs": 2, "learning_rate": 1e38}
    runs = [Run("seq2seq", 1), Run("chosen", 1)]
    alone, best = FAMILIES.load("waseda").train(data, runs, options, Session(tmp_path)).values()
    assert "training of waseda-toy-low-seq2seq-1" in str(alone)
    assert [answer.forms for answer in best.test] == [[item.target] for item in TOY[:4]]


@pytest.mark.parametrize(("variant", "epochs"), [("seq2seq", 30), ("augmented", 14)])
def test_a_network_learns_a_suffix(share_right, variant, epochs):
    options = {"hidden": 32, "embedding": 32, "epochs": epochs, "learning_rate": 0.01}
    assert share_right("waseda", options, variant) > 0.9


@pytest.mark.parametrize("variant", ["holistic", "chosen"])
def test_a_member_learns_a_suffix(share_right, variant):
    assert share_right("waseda", {"hidden": 4, "embedding": 4, "epochs": 1}, variant) == 1


@pytest.mark.real
@pytest.mark.parametrize(
    ("language", "printed"),
    [("telugu", "80.0"), ("turkmen", "54.0"), ("yiddish", "68.0")],
)
def test_published_figures_of_analogies_on_dev_at_low(mirror, language, printed):
    (path,) = mirror.glob(f"sigmorphon2018/task1/*/{language}-train-low")
    train, dev = (
        [read_item(lemma, tags, form) for lemma, form, tags in read_triples(each)]
        for each in (path, path.with_name(f"{language}-dev"))
    )
    right = sum(Holistic(train).inflect(item) == item.target for item in dev)
    assert f"{100 * right / len(dev):.1f}" == printed
