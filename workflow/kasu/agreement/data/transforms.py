"""Conditions of the agreement study: what a network sees, and of which sentences (§6, §7).

A condition is `base`, or names of transforms and filters joined by `+`: `single_verb+no_ak`. A
transform changes the words that a network reads; a filter chooses sentences, in training,
validation and test alike. `@` and the name of a training set may follow: the network is trained on
this part of the text, and tested as any other (`base@300k`). What `base` shows depends on the task:
in verb number prediction one verb is hidden, in suffix prediction all nuclear suffixes are.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kasu.agreement.data.tasks import MASKED, NO_SUFFIX, SUFFIX, VERB_NUMBER

VERB = "⟨verb⟩"
BASE = "base"


class Word(NamedTuple):
    """What the network sees of one lexical unit (BASQUE-9).

    Attributes:
        token: key of the token embedding.
        lemma: key of the lemma embedding.
        spelling: the text whose character n-grams are embedded; empty: none.
        mark: one n-gram more, such as ⟨plural⟩; empty: none.
    """

    token: str
    lemma: str
    spelling: str
    mark: str = ""


class Sentence(NamedTuple):
    """A sentence of a verb number dataset (its columns), unit by unit.

    Attributes:
        stems: the units without their nuclear suffix (T-strip).
        suffixes: their nuclear suffixes, `none`, or `masked` where the analyser does not know.
        finite: whether they can be finite verbs.
        target: the position of the verb to hide.
    """

    tokens: Sequence[str]
    stems: Sequence[str]
    lemmas: Sequence[str]
    suffixes: Sequence[str]
    finite: Sequence[bool]
    target: int

    def shown_suffix(self, at: int) -> str:
        """Return the nuclear suffix of a unit, or the ending of a unit that is `masked`."""
        if self.suffixes[at] != MASKED:
            return self.suffixes[at]
        ending = self.tokens[at][len(self.stems[at]) :].casefold()
        return f"-{ending}" if ending else NO_SUFFIX  # a word that is only an ending has no stem


def mask_target(sentence: Sentence) -> list[Word]:
    """Replace the target verb by ⟨verb⟩ (T-mask, BASQUE-6).

    Its lemma is kept, as in the paper; its character n-grams are removed.
    """
    tokens, lemmas = sentence.tokens, sentence.lemmas
    words = [Word(*word) for word in zip(tokens, lemmas, tokens, strict=True)]
    words[sentence.target] = Word(VERB, lemmas[sentence.target], "")
    return words


def strip_suffixes(sentence: Sentence) -> list[Word]:
    """Remove nuclear suffixes (T-strip); no verb is hidden."""
    tokens, lemmas = sentence.tokens, sentence.lemmas
    words = [Word(*word) for word in zip(tokens, lemmas, tokens, strict=True)]
    return [_strip(word, sentence, at) for at, word in enumerate(words)]


Transform = Callable[[list[Word], Sentence], list[Word]]
Filter = Callable[[Sentence], bool]
TRANSFORMS: dict[str, Transform] = {}
FILTERS: dict[str, Filter] = {}
WITHOUT_SUFFIXES: list[str] = []
"""The transforms that suffix prediction can use: they show no suffix."""
OF_SUFFIXES: list[str] = []
"""The transforms and filters that need nuclear suffixes; without any they change nothing."""


def transform(function: Transform) -> Transform:
    """Register a transform: the function's name becomes a condition."""
    TRANSFORMS[function.__name__] = function
    return function


def keep_if(function: Filter) -> Filter:
    """Register a filter: the function's name becomes a condition."""
    FILTERS[function.__name__] = function
    return function


def shows_no_suffix(function: Transform) -> Transform:
    """Let suffix prediction use a transform: it must show no suffix that differs from another."""
    WITHOUT_SUFFIXES.append(function.__name__)
    return function


def of_suffixes(function: Callable) -> Callable:
    """Mark a transform or filter that needs nuclear suffixes."""
    OF_SUFFIXES.append(function.__name__)
    return function


def split_condition(name: str) -> tuple[str, str]:
    """Return what a condition shows and the name of its training set, empty if it has none."""
    shown, _, training_set = name.partition("@")
    return shown, training_set


