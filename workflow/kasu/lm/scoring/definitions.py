"""What a score is: which contexts a model is shown for a text, and which tokens it is asked for.

Every definition is a list of queries that need no model to be made, so one engine
(`kasu.lm.scoring.score`) answers them all.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kasu.lm import CAUSAL, MASKED

WORD, SENTENCE = "word", "sentence"
RELEASED_FLOOR = math.log(1e-12)


class Text(NamedTuple):
    """A text as tokens.

    ids: token numbers; at word level of the sentence with the tokenizer's mask in it.
    special: whether the tokenizer added the token (beginning, end).
    words: which word each token belongs to (None for added ones); empty if nobody asked.
    target: at word level the tokens of the form that stands at the mask, else empty.
    """

    ids: tuple[int, ...]
    special: tuple[bool, ...]
    words: tuple[int | None, ...] = ()
    target: tuple[int, ...] = ()


class Query(NamedTuple):
    """A context and the tokens whose probability is read off it.

    ids: what the model is shown.
    positions: where its prediction is read, as many as targets.
    targets: the tokens whose probability counts.
    """

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    targets: tuple[int, ...]


class Definition(NamedTuple):
    """How a text is scored.

    kind: the models that it is for, MASKED or CAUSAL.
    level: WORD (a form within a masked sentence) or SENTENCE.
    special_tokens: does the tokenizer add its own at the ends?
    within_words: does it ask which tokens make up a word?
    floor: the least natural log probability of a token; None without one.
    unit: `nat` (natural logarithm) or `bit` (base 2).
    queries: makes them from a text and the number of the mask token.
    """

    kind: str
    level: str
    special_tokens: bool
    within_words: bool
    floor: float | None
    unit: str
    queries: Callable[[Text, int], Iterator[Query]]


def fill_word(text: Text, mask: int) -> Iterator[Query]:
    """Left to right through the form: one mask at a time, all of the right context (GEO-7).

    Nothing tells the model how many tokens the form has.
    """
    at = text.ids.index(mask)
    left, right = text.ids[:at], text.ids[at + 1 :]
    for number, token in enumerate(text.target):
        ids = (*left, *text.target[:number], mask, *right)
        yield Query(ids, (at + number,), (token,))


def append_mask(text: Text, mask: int) -> Iterator[Query]:
    """Each token but the first from those before it and a mask behind them (GEO-8, intended)."""
    for at in range(1, len(text.ids)):
        yield Query((*text.ids[:at], mask), (at,), (text.ids[at],))


def interleaved(text: Text, mask: int) -> Iterator[tuple[int, ...]]:
    """Contexts in which every step leaves its mask behind: t0 M, t0 M t1 M, ... (GEO-8)."""
    masked = tuple(number for token in text.ids for number in (token, mask))
    for at in range(1, len(text.ids)):
        yield masked[: 2 * at]


def read_last_mask(text: Text, mask: int) -> Iterator[Query]:
    """Masks left behind, the last of them read (GEO-8, code of 19 December 2025)."""
    for ids, token in zip(interleaved(text, mask), text.ids[1:], strict=True):
        yield Query(ids, (len(ids) - 1,), (token,))


def read_first_mask(text: Text, mask: int) -> Iterator[Query]:
    """Masks left behind, the first of them read (GEO-8, code from 24 December 2025 on)."""
    for ids, token in zip(interleaved(text, mask), text.ids[1:], strict=True):
        yield Query(ids, (1,), (token,))


def mask_each(text: Text, mask: int) -> Iterator[Query]:
    """Each token with it alone masked (Salazar et al. 2020, section 2; BL2MP-5)."""
    for at in _own(text):
        yield Query((*text.ids[:at], mask, *text.ids[at + 1 :]), (at,), (text.ids[at],))


def mask_rest_of_word(text: Text, mask: int) -> Iterator[Query]:
    """Each token with it and the later ones of its word masked (Kauf & Ivanova 2023, section 3)."""
    for at in _own(text):
        ids = tuple(
            mask if later >= at and text.words[later] == text.words[at] else token
            for later, token in enumerate(text.ids)
        )
        yield Query(ids, (at,), (text.ids[at],))


def read_left_to_right(text: Text, mask: int) -> Iterator[Query]:
    """Each token from those before it; one pass of a causal model answers all (GEO-9)."""
    ahead = [at for at in _own(text) if at > 0]
    if ahead:
        targets = tuple(text.ids[at] for at in ahead)
        yield Query(text.ids, tuple(at - 1 for at in ahead), targets)


def _own(text: Text) -> Sequence[int]:
    return [at for at, special in enumerate(text.special) if not special]


# The released code floors every token and adds no special tokens. `sentence_intended` keeps both,
# so that it differs from the two releases by their slip alone. `causal` puts the tokenizer's token
# of the beginning first, if it has one, so that the first token is scored too.
DEFINITIONS = {
    "word_released": Definition(MASKED, WORD, False, False, RELEASED_FLOOR, "nat", fill_word),
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
