"""Families whose members are networks."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import kasu.transduction.members.packs as packs
from kasu.base.errors import KasuError
from kasu.inflection.systems import iitbhu, uzh
from kasu.job.run import seed_of
from kasu.neural.stacked import Stacked
from kasu.transduction.items import Item, read_item
from kasu.transduction.members import networks
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.networks import training

ITEMS = [read_item(lemma, "N;PL", lemma + "ak") for lemma in ("bal", "dan", "kel", "ner")]
DATA = Data("toy", "low", ITEMS, ITEMS[:1], [ITEMS[1]._replace(target=None)])
OPTIONS = {"hidden": 4, "embedding": 4, "epochs": 2}
RUNS = [
    Run("released", 2), Run("unbounded", 2), Run("released", 3), Run("unbounded", 3),
]  # fmt: skip


def train_toy(folder: Path, stack: str = "auto", device: str = "cpu", runs=RUNS, **parts):
    family = replace(iitbhu.FAMILY, **parts)
    return family.train(DATA, runs, OPTIONS, Session(folder, device, stack))


def test_says_what_training_lacks(tmp_path, caplog):
    train = [Item("ab", ("N",), "abc")]
    dev = [Item("a", ("N", "PL"), "a"), Item("b", ("N",), "b")]
    test = [Item("ax", ("V",)), Item("c", ("N",))]
    with caplog.at_level(logging.INFO, "kasu"):
        uzh.FAMILY.train(Data("toy", "low", train, dev, test), [], {}, Session(tmp_path))
    line = "toy, low: of 4 dev and test items, training lacks features of 2, "
    line += "bundles of 0 and characters of 1"
    assert caplog.messages == [line]


def test_a_bundle_that_training_has_in_two_orders_is_known_in_both(tmp_path, caplog):
    orders = (("N", "PL"), ("N", "PL"), ("PL", "N"))
    train = [Item("ab", tags, "abc") for tags in orders]
    dev = [Item("ab", tags, "abc") for tags in orders]
    with caplog.at_level(logging.INFO, "kasu"):
        uzh.FAMILY.train(Data("toy", "low", train, dev, []), [], {}, Session(tmp_path))
    assert caplog.messages[0].endswith("bundles of 0 and characters of 0")


@pytest.mark.parametrize(
    ("stack", "runs", "how"),
    [
        ("always", RUNS, "2 networks in one pass"),
        ("always", RUNS[:2], "one network at a time"),
        ("never", RUNS, "one network at a time"),
        ("auto", RUNS, "one network at a time"),
    ],
)
def test_members_of_a_variant_are_stacked_where_the_session_says_so(
    tmp_path, caplog, stack, runs, how
):
    caplog.set_level(logging.INFO, "kasu")
    assert train_toy(tmp_path, stack, runs=runs).keys() == set(runs)
    assert caplog.messages.count(f"iitbhu, toy: on cpu, {how}") == 2  # for each variant


def test_stacked_members_answer_as_separate_ones(tmp_path):
    separate, stacked = (train_toy(tmp_path / stack, stack) for stack in ("never", "always"))
    for run in RUNS:
        for one, other in zip(separate[run], stacked[run], strict=True):
            assert [answer.forms for answer in one] == [answer.forms for answer in other]
            for answer, same in zip(one, other, strict=True):
                assert answer.scores == pytest.approx(same.scores, abs=1e-4)


@pytest.mark.parametrize("stack", ["never", "always"])
def test_a_member_that_diverges_costs_no_other(tmp_path, stack):
    expected = train_toy(tmp_path / "whole", stack)
    network = iitbhu.network

    def spoilt(*arguments):
        made = network(*arguments)
        if torch.initial_seed() == spoilt.seed:
            made.decoder.vocabulary.weight.data.fill_(torch.nan)
        return made

    seed = seed_of("iitbhu", "toy", "low", "released", 2, "weights")
    spoilt.seed = torch.manual_seed(seed).initial_seed()
    found = train_toy(tmp_path / "spoilt", stack, network=spoilt)
    assert str(found[RUNS[0]]).startswith("training of iitbhu-toy-low-released-2: loss nan")
    # The other variant draws the same
    assert str(found[RUNS[1]]).startswith("training of iitbhu-toy-low-unbounded-2: loss nan")
    forms = [[answer.forms for answer in found[run].test] for run in RUNS[2:]]
    assert forms == [[answer.forms for answer in expected[run].test] for run in RUNS[2:]]


def test_a_stack_that_is_killed_goes_on_as_if_nothing_had_happened(tmp_path, monkeypatch):
    def train(folder, runs=RUNS):
        session = Session(tmp_path / folder, "cpu", "always")
        return iitbhu.FAMILY.learn(DATA, runs, OPTIONS, session)

    expected = train("whole")
    monkeypatch.setattr(networks, "SAVED_EVERY", 0.0)  # a state after every step
    calls = []

    class Killed(Stacked):
        def __call__(self, models, batches):
            calls.append(len(models))
            if len(calls) == 4:  # the second epoch of the second variant
                raise KeyboardInterrupt
            return super().__call__(models, batches)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(training, "Stacked", Killed)
        train("killed")
    monkeypatch.setattr(training, "Stacked", Killed)
    found = train("killed")
    assert calls == [2] * 5  # only the last step was left
    for run in RUNS:
        one, other = expected[run].state_dict(), found[run].state_dict()
        assert all(torch.equal(one[name], other[name]) for name in one)


def test_without_a_gpu_the_whole_job_ends_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(KasuError, match=r"^device: cuda asked for, but there is no GPU") as caught:
        train_toy(tmp_path, device="cuda")
    # Not a fault of the language, which would go into the table of failures
    assert packs.is_of_the_machine(caught.value)


def test_members_may_have_settings_of_their_own(tmp_path, caplog):
    caplog.set_level(logging.INFO, "kasu")
    asked = []

    def settle(settings, language, setting, seed):
        asked.append((settings.hidden, language, setting, seed))
        return settings.model_copy(update={"hidden": 3 if seed == 2 else 5})

    family = replace(iitbhu.FAMILY, settle=settle)
    runs = [Run("released", seed) for seed in (1, 2, 3)]
    trained = family.learn(DATA, runs, OPTIONS, Session(tmp_path, "cpu", "always"))
    assert [trained[run].decoder.cell.size for run in runs] == [5, 3, 5]
    assert asked == [(4, "toy", "low", seed) for seed in (1, 2, 3)]
    # Only those of one architecture
    assert [line.rpartition(", ")[2] for line in caplog.messages if "on cpu" in line] == [
        "2 networks in one pass", "one network at a time",
    ]  # fmt: skip


def test_members_learn_and_answer_the_prepared_data(tmp_path):
    family = replace(iitbhu.FAMILY, prepare=lambda data: data._replace(test=data.test * 2))
    found = family.train(DATA, RUNS[:1], OPTIONS, Session(tmp_path, "cpu"))
    assert [len(answers) for answers in found[RUNS[0]]] == [1, 2]
