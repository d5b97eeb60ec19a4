"""The words next to one by their characters and features."""

import torch

from kasu.cloze.context.characters import Around, NeighbouringWords, read_around
from kasu.transduction.alphabet import END, PAD, START, UNKNOWN, Alphabet
from kasu.transduction.items import Context, Item, Token

TOKENS = [
    Token("The", "the", ("DT",)), Token("dogs", "dog", ("N", "PL")), Token("bark", "bark", ("V",)),
]  # fmt: skip
ITEM = Item("dog", ("N", "PL"), "dogs", Context(TOKENS, 1))
AROUND = Around(Alphabet("Thedogsbark"), Alphabet(["DT", "N", "PL", "V"]))


def network(words: int = 1) -> NeighbouringWords:
    torch.manual_seed(1)
    return NeighbouringWords("coupled", AROUND, words, character=3, feature=2)


def spelt(word: str) -> list[int]:
    return [START, *AROUND.characters.encode(word), END]


def test_what_sentences_are_written_with():
    assert [each.symbols for each in read_around([ITEM, ITEM])] == [each.symbols for each in AROUND]
    hidden = Item("dog", (), None, Context([Token(None, "dog", ())], 0))
    assert [each.symbols for each in read_around([hidden])] == [[], []]


def test_slots_and_characters_of_both_neighbours():
    # In slots 0 is absent; features are numbered from 1
    left, right = [1, 0, 0, 0, *spelt("The"), PAD], [0, 0, 0, 4, *spelt("bark")]
    assert network().ids([ITEM]).tolist() == [[left, right]]


def test_a_boundary_has_no_character_and_a_hidden_form_an_unknown_one():
    tokens = [TOKENS[1], Token(None, "x", ())]
    found = network().ids([Item("dog", (), None, Context(tokens, 0))])
    boundary, hidden = [0] * 4 + [START, END, PAD], [0] * 4 + [START, UNKNOWN, END]
    assert found.tolist() == [[boundary, hidden]]


def test_a_hidden_form_is_unknown_also_where_texts_have_the_mark_for_it():
    around = Around(Alphabet("_ab"), Alphabet([]))
    made = NeighbouringWords("coupled", around, 1, character=3, feature=2)
    found = made.ids([Item("a", (), None, Context([TOKENS[1], Token(None, "x", ())], 0))])
    assert found[0, 1].tolist() == [START, UNKNOWN, END]


def test_two_words_on_each_side():
    made = network(2)
    spellings = [row[4:] for row in made.ids([ITEM])[0].tolist()]
    words = [[START, END], spelt("The"), spelt("bark"), [START, END]]
    assert [[each for each in row if each != PAD] for row in spellings] == words
    # For each of four words two final states of 3 and four slots of 2
    assert made.width == 4 * (6 + 8)
    assert made(made.ids([ITEM])).shape == (1, 56)


def test_the_vector_does_not_depend_on_the_other_items():
    longer = Item("dog", (), None, Context([Token("k" * 9, None, ("V",)), *TOKENS], 3))
    made = network()
    (alone,), (together, other) = (made(made.ids(items)) for items in ([ITEM], [ITEM, longer]))
    torch.testing.assert_close(alone, together)
    assert not torch.allclose(alone, other)


def test_an_unknown_character_is_the_mean_of_those_that_were_trained():
    made = network()
    expected = made(made.ids([ITEM]))
    made.table.weight.data[[PAD, UNKNOWN]] += 1
    torch.testing.assert_close(made(made.ids([ITEM])), expected)
    hidden = Item("dog", (), None, Context([Token(None, None, ()), *TOKENS[1:]], 1))
    before = made(made.ids([hidden]))
    made.table.weight.data[UNKNOWN] += 1
    torch.testing.assert_close(made(made.ids([hidden])), before)
    made.table.weight.data[-1] += 1
    assert not torch.allclose(made(made.ids([hidden])), before)


def test_no_features_and_no_items():
    made = NeighbouringWords(
        "lstm", AROUND._replace(features=Alphabet(())), 1, character=3, feature=2
    )
    assert made.width == 12
    assert made(made.ids([ITEM])).shape == (1, 12)
    assert len(made.ids([])) == 0
