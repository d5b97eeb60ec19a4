"""Word forms of treebanks by lemma, part of speech and features: a word's other forms (GEO-3)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import combinations

import regex

from kasu.base.errors import KasuError
from kasu.corpora.texts.spelling import canonical, folded
from kasu.corpora.treebanks.conllu_rules import EMPTY
from kasu.corpora.treebanks.treebank import Sentence, Token, features

# Parts of speech whose words share their paradigms, by the one that names all: a name and an
# adjective without its noun are inflected as nouns, and *have* is one verb, whatever its task
_SHARED = {"AUX": "VERB", "PROPN": "NOUN", "ADJ": "NOUN"}
# From a letter or a digit to a letter, without blanks and signs that separate variants: not *maa-*,
# *'ve*, *10* or *walk/walks*
_WORD = regex.compile(r"(?:[\p{L}\p{M}\p{N}][^\s/|()\[\]{}<>,;*+=?!@_]*)?[\p{L}\p{M}]")
# Two feature sets are syncretic if the lemmas that attest both share a form in more than this
# share of cases, given at least so many lemmas
SYNCRETIC_SHARE, MIN_LEMMAS = 0.5, 5
# From this share on, an exception with fewer tokens than RARE is a slip or an old spelling; *was*
# and *were*, which are frequent, are a true exception to verbs with one form for the past
NEAR_CERTAIN, RARE = 0.9, 5
# A reading with a smaller share of the form's tokens counts as a slip of the annotation
SLIP = 0.1

Features = frozenset[tuple[str, str]]
Lexeme = tuple[str, str]
"""A lemma and its part of speech."""


@lru_cache(1 << 16)
def feature_set(cell: str) -> Features:
    """Return the features of a FEATS cell as a set of (name, value)."""
    return frozenset(features(cell).items())


def with_value(feats: Features, feature: str, value: str) -> Features:
    """Return the features with the value of one replaced, or added."""
    return frozenset({pair for pair in feats if pair[0] != feature} | {(feature, value)})


def part_of_speech(upos: str) -> str:
    """Return the part of speech under which a word's paradigm stands."""
    return _SHARED.get(upos, upos)


def is_word(form: str) -> bool:
    """Return whether a form is a whole word, not a piece of one, a number or a sign."""
    return bool(_WORD.fullmatch(form))


