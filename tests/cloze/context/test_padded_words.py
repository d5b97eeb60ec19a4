"""Words whose padding is read."""

import pytest
import torch
from torch import nn

from kasu.cloze.context.padded_words import (
    FirstAlphabet,
    PaddedReader,
    PaddedWords,
    lemma_of,
    read_alphabets,
    spelled,
)
from kasu.transduction.alphabet import END, PAD, START, UNKNOWN
from kasu.transduction.batch import pad
from kasu.transduction.items import Context, Item, Token

ALPHABET = FirstAlphabet("cabd")
TOKENS = [
    Token("Le", "le", ("DET", "SG")),
    Token("chat", "chat", ("N", "SG")),
    Token("dort", "dormir", ("V",)),
]


def reader(layers=1):
    torch.manual_seed(1)
    return PaddedReader(nn.Embedding(len(ALPHABET), 4), 5, layers).double()


def masks(ids, layers=1):
    shapes = [(*ids.shape, 4)] + [(*ids.shape, 10)] * (layers - 1)
    return [torch.ones(shape, dtype=torch.float64) for shape in shapes]


def vectors(network, *words, layers=1):
    ids = pad([ALPHABET.encode(word) for word in words])
    return network.last(ids, ids >= 0, masks(ids, layers))


def test_an_unknown_symbol_is_read_as_the_first_one():
    assert ALPHABET.encode("cxa_") == [ALPHABET.encode("c")[0], 6, 4, 6]
    assert ALPHABET.symbols == list("abcd")


def test_without_symbols_one_is_unknown():
    assert FirstAlphabet(()).encode("a") == [UNKNOWN]


def test_the_first_symbols_are_those_of_the_second_word():
    items = [
        Item(token.lemma, token.tags, token.form, Context(TOKENS, place))
        for place, token in enumerate(TOKENS)
    ]
    characters, tags = read_alphabets(items, full=True)
    assert (characters.first, tags.first) == ("c", "N")
    assert characters.symbols == sorted(set("Lelechatdortdormir"))
    assert tags.symbols == ["DET", "N", "SG", "V"]
    # An item that is not the first word reads what is before it first
    assert [each.first for each in read_alphabets(items[1:], full=True)] == ["L", "DET"]


def test_in_track_2_forms_and_lemmata_of_items_are_read():
    tokens = [Token("Le", None, ()), Token("chats", "chat", ())]
    items = [Item("gato", (), "chats", Context(tokens, 1))]
    characters, tags = read_alphabets(items, full=False)
    assert (characters.first, characters.symbols) == ("L", sorted(set("Lechatsgato")))
    assert (tags.first, tags.symbols) == (None, [])


def test_a_sentence_of_one_word_has_its_own_lemma_first():
    item = Item("xy", ("N",), "yx", Context([Token("yx", "xy", ("N",))], 0))
    characters, tags = read_alphabets([item], full=True)
    assert (characters.first, tags.first) == ("x", None)


def test_what_is_hidden_and_what_is_empty_has_a_symbol():
    assert spelled(Token(None, None, ()), full=True) == ("_", "_", ("_",))
    assert spelled(Token("#", "", ("SYM",)), full=True) == ("#", "*", ("SYM",))
    assert spelled(Token("a", "b", ("N",)), full=False) == ("a",)
    assert (lemma_of(Item("", ())), lemma_of(Item("ab", ()))) == ("*", "ab")


@pytest.mark.parametrize("layers", [1, 2])
def test_padding_changes_the_vector_of_a_word(layers):
    network = reader(layers)
    (alone,) = vectors(network, "ab", layers=layers)
    beside = vectors(network, "ab", "abcd", layers=layers)[0]
    assert (alone - beside).abs().max() > 1e-3


def test_the_backward_half_of_all_shorter_words_is_one_step_on_padding():
    network = reader()
    words = ["ab", "ba", "c", "abcd"]
    ids = pad([ALPHABET.encode(word) for word in words])
    found = network.last(ids, ids >= 0, masks(ids))
    # The forward state of each word, after its padding
    outputs, *_ = network.network(network.table(ids))
    forward = outputs[:, -1, :5]
    backward = found - forward
    torch.testing.assert_close(found[0] - found[1], forward[0] - forward[1], rtol=0, atol=1e-12)
    for row in (1, 2):
        torch.testing.assert_close(backward[row], backward[0], rtol=0, atol=1e-12)
    assert (backward[3] - backward[0]).abs().max() > 1e-3
    lone = torch.tensor([[PAD]])
    step, *_ = network.network(network.table(lone))
    torch.testing.assert_close(backward[0], step[0, 0, 5:], rtol=0, atol=1e-12)


def test_directions_are_added_up_and_final_states_are_sorted_by_layer():
    network = reader(2)
    ids = pad([ALPHABET.encode(word) for word in ("abc", "c")])
    outputs, (h, c) = network(ids, ids >= 0, masks(ids, 2))
    whole, hidden, cell = network.network(network.table(ids), None, masks(ids, 2)[1:])
    torch.testing.assert_close(outputs, whole[..., :5] + whole[..., 5:], rtol=0, atol=1e-12)
    for found, expected in ((h, hidden), (c, cell)):
        by_hand = [expected[0, :, :5], expected[0, :, 5:], expected[1, :, :5], expected[1, :, 5:]]
        torch.testing.assert_close(found, torch.stack(by_hand), rtol=0, atol=1e-12)
    torch.testing.assert_close(network.last(ids, ids >= 0, masks(ids, 2)), outputs[:, -1])


def words(full):
    tags = FirstAlphabet(["N", "SG", "DET"])
    of_tags = PaddedReader(nn.Embedding(len(tags), 3), 2, 1).double() if full else None
    return PaddedWords(reader(), of_tags, (ALPHABET, tags))


def test_each_part_of_a_word_is_padded_by_itself():
    a, b, c, d = ALPHABET.encode("abcd")
    n, sg, det = words(True).alphabets[1].encode(["N", "SG", "DET"])
    tokens = [START, Token("ab", "c", ("DET", "SG")), Token(None, "dab", ())]
    forms, lemmata, tags = words(True).ids(tokens, "cpu")
    assert forms.tolist() == [[START, PAD], [a, b], [c, PAD]]
    assert lemmata.tolist() == [[START, PAD, PAD], [c, PAD, PAD], [d, a, b]]
    # Hidden tags are the first one
    assert tags.tolist() == [[START, PAD], [det, sg], [n, PAD]]
    (forms,) = words(False).ids([Token("ab", None, ()), END], "cpu")
    assert forms.tolist() == [[a, b], [END, PAD]]


def test_the_vector_of_a_word_has_form_lemma_and_tags():
    network = words(True)
    assert (network.width, words(False).width) == (12, 5)
    parts = network.ids([Token("ab", "c", ("N",)), Token("c", "dab", ("N", "SG"))], "cpu")
    found = network(
        (ids, ids >= 0, [torch.ones(*ids.shape, width, dtype=torch.float64)])
        for ids, width in zip(parts, (4, 4, 3), strict=True)
    )
    torch.testing.assert_close(found[:, :5], vectors(network.characters, "ab", "c"))
    torch.testing.assert_close(found[:, 5:10], vectors(network.characters, "c", "dab"))
