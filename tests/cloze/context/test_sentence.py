"""A whole sentence as a vector."""

import pytest
import torch

from kasu.cloze.context.sentence import WholeSentence
from kasu.cloze.context.words import read_words
from kasu.transduction.alphabet import PAD, START, UNKNOWN
from kasu.transduction.items import Context, Item, Token

TOKENS = [
    Token("Two", "two", ("NUM",)),
    Token("dogs", "dog", ("N", "PL")),
    Token("bark", "bark", ("V",)),
    Token(".", ".", ("PUNCT",)),
]
ITEM = Item("dog", ("N", "PL"), "dogs", Context(TOKENS, 1))
FIRST = Item("two", ("NUM",), "Two", Context(TOKENS, 0))
WORDS = read_words([ITEM])
BOUNDARY = [offset + START for offset in WORDS.offsets]
NOTHING = [PAD] * 3


def id_of(kind: int, word: str) -> int:
    (number,) = WORDS[kind].encode([word])
    return WORDS.offsets[kind] + number


def ids_of(form: str, lemma: str, features: str) -> list[int]:
    return [id_of(kind, word) for kind, word in enumerate((form, lemma, features))]


TWO, BARK, STOP = (
    ids_of("Two", "two", "NUM"),
    ids_of("bark", "bark", "V"),
    ids_of(".", ".", "PUNCT"),
)
DOG = [PAD, id_of(1, "dog"), PAD]


@pytest.mark.parametrize(
    ("forward", "after"),
    [
        pytest.param(False, [BOUNDARY, STOP, BARK], id="paper"),
        pytest.param(True, [BARK, STOP, BOUNDARY], id="released"),
    ],
)
def test_words_are_read_towards_the_word_or_forward_and_never_the_word_itself(forward, after):
    made = WholeSentence(WORDS, 2, 5, forward=forward)
    assert made.ids([ITEM]).tolist() == [[BOUNDARY, TWO, NOTHING, *after, DOG]]


def test_the_released_program_does_not_read_the_lemma_of_the_first_word():
    paper, released = (WholeSentence(WORDS, 2, 5, forward=each) for each in (False, True))
    assert paper.ids([FIRST])[0, -1].tolist() == [PAD, id_of(1, "two"), PAD]
    assert released.ids([FIRST])[0, -1].tolist() == [PAD, BOUNDARY[1], PAD]


def test_the_vector_is_the_last_states_and_the_embedding_of_the_lemma():
    made = WholeSentence(WORDS, 2, 5, forward=False)
    (vector,) = made(made.ids([ITEM]))
    assert len(vector) == made.width == 12
    read = made.table(torch.tensor([[BOUNDARY, TWO], [BOUNDARY, STOP]])).flatten(2)
    _, before, _ = made.before(read[:1])
    assert torch.allclose(vector[:5], before[0, 0])
    whole = made.table(torch.tensor([[BOUNDARY, STOP, BARK]])).flatten(2)
    assert torch.allclose(vector[5:10], made.after(whole)[1][0, 0])
    assert torch.equal(vector[10:], made.table.weight[DOG[1]])


def test_items_do_not_depend_on_each_other():
    made = WholeSentence(WORDS, 2, 5, forward=False)
    alone = torch.cat([made(made.ids([each])) for each in (ITEM, FIRST)])
    assert torch.allclose(made(made.ids([ITEM, FIRST])), alone, atol=1e-6)


def test_what_training_lacks_is_unknown():
    made = WholeSentence(WORDS, 2, 5, forward=False)
    tokens = [Token("A", "a", ("X",)), Token(None, "cat", ())]
    ids = made.ids([Item("cat", (), None, Context(tokens, 1))])
    assert ids[0, 1].tolist() == made.unknown.tolist()
    assert made.unknown.tolist() == [offset + UNKNOWN for offset in WORDS.offsets]
    assert ids[0, -1, 1] == made.unknown[1]


def test_a_split_without_items():
    assert len(WholeSentence(WORDS, 2, 5, forward=False).ids([])) == 0