class Condition:
    """Transforms and filters, applied in the order of their names.

    Args:
        name: `base`, or names of transforms and filters joined by `+`; a training set may follow.
        task: one of TASKS; it decides what `base` is.
    """

    def __init__(self, name: str, task: str = VERB_NUMBER) -> None:
        self._hide = {VERB_NUMBER: mask_target, SUFFIX: strip_suffixes}[task]
        shown, _ = split_condition(name)
        parts = [] if shown == BASE else shown.split("+")
        self.transforms = [TRANSFORMS[part] for part in parts if part not in FILTERS]
        self.filters = [FILTERS[part] for part in parts if part in FILTERS]

    def words(self, sentence: Sentence) -> list[Word]:
        """Return what a network sees of a sentence."""
        words = self._hide(sentence)
        for transform in self.transforms:
            words = transform(words, sentence)
        return words

    def keeps(self, sentence: Sentence) -> bool:
        """Return whether a sentence belongs to the condition."""
        return all(keep(sentence) for keep in self.filters)


# Transforms


@shows_no_suffix
@transform
def no_verb_lemma(words: list[Word], sentence: Sentence) -> list[Word]:
    """Hide the lemmas of hidden verbs too."""
    return [word._replace(lemma=VERB) if word.token == VERB else word for word in words]


@shows_no_suffix
@transform
def no_verb(words: list[Word], sentence: Sentence) -> list[Word]:
    """Hide every unit that can be a finite verb (T-noverb); its lemma stays."""
    return [
        Word(VERB, word.lemma, "") if finite else word
        for word, finite in zip(words, sentence.finite, strict=True)
    ]


@of_suffixes
@transform
def no_suffixes(words: list[Word], sentence: Sentence) -> list[Word]:
    """Remove nuclear suffixes (T-strip)."""
    return [_strip(word, sentence, at) for at, word in enumerate(words)]


@of_suffixes
@shows_no_suffix
@transform
def residual_a(words: list[Word], sentence: Sentence) -> list[Word]:
    """Write -a in place of each nuclear suffix, as the paper's example (5) does."""
    return [
        _strip(word, sentence, at, "" if sentence.stems[at].endswith("a") else "a")
        if sentence.shown_suffix(at) != NO_SUFFIX
        else _strip(word, sentence, at)
        for at, word in enumerate(words)
    ]


@of_suffixes
@transform
def suffixes_only(words: list[Word], sentence: Sentence) -> list[Word]:
    """Show the nuclear suffix of each word and nothing else (T-suffix)."""
    shown = [Word(sentence.shown_suffix(at), "", "") for at in range(len(words))]
    shown[sentence.target] = Word(VERB, "", "")
    return shown


NUMBERS = {
    "-a": "⟨singular⟩", "-ari": "⟨singular⟩", "-ek": "⟨plural⟩", "-ei": "⟨plural⟩",
    "-ak": "⟨ambiguous⟩",
}  # fmt: skip


@of_suffixes
@transform
def neutralised_case(words: list[Word], sentence: Sentence) -> list[Word]:
    """Write the number of each nuclear suffix in its place, without its case (T-neutral)."""
    neutral = []
    for at, word in enumerate(words):
        stripped = _strip(word, sentence, at)
        mark = NUMBERS.get(sentence.shown_suffix(at), "")
        neutral.append(stripped._replace(token=stripped.token + mark, mark=mark))
    return neutral


def _strip(word: Word, sentence: Sentence, at: int, residue: str = "") -> Word:
    """Replace the nuclear suffix of a word by `residue`."""
    token, stem = sentence.tokens[at], sentence.stems[at]
    if stem == token:  # no suffix to remove, as in any verb
        return word
    # The analyser writes the whole word as the lemma of one that it does not know
    lemma = stem if word.lemma == token else word.lemma
    return word._replace(token=stem + residue, lemma=lemma, spelling=stem + residue)


# Filters


@keep_if
def single_verb(sentence: Sentence) -> bool:
    """Keep a sentence in which one unit alone can be a finite verb (BASQUE-16)."""
    return sum(sentence.finite) == 1


@of_suffixes
@keep_if
def no_ak(sentence: Sentence) -> bool:
    """Keep a sentence in which no word has the ambiguous suffix -ak (BASQUE-16)."""
    return not any(sentence.shown_suffix(at) == "-ak" for at in range(len(sentence.tokens)))


@keep_if
def no_ak_string(sentence: Sentence) -> bool:
    """Keep a sentence in which only the last unit may end in -ak, as the authors' script does.

    Verbs count too.
    """
    return not any(token.endswith("ak") for token in sentence.tokens[:-1])
