"""Waseda: its four parts, the choice among them, and the answers that print lacks."""

from pathlib import Path

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.inflection.data.triples import read_triples
from kasu.inflection.families import FAMILIES
from kasu.inflection.systems import waseda
from kasu.inflection.systems.waseda import VARIANTS, Settings
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import alphabets
from kasu.transduction.analogy import Analogies
from kasu.transduction.items import Answer, Item, read_item
from kasu.transduction.members.families import Answers, Data, Run, Session
from kasu.transduction.members.learning import Incomplete
from kasu.transduction.members.networks import Drawing

TOY = [Item(f"{root}a", ("N", "PL"), f"{root}ak") for root in "bdfghjklmn"] * 6
NETWORKS = ("seq2seq", "augmented")


def recipe(items, variant="seq2seq", seed=1, **options):
    data = Data("toy", "low", items, [], [])
    return waseda.recipe(data, Drawing(Settings(**options), seed), variant)


def test_sizes_are_those_of_the_paper():
    given = recipe(TOY)
    assert (given.batch_size, given.stop, given.measure) == (20, Patience(30, 500), "loss")
    made = waseda.network(*alphabets(TOY), "low", Drawing(Settings(), 1), "seq2seq")
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


# What is asked is a number, by which a part tells whether it knows the form
DEV = Data(
    "toy",
    "low",
    TOY[:1],
    [Item(str(number), (), "y") for number in range(50)],
    [Item("0", ())] * 50,
)
DIVERGED = KasuError("training of a member", "loss nan", "a finite loss")
RULES = ("baseline", "holistic")


class Part:
    """A part that has so many of dev right, from the first on."""

    def __init__(self, right):
        self.right = right

    def answer(self, items, width=1):
        return [Answer(["y" if int(item.source) < self.right else "n"]) for item in items]

    def state_dict(self):
        return {}


@pytest.fixture
def learn(monkeypatch):
    """Let members choose among parts with these numbers of right forms; list what is trained."""
    trained = []

    def ask(rights, runs, data=DEV):
        parts = {
            name: right if isinstance(right, KasuError) else Part(right)
            for name, right in zip(VARIANTS["chosen"], rights, strict=True)
        }

        def train(data, members, options, session):
            trained.extend(members)
            return {member: parts[member.variant] for member in members}

        def rules(data, part):
            trained.append(part)
            return parts[part]

        monkeypatch.setattr(waseda, "NETWORKS", type("", (), {"learn": staticmethod(train)}))
        monkeypatch.setattr(waseda, "rules", rules)
        return waseda.learn(data, runs, {}, Session(Path()))

    ask.trained = trained
    return ask


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
def test_the_best_on_dev_answers(learn, rights, part):
    (chosen,) = learn(rights, [Run("chosen", 1)]).values()
    assert chosen.part == part


def test_without_dev_the_baseline_answers(learn):
    (chosen,) = learn((1, 2, 3, 4), [Run("chosen", 1)], DEV._replace(dev=[])).values()
    assert chosen.part == "baseline"


def test_a_part_asked_for_alone_is_its_own_answer_or_error(learn):
    found = learn((9, 2, DIVERGED, 4), [Run(part, 1) for part in VARIANTS["chosen"]])
    assert found.pop(Run("seq2seq", 1)) is DIVERGED
    assert [each.part for each in found.values()] == ["baseline", "holistic", "augmented"]
    assert [each.learnt.right for each in found.values()] == [9, 2, 4]


def incomplete(learn, *rights):
    """What is chosen, and its forms of test."""
    (chosen,) = learn(rights, [Run("incomplete", 1)]).values()
    return chosen.part, [answer.forms[0] for answer in chosen.answer(DEV.test)]


def test_incomplete_batches_of_networks_are_empty(learn):
    """Of 50 answers in batches of 20, 40 are there; rules answer all."""
    assert incomplete(learn, 1, 1, 1, 9) == ("augmented", ["y"] * 40 + [""] * 10)
    # 40 of 50 are fewer than 40 of 40, as print has it
    (chosen,) = learn((41, 0, 0, 40), [Run("chosen", 1)]).values()
    assert chosen.part == "baseline"
    assert incomplete(learn, 41, 0, 0, 40)[0] == "augmented"
    assert incomplete(learn, 41, 0, 0, 32) == ("baseline", ["y"] * 50)


@pytest.mark.parametrize(("asked", "there"), [(40, 40), (7, 0), (0, 0), (21, 20)])
def test_full_batches_are_all_there(asked, there):
    found = Incomplete(Part(1), waseda.BATCH).answer(DEV.test[:asked])
    assert found == [Answer(["y"])] * there + [Answer([""])] * (asked - there)


def test_a_part_asked_for_alone_trains_no_other(learn):
    learn((1, 1, 1, 1), [Run("baseline", 1), Run("holistic", 1)])
    assert learn.trained == ["baseline", "holistic"]
    learn((1, 1, 1, 1), [Run("augmented", 1)])
    assert learn.trained[2:] == [Run("augmented", 1)]


def test_variants_together_train_each_part_once(learn):
    runs = [Run(variant, seed) for variant in VARIANTS for seed in (1, 2)]
    found = learn((0, 0, 50, 50), runs)
    networks = [Run(part, seed) for part in NETWORKS for seed in (1, 2)]
    assert sorted(map(str, learn.trained)) == sorted(map(str, [*networks, *RULES]))
    assert list(found) == runs
    assert found[Run("chosen", 2)].answer(DEV.test) == [Answer(["y"])] * 50
    assert found[Run("incomplete", 2)].answer(DEV.test)[-1] == Answer([""])


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
    analogies = Analogies(train)
    right = sum(analogies.inflect(item) == item.target for item in dev)
    assert f"{100 * right / len(dev):.1f}" == printed
