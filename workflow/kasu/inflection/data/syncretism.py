"""Divide the count of a form among its readings (Cotterell, Kirov, Mielke & Eisner 2018).

In the model, a token draws its part of speech and lemma, then a slot of the paradigm (a bundle of
features). A small network over the features gives the probability of a slot within its part of
speech, so that rare bundles share strength with similar ones. It is trained on unambiguous forms,
as the organisers say (overview §3.1). The cited paper also learns from ambiguous forms through
their expected counts; `em` sets how many rounds of that follow.

Which slots have unambiguous forms differs from lemma to lemma. The network is therefore trained on
how a lemma's tokens divide among its own unambiguous slots: a slot that is syncretic in most
lemmata does not look rare because of that. In the same way, the rate of a lemma is its number of
unambiguous tokens divided by the probability of its unambiguous slots.

The shares decide which triples are drawn, so they have the same bits on every processor: operations
are those of `kasu.base.portable`, or exact in IEEE 754, and sums go from first to last.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from kasu.base.errors import KasuError
from kasu.base.portable import exp, log, tanh, total
from kasu.inflection.data.minimising import Loss, minimise
from kasu.job.run import seed_of

RESOLUTIONS = ("neural", "uniform")
HIDDEN = 32
STEPS = 200
# Precision of a Gaussian prior on the weights. Tokens of one text clump, so a weak prior would be
# outweighed by a single token. Of 1, 10, ..., 10,000 this value is the best or close to it on held-
# out lemmata (Swahili, Basque, Bashkir, Maltese), and results depend less on the seed.
PRIOR = 100.0


@dataclass(frozen=True)
class _Lexicon:
    """Readings as numbers; arrays have the shape (readings,) unless noted.

    Attributes:
        word: the word that the reading is counted under.
        lemma: its part of speech and lemma.
        pos: part of speech of each lemma, (lemmata,).
        slot: its features.
        slots: the features of each slot.
        slot_pos: part of speech of each slot, (slots,).
        forms: the number of forms in its cell.
        tokens: the count of its word.
        alone: whether its word has no other reading.
    """

    word: np.ndarray
    lemma: np.ndarray
    pos: np.ndarray
    slot: np.ndarray
    slots: list[list[str]]
    slot_pos: np.ndarray
    forms: np.ndarray
    tokens: np.ndarray
    alone: np.ndarray


def share_counts(
    readings: Sequence[tuple[str, str, str]],
    words: Sequence[str],
    counts: Mapping[str, int],
    *,
    resolution: str = "neural",
    em: int = 0,
    seed: int = 1,
) -> np.ndarray:
    """Divide the count of every word among its readings.

    Args:
        readings: distinct triples of lemma, form, features; the first feature is the part of
            speech.
        words: the word that each reading is counted under: its form, or the form's key in a
            frequency list.
        counts: tokens by word.
        resolution: `neural`, or `uniform` for equal shares.
        em: further rounds of training that include the expected counts of ambiguous words.

    Returns:
        The tokens of each reading, [readings]; the readings of a word sum to its count.

    Raises:
        KasuError: `resolution` is unknown.
    """
    if resolution not in RESOLUTIONS:
        raise KasuError("resolution", repr(resolution), " or ".join(RESOLUTIONS))
    if not readings:
        return np.zeros(0)
    lexicon = _number(readings, words, counts)
    if resolution == "uniform" or lexicon.alone.all():
        return _split(lexicon, np.ones(len(readings)))
    network = _Network(lexicon, seed)
    shared = np.where(lexicon.alone, lexicon.tokens, 0.0)
    among = lexicon.alone
    # The first round learns from unambiguous words, each round of EM also from shared counts
    for _ in range(1 + em):
        chance = network.fit(shared, among)
        shared = _split(lexicon, _rates(lexicon, chance, shared, among) * chance)
        among = np.ones_like(among)
    return shared


def _number(
    readings: Sequence[tuple[str, str, str]], words: Sequence[str], counts: Mapping[str, int]
) -> _Lexicon:
    features = [reading[2].split(";") for reading in readings]
    word, _ = _codes(words)
    # Participles (V.PTCP) and other verbal nouns belong to the paradigm of their verb
    core = [bundle[0].partition(".")[0] for bundle in features]
    pos, _ = _codes(core)
    lemma, first_of_lemma = _codes([(c, r[0]) for c, r in zip(core, readings, strict=True)])
    slot, first_of_slot = _codes([reading[2] for reading in readings])
    cell, _ = _codes([(reading[0], reading[2]) for reading in readings])
    return _Lexicon(
        word=word,
        lemma=lemma,
        pos=pos[first_of_lemma],
        slot=slot,
        slots=[features[at] for at in first_of_slot],
        slot_pos=pos[first_of_slot],
        forms=np.bincount(cell)[cell],
        tokens=np.array([counts.get(text, 0) for text in words], float),
        alone=np.bincount(word)[word] == 1,
    )


def _codes(values: Sequence[Hashable]) -> tuple[np.ndarray, list[int]]:
    """Number values in order of appearance; also return where each appears first."""
    numbers: dict[Hashable, int] = {}
    first: list[int] = []
    codes = np.empty(len(values), np.int64)
    for at, value in enumerate(values):
        if (code := numbers.setdefault(value, len(numbers))) == len(first):
            first.append(at)
        codes[at] = code
    return codes, first


def _split(lexicon: _Lexicon, weights: np.ndarray) -> np.ndarray:
    share = weights / np.bincount(lexicon.word, weights)[lexicon.word]
    return lexicon.tokens * share


def _rates(
    lexicon: _Lexicon, chance: np.ndarray, shared: np.ndarray, among: np.ndarray
) -> np.ndarray:
    """Return the expected tokens of each reading's lemma, [readings].

    The prior is exponential with the mean of the part of speech. A lemma without unambiguous slots
    gets the mean; one with such slots but no token in them gets less.
    """
    # By lemma: observed tokens, and the probability mass that could have produced them
    tokens = np.bincount(lexicon.lemma, shared * among)
    mass = np.bincount(lexicon.lemma, chance * among)
    total, all_mass = (np.bincount(lexicon.pos, values) for values in (tokens, mass))
    # A part of speech without tokens has rate 1
    mean = np.where(total > 0, total, 1) / np.where(total > 0, all_mass, 1)
    rates = (tokens + 1) / (mass + 1 / mean[lexicon.pos])
    return rates[lexicon.lemma]


class _Network:
    """Scores of the slots: u . tanh(W f + b), where f marks the features of the bundle.

    Attributes:
        weights: W, and as its last columns b and u, [HIDDEN, features + 2].
    """

    def __init__(self, lexicon: _Lexicon, seed: int) -> None:
        self.lexicon = lexicon
        names = sorted({name for bundle in lexicon.slots for name in bundle})
        at = {name: number for number, name in enumerate(names)}
        # Pairs of a feature and a slot that has it
        pairs = [
            (at[n], k) for k, bundle in enumerate(lexicon.slots) for n in dict.fromkeys(bundle)
        ]
        self.feature, self.slot = np.array(pairs).T
        drawn = np.random.default_rng(seed_of("syncretism", seed)).random((HIDDEN, len(names) + 2))
        # Uniform, since normal variables take logarithms; the standard deviation is 0.1
        self.weights = (2 * drawn - 1) * (sqrt(3) / 10)

    def fit(self, shared: np.ndarray, among: np.ndarray) -> np.ndarray:
        """Train on the tokens `shared` of the readings `among`; return each reading's probability.

        Minimises, by full-batch L-BFGS, the negative log-likelihood of how each lemma's tokens
        divide among its slots, plus the prior.
        """
        lexicon = self.lexicon
        tokens = np.where(among, shared, 0.0)
        if tokens.any():
            self.weights = minimise(self.loss(tokens, among), self.weights, STEPS)
        weights = exp(self._scores(self.weights)[1])
        chances = weights / np.bincount(lexicon.slot_pos, weights)[lexicon.slot_pos]
        return chances[lexicon.slot] / lexicon.forms

    def loss(self, tokens: np.ndarray, among: np.ndarray) -> Loss:
        """Return the loss per token and its gradient, as a function of the weights; see `fit`."""
        lexicon = self.lexicon
        by_lemma = np.bincount(lexicon.lemma, tokens)
        by_slot = np.bincount(lexicon.slot, tokens)
        count = max(total(by_lemma), 1.0)
        # Lemmata without tokens say nothing
        rows = np.flatnonzero(among & (by_lemma > 0)[lexicon.lemma])
        lemma, slot, share = lexicon.lemma[rows], lexicon.slot[rows], 1 / lexicon.forms[rows]

        def evaluate(weights: np.ndarray) -> tuple[float, np.ndarray]:
            hidden, scores = self._scores(weights)
            mass = exp(scores)[slot] * share
            # The mass of all slots of a lemma, which a step that is far too long would make 0
            own = np.maximum(np.bincount(lemma, mass, len(by_lemma)), 1e-200)
            gain = total(by_slot * scores) - total(by_lemma * log(own))
            prior = PRIOR / 2 * total((weights * weights).ravel())
            # The tokens of each lemma, divided among its slots as the network has them, [slots]
            expected = np.bincount(slot, (by_lemma / own)[lemma] * mass, len(by_slot))
            gradient = PRIOR * weights - self._gradient(weights, hidden, by_slot - expected)
            return float((prior - gain) / count), gradient / count

        return evaluate

    def _scores(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the hidden layer, [HIDDEN, slots], and the scores, [slots].

        Scores are shifted so that the highest is 0.
        """
        count = len(self.lexicon.slots)
        # W f: for each slot the sum of its features' columns
        active = [np.bincount(self.slot, row[self.feature], count) for row in weights]
        hidden = tanh(np.array(active) + weights[:, -2:-1])
        scores = total((hidden * weights[:, -1:]).T)
        return hidden, scores - scores.max()

    def _gradient(
        self, weights: np.ndarray, hidden: np.ndarray, by_score: np.ndarray
    ) -> np.ndarray:
        """Return the derivatives by the weights, given the derivatives by the scores, [slots]."""
        # By the layer before tanh, [HIDDEN, slots]
        inner = weights[:, -1:] * (1 - hidden * hidden) * by_score
        by_feature = [np.bincount(self.feature, row[self.slot]) for row in inner]
        return np.column_stack([np.array(by_feature), total(inner), total(hidden * by_score)])
