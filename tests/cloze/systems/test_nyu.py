"""New York University's system: sizes of the paper, halved rates, votes, a toy."""

import multiprocessing
import os
import signal
from functools import partial

import pytest
import torch

from kasu.cloze.networks.three_encoders import ThreeEncoders
from kasu.cloze.systems import nyu
from kasu.cloze.systems.nyu import Settings
from kasu.neural.stopping import Halve
from kasu.transduction.items import Context, Item, Token
from kasu.transduction.members import networks
from kasu.transduction.members.families import Data, Run, Session, alone, vote_by_dev

FORMS = ["the", "dogs", "bark"]
ITEMS = [
    Item("dog", (), "dogs", Context([Token(form, None, ()) for form in FORMS], 1)),
    Item("bark", (), "bark", Context([Token(form, None, ()) for form in FORMS[1:]], 1)),
    Item("cat", (), "cats", Context([Token(form, None, ()) for form in ("the", "cats")], 1)),
]
DATA = Data("toy", "track2-low", ITEMS, ITEMS[:2], ITEMS)
# Rates 0.02, 0.01 and, after a reload, 0.005 would be too low
SMALL = {
    "hidden": 4, "embedding": 3, "patience": 1, "learning_rate": 0.02, "least_rate": 0.008,
}  # fmt: skip
MEMBER = Run(None, 1)


def drawn(**settings) -> ThreeEncoders:
    return nyu.network(*nyu.symbols(ITEMS), "track2-low", Settings(**settings), "")


def test_sizes_are_those_of_the_paper():
    made = drawn()
    for encoder in (made.lemma, made.before, made.after):
        kernel = encoder.network.layers[0].kernel
        assert (kernel.input_size, kernel.hidden_size, kernel.bidirectional) == (100, 300, True)
        assert len(encoder.network.layers) == 1
    gates, embedding = made.decoder.cell.layers[0].kernel.weight_ih_l0.shape
    # It reads three contexts and the previous character
    assert (gates, made.decoder.cell.constant.shape[1] + embedding) == (1200, 3 * 600 + 100)
    for attention in made.decoder.attentions:
        assert attention.query.weight.shape == (300, 300)
        assert attention.key.weight.shape == (300, 600)
    assert made.first.weight.shape == (300, 600)
    assert made.dropout == 0.5


def test_units_are_learnt_from_the_forms_of_each_sentence_once_targets_too():
    shared = ITEMS[0].context.tokens
    items = [ITEMS[0], ITEMS[0]._replace(context=Context(shared, 2))]
    hidden = Item("x", (), "y", Context([Token(None, "x", ())], 0))
    _, forms = nyu.symbols([*items, hidden])
    assert forms == {"the": 1, "dogs": 1, "bark": 1}
    assert Settings().merges == 500
    encode = drawn(merges=1).sides.read
    assert [len(encode(each)) for each in shared] == [2, 4, 4]


def test_training_is_that_of_the_paper():
    data = DATA._replace(dev=ITEMS * 200)
    recipe = nyu.recipe(data, Settings(), "")
    (optimizer,) = recipe.optimizers(torch.nn.Linear(1, 1))
    assert (type(optimizer), optimizer.param_groups[0]["lr"]) == (torch.optim.Adam, 0.001)
    assert recipe.stop == Halve(20, 1e-3, 1e-4)
    assert (recipe.batch_size, recipe.measure, recipe.clip) == (1, "accuracy", None)
    assert list(recipe.validated) == ITEMS * 100


def test_five_restarts_take_part_in_track_2_at_low_and_vote():
    assert nyu.FAMILY.members == {"track2-low": 5}
    assert nyu.FAMILY.width == 5
    assert not nyu.FAMILY.variants
    assert nyu.FAMILY.all_submissions == {"nyu": vote_by_dev, "nyu-single": alone}


def test_the_word_before_decides(share_right):
    options = {
        "hidden": 32, "embedding": 16, "dropout": 0.0, "merges": 40, "patience": 3,
        "learning_rate": 0.005, "least_rate": 0.003,
    }  # fmt: skip
    assert share_right("nyu", options, "track2") > 0.8


def train(folder, data: Data = DATA):
    return nyu.FAMILY.train(data, [MEMBER], SMALL, Session(folder, "cpu"))


def steps_of(folder) -> int:
    """Steps of a whole training."""
    steps = []
    loss = ThreeEncoders.loss
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ThreeEncoders, "loss", lambda *given: steps.append(1) or loss(*given))
        train(folder)
    return len(steps)


def train_and_die(folder, steps: int) -> None:
    """Train with a state after each step; SIGKILL after so many."""
    networks.SAVED_EVERY, left = 0.0, [steps]
    loss = ThreeEncoders.loss

    def counted(self, batch):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return loss(self, batch)

    ThreeEncoders.loss = counted
    train(folder)


def test_after_sigkill_a_plain_run_gives_the_same_answers(tmp_path, caplog):
    caplog.set_level("INFO")
    whole = train(tmp_path / "whole")
    assert caplog.text.count("at half the rate") == 1
    steps = steps_of(tmp_path / "counted")
    # In the first epoch, and in the first one after the reload
    for killed_at in (1, steps - 1):
        folder = tmp_path / str(killed_at)
        killed = multiprocessing.get_context("fork").Process(
            target=partial(train_and_die, folder, killed_at)
        )
        killed.start()
        killed.join()
        assert killed.exitcode == -signal.SIGKILL
        caplog.clear()
        assert train(folder) == whole
        assert "resumes at" in caplog.text
        assert ("at half the rate" in caplog.text) == (killed_at == 1)


def test_odd_sentences_have_answers(tmp_path):
    tokens = [Token(None, None, ()), Token(None, None, ()), Token("ж" * 60, None, ())] * 170
    asked = [Item("d" * 60, (), None, Context(tokens, at)) for at in (0, 1, 509)]
    alone = Item("", (), None, Context([Token(None, "x", ())], 0))
    (answers,) = train(tmp_path, DATA._replace(test=[*asked, alone, Item("cat", ())])).values()
    assert all(1 <= len(answer.forms) <= 5 for answer in answers.test)
    assert len(answers.test) == 5


def test_without_dev_the_last_epoch_is_kept(tmp_path):
    (answers,) = train(tmp_path, DATA._replace(dev=[])).values()
    assert len(answers.test) == 3
