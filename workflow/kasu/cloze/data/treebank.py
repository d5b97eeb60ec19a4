"""Candidate sentences of a treebank: those with a word that a paradigm table has (§3.2)."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.cloze.data.names import Correction, Variant
from kasu.cloze.data.sentences import HIDDEN, Word, target_class
from kasu.corpora.paradigms.unimorph import ParadigmCell, Paradigms, meets
from kasu.corpora.texts.spelling import lower
from kasu.corpora.treebanks.conversion import Conversion
from kasu.corpora.treebanks.treebank import Token, read_treebank
from kasu.results.published import rounded

BOUNDARY = "#"
"""The boundary in Finnish lemmata of compounds."""

CONVERSION = (
    "split", "upos", "tokens", "converted", "lossless", "classed", "lemma", "form", "cell",
)  # fmt: skip
"""Columns of conversion.tsv: the tokens of each class of words; those of which the table knows
every feature; those that lost none; nouns, verbs and adjectives; and of these, those whose lemma
has a paradigm, whose form is in it, and whose form is in a cell that their features meet."""
FEATURES = ("feature", "outcome", "tokens")
"""Columns of features.tsv: what got lost (`no counterpart`), and what the table does not know."""


class Candidate(NamedTuple):
    """A sentence of a treebank, converted.

    Attributes:
        id: its id in the treebank.
        words: its words, none of them a target.
        hits: the places of the words that may be asked for; without any it is no candidate.
    """

    id: str
    words: list[Word]
    hits: list[int]


class TreebankReader:
    """A reader of the files of a treebank, which counts what becomes of their words.

    Attributes:
        coverage: tokens by split, class of words and a column of CONVERSION.
        features: tokens by feature and outcome.
        drops: words that cannot be asked for, by reason.
        inflected, inflected_found: nouns, verbs and adjectives that differ from their lemma, and
            the number of them whose form the paradigms have.
    """

    def __init__(
        self,
        conversion: Conversion,
        paradigms: Paradigms,
        *,
        variant: Variant = "paper",
        lemmata: Collection[Correction] = (),
    ) -> None:
        """Read with a table of features and the paradigms of the language.

        Args:
            variant: `paper`, if a word must meet a cell of its form; `released`, if its form and
                lemma must be in the table, whatever its features, as for the words asked for in
                the released data. Upper and lower case are alike in both.
            lemmata: corrections of the paper (§3.2): `no_boundaries` deletes the boundaries in
                Finnish compounds, `lower` writes the capitals of Russian lemmata small.
        """
        self.conversion, self.paradigms = conversion, paradigms
        self.variant, self.lemmata = variant, lemmata
        self.coverage: Counter[tuple[str, str, str]] = Counter()
        self.features: Counter[tuple[str, str]] = Counter()
        self.drops: Counter[str] = Counter()
        self.inflected = self.inflected_found = 0

    def read(self, path: str | Path, split: str) -> Iterator[Candidate]:
        """Stream the sentences of a file, candidates or not.

        Raises:
            KasuError: no noun, verb or adjective has a lemma; or as `read_treebank`.
        """
        with_lemma = classed = 0
        for sentence in read_treebank(path):
            words, hits = [], []
            for place, token in enumerate(sentence.words):
                word = self._convert(token, split)
                words.append(word)
                if target_class(word.features):
                    classed += 1
                    self.coverage[split, token.upos, "classed"] += 1
                    with_lemma += word.lemma is not None
                    if self._is_hit(word, token.upos, split):
                        hits.append(place)
            yield Candidate(sentence.sentence_id, words, hits)
        if not with_lemma:
            found = f"no lemma in {classed:,} nouns, verbs and adjectives"
            raise KasuError(path, found, "a treebank with lemmata")

    def _convert(self, token: Token, split: str) -> Word:
        converted = self.conversion.convert(token.upos, token.feats)
        count = {"tokens": 1, "converted": not converted.unknown}
        count["lossless"] = not (converted.unknown or converted.lost)
        for column, number in count.items():
            self.coverage[split, token.upos, column] += number
        self.features.update((feature, "no counterpart") for feature in converted.lost)
        self.features.update((feature, "unknown") for feature in converted.unknown)
        return Word(token.form, self._lemma(token.lemma), converted.features)

    def _lemma(self, lemma: str) -> str | None:
        if lemma == HIDDEN:
            return None
        if "no_boundaries" in self.lemmata:
            # The lemma of the sign itself stays
            lemma = lemma.replace(BOUNDARY, "") or lemma
        return lower(lemma, self.paradigms.language) if "lower" in self.lemmata else lemma

    def _is_hit(self, word: Word, upos: str, split: str) -> bool:
        if word.lemma is None:
            self.drops["noun, verb or adjective without a lemma"] += 1
            return False
        if "/" in word.form:
            # Several forms of a target are separated by slashes
            self.drops["noun, verb or adjective with a slash in its form"] += 1
            return False
        cells = self.paradigms.cells(word.lemma, word.form)
        met = self.cells_met(word, cells)
        if self.paradigms.key(word.form) != self.paradigms.key(word.lemma):
            self.inflected += 1
            self.inflected_found += bool(cells)
        self.coverage[split, upos, "lemma"] += bool(self.paradigms.table(word.lemma))
        self.coverage[split, upos, "form"] += bool(cells)
        self.coverage[split, upos, "cell"] += bool(met)
        return bool(cells if self.variant == "released" else met)

    def cells_met(self, word: Word, cells: Collection[ParadigmCell]) -> list[ParadigmCell]:
        """Return those of the cells that the features of a word meet."""
        tags = {part for tag in (word.features or "").split(";") for part in tag.split("+")}
        return [cell for cell in cells if meets(tags, cell.features)]

    def check_language(self, paradigms: str, least: float) -> None:
        """Refuse paradigms of another language.

        Only inflected words count, since two languages may share many lemmata.

        Raises:
            KasuError: the paradigms hold less than this share of the nouns, verbs and adjectives
                that differ from their lemma, or none. A share of 0 admits any.
        """
        if least and (not self.inflected_found or self.inflected_found < least * self.inflected):
            share = rounded(self.inflected_found / max(self.inflected, 1), 2, percent=True)
            found = f"{self.inflected_found:,} of {self.inflected:,} inflected words ({share} %)"
            expected = f"{rounded(least, 2, percent=True)} % or more (`least`)"
            raise KasuError(paradigms, f"{found} of the treebank", expected)

    @property
    def unknown(self) -> int:
        """The number of tokens with a class or feature that the table does not have."""
        counts = {column: 0 for column in ("tokens", "converted")}
        for (_, _, column), number in self.coverage.items():
            if column in counts:
                counts[column] += number
        return counts["tokens"] - counts["converted"]

    def coverage_rows(self) -> list[dict[str, object]]:
        """Return the rows of CONVERSION."""
        keys = dict.fromkeys((split, upos) for split, upos, _ in self.coverage)
        return [
            {"split": split, "upos": upos}
            | {column: self.coverage[split, upos, column] for column in CONVERSION[2:]}
            for split, upos in sorted(keys)
        ]

    def feature_rows(self) -> list[dict[str, object]]:
        """Return the rows of FEATURES."""
        return [
            {"feature": feature, "outcome": outcome, "tokens": tokens}
            for (feature, outcome), tokens in sorted(self.features.items())
        ]
