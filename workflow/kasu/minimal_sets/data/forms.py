"""Forms of the words of treebanks by lemma and features, to swap one feature of a word (GEO-3)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import combinations

from kasu.base.errors import KasuError
from kasu.corpora.treebank import Sentence, Token, features

# What the authors leave out of their lexicon
EXCLUDED = frozenset(".,!?*")
# Two sets of features go by one form if they do in most of the lemmas that show both
SHARE, LEMMAS = 0.5, 5
# From here on the rest are slips and old spellings
ALWAYS = 0.9
# A reading that fewer of a form's tokens have is taken for a slip of the annotation
SLIP = 0.1

Features = frozenset[tuple[str, str]]


@lru_cache(1 << 16)
def feature_set(cell: str) -> Features:
    """The features of a FEATS cell as a set of (name, value)."""
    return frozenset(features(cell).items())


def with_value(of: Features, feature: str, value: str) -> Features:
    """Features with one of them overwritten."""
    return frozenset({pair for pair in of if pair[0] != feature} | {(feature, value)})


class Lexicon:
    """All words of some sentences that have a feature; each form once, in order of appearance.

    cells: for every lemma, its forms by their features in order of appearance, each with how
        many tokens it has, those inside multiword tokens not counted. Words without a lemma are in
        no paradigm.
    names: every feature that any word has; values: those of `feature`.
    """

    def __init__(self, sentences: Iterable[Sentence], feature: str) -> None:
        self.feature = feature
        self.cells: dict[str, dict[Features, Counter[str]]] = {}
        self.names: set[str] = set()
        self.values: set[str] = set()
        for sentence in sentences:
            covered = 0
            for token in sentence.tokens:
                if token.id.isdecimal():
                    self._add(token, int(token.id) > covered)
                elif "-" in token.id:
                    covered = int(token.id.partition("-")[2])

    def _add(self, word: Token, free: bool) -> None:
        """Add a word; `free` if it is no part of a multiword token."""
        if word.form in EXCLUDED:
            return
        told = features(word.feats)
        self.names.update(told)
        if self.feature in told:
            self.values.add(told[self.feature])
            # An underscore is a lemma only of an underscore
            if word.lemma == "_" != word.form:
                return
            cells = self.cells.setdefault(word.lemma, {})
            # Inside a multiword token a word may be cut short: no token of that form
            cells.setdefault(feature_set(word.feats), Counter())[word.form] += free

    def need(self, names: Iterable[str], where: object) -> None:
        """Say so if no word has a feature.

        Raises:
            KasuError: a name that no word has, with those that some have.
        """
        for name in names:
            if name not in self.names:
                there = ", ".join(sorted(self.names)) or "words with features"
                raise KasuError(where, f"no word has the feature {name}", there)

    def need_lemmas(self, where: object) -> None:
        """Say so if no word with the feature has a lemma.

        Raises:
            KasuError: there is no paradigm.
        """
        if not self.cells:
            found = f"no word with the feature {self.feature} has a lemma"
            raise KasuError(where, found, "lemmas, by which forms are found")

    def candidate(self, word: Token, value: str) -> str | None:
        """The form of a word with another value of the feature (GEO-3), None if there is none.

        A candidate has the same lemma, and the same features once the one is overwritten; its
        first letter is upper case if that of the word is, and so is the whole (the authors look
        at the first letter alone; their language has one case). The first in order of the files
        wins.
        """
        sought = with_value(feature_set(word.feats), self.feature, value)
        forms = self.cells.get(word.lemma, {}).get(sought, ())
        capitals = _capitals(word.form)
        return next((form for form in forms if _capitals(form) == capitals), None)

    def readings(self, lemma: str, form: str) -> list[dict[str, str]]:
        """All features that a form of a lemma may have, upper or lower case alike.

        Those that the treebanks attest, but for slips (SLIP), and those that follow by analogy:
        if *gizonak* is attested as ergative singular alone, and most nouns have the same form in
        the absolutive plural, it is that too, unless *gizon* is attested with another form there
        and not nearly all nouns have the same (ALWAYS).
        """
        cells = self.cells.get(lemma, {})
        tokens = {told: _tokens(form, forms) for told, forms in cells.items()}
        least = SLIP * sum(tokens.values())
        attested = [told for told, count in tokens.items() if count and count >= least]
        found = dict.fromkeys(attested)
        for told in attested:
            found |= dict.fromkeys(
                other
                for other, share in self._alike.get(told, {}).items()
                if share >= ALWAYS or other not in cells
            )
        return [dict(told) for told in found]

    @cached_property
    def _alike(self) -> dict[Features, dict[Features, float]]:
        """For each set of features, the others that most lemmas express by the same form.

        With the share of those lemmas among the ones that show both.
        """
        both: Counter[tuple[Features, Features]] = Counter()
        same: Counter[tuple[Features, Features]] = Counter()
        for cells in self.cells.values():
            folded = {told: {form.casefold() for form in forms} for told, forms in cells.items()}
            for pair in combinations(sorted(folded, key=sorted), 2):
                both[pair] += 1
                same[pair] += not folded[pair[0]].isdisjoint(folded[pair[1]])
        alike: dict[Features, dict[Features, float]] = {}
        for (one, other), count in both.items():
            share = same[one, other] / count
            if count >= LEMMAS and share > SHARE:
                alike.setdefault(one, {})[other] = alike.setdefault(other, {})[one] = share
        return alike


def _capitals(form: str) -> tuple[bool, bool]:
    """Whether the first letter is upper case, and whether all of several are."""
    return form[:1].isupper(), len(form) > 1 and form.isupper()


def _tokens(form: str, forms: Mapping[str, int]) -> int:
    """How many tokens are that form, upper or lower case alike."""
    return sum(n for other, n in forms.items() if other.casefold() == form.casefold())
