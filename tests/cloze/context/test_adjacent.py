"""The words next to one as a vector."""

import torch

from kasu.cloze.context.adjacent import AdjacentWords
from kasu.cloze.context.words import read_words
from kasu.transduction.alphabet import END, START, UNKNOWN
from kasu.transduction.items import Context, Item, Token

TOKENS = [Token("The", "the", ("DT",)), Token("dogs", "dog", ("N", "PL")), Token("bark", None, ())]
ITEMS = [Item("dog", ("N", "PL"), "dogs", Context(TOKENS, 1))]
WORDS = read_words(ITEMS)
FORMS, LEMMATA, FEATURES = WORDS.offsets


def id_of(offset: int, vocabulary: int, word: str) -> int:
    (number,) = WORDS[vocabulary].encode([word])
    return offset + number


def test_form_lemma_and_features_of_both_neighbours_and_the_lemma_of_the_word():
    adjacent = AdjacentWords(WORDS, 2)
    expected = [
        id_of(FORMS, 0, "The"), id_of(LEMMATA, 1, "the"), id_of(FEATURES, 2, "DT"),
        id_of(FORMS, 0, "bark"), id_of(LEMMATA, 1, "_"), id_of(FEATURES, 2, "_"),
        id_of(LEMMATA, 1, "dog"),
    ]  # fmt: skip
    assert adjacent.ids(ITEMS).tolist() == [expected]
    assert adjacent.width == 14
    vector = adjacent(torch.tensor([expected]))
    assert torch.equal(vector, adjacent.table.weight[expected].reshape(1, 14))


def test_a_sentence_has_boundaries():
    alone = Item("dog", (), None, Context(TOKENS[1:2], 0))
    boundary = [FORMS + START, LEMMATA + START, FEATURES + START]
    ids = AdjacentWords(WORDS, 2).ids([alone]).tolist()
    assert ids == [[*boundary, *boundary, id_of(LEMMATA, 1, "dog")]]


def test_parts_and_boundaries_may_be_others():
    adjacent = AdjacentWords(WORDS, 2, ((-1, 0), (0, 1), (1, 0)), ends=(START, END))
    (alone,) = adjacent.ids([Item("dog", (), None, Context(TOKENS[1:2], 0))]).tolist()
    assert alone == [FORMS + START, id_of(LEMMATA, 1, "dog"), FORMS + END]
    assert adjacent.ids(ITEMS).tolist() == [
        [id_of(FORMS, 0, "The"), id_of(LEMMATA, 1, "dog"), id_of(FORMS, 0, "bark")]
    ]
    assert adjacent.unknown.tolist() == [FORMS + UNKNOWN, LEMMATA + UNKNOWN, FORMS + UNKNOWN]
    assert adjacent.width == 6


def test_what_training_lacks_is_unknown():
    tokens = [Token("A", "a", ("X",)), Token(None, "cat", ()), Token("B", "b", ("Y",))]
    adjacent = AdjacentWords(WORDS, 2)
    ids = adjacent.ids([Item("cat", (), None, Context(tokens, 1))])
    assert torch.equal(ids[0], adjacent.unknown)
    each = [FORMS + UNKNOWN, LEMMATA + UNKNOWN, FEATURES + UNKNOWN]
    assert adjacent.unknown.tolist() == [*each, *each, LEMMATA + UNKNOWN]


def test_a_split_without_items():
    assert len(AdjacentWords(WORDS, 2).ids([])) == 0
