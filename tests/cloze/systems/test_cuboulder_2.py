"""CU Boulder's second system: sizes of the paper, the pipeline, what is held out, a toy."""

import logging
import multiprocessing
import os
import signal
from functools import partial

import pytest
import torch

from kasu.base.errors import KasuError
from kasu.cloze.data.sentences import read_training
from kasu.cloze.networks.msd_predictor import msd
from kasu.cloze.systems import cuboulder_2
from kasu.cloze.systems.cuboulder_2 import Pipeline, Settings, recipes
from kasu.neural.stopping import Patience
from kasu.transduction.items import Answer, Context, Item, Token
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.networks.inflector import Inflector

MEMBER = Run("paper", 1)
SMALL = Settings(hidden=4, embedding=3, epochs=2, predictor_epochs=2)


def items_of(count: int, *tags: str) -> list[Item]:
    """Targets of that many sentences, each with one word after it."""
    made = []
    for number in range(count):
        lemma = f"w{number}"
        tokens = [Token(lemma + "k", lemma, ("N", *tags)), Token(".", ".", ("PUNCT",))]
        made.append(Item(lemma, ("N", *tags), lemma + "k", Context(tokens, 0)))
    return made


ITEMS = [*items_of(4, "PL"), *items_of(4, "SG"), *items_of(2, "PL")]
DATA = Data("toy", "track1-low", ITEMS, ITEMS[:2], ITEMS[:3])


# What is trained


@pytest.mark.parametrize(
    ("variant", "directed", "context"), [("paper", 100, 600), ("narrow", 50, 300)]
)
def test_sizes_of_the_predictor_are_those_of_the_paper(variant, directed, context):
    made = cuboulder_2.network(ITEMS, Settings(), variant)
    for encoder, read in ((made.left, 300), (made.right, 300), (made.base, 200)):
        assert encoder.layers[0].kernel.weight_ih_l0.shape == (4 * directed, read)
        assert encoder.layers[0].kernel.bidirectional
    assert made.cell.layers[0].kernel.weight_ih_l0.shape == (400, context)
    assert made.output.weight.shape == (2, 100)
    assert made.unknown == 0.1
    assert "_" not in made.words.features.symbols


def test_sizes_of_the_inflector_are_those_of_the_paper():
    made = cuboulder_2.inflector(ITEMS, Settings())
    assert made.encoder.network.layers[0].kernel.weight_ih_l0.shape == (300, 100)
    assert made.encoder.network.layers[0].kernel.bidirectional
    # The previous output and what is attended to
    assert made.decoder.cell.layers[0].kernel.weight_ih_l0.shape == (300, 100 + 200)
    assert made.decoder.attention.query.weight.shape == (100, 100)


