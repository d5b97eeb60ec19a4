"""ua-03: particles, sources among tags, the choice among configurations on dev."""

from pathlib import Path

import pytest

from kasu.inflection.systems import ua_03
from kasu.inflection.systems.ua_03 import Configuration, configurations, pair_of
from kasu.transduction.items import Item, read_item
from kasu.transduction.linear.phrasal import Sizes
from kasu.transduction.members.families import Data, Run, Session

WORDS = [Item(lemma, ("N", "PL"), f"{lemma}ak") for lemma in ("bal", "dan", "kel")]


def test_sources_have_tags_around_the_lemma_or_after_it():
    item = read_item("ab", "V;PST", "abc")
    assert pair_of(item, True) == (["<V>", "<PST>", "a", "b", "<V>", "<PST>"], "abc")
    assert pair_of(item, False) == (["a", "b", "<V>", "<PST>"], "abc")
    assert pair_of(Item("", ()), True) == ([], "")


def test_there_are_24_configurations():
    every = [*configurations(True)]
    assert len(set(every)) == 24
    assert every[0] == Configuration(True, (1, 1, 2), True, Sizes(2, 5, 2))
    assert every[-1] == Configuration(True, (2, 2, 2), False, Sizes(5, 11, 4))
    assert all(each.sizes.ngram == 2 * each.sizes.context + 1 for each in every)
    assert ua_03.Settings().tried == 24


class Stub:
    """A transducer that is right about so many items of dev."""

    made: list

    def __init__(self, aligned, sizes):
        self.sizes = sizes
        Stub.made.append(self)

    def train(self, dev):
        self.dev = dev


@pytest.fixture
def stub(monkeypatch):
    """Configurations whose forms tell their sizes, right where `rights` says."""

    def answer(self, item, width):
        (lemma,) = item.source
        right = lemma in stub.rights[self.before, self.phrasal.sizes]
        return ua_03.Answer(["R" if right else "W", str(self.before)], [1.0, 0.0])

    Stub.made = []
    monkeypatch.setattr(ua_03, "Phrasal", Stub)
    monkeypatch.setattr(ua_03.Transducer, "_answer", answer)
    stub = type("Stubbed", (), {"rights": {}})
    for before in (True, False):
        for each in configurations(before):
            stub.rights[before, each.sizes] = ""
    return stub


DEV = [Item(lemma, (), "R") for lemma in "abcd"]


def choose(variants, **options):
    data = Data("toy", "low", WORDS, DEV, [Item("a", ()), Item("b", ())])
    runs = [Run(variant) for variant in variants]
    return ua_03.FAMILY.train(data, runs, options, Session(Path()))


def forms(found):
    return {run.variant: [answer.forms for answer in answers.dev] for run, answers in found.items()}


def test_the_best_on_dev_answers_and_of_equals_the_first(stub):
    stub.rights[True, Sizes(2, 5, 4)] = "ab"
    stub.rights[True, Sizes(3, 7, 2)] = "cd"
    (answers,) = choose(["both"]).values()
    assert [answer.forms[0] for answer in answers.dev] == ["R", "R", "W", "W"]
    assert [answer.forms[0] for answer in answers.test] == ["R", "R"]
    assert len(Stub.made) == 24
    assert Stub.made[0].dev == [(["a"], "R"), (["b"], "R"), (["c"], "R"), (["d"], "R")]


def test_free_takes_the_better_place_of_tags_and_trains_nothing_twice(stub):
    stub.rights[True, Sizes(2, 5, 2)] = "a"
    stub.rights[False, Sizes(5, 11, 4)] = "bcd"
    found = forms(choose(["both", "after", "free"]))
    assert len(Stub.made) == 48
    assert [form for form, _ in found["both"]] == ["R", "W", "W", "W"]
    assert found["free"] == found["after"]
    # Of equals, tags around the lemma
    stub.rights[True, Sizes(2, 5, 2)] = "abc"
    found = forms(choose(["free"]))
    assert [place for _, place in found["free"]] == ["True"] * 4


def test_only_the_first_items_of_dev_choose(stub):
    stub.rights[True, Sizes(2, 5, 2)] = "b"
    stub.rights[True, Sizes(2, 5, 4)] = "acd"
    (answers,) = choose(["both"], chosen_on=2, tried=5).values()
    assert [answer.forms[0] for answer in answers.dev] == ["W", "R", "W", "W"]
    assert len(Stub.made) == 5
    assert [len(made.dev) for made in Stub.made] == [2] * 5


def train(items, dev, test, **options):
    data = Data("toy", "low", items, dev, [item._replace(target=None) for item in test])
    (answers,) = ua_03.FAMILY.train(data, [Run("both")], options, Session(Path())).values()
    return answers


def test_answers_are_nbest_with_scores():
    (answer, *_) = train(WORDS, WORDS, WORDS, tried=1).test
    assert answer.forms[0] == "balak"
    assert 1 < len(answer.forms) <= 10
    assert len({*answer.forms}) == len(answer.forms) == len(answer.scores)
    assert [*answer.scores] == sorted(answer.scores, reverse=True)


def test_the_same_data_give_the_same_answers():
    assert train(WORDS, WORDS, WORDS, tried=2) == train(WORDS, WORDS, WORDS, tried=2)


def test_particles_come_back_in_answers():
    items = [item._replace(target=f"o {item.target} da") for item in WORDS]
    assert [answer.forms[0] for answer in train(items, items, WORDS, tried=1).test] == [
        "o balak da", "o danak da", "o kelak da",
    ]  # fmt: skip


def test_what_cannot_be_aligned_is_counted_and_left_out(caplog):
    caplog.set_level("INFO")
    items = [*WORDS, Item("a", ("N",), "bcdefghijkl")]
    assert train(items, WORDS, WORDS, tried=1).test[0].forms[0] == "balak"
    assert "ua_03: 1 of 4 items have no alignment" in caplog.text
    assert "ua_03 toy-low: 3 of 3 right by Configuration(" in caplog.text


@pytest.mark.parametrize("dev", [[], WORDS])
def test_without_training_items_the_answer_is_the_lemma(dev):
    assert [answer.forms[0] for answer in train([], dev, WORDS, tried=2).test] == [
        "bal", "dan", "kel",
    ]  # fmt: skip


@pytest.mark.parametrize("variant", ["both", "after"])
def test_a_member_learns_two_suffixes(share_right, variant):
    assert share_right("ua_03", {"tried": 3}, variant) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"learnt": "{}"},
        {"learnt": '[[], {"0:0:a": 1}]'},
        {"learnt": '[[["a", "b"]], {}]'},
        {"configuration": "[true, [9, 9, 9], true, [2, 5, 2]]"},
        {"configuration": "[]"},
    ],
)
def test_what_another_program_wrote_is_not_loaded(change):
    data, run = Data("toy", "low", WORDS, WORDS, []), Run("both")
    learnt = ua_03.learn(data, [run], {"tried": 1}, Session(Path()))[run]
    loaded = ua_03.load(data, run, {}, learnt.state_dict())
    assert loaded.answer(WORDS, 10) == learnt.answer(WORDS, 10)
    with pytest.raises(ValueError, match=r"."):
        ua_03.load(data, run, {}, {**learnt.state_dict(), **change})