class Lexicon:
    """The words of some sentences that have a given feature; each form once, in text order.

    paradigms: (lemma, part of speech) -> features -> form -> number of tokens, features and forms
        in order of appearance. Words inside multiword tokens add their form but no token. Words
        without a lemma have no paradigm, and what is no word (`is_word`) is left out.
    names: every feature that any word has.
    values: the attested values of `feature`.
    """

    def __init__(
        self,
        sentences: Iterable[Sentence],
        feature: str,
        *,
        language: str = "",
        released_capitals: bool = False,
        verbs: bool = False,
    ) -> None:
        """Read the words.

        Args:
            language: its code, for upper and lower case.
            released_capitals: compare the case of the first letter alone, as the authors do.
            verbs: read verbs without the feature, too, which are readings of their forms.
        """
        self.feature, self.language, self._verbs = feature, language, verbs
        self._capitals = _first_capital if released_capitals else _capitals
        self.paradigms: dict[Lexeme, dict[Features, Counter[str]]] = {}
        self.names: set[str] = set()
        self.values: set[str] = set()
        for sentence in sentences:
            covered = 0
            for token in sentence.tokens:
                if token.id.isdecimal():
                    self._add(token, inside_multiword=int(token.id) <= covered)
                elif "-" in token.id:
                    covered = int(token.id.partition("-")[2])

    def _add(self, word: Token, *, inside_multiword: bool) -> None:
        feats = features(word.feats)
        self.names.update(feats)
        marked = self.feature in feats
        if (marked or (self._verbs and part_of_speech(word.upos) == "VERB")) and is_word(word.form):
            if marked:
                self.values.add(feats[self.feature])
            if word.lemma == EMPTY:
                return
            paradigm = self.paradigms.setdefault(_lexeme(word.lemma, word.upos), {})
            # Inside a multiword token a word may be cut short: keep its form, but count no token
            forms = paradigm.setdefault(feature_set(word.feats), Counter())
            forms[word.form] += not inside_multiword

    def need(self, names: Iterable[str], where: object) -> None:
        """Check that each feature occurs.

        Raises:
            KasuError: no word has a feature; the message lists the features that occur.
        """
        for name in names:
            if name not in self.names:
                attested = ", ".join(sorted(self.names)) or "words with features"
                raise KasuError(where, f"no word has the feature {name}", attested)

    def need_lemmas(self, where: object) -> None:
        """Check that there is a paradigm.

        Raises:
            KasuError: no word with the feature has a lemma.
        """
        if not self.paradigms:
            found = f"no word with the feature {self.feature} has a lemma"
            raise KasuError(where, found, "lemmas, by which forms are found")

    def candidate(self, word: Token, value: str) -> str | None:
        """Return the form of a word with another value of the feature (GEO-3), or None.

        A candidate has the same lemma and part of speech, the same features apart from that value,
        and the same capitalisation: of the first letter, and of the whole word unless
        `released_capitals`. The first candidate in file order wins.
        """
        wanted = with_value(feature_set(word.feats), self.feature, value)
        forms = self.paradigms.get(_lexeme(word.lemma, word.upos), {}).get(wanted, ())
        capitals = self._capitals(word.form)
        return next((form for form in forms if self._capitals(form) == capitals), None)

    def most_frequent(self, word: Token, value: str) -> str | None:
        """Return the commonest form of a word with another value and the same features, or None.

        Unlike that of `candidate`, it may be written in another case.
        """
        wanted = with_value(feature_set(word.feats), self.feature, value)
        paradigm = self.paradigms.get(_lexeme(word.lemma, word.upos), {})
        return self._commonest(paradigm.get(wanted, Counter()))

    def cells_of(self, word: Token, form: str) -> list[Features]:
        """Return the features with which a form of a word is attested, whatever its case."""
        paradigm = self.paradigms.get(_lexeme(word.lemma, word.upos), {})
        return [feats for feats, forms in paradigm.items() if self._count_tokens(form, forms)]

    def closest(self, word: Token, value: str, may_lack: Collection[str]) -> str | None:
        """Return the commonest form of the closest cell with another value, or None.

        Only where no word has all features of the target with that value. A cell and the target may
        each lack features of `may_lack`, and may not contradict each other; the closest differs
        least in what either leaves out.
        """
        told = feature_set(word.feats)
        if with_value(told, self.feature, value) in self._cells:
            return None
        own = dict(told)
        found = []
        for feats, forms in self.paradigms.get(_lexeme(word.lemma, word.upos), {}).items():
            cell = dict(feats)
            names = (own.keys() | cell.keys()) - {self.feature}
            if (
                cell.get(self.feature) == value
                and all(own.get(name) == cell.get(name) for name in names.difference(may_lack))
                and all(own[name] == cell[name] for name in names & own.keys() & cell.keys())
            ):
                found.append((len(names - (own.keys() & cell.keys())), self._commonest(forms)))
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def _commonest(self, forms: Counter[str]) -> str | None:
        """Return the form with most tokens, the first of ties; in lower case where both occur."""
        counts: Counter[str] = Counter()
        for form, count in forms.items():
            counts[self.folded(form)] += count
        if not counts:
            return None
        best = max(counts, key=lambda form: counts[form])
        return min(
            (form for form in forms if self.folded(form) == best),
            key=lambda form: form[:1].isupper(),
        )

    @cached_property
    def _cells(self) -> set[Features]:
        return {feats for paradigm in self.paradigms.values() for feats in paradigm}

    def readings(self, word: Token, form: str) -> list[dict[str, str]]:
        """Return every feature set that a form of a word may have, whatever its capitalisation.

        Only readings of the word's lemma and part of speech count: *plans* as a noun is none of the
        verb.

        These are the attested readings, except slips of the annotation (SLIP), and readings by
        analogy: if *gizonak* is attested as ergative singular only, and most nouns have the same
        form in the absolutive plural, it may be that too. Not so if *gizon* is attested with
        another form there, unless hardly any noun is an exception (NEAR_CERTAIN) and that form is
        RARE. The share of a reading with the feature is of these readings alone: most of *put* are
        infinitives.
        """
        paradigm = self.paradigms.get(_lexeme(word.lemma, word.upos), {})
        tokens = {feats: self._count_tokens(form, forms) for feats, forms in paradigm.items()}
        stating = {feats for feats in tokens if self.feature in dict(feats)}
        total, of_feature = sum(tokens.values()), sum(tokens[feats] for feats in stating)
        attested = [
            feats
            for feats, count in tokens.items()
            if count and count >= SLIP * (of_feature if feats in stating else total)
        ]
        readings = dict.fromkeys(attested)
        # By analogy: what most lemmas express by the form of an attested reading
        for feats in attested:
            readings |= dict.fromkeys(
                other
                for other, share in self._syncretic.get(feats, {}).items()
                if other not in paradigm
                or (share >= NEAR_CERTAIN and sum(paradigm[other].values()) < RARE)
            )
        return [dict(feats) for feats in readings]

    def folded(self, form: str) -> str:
        """Fold the case of a form, so that its capitalisations compare as equal."""
        return folded(form, self.language)

    def _count_tokens(self, form: str, forms: Mapping[str, int]) -> int:
        """Count the tokens of a form, whatever their capitalisation."""
        own = self.folded(form)
        return sum(count for other, count in forms.items() if self.folded(other) == own)

    @cached_property
    def _syncretic(self) -> dict[Features, dict[Features, float]]:
        """Features -> feature sets that most lemmas express by the same form -> the share of these.

        The share is of the lemmas that attest both feature sets.
        """
        both: Counter[tuple[Features, Features]] = Counter()
        same: Counter[tuple[Features, Features]] = Counter()
        for paradigm in self.paradigms.values():
            folded = {
                feats: {self.folded(form) for form in forms} for feats, forms in paradigm.items()
            }
            for pair in combinations(sorted(folded, key=sorted), 2):
                both[pair] += 1
                same[pair] += not folded[pair[0]].isdisjoint(folded[pair[1]])
        syncretic: dict[Features, dict[Features, float]] = {}
        for pair, count in both.items():
            share = same[pair] / count
            if count >= MIN_LEMMAS and share > SYNCRETIC_SHARE:
                for first, second in (pair, pair[::-1]):
                    syncretic.setdefault(first, {})[second] = share
        return syncretic


def _lexeme(lemma: str, upos: str) -> Lexeme:
    return canonical(lemma), part_of_speech(upos)


def _first_capital(form: str) -> tuple[bool, ...]:
    """Return whether the first letter is upper case."""
    return (form[:1].isupper(),)


def _capitals(form: str) -> tuple[bool, ...]:
    """Return whether the first letter is upper case, and the whole form if longer than a letter."""
    return *_first_capital(form), len(form) > 1 and form.isupper()
