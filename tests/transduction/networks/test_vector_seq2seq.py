import pytest
import torch

from kasu.transduction.alphabet import END, START, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.vector_seq2seq import VectorSeq2Seq

ITEMS = [
    Item("kale", ("N", "PL"), "kaleak"),
    Item("mendi", ("N", "ERG"), "mendik"),
    Item("ur", (), "ur"),
]
CHARACTERS, TAGS = Alphabet("kalemndiur"), Alphabet(["N", "PL", "ERG"])


def network(fed: bool, truncated: int | None = None, *, by_position: bool = False) -> VectorSeq2Seq:
    torch.manual_seed(4)
    return VectorSeq2Seq(CHARACTERS, TAGS, 6, fed=fed, truncated=truncated, by_position=by_position)


@pytest.mark.parametrize(("fed", "by_position"), [(False, False), (True, False), (True, True)])
def test_items_do_not_depend_on_each_other(fed, by_position):
    made = network(fed, by_position=by_position)
    lengths = [len(item.target) + 1 for item in ITEMS]
    alone = [made.loss(made.batch([item])).item() for item in ITEMS]
    mean = sum(loss * length for loss, length in zip(alone, lengths, strict=True)) / sum(lengths)
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(mean, abs=1e-6)
    together = made.answer(ITEMS, 3)
    for item, answer in zip(ITEMS, together, strict=True):
        assert made.answer([item], 3)[0].forms == answer.forms


@pytest.mark.parametrize("fed", [False, True])
def test_unknown_symbols_and_features_are_answered(fed):
    made = network(fed)
    assert len(made.answer([Item("", ("X",)), Item("žž", ())])) == 2
    known, unknown = made.answer([Item("ur", ("N",)), Item("ur", ("N", "X"))])
    assert known.forms == unknown.forms
    # Some processors add up the rows of a batch in different orders
    assert known.scores == pytest.approx(unknown.scores)


def test_the_first_symbol_of_the_source_is_beside_the_first_of_the_answer():
    made = network(fed=True)
    (beside,) = made.start(made.batch(ITEMS[:1])).beside
    expected = made.decoder.beside(torch.tensor(CHARACTERS.encode("kale")))
    assert torch.equal(beside[0, :4], expected)


def test_the_encoder_may_be_read_by_position():
    made = network(fed=True, by_position=True)
    batch = made.batch(ITEMS)
    (beside,) = made.start(batch).beside
    symbols = made.decoder.beside(torch.tensor(CHARACTERS.encode("kale")))
    # The second of "kale" and what the encoder has written after START, k and a; after END nothing
    outputs = made.encoder(batch.source).outputs
    expected = symbols[1] + made.decoder.outputs(outputs[0, 2])
    torch.testing.assert_close(beside[0, 1], expected)
    assert beside[2, 3:].count_nonzero() == 0  # "ur", END


def test_words_are_cut():
    made = network(fed=False, truncated=3)
    cut = made.batch([Item("kal", ("N", "PL"), "kal")])
    assert torch.equal(made.batch(ITEMS[:1]).source, cut.source)
    assert torch.equal(made.batch(ITEMS[:1]).target, cut.target)
    assert all(len(answer.forms[0]) <= 3 for answer in made.answer(ITEMS))


def test_padding_is_read_as_zeros():
    made = VectorSeq2Seq(CHARACTERS, TAGS, 6, fed=False, truncated=8, padded=True)
    batch = made.batch(ITEMS)
    assert batch.source.shape == (3, 10)
    read = torch.zeros(3, 10, len(CHARACTERS))
    for row, item in zip(read, ITEMS, strict=True):
        ids = [START, *CHARACTERS.encode(item.source), END]
        row[range(len(ids)), ids] = 1
    _, (hidden, _) = made.encoder.network.layers[0].kernel(read.transpose(0, 1))
    final, _ = made.encoder(batch.source).final
    assert torch.allclose(final, torch.cat([*hidden], 1), atol=1e-6)


def test_symbols_are_unit_vectors_that_are_not_trained():
    made = network(fed=True)
    frozen = [name for name, weight in made.named_parameters() if not weight.requires_grad]
    assert frozen == ["features.table.weight", "encoder.table.weight", "decoder.table.weight"]
    assert made.encoder.table.weight.tolist() == made.decoder.table.weight.tolist()
    assert made.features(torch.tensor([[4, 6], [5, 0]])).tolist() == [
        [0, 0, 0, 0, 1, 0, 1],
        [0, 0, 0, 0, 0, 1, 0],
    ]
