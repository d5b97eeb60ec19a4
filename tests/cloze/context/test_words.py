"""The words of sentences as symbols."""

from kasu.cloze.context.words import HIDDEN, context_of, read_words, shown
from kasu.transduction.alphabet import RESERVED, UNKNOWN
from kasu.transduction.items import Context, Item, Token

DOGS = [Token("The", "the", ("DT",)), Token("dogs", "dog", ("N", "PL")), Token("bark", None, ())]


def test_what_is_hidden_has_a_symbol():
    assert shown(DOGS[1]) == ("dogs", "dog", "N;PL")
    assert shown(DOGS[2]) == ("bark", HIDDEN, HIDDEN)
    assert shown(Token(None, "dog", ())) == (HIDDEN, "dog", HIDDEN)


def test_vocabularies_are_those_of_all_tokens():
    items = [Item("dog", ("N", "PL"), "dogs", Context(DOGS, 1))] * 2
    words = read_words(items)
    assert [vocabulary.symbols for vocabulary in words] == [
        ["The", "_", "bark", "dogs"], ["_", "dog", "the"], ["DT", "N;PL", "_"],
    ]  # fmt: skip
    assert words.offsets == (0, 4 + RESERVED, 7 + 2 * RESERVED)
    assert words.size == 10 + 3 * RESERVED


def test_what_is_hidden_may_be_unknown():
    items = [Item("dog", ("N", "PL"), "dogs", Context(DOGS, 1))]
    words = read_words(items, hidden=False)
    assert [vocabulary.symbols for vocabulary in words] == [
        ["The", "bark", "dogs"], ["dog", "the"], ["DT", "N;PL"],
    ]  # fmt: skip
    forms, lemmata, features = words.offsets
    assert words.encode(DOGS[1:]) == [
        (forms + RESERVED + 2, lemmata + RESERVED, features + RESERVED + 1),
        (forms + RESERVED + 1, lemmata + UNKNOWN, features + UNKNOWN),
    ]
    assert words.encode([]) == []


def test_without_training_items_there_is_what_is_hidden():
    assert [vocabulary.symbols for vocabulary in read_words([])] == [["_"]] * 3


def test_a_word_without_a_sentence_stands_alone():
    item = Item("dog", ("N",), "dogs")
    assert context_of(item) == Context([Token(None, "dog", ("N",))], 0)
    assert context_of(item._replace(context=Context(DOGS, 1))) == Context(DOGS, 1)
