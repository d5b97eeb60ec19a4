import pytest
import torch

from kasu.transduction.alphabet import END, PAD, START, UNKNOWN, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.joined_seq2seq import JoinedSeq2Seq

ITEMS = [
    Item("kale", ("N", "PL"), "kaleak"),
    Item("mendi", ("N", "ERG"), "mendik"),
    Item("ur", (), "ur"),
]
CHARACTERS, TAGS = Alphabet("kalemndiur"), Alphabet(["N", "PL", "ERG"])


def network() -> JoinedSeq2Seq:
    torch.manual_seed(4)
    return JoinedSeq2Seq(CHARACTERS, TAGS, embedding=5, size=6, bound=0.1)


def test_features_come_before_the_source():
    one, _, other = network().batch(ITEMS).source.tolist()
    tags = [len(CHARACTERS) + each for each in TAGS.encode(["N", "PL"])]
    assert one == [*tags, *CHARACTERS.encode("kale"), END, PAD]
    assert other == [*CHARACTERS.encode("ur"), END, *[PAD] * 5]


def test_first_embeddings_are_small():
    made = network()
    for table in (made.encoder.table, made.decoder.table):
        assert 0.09 < table.weight.abs().max() <= 0.1


def test_what_is_written_first_is_known_by_attention_alone():
    made = network()
    state = made.start(made.batch(ITEMS))
    assert [part.count_nonzero().item() for part in state.hidden] == [0, 0]
    blind = [each._replace(values=torch.zeros_like(each.values)) for each in state.memories]
    first = torch.full((3,), START)
    log_probs, _ = made.decoder.step(state._replace(memories=tuple(blind)), first)
    torch.testing.assert_close(log_probs, log_probs[:1].expand(3, -1))
    seen, _ = made.decoder.step(state, first)
    assert not torch.allclose(seen[0], seen[1])


def test_the_loss_is_a_mean_over_symbols_and_padding_does_not_matter():
    made = network()
    losses = [made.loss(made.batch([item])).item() for item in ITEMS]
    lengths = [len(item.target) + 1 for item in ITEMS]
    expected = sum(map(float.__mul__, losses, map(float, lengths))) / sum(lengths)
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(expected, abs=1e-5)


def test_unknown_symbols_of_an_answer_are_those_of_the_source():
    made = network()
    with torch.no_grad():
        made.decoder.vocabulary.weight.zero_()
        made.decoder.vocabulary.bias[UNKNOWN] = 100.0
    found = made.answer([Item("žaxž", ()), Item("kale", ("V",))])
    assert [answer.forms for answer in found] == [["žxž"], [""]]
