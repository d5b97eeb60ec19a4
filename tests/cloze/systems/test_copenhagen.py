"""Copenhagen: sizes of the paper, groups of languages, the decoder of features, the vote."""

import multiprocessing
import os
import signal
from functools import partial

import numpy as np
import pytest
import torch

from kasu.base.errors import KasuError
from kasu.cloze.context.words import read_words
from kasu.cloze.systems import copenhagen
from kasu.cloze.systems.copenhagen import Settings, draw_groups, draw_networks, vote_of_five
from kasu.neural.resume import Work
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Answer, Context, Item, Token, named
from kasu.transduction.members.families import Data, Member, Run, Session
from kasu.transduction.members.pooled import POOL
from kasu.transduction.networks import training
from kasu.transduction.networks.contextual_seq2seq import ContextualSeq2Seq
from kasu.transduction.networks.feature_writer import FeatureWriter

SEVEN = ["de", "en", "es", "fi", "fr", "ru", "sv"]
PAPER, RELEASED = Run("paper", 1), Run("released", 1)
SMALL = Settings(hidden=4, embedding=3, epochs=2, tuned=1)


def items_of(language: str, *tags: str, count: int = 10) -> list[Item]:
    """Targets of that many sentences, each with one after it."""
    made = []
    for number in range(count):
        lemma = f"{language}{number}"
        tokens = [Token(lemma, lemma, ("N", *tags)), Token(".", ".", ("PUNCT",))]
        made.append(Item(lemma, ("N", *tags), lemma + "k", Context(tokens, 0)))
    return made


def language(name: str, *tags: str, setting: str = "track1-low") -> Data:
    items = items_of(name, *tags)
    return Data(name, setting, items, items[:2], items[:3])


TWO = {"de": language("de", "PL"), "fi": language("fi", "ESS")}


# What is trained


def test_sizes_are_those_of_the_paper():
    (item,) = items_of("de", count=1)
    writer = FeatureWriter(Alphabet(["N", "PL"]), 100, 300, 100)
    words = read_words([item])
    made = copenhagen.network(Alphabet("de0k"), words, "track1-low", Settings(), "paper", writer)
    assert (made.dropout, made.unknown, made.weights) == (0.3, 0.1, (1.0, 1.0))
    assert made.context.width == 300
    assert made.context.before.layers[0].kernel.weight_ih_l0.shape == (400, 300)
    assert [each.shape for each in made.around] == [(400, 300)] * 2
    assert made.features.cell.constant.shape == (400, 300)
    assert made.features.table.embedding_dim == made.features.cell.size == 100
    made = copenhagen.network(Alphabet("de0k"), words, "track1-low", Settings(), "released", writer)
    assert made.weights == (0.7, 0.3)
    assert made.context.reads_forward


