import pytest
import torch
from torch.nn.functional import cross_entropy

from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.networks.multitask_seq2seq import MultitaskSeq2Seq

ITEMS = [
    Item("kale", ("N", "PL", "language:basque"), "kaleak"),
    Item("mendi", ("N", "language:basque"), "mendi"),
    Item("ur", ("PL", "language:other"), "uru"),
]
CHARACTERS, TAGS = Alphabet("kalemndiur"), Alphabet(["N", "PL"])
LANGUAGES = Alphabet(["language:basque", "language:other"])


def network(truncated: int | None = None) -> MultitaskSeq2Seq:
    torch.manual_seed(4)
    return MultitaskSeq2Seq(CHARACTERS, TAGS, LANGUAGES, 6, truncated=truncated)


def test_each_item_has_its_language():
    items = [*ITEMS, Item("ur", ("N",), "ur"), Item("ur", ("language:third",), "ur")]
    assert network().batch(items).languages.tolist() == [[4], [4], [5], [3], [3]]


def test_the_decoder_starts_from_the_final_state_and_reads_features_alone():
    made = network()
    batch = made.batch(ITEMS)
    state, final = made.start(batch), made.encoder(batch.source).final
    assert [part.shape for part in final] == [(3, 6), (3, 6)]
    assert all(torch.equal(*parts) for parts in zip(state.hidden, final, strict=True))
    # Another language makes no difference to what is answered
    other = [item._replace(tags=(*item.tags[:-1], "language:other")) for item in ITEMS]
    assert made.answer(other) == made.answer(ITEMS)


def test_losses_of_target_source_and_language_are_added():
    made = network()
    (item,) = ITEMS[:1]
    batch = made.batch([item])
    encoded = made.encoder(batch.source)
    written = made.decoder.teacher(made.start(batch), batch.target[:, :-1])
    expected = (
        cross_entropy(written[0], batch.target[0, 1:])
        # Each character from those before it, and the end
        + cross_entropy(made.following(encoded.outputs[0, :-1]), batch.source[0, 1:])
        + cross_entropy(made.language(encoded.final[0]), torch.tensor([4]))
    )
    assert made.loss(batch).item() == pytest.approx(expected.item(), abs=1e-6)


def test_the_encoder_does_not_see_what_it_predicts():
    made = network()
    outputs = [made.encoder(made.batch([Item(word, ())]).source).outputs for word in ("kal", "kae")]
    assert torch.equal(outputs[0][:, :3], outputs[1][:, :3])


def test_words_are_cut():
    made = network(truncated=3)
    assert made.batch(ITEMS).source.shape == (3, 5)
    assert all(len(answer.forms[0]) <= 3 for answer in made.answer(ITEMS))
