import pytest
import torch

from kasu.transduction.alphabet import Alphabet
from kasu.transduction.edits.actions import COPY, DELETE, END, ActionAlphabet, consuming
from kasu.transduction.items import Item
from kasu.transduction.networks.repeating import RepeatingTransducer, slid_actions

ITEMS = [
    Item("kale", ("N", "PL"), "kaleak"),
    Item("mendi", ("N", "ERG"), "mendik"),
    Item("ur", (), "ur"),
]
ALPHABET, TAGS = ActionAlphabet("kalemndiur", [COPY, DELETE]), Alphabet(["N", "PL", "ERG"])


def network(steps: int = 9) -> RepeatingTransducer:
    torch.manual_seed(4)
    return RepeatingTransducer(
        ALPHABET, TAGS, embedding=5, size=6, steps=steps, dropout=0.5, grouped=False
    ).eval()


@pytest.mark.parametrize(
    ("source", "target", "actions"),
    [
        ("kale", "kaleak", [COPY] * 4 + ["a", "k", END]),
        ("sehen", "sah", [COPY, DELETE, "a", COPY, DELETE, DELETE, END]),
        # Column by column
        ("hau", "hie", [COPY, DELETE, "i", DELETE, "e", END]),
        # The whole lemma is shifted, so what it meets is not its own
        ("geben", "gegeben", ["g", "e", *[COPY] * 5, END]),
    ],
)
def test_actions_follow_from_a_shift_of_the_lemma(source, target, actions):
    found = slid_actions(Item(source, (), target), grouped=False)
    assert found == actions
    assert consuming(source, found) == target


def test_every_step_reads_the_same_vector_and_no_action():
    made = network()
    (source,) = made._asked(ITEMS[:1])
    # The same as two networks that read the vector at every step
    (vector,) = made.encoder(source).final
    repeated = vector.unsqueeze(1).expand(-1, 9, -1)
    forward, backward = (cell.run(repeated, cell.zeros(1))[0] for cell in made.cells)
    expected = made.output(torch.cat([forward, backward.flip(1)], 2)).log_softmax(2)
    torch.testing.assert_close(made._write(source, 9), expected)
    torch.testing.assert_close(made._write(source, 4), expected[:, :4])
    # Answers are written step by step, whatever was written before
    state = made.start(source)
    for place, previous in enumerate([1, 4, 5, 6]):
        log_probs, state = made.step(state, torch.tensor([previous]))
        torch.testing.assert_close(log_probs, expected[:, place])


def test_source_and_features_are_one_sequence():
    made = network()
    kale = ALPHABET.encode("kale")
    tags = [len(ALPHABET) + each for each in TAGS.encode(["N", "PL"])]
    (source,) = made._asked(ITEMS[:1])
    assert source.tolist() == [[*kale, *tags, 2]]


def test_actions_end_with_the_steps():
    assert network(steps=3).batch(ITEMS).actions.shape == (3, 3)
    assert all(len(answer.forms[0]) <= 3 for answer in network(steps=3).answer(ITEMS))


def test_answers_do_not_depend_on_the_other_items():
    made = network()
    for item, answer in zip(ITEMS, made.answer(ITEMS, 3), strict=True):
        assert made.answer([item], 3)[0].forms == answer.forms


def test_there_is_nothing_to_copy_after_the_end_of_the_source():
    made = network()
    made.output.bias.data[ALPHABET.encode([COPY])] = 50
    assert [answer.forms for answer in made.answer(ITEMS)] == [["kale"], ["mendi"], ["ur"]]
