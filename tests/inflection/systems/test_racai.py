import pytest
from torch import nn

from kasu.inflection.systems import racai
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session

ITEMS = [Item("face", ("V", "IND"), "făceau"), Item("bea", ("V", "INF"), "bea")]
CHARACTERS, TAGS = Alphabet("abcefuă"), Alphabet(["V", "IND", "INF"])


def test_sizes_are_those_of_the_paper():
    made = racai.network(CHARACTERS, TAGS, "high", racai.Settings(), "corrected")
    assert (len(made.encoder.layers), made.encoder.width) == (2, 400)
    assert (len(made.cell.layers), made.cell.size) == (2, 200)
    # Four reserved ids, seven characters, COPY and MOVE
    assert made.table.weight.shape == (13, 100)
    assert made.features.weight.shape == (7, 100)


@pytest.mark.parametrize("variant", ["corrected", "patient"])
def test_only_recurrent_weights_were_trained_for_the_submission(variant):
    made = racai.network(CHARACTERS, TAGS, "high", racai.Settings(), "submitted")
    trained = {name for name, each in made.named_parameters() if each.requires_grad}
    assert {name.split(".")[0] for name in trained} == {"encoder", "cell"}
    corrected = racai.network(CHARACTERS, TAGS, "high", racai.Settings(), variant)
    fixed = {name for name, each in corrected.named_parameters() if not each.requires_grad}
    # DyNet has one vector of biases in an LSTM
    assert fixed and all("bias_hh" in name for name in fixed)
    assert {name for name, _ in corrected.named_parameters()} - trained - fixed == {
        "table.weight", "features.weight", "output.weight", "output.bias",
    }  # fmt: skip


def test_weights_are_drawn_as_in_dynet():
    made = racai.network(CHARACTERS, TAGS, "high", racai.Settings(), "submitted")
    for table in (made.table, made.features):
        assert 0.16 < table.weight.abs().max() < (3 / 100) ** 0.5
    assert 0.1 < made.output.weight.abs().max() < (6 / (200 + 13)) ** 0.5


@pytest.mark.parametrize(
    ("variant", "waits"), [("submitted", False), ("corrected", False), ("patient", True)]
)
def test_training_ends_after_twenty_epochs_without_a_better_accuracy(variant, waits):
    data = Data("romanian", "high", ITEMS, ITEMS, [])
    given = racai.recipe(data, racai.Settings(), variant)
    assert (given.batch_size, given.stop) == (1000, Patience(20, 500, above=0.0, waits=waits))


def test_the_gradient_of_a_summed_loss_is_cut_to_five():
    made = racai.network(CHARACTERS, TAGS, "high", racai.Settings(), "corrected")
    given = racai.recipe(Data("romanian", "high", ITEMS, [], []), racai.Settings(), "corrected")
    made.loss(made.batch(ITEMS)).backward()
    assert given.clip is not None
    given.clip(made.parameters())
    gradients = [each.grad for each in made.parameters() if each.grad is not None]
    # Ours is the mean over a batch of 1,000
    assert nn.utils.get_total_norm(gradients).item() == pytest.approx(5 / 1000, rel=1e-4)


def test_a_member_learns_and_answers(tmp_path):
    # Without dev, all epochs are trained
    data = Data("romanian", "high", ITEMS, [], [ITEMS[0]._replace(target=None)])
    options = {"hidden": 64, "embedding": 48, "epochs": 250}
    run = Run("corrected", 1)
    answers = racai.FAMILY.train(data, [run], options, Session(tmp_path))[run]
    assert [answer.forms[0] for answer in answers.test] == ["făceau"]


def test_variants_draw_the_same_so_that_they_can_be_compared_in_pairs(tmp_path):
    runs, data = [Run("corrected", 1), Run("patient", 1)], Data("ro", "high", ITEMS, ITEMS, ITEMS)
    found = racai.FAMILY.train(data, runs, {"epochs": 2, "hidden": 8}, Session(tmp_path))
    corrected, patient = map(found.get, runs)
    assert corrected == patient
    # Yet each has a training of its own
    names = {path.name.partition(".")[0] for path in tmp_path.glob("racai-*")}
    assert names == {"racai-ro-high-corrected-1", "racai-ro-high-patient-1"}
