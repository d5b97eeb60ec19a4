"""ua-06 (DTLM): the transducer of ua-03 with a language model of characters in its search.

The language model learns the distinct forms of the language's high training set, in lower case. How
probable the output so far is, by character, is a feature; so is, in one variant, how often the text
has the finished word. Symbols of the lemma are aligned precisely: each yields as many characters as
fit. Where the language has no text, ua-03 answers.

Source: Najafi et al. (2018) §3.1 and §3.2, after Nicolai et al. (2018) and its released program.
For 42 languages the text of the paper is that of ours; the corpora of 46 others are not known. Ours
cuts off no particles, as the published system falls far behind ua-03 where they are many. Of the
sizes of ua-03's search three are tried. On dev the word list does harm with this text, so the
first variant does without it. The last one is not in the paper: the language model on an alignment
of ua-03.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from pydantic import Field

from kasu.config.settings import Section, Size
from kasu.inflection.systems import ua_03
from kasu.transduction.alignments.many_to_many import Alignment, ManyToMany, Pair, precise
from kasu.transduction.items import Answer
from kasu.transduction.linear.particles import Particles
from kasu.transduction.linear.phrasal import NBEST, Phrasal, Sizes
from kasu.transduction.members.families import Answers, CustomFamily, Data, Run, Session, alone
from kasu.transduction.ngrams import END, NGrams

Aligner = Callable[[Sequence[Pair]], list[Alignment | None]]


def many_to_many(pairs: Sequence[Pair]) -> list[Alignment | None]:
    """Align pairs as ua-03 does with the first of its sizes, copies preferred."""
    return ManyToMany(*ua_03.CHUNKS[0], copy=True).fit(pairs)


class Variant(NamedTuple):
    """What the transducer of a variant learns.

    Attributes:
        lists: whether it knows how often the text has a word.
        align: aligns pairs; a pair without an alignment gets None.
    """

    lists: bool
    align: Aligner


VARIANTS = {
    "lm": Variant(False, precise),
    "lists": Variant(True, precise),
    "many_to_many": Variant(False, many_to_many),
}

ORDER = 5
SIZES = [Sizes(context, 2 * context + 1, 2) for context in ua_03.CONTEXTS]
BINS = [round(0.30 + 0.075 * step, 3) for step in range(19)]
"""Where bins of probable outputs end: -log10 of the mean probability of a character."""

COUNTS = [0, 1, 5, 10, 50, 100, 500, 1000, 5000, 10**4, 5 * 10**4, 10**5, 5 * 10**5, 10**6]
"""Where bins of frequent words begin; a word that the text lacks is in none of them."""

KEPT = 1 << 16  # outputs whose probability is remembered


class Settings(Section):
    """How ua-06 chooses among its sizes."""

    chosen_on: Size = Field(
        default=300, description="Items of dev, the first, that end trainings and choose."
    )


class Fluency:
    """What text says of an output: a function from an output to features, for `Phrasal`.

    The features of a bin are its own and those of all bins after it.

    Args:
        text: words.
        lists: whether the count of a finished word is a feature.
    """

    def __init__(self, text: Sequence[str], *, lists: bool) -> None:
        words = [word.lower() for word in text]
        self._grams = NGrams(ORDER, dict.fromkeys(words))
        self._counts = Counter(words) if lists else None
        # An output grows by a few symbols from step to step
        self._log10 = lru_cache(KEPT)(self._sum)

    def __call__(self, output: str, finished: bool) -> Iterator[tuple[str, int]]:
        """Yield the features of an output so far."""
        word = output.lower()
        if length := len(word) + finished:
            total = self._log10(word) + (self._grams.log10(word, END) if finished else 0)
            yield from (("lm", each) for each in range(bin_of(total / length), len(BINS) + 1))
        if finished and self._counts is not None:
            # The first bin is that of the most frequent words
            first = len(COUNTS) - bisect_right(COUNTS, self._counts[word] or -1)
            yield from (("word", each) for each in range(first, len(COUNTS) + 1))

    def _sum(self, word: str) -> float:
        """Return the logarithm to base 10 of the probability of the beginning of a word."""
        if not word:
            return 0.0
        return self._log10(word[:-1]) + self._grams.log10(word[:-1], word[-1])


def bin_of(mean: float) -> int:
    """Return the bin of a mean log10 probability, 0 for the most probable outputs."""
    return bisect_right(BINS, -mean)


def train(
    data: Data, members: Sequence[Run], options: Mapping[str, object], session: Session
) -> dict[Run, Answers]:
    """Train a transducer of each size for each member; the best on dev answers dev and test."""
    if not {*data.text}:
        return dict.fromkeys(members, without_scores(data, session))
    judges = data.dev[: Settings.model_validate(options).chosen_on]
    pairs = [ua_03.pair_of(item, before=True) for item in data.train]

    @cache
    def align(how: Aligner) -> list[Alignment]:
        return ua_03.kept("ua_06", how(pairs))

    def right(transducer: ua_03.Transducer) -> int:
        forms = (answer.forms[0] for answer in transducer.answer(judges))
        return sum(form == ua_03.form_of(item) for form, item in zip(forms, judges, strict=True))

    found = {}
    for member in members:
        variant = VARIANTS[member.variant or ""]
        extra = Fluency(data.text, lists=variant.lists)
        learnt = []
        for sizes in SIZES:
            made = Phrasal(align(variant.align), sizes, extra=extra)
            made.train([ua_03.pair_of(item, before=True) for item in judges])
            learnt.append(ua_03.Transducer(made, True, Particles([])))
        best = max(learnt, key=right)
        found[member] = Answers(*(best.answer(asked, NBEST) for asked in (data.dev, data.test)))
    return found


def without_scores(data: Data, session: Session) -> Answers:
    """Return the answers of ua-03, without scores: published lists were not made without text."""
    run = Run(ua_03.FAMILY.default)
    learnt = ua_03.learn(data, [run], {}, session)[run]
    answers = (learnt.answer(asked, NBEST) for asked in (data.dev, data.test))
    return Answers(*([Answer(each.forms) for each in split] for split in answers))


FAMILY = CustomFamily(
    __name__,
    settings=Settings,
    variants=VARIANTS,
    members={"low": None},
    submissions={"ua-06": alone},
    reads="high",
    trained_by=train,
)