@pytest.mark.parametrize(
    ("setting", "items", "predictor", "inflector"),
    [("track1-low", 367, 3670, 3800), ("track1-medium", 3299, 1650, 16_500)],
)
def test_updates_in_french_are_those_of_the_paper(setting, items, predictor, inflector):
    for recipe, updates in zip(recipes(setting, Settings()), (predictor, inflector), strict=True):
        assert -(-items // recipe.batch_size) * recipe.epochs == updates
        assert recipe.stop == Patience(recipe.epochs, recipe.epochs)
        assert recipe.validated == ()  # the last epoch is kept


def test_the_predictor_is_trained_by_adam_and_the_inflector_by_plain_gradients():
    layer = torch.nn.Linear(1, 1)
    predicting, inflecting = recipes("track1-low", Settings())
    (adam,), (sgd,) = predicting.optimizers(layer), inflecting.optimizers(layer)
    assert (type(adam), adam.param_groups[0]["lr"]) == (torch.optim.Adam, 0.0005)
    assert (type(sgd), sgd.param_groups[0]["lr"]) == (torch.optim.SGD, 0.1)
    assert predicting.clip is None
    layer.weight.grad = torch.tensor([[20.0]])
    assert inflecting.clip
    inflecting.clip(layer.parameters())
    assert layer.weight.grad.item() == pytest.approx(5)


def test_it_was_run_in_track_1():
    assert cuboulder_2.FAMILY.members == {"track1-low": 1, "track1-medium": 1, "track1-high": 1}


@pytest.mark.real
@pytest.mark.parametrize(
    ("language", "low", "medium"),
    [
        ("de", 57, 104), ("en", 12, 15), ("es", 35, 61), ("fi", 86, 194),
        ("fr", 22, 35), ("ru", 109, 215), ("sv", 38, 57),
    ],
)  # fmt: skip
def test_classes_of_released_training_sets(mirror, language, low, medium):
    for size, classes in (("low", low), ("medium", medium)):
        path = mirror / f"sigmorphon2018/task2/trainsets/{language}-track1-{size}"
        words = [word for sentence in read_training(path) for word in sentence]
        assert len({word.features for word in words if word.target}) == classes


# The pipeline


class Told:
    """A predictor that says what it is told."""

    def __init__(self, tell):
        self.tell = tell

    def answer(self, items):
        return [Answer([self.tell(item)], [0.0]) for item in items]


def inflector() -> Inflector:
    torch.manual_seed(1)
    return cuboulder_2.inflector(ITEMS, SMALL).eval()


def test_with_the_right_features_it_answers_as_the_inflector_alone():
    hidden = [item._replace(tags=()) for item in ITEMS]
    right = {id(item): msd(known) for item, known in zip(hidden, ITEMS, strict=True)}
    made = Pipeline(Told(lambda item: right[id(item)]), inflector())
    assert made.answer(hidden) == made.inflector.answer(ITEMS)


def test_a_predictor_of_one_class_gives_all_words_its_features(tmp_path):
    data = DATA._replace(train=items_of(3, "PL"))
    made = train_pipeline(tmp_path, data)
    asked = [item._replace(tags=("N", "SG")) for item in items_of(5, "SG")]
    assert {answer.forms[0] for answer in made.predictor.answer(asked)} == {"N;PL"}
    plural = [item._replace(tags=("N", "PL")) for item in asked]
    assert made.answer(asked) == made.inflector.answer(plural)


def train_pipeline(folder, data: Data = DATA) -> Pipeline:
    from kasu.neural.resume import Work

    return cuboulder_2.train_pipeline(data, SMALL, MEMBER, Work(folder, {}, 60.0), "cpu")


def test_networks_are_drawn_and_trained_apart(tmp_path):
    made = train_pipeline(tmp_path)
    names = sorted(path.stem for path in tmp_path.glob("*.pt"))
    title = "cuboulder_2-toy-track1-low-paper-1"
    assert names == [title, f"{title}-inflector"]
    assert not made.predictor.training
    assert not made.inflector.training


# What is held out


def train(folder, data: Data = DATA, **options):
    settings = SMALL.dump() | options
    return cuboulder_2.train(data, [MEMBER], settings, Session(folder, "cpu"))


def test_a_tenth_is_held_out_where_that_is_asked_for(tmp_path, monkeypatch, caplog):
    seen = []
    draw = cuboulder_2.network
    monkeypatch.setattr(
        cuboulder_2, "network", lambda items, *rest: seen.append(len(items)) or draw(items, *rest)
    )
    with caplog.at_level(logging.INFO):
        train(tmp_path / "part", held_out=True)
        assert "toy, track1-low: of 1 items held out" in caplog.text
        caplog.clear()
        train(tmp_path / "whole")
    assert "held out" not in caplog.text
    assert seen == [9, 10]


def test_what_is_held_out_is_judged_by_each_network_and_by_both():
    held = [*items_of(3, "PL"), *items_of(1, "SG")]
    forms = Told(lambda item: item.source + ("k" if "PL" in item.tags else "x"))
    made = Pipeline(Told(lambda item: "N;SG" if item.source == "w0" else "N;PL"), forms)
    # Features: w1 and w2 right. Forms: w0, w1, w2 by their own, w1 and w2 by those predicted
    assert cuboulder_2.count_right(made, held) == (
        "of 4 items held out, 75.0% have the right features, 75.0% the right form for the right "
        "features, 50.0% for those predicted"
    )


def test_features_that_no_training_item_has_are_predicted_wrong(tmp_path):
    made = train_pipeline(tmp_path)
    line = cuboulder_2.count_right(made, items_of(2, "DU"))
    assert "of 2 items held out, 0.0% have the right features" in line


@pytest.mark.parametrize("options", [{}, {"held_out": True}])
def test_nothing_to_learn_is_one_line(tmp_path, options):
    data = DATA._replace(train=ITEMS[:1] if options else [])
    with pytest.raises(KasuError) as error:
        train(tmp_path, data, **options)
    assert str(error.value) == "toy, track1-low: no training items; expected one or more"


# Training


def test_the_word_before_decides(share_right):
    options = {
        "hidden": 32, "embedding": 16, "epochs": 50, "predictor_epochs": 4, "learning_rate": 1.0,
        "predictor_batch": 1,
    }  # fmt: skip
    assert share_right("cuboulder_2", options, variant="paper") > 0.8


def train_and_die(folder, steps: int) -> None:
    """Train with a state after each step; SIGKILL after so many steps of the inflector."""
    cuboulder_2.SAVED_EVERY, left = 0.0, [steps]
    loss = Inflector.loss

    def counted(self, batch):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return loss(self, batch)

    Inflector.loss = counted
    train(folder)


def test_after_sigkill_a_plain_run_gives_the_same_answers(tmp_path):
    whole = train(tmp_path / "whole")
    killed = multiprocessing.get_context("fork").Process(
        target=partial(train_and_die, tmp_path / "killed", 1)
    )
    killed.start()
    killed.join()
    assert killed.exitcode == -signal.SIGKILL
    assert len(list((tmp_path / "killed").glob("*.pt"))) == 2
    assert train(tmp_path / "killed") == whole


def test_two_hidden_words_side_by_side_have_answers(tmp_path):
    tokens = [Token(None, "w1", ()), Token(None, "w2", ()), Token("x" * 60, "x", ("N",))] * 170
    asked = [Item("w1", (), None, Context(tokens, at)) for at in (0, 1, 509)]
    (answers,) = train(tmp_path, DATA._replace(test=asked)).values()
    assert [len(answer.forms) for answer in answers.test] == [1, 1, 1]
