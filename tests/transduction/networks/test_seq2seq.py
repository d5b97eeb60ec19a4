import pytest
import torch
from torch import nn

from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import END, PAD, START, UNKNOWN, Alphabet
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.layers.pointer_generator import PointerGenerator
from kasu.transduction.networks.seq2seq import TwoEncoders

ITEMS = [
    Item("kale", ("N", "PL"), "kaleak"),
    Item("mendi", ("N", "ERG"), "mendik"),
    Item("ur", ("N",), "ur"),
]


def network(dropout: float = 0.5, fixed: bool = False, longest: int | None = None) -> TwoEncoders:
    torch.manual_seed(4)
    characters = Alphabet("".join(f"{item.source}{item.target}" for item in ITEMS))
    tags = Alphabet(tag for item in ITEMS for tag in item.tags)
    table = nn.Embedding(len(characters), 5)
    lemma, features = (
        Encoder(each, Recurrent("lstm", 5, 6, directions=2))
        for each in (table, nn.Embedding(len(tags), 5))
    )
    decoder = PointerGenerator(table, 7, [12] * 2, 4)
    return TwoEncoders(
        characters, tags, lemma, features, decoder,
        dropout=dropout, fixed=fixed, longest=longest,
    )  # fmt: skip


@pytest.mark.parametrize("fixed", [False, True])
def test_the_loss_is_a_mean_over_the_symbols_of_all_items(fixed):
    made = network(dropout=0, fixed=fixed)
    # One symbol more for the end
    lengths = [len(item.target) + 1 for item in ITEMS]
    alone = [made.loss(made.batch([item])).item() for item in ITEMS]
    mean = sum(loss * length for loss, length in zip(alone, lengths, strict=True)) / sum(lengths)
    assert made.loss(made.batch(ITEMS)).item() == pytest.approx(mean, abs=1e-5)


def test_dropout_depends_on_the_seed_of_the_batch_alone():
    made = network()
    one, same, other = (made.loss(made.batch(ITEMS, seed)).item() for seed in (1, 1, 2))
    assert one == same != other


def test_fixed_features_are_the_last_state_of_their_encoder_at_every_step():
    made = network(fixed=True)
    batch = made.batch(ITEMS)
    _, features = made.start(batch).memories
    last = made.features(batch.tags).final[0]
    assert torch.equal(features.values, last.unsqueeze(1))
    assert features.padding.tolist() == [[0.0]] * 3


def test_dropout_of_fixed_features_is_one_mask_for_their_vector():
    made = network(fixed=True)
    *_, mask = made.inputs(made.batch(ITEMS))
    assert mask.shape == (3, 1, 12)
    *others, mask = network(dropout=0, fixed=True).inputs(made.batch(ITEMS))
    assert made(*others, mask) != made(*others, torch.zeros_like(mask))


def test_the_score_of_an_answer_is_its_log_probability():
    made = network(dropout=0, longest=12)
    with torch.no_grad():  # write characters and the end alone
        made.decoder.vocabulary.bias[[PAD, START, UNKNOWN]] = -100
        made.decoder.generate.bias[0] = 100
        made.decoder.vocabulary.bias[END] = 2
    (answer,) = made.answer(ITEMS[:1], width=3)
    assert len(set(answer.forms)) == 3
    for form, score in zip(answer.forms, answer.scores, strict=True):
        asked = made.batch([ITEMS[0]._replace(target=form)])
        assert score == pytest.approx(-made.loss(asked).item() * (len(form) + 1), abs=1e-3)


@pytest.mark.parametrize("fixed", [False, True])
def test_answers_do_not_depend_on_the_other_items(fixed):
    made = network(fixed=fixed)
    together = made.answer(ITEMS, width=2)
    for item, answer in zip(ITEMS, together, strict=True):
        (alone,) = made.answer([item], width=2)
        assert alone.forms == answer.forms
        assert alone.scores == pytest.approx(answer.scores, abs=1e-4)


@pytest.mark.parametrize(("longest", "expected"), [(3, 3), (None, 26)])
def test_an_answer_ends_at_the_limit(longest, expected):
    made = network(longest=longest)
    with torch.no_grad():  # write characters alone, without end
        made.decoder.vocabulary.bias[[PAD, START, END, UNKNOWN]] = -100
        made.decoder.generate.bias[0] = 100
    (answer,) = made.answer([Item("ura", ("N",))])
    assert len(answer.forms[0]) == expected


def test_a_character_never_seen_is_copied():
    made = network(dropout=0)
    with torch.no_grad():  # copy always
        made.decoder.generate.bias[0] = -100
    (answer,) = made.answer([Item("žž", ("N",))])
    assert "ž" in answer.forms[0]


def test_the_widest_beam_finds_no_symbol_of_another_item():
    """All outputs of one symbol and more: only ids that no item could mean are left."""
    made = network(longest=2)
    few, some = Item("ur", ("N",)), Item("žšč", ("N",))
    width = (len(made.characters) + 3) ** 2
    first, second = made.answer([few, some], width)
    assert not set("žšč") & set("".join(first.forms))
    assert set("žšč") <= set("".join(second.forms))
