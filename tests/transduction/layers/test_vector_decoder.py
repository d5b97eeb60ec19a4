import pytest
import torch

from kasu.transduction.alphabet import PAD, START, Alphabet
from kasu.transduction.layers.vector_decoder import VectorDecoder

CHARACTERS = Alphabet("abc")
A, B, C = CHARACTERS.encode("abc")


def decoder(beside: bool) -> VectorDecoder:
    torch.manual_seed(3)
    return VectorDecoder(CHARACTERS, 5, 2, beside=beside).double()


CONSTANT = torch.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
SOURCE = torch.tensor([[A, B, C], [C, 0, 0]])


@pytest.mark.parametrize("beside", [None, SOURCE])
def test_a_known_output_is_read_as_step_by_step(beside):
    made = decoder(beside is not None)
    target = torch.tensor([[START, A, A, B, C], [START, C, B, A, A]])
    state = made.start(CONSTANT, beside=beside)
    together = made.teacher(state, target)
    for step, previous in enumerate(target.T):
        log_probs, state = made.step(state, previous)
        torch.testing.assert_close(log_probs, together[:, step])


def test_the_symbol_beside_counts_at_its_own_place_only():
    made = decoder(beside=True)
    target = torch.tensor([[START, A, B, C]])

    def log_probs(source):
        return made.teacher(made.start(CONSTANT[:1], beside=torch.tensor([source])), target)

    same = (log_probs([A, B, C]) == log_probs([A, B, A])).all(2)
    assert same.tolist() == [[True, True, False, False]]


def test_nothing_is_beside_what_follows_the_source():
    made = decoder(beside=True)
    target = torch.tensor([[START, A, B, C]])
    short, long = (
        made.teacher(made.start(CONSTANT[:1], beside=torch.tensor([source])), target)
        for source in ([A], [A, 0, 0, 0, 0])
    )
    torch.testing.assert_close(short, long)
    # Nor is padding
    made.beside.weight.data[PAD] = 7
    again = made.teacher(made.start(CONSTANT[:1], beside=torch.tensor([[A]])), target)
    assert torch.equal(again, short)


def test_the_vector_is_read_at_every_step():
    made = decoder(beside=False)
    target = torch.tensor([[START, A, B]])
    first, second = (made.teacher(made.start(CONSTANT[[row]]), target) for row in (0, 1))
    assert not torch.isclose(first, second).all(2).any()
    # Without anything else, the weights of the vector are all that it has
    made.cell.constant.data.zero_()
    first, second = (made.teacher(made.start(CONSTANT[[row]]), target) for row in (0, 1))
    torch.testing.assert_close(first, second)


def test_symbols_may_be_embedded():
    made = VectorDecoder(Alphabet("ab"), 5, 2, embedding=3)
    assert made.table.weight.shape == (6, 3)
    assert made.table.weight.requires_grad
    assert made.cell.layers[0].kernel.input_size == 3