def test_training_is_that_of_the_baseline_until_what_is_held_out_gets_no_better():
    held = items_of("de")[:1]
    recipe = copenhagen.recipe(TWO, held, Settings(), "paper")
    assert (recipe.batch_size, recipe.share, recipe.stop) == (1, 1.0, Patience(5, 50))
    assert (recipe.validated, recipe.measure, recipe.order) == (held, "loss", None)
    released = copenhagen.recipe(TWO, held, Settings(), "released")
    assert (released.measure, released.stop) == ("dropped_loss", Patience(5, 50))
    order = released.order
    # Places of ten sentences of German and ten of Finnish, in turns
    places = np.array(order(np.random.default_rng(1)))
    assert sorted(places) == list(range(20))
    assert {tuple(pair) for pair in (places.reshape(10, 2) // 10).tolist()} == {(0, 1), (1, 0)}


def test_a_language_has_fifty_members_or_some_of_fifty_groups():
    assert copenhagen.FAMILY.members == {
        "track1-low": 20, "track1-medium": 20, "track1-high": 20,
        "track2-low": 50, "track2-medium": 50, "track2-high": 50,
    }  # fmt: skip


# Groups of languages


def test_a_member_divides_seven_languages_into_two_pairs_and_a_group_of_three():
    drawn = [draw_groups(SEVEN, "track1-low", seed) for seed in range(1, 51)]
    for groups in drawn:
        assert sorted(map(len, groups)) == [2, 2, 3]
        assert sorted(name for group in groups for name in group) == SEVEN
    partners = {name for groups in drawn for group in groups if "de" in group for name in group}
    assert partners == set(SEVEN)
    assert draw_groups(SEVEN[::-1], "track1-low", 1) == drawn[0]


@pytest.mark.parametrize(("count", "sizes"), [(1, [1]), (2, [2]), (3, [3]), (4, [2, 2])])
def test_groups_of_few_languages(count, sizes):
    assert list(map(len, draw_groups(SEVEN[:count], "track1-low", 1))) == sizes


def test_track_2_has_no_groups():
    assert set(copenhagen.FAMILY.pools) == {"track1-low", "track1-medium", "track1-high"}


# The decoder of features


def test_languages_share_the_decoder_of_features_and_nothing_else():
    made = draw_networks(TWO, "track1-low", SMALL, "paper")
    german, finnish = made["de"], made["fi"]
    assert german.features is finnish.features
    assert german.features.tags.symbols == ["ESS", "N", "PL"]
    assert german.characters.symbols == sorted("de0123456789k")
    shared = {id(weight) for weight in german.features.parameters()}
    ours, theirs = ({id(each) for each in net.parameters()} for net in (german, finnish))
    assert ours & theirs == shared


def test_in_track_2_there_is_none():
    made = draw_networks({"de": language("de")}, "track2-low", SMALL, "paper")
    assert type(made["de"]) is ContextualSeq2Seq


# Fine-tuning


@pytest.fixture
def trainings(monkeypatch):
    """What was trained: items, held-out lemmas, epochs, rate, coasting, and the name and key."""
    seen = []
    train = training.train

    def noted(make, items, recipe, keys, work, device):
        layer = torch.nn.Linear(1, 1)
        (optimizer, *_) = recipe.optimizers(layer)
        rate = optimizer.param_groups[0]["lr"]
        optimizer.step()
        coasting = layer.weight.grad is not None
        held = [item.source for item in recipe.validated]
        seen.append((len(items), held, recipe.epochs, rate, coasting, *keys.items()))
        return train(make, items, recipe, keys, work, device)

    monkeypatch.setattr(training, "train", noted)
    return seen


def group(folder, member=PAPER, languages=TWO):
    return copenhagen.train_group(languages, SMALL, member, Work(folder, {}, 60.0), "cpu")


def test_a_group_is_trained_together_and_each_language_further_at_a_tenth_of_the_rate(
    tmp_path, trainings
):
    networks = group(tmp_path)
    name, key = (
        "copenhagen-de+fi-track1-low-paper-1",
        ("copenhagen", "de+fi", "track1-low", "paper", 1),
    )
    # Nine sentences of each language, and the eighth is held out
    assert trainings == [
        (18, ["de7", "fi7"], 2, 0.001, True, (name, key)),
        (9, ["de7"], 1, 0.0001, False, (f"{name}-de", (*key, "de"))),
        (9, ["fi7"], 1, 0.0001, False, (f"{name}-fi", (*key, "fi"))),
    ]
    assert networks["de"].features is not networks["fi"].features


def test_track_2_has_no_fine_tuning(tmp_path, trainings):
    group(tmp_path, languages={"de": language("de", setting="track2-low")})
    assert len(trainings) == 1


def test_each_language_goes_on_from_what_the_group_has_learnt(tmp_path, monkeypatch):
    written = []
    train = training.train

    def noted(make, items, recipe, keys, work, device):
        (name,) = keys
        alone = name.endswith(("-de", "-fi"))
        if alone:
            written.append(make().features.vocabulary.weight.tolist())
        (network,) = train(make, items, recipe, keys, work, device)
        if not alone:
            written.append(network["de"].features.vocabulary.weight.tolist())
        return [network]

    monkeypatch.setattr(training, "train", noted)
    networks = group(tmp_path)
    shared, german, finnish = written
    assert german == finnish == shared
    assert networks["de"].features.vocabulary.weight.tolist() != shared


# Answers


def pooled(*languages: Data) -> Data:
    splits = (
        [named(item, data.language) for data in languages for item in getattr(data, split)]
        for split in ("train", "dev", "test")
    )
    return Data(POOL, "track1-low", *splits)


def test_the_answers_of_a_pool_are_those_of_its_languages_in_their_order(tmp_path):
    options = SMALL.dump()
    found = copenhagen.train(pooled(*TWO.values()), [PAPER], options, Session(tmp_path, "cpu"))
    networks = group(tmp_path / "alone")
    expected = [each for name in TWO for each in networks[name].answer(TWO[name].test)]
    assert found[PAPER].test == expected
    assert [len(answers) for answers in found[PAPER]] == [4, 6]


@pytest.mark.parametrize(
    ("track", "variant"), [("track1", "paper"), ("track1", "released"), ("track2", "paper")]
)
def test_the_word_before_decides(share_right, track, variant):
    options = {"dropout": 0.0, "unknown": 0.0, "epochs": 9, "tuned": 1}
    assert share_right("copenhagen", options, track, variant) > 0.8


def train_and_die(folder, steps: int) -> None:
    """Train with a state after each step; SIGKILL after so many steps."""
    copenhagen.SAVED_EVERY, left = 0.0, [steps]
    loss = ContextualSeq2Seq.loss

    def counted(self, batch):
        left[0] -= self.training
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return loss(self, batch)

    ContextualSeq2Seq.loss = counted
    copenhagen.train(pooled(*TWO.values()), [PAPER, RELEASED], SMALL.dump(), Session(folder, "cpu"))


@pytest.mark.parametrize("steps", [25, 50, 70])
def test_after_sigkill_a_plain_run_gives_the_same_answers(tmp_path, steps):
    # In a training of the group, in the fine-tuning of a language, in the second member
    train = partial(copenhagen.train, pooled(*TWO.values()), [PAPER, RELEASED], SMALL.dump())
    whole = train(Session(tmp_path / "whole", "cpu"))
    killed = multiprocessing.get_context("fork").Process(
        target=train_and_die, args=(tmp_path / "killed", steps)
    )
    killed.start()
    killed.join()
    assert killed.exitcode == -signal.SIGKILL
    assert list((tmp_path / "killed").glob("copenhagen-de+fi-*.pt"))
    assert train(Session(tmp_path / "killed", "cpu")) == whole


def test_a_member_that_diverges_fails_and_loses_no_other(tmp_path, monkeypatch):
    draw = copenhagen.draw_networks

    def spoilt(languages, setting, settings, variant):
        made = draw(languages, setting, settings, variant)
        if variant == "paper":
            torch.nn.init.constant_(made["fi"].around[0], torch.nan)
        return made

    monkeypatch.setattr(copenhagen, "draw_networks", spoilt)
    data, options = pooled(*TWO.values()), SMALL.dump()
    found = copenhagen.train(data, [PAPER, RELEASED], options, Session(tmp_path, "cpu"))
    assert isinstance(found[PAPER], KasuError)
    assert "training of copenhagen-de+fi-track1-low-paper-1: loss nan" in str(found[PAPER])
    assert len(found[RELEASED].test) == 6


# The vote


def member(form: str, accuracy: float) -> Member:
    return Member([], [Answer([form])], accuracy)


def test_five_best_vote_and_the_best_decides_a_tie():
    members = [
        member("c", 0.1), member("c", 0.6), member("b", 0.9),
        member("c", 0.8), member("b", 0.5), member("d", 0.4),
    ]  # fmt: skip
    assert vote_of_five(members) == ["b"]
    assert vote_of_five([member("a", 0.3), member("b", 0.5)]) == ["b"]
