"""Definitions of a score: the contexts that a model is shown for a text, and the tokens to predict.

A definition makes queries without a model, so one engine (`kasu.lm.scoring.score`) answers those of
all definitions.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kasu.lm import CAUSAL, MASKED

WORD, SENTENCE = "word", "sentence"
RELEASED_FLOOR = math.log(1e-12)


class Text(NamedTuple):
    """A text as tokens.

    ids: token ids; at word level those of the sentence with the tokenizer's mask in it.
    special: whether each token was added by the tokenizer (beginning, end).
    words: the word that each token belongs to (None for added ones); empty if not asked for.
    target: at word level the tokens of the form that replaces the mask, else empty.
    lost: characters, of the form or the text, for which the tokenizer has no token at all.
    shared: whether a token of the form holds letters beside it, too.
    """

    ids: tuple[int, ...]
    special: tuple[bool, ...]
    words: tuple[int | None, ...] = ()
    target: tuple[int, ...] = ()
    lost: int = 0
    shared: bool = False


class Query(NamedTuple):
    """A context, and the tokens whose probabilities are read off it.

    ids: the tokens that the model is shown.
    positions: where its predictions are read, one for each target.
    targets: the tokens whose probabilities count.
    """

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    targets: tuple[int, ...]


class Definition(NamedTuple):
    """How a text is scored.

    kind: the kind of model it is for, MASKED or CAUSAL.
    level: WORD (a form within a masked sentence) or SENTENCE.
    special_tokens: whether the tokenizer adds its special tokens at the ends.
    within_words: whether queries depend on which tokens make up a word.
    form_alone: whether a form is tokenised by itself, not as a part of its sentence.
    floor: the lowest natural log probability of a token; None if there is no floor.
    unit: `nat` (natural logarithm) or `bit` (base 2).
    queries: makes the queries of a text, given the id of the mask token.
    """

    kind: str
    level: str
    special_tokens: bool
    within_words: bool
    floor: float | None
    unit: str
    queries: Callable[[Text, int], Iterator[Query]]
    form_alone: bool = False


def fill_word(text: Text, mask: int) -> Iterator[Query]:
    """Read the form from left to right, mask by mask, with all of the right context (GEO-7).

    The context does not reveal how many tokens the form has.
    """
    at = text.ids.index(mask)
    left, right = text.ids[:at], text.ids[at + 1 :]
    for number, token in enumerate(text.target):
        ids = (*left, *text.target[:number], mask, *right)
        yield Query(ids, (at + number,), (token,))


def append_mask(text: Text, mask: int) -> Iterator[Query]:
    """Read each token but the first from those before it and a mask (GEO-8, intended)."""
    for at in range(1, len(text.ids)):
        yield Query((*text.ids[:at], mask), (at,), (text.ids[at],))


def interleaved(text: Text, mask: int) -> Iterator[tuple[int, ...]]:
    """Return contexts that keep the mask of every earlier step: t0 M, t0 M t1 M, ... (GEO-8)."""
    masked = tuple(number for token in text.ids for number in (token, mask))
    for at in range(1, len(text.ids)):
        yield masked[: 2 * at]


def read_last_mask(text: Text, mask: int) -> Iterator[Query]:
    """Keep earlier masks, read the last mask (GEO-8, code of 19 December 2025)."""
    for ids, token in zip(interleaved(text, mask), text.ids[1:], strict=True):
        yield Query(ids, (len(ids) - 1,), (token,))


def read_first_mask(text: Text, mask: int) -> Iterator[Query]:
    """Keep earlier masks, read the first mask (GEO-8, code from 24 December 2025 on)."""
    for ids, token in zip(interleaved(text, mask), text.ids[1:], strict=True):
        yield Query(ids, (1,), (token,))


def mask_each(text: Text, mask: int) -> Iterator[Query]:
    """Read each token with only that one masked (Salazar et al. 2020, section 2; BL2MP-5)."""
    for at in _own(text):
        yield Query((*text.ids[:at], mask, *text.ids[at + 1 :]), (at,), (text.ids[at],))


def mask_rest_of_word(text: Text, mask: int) -> Iterator[Query]:
    """Read each token with the rest of its word masked too (Kauf & Ivanova 2023, section 3)."""
    for at in _own(text):
        ids = tuple(
            mask if later >= at and text.words[later] == text.words[at] else token
            for later, token in enumerate(text.ids)
        )
        yield Query(ids, (at,), (text.ids[at],))


def read_left_to_right(text: Text, mask: int) -> Iterator[Query]:
    """Read each token from those before it, in one pass of a causal model (GEO-9)."""
    ahead = [at for at in _own(text) if at > 0]
    if ahead:
        targets = tuple(text.ids[at] for at in ahead)
        yield Query(text.ids, tuple(at - 1 for at in ahead), targets)


def _own(text: Text) -> Sequence[int]:
    """Return the positions of the tokens that the tokenizer did not add."""
    return [at for at, special in enumerate(text.special) if not special]


# The released code floors every token, adds no special tokens and tokenises a form by itself: where
# words begin with their blank, as a form that follows none. `sentence_intended` floors and adds no
# special tokens, too, and thus differs from the two releases only by their mistake. `causal` begins
# with the beginning-of-text token, if the tokenizer has one, so that the first token is scored too.
DEFINITIONS = {
    "word_released": Definition(
        MASKED, WORD, False, False, RELEASED_FLOOR, "nat", fill_word, form_alone=True
    ),
    "word_paper_ideal": Definition(MASKED, WORD, True, False, None, "nat", fill_word),
    "sentence_intended": Definition(
        MASKED, SENTENCE, False, False, RELEASED_FLOOR, "nat", append_mask
    ),
    "sentence_released_dec19": Definition(
        MASKED, SENTENCE, False, False, RELEASED_FLOOR, "nat", read_last_mask
    ),
    "sentence_released_dec24": Definition(
        MASKED, SENTENCE, False, False, RELEASED_FLOOR, "nat", read_first_mask
    ),
    "pll_original": Definition(MASKED, SENTENCE, True, False, None, "nat", mask_each),
    "pll_within_word_l2r": Definition(MASKED, SENTENCE, True, True, None, "nat", mask_rest_of_word),
    "causal": Definition(CAUSAL, SENTENCE, True, False, None, "nat", read_left_to_right),
    "causal_released": Definition(
        CAUSAL, SENTENCE, False, False, RELEASED_FLOOR, "bit", read_left_to_right
    ),
}
