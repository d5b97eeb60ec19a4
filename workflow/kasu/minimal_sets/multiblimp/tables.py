"""The two lexicons of MultiBLiMP: UniMorph, and a second one from the treebanks."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import regex

from kasu.corpora.paradigms.schema import DIMENSION
from kasu.corpora.texts.compressed import lines
from kasu.corpora.treebanks.conllu_rules import EMPTY
from kasu.corpora.treebanks.treebank import Sentence, Token, features

UNKNOWN = "?"
"""The value of a number, person or gender that a row does not state."""
PART = "upos"
NUMBERS = ("Number", "Number__subj")
VERBS, NOUNS = frozenset({"V"}), frozenset({"N", "PRO", "PRON"})

# Dimensions of UniMorph -> features of UD; the others keep their names
_UD_NAMES = {
    "aspect": "Aspect", "case": "Case", "comparison": "Degree", "definiteness": "Definite",
    "evidentiality": "Evident", "finiteness": "VerbForm", "gender": "Gender", "mood": "Mood",
    "number": "Number", "part of speech": PART, "person": "Person", "polarity": "Polarity",
    "politeness": "Polite", "tense": "Tense", "voice": "Voice", "animacy": "Animacy",
}  # fmt: skip
_FEATURES = {tag: _UD_NAMES.get(dimension, dimension) for tag, dimension in DIMENSION.items()}
_FEATURES |= {"V.PTCP": "VerbForm"}
# Values of UD -> of UniMorph, all that the authors translate; the others in upper case, so that
# `Aspect=Imp` and `Tense=Imp` meet nothing
_UNIMORPH = {
    "Plur": "PL", "Sing": "SG", "Pres": "PRS", "Past": "PST", "Sub": "SBJV", "Cnd": "COND",
    "Perf": "PRF", "Dual": "DU", "Part": "V.PTCP",
}  # fmt: skip
_IMPLICIT = {"Number": UNKNOWN, "Gender": UNKNOWN, "Person": UNKNOWN, "Degree": "BASE"}
_DEFAULTS = {"Mood": "Ind", "Voice": "Act"}
_PARTS = {
    "VERB": "V", "AUX": "V", "NOUN": "N", "PRON": "PRON", "ADJ": "ADJ", "DET": "DET", "ADV": "ADV",
}  # fmt: skip
# A form this many times rarer than the commonest of its cell is a slip, and a reading likewise
_RARER_FORM, _RARER_READING = 3, 10

Asked = dict[str, str | tuple[str, ...]]
"""Features that a row must have: one value, or one of several."""


class Row(NamedTuple):
    """A row of a lexicon; `values` by feature, of UniMorph or UD as the lexicon has them."""

    lemma: str
    form: str
    values: Mapping[str, str]


def to_unimorph(value: str) -> str:
    """Return a value of UD as UniMorph writes it."""
    return _UNIMORPH.get(value, value).upper()


class Table:
    """A lexicon, of some parts of speech: what its rows say of forms and lemmas (rules 1.4)."""

    def __init__(
        self,
        rows: Iterable[Row],
        parts: Collection[str],
        translate: Callable[[str], str] = str,
        participles: str = "",
    ) -> None:
        """Take the rows of some parts of speech, without forms of several words.

        Args:
            translate: from the values of UD to those of the rows.
            participles: the value of `VerbForm` of all rows, if the table has that feature.
        """
        self.translate = translate
        # What is no word, such as *'ve*, stays (MB-6)
        kept = [row for row in rows if " " not in row.form and row.values.get(PART) in parts]
        if participles and any("VerbForm" in row.values for row in kept):
            kept = [row for row in kept if row.values.get("VerbForm") == participles]
        self.features = {name for row in kept for name in row.values}
        filled = {name: value for name, value in _IMPLICIT.items() if name in self.features}
        filled |= {n: translate(value) for n, value in _DEFAULTS.items() if n in self.features}
        self._forms: dict[str, list[Row]] = defaultdict(list)
        self._lemmas: dict[str, list[Row]] = defaultdict(list)
        for row in kept:
            row = row._replace(values=filled | dict(row.values))
            self._forms[row.form].append(row)
            self._lemmas[row.lemma].append(row)

    def __bool__(self) -> bool:
        return bool(self._forms)

    def feature(self, names: Sequence[str]) -> str | None:
        """Return the feature of some whose rarest value is the most frequent; None if none."""
        best, most = None, 0
        for name in names:
            counts = Counter(
                row.values[name] for row in chain.from_iterable(self._forms.values())
                if row.values.get(name, UNKNOWN) != UNKNOWN
            )  # fmt: skip
            if len(counts) > 1 and min(counts.values()) > most:
                best, most = name, min(counts.values())
        return best

    def values(self, feature: str | None) -> set[str]:
        """Return the values of a feature, as UniMorph writes them."""
        found = (
            row.values.get(feature or "", UNKNOWN)
            for row in chain.from_iterable(self._forms.values())
        )
        return {to_unimorph(value) for value in found if value != UNKNOWN}

    def others(
        self, form: str, told: Mapping[str, str], feature: str | None
    ) -> tuple[set[str], set[str]] | None:
        """Return the forms with another value, and the values of the form; None if no row has it.

        Args:
            told: the features of the word, `lemma` among them.
        """
        asked = self._asked(told)
        rows = _closest(_fitting(self._forms.get(form, ()), asked, feature), asked)
        if not rows:
            return None
        forms: set[str] = set()
        values: set[str] = set()
        seen = set()
        for row in rows:
            if (same := (row.lemma, *sorted(row.values.items()))) in seen:
                continue
            seen.add(same)
            value = row.values.get(feature or "", UNKNOWN)
            if value == UNKNOWN:
                continue
            stated = {name: own for name, own in row.values.items() if own != UNKNOWN}
            wanted: Asked = {n: v for n, v in {**asked, **stated}.items() if n != "lemma"}
            wanted.pop(feature or "")
            # What a row leaves open fits anything (MB-5)
            rest = _fitting(self._lemmas[row.lemma], wanted, None)
            rest = [each for each in rest if each.values.get(feature or "") not in (value, UNKNOWN)]
            wanted[feature or ""] = value
            forms |= {each.form for each in _closest(rest, wanted)}
            values.add(to_unimorph(value))
        return forms, values

    def readings(self, form: str, told: Mapping[str, str], feature: str | None) -> set[str]:
        """Return the values of a form in all rows that fit, UNKNOWN among them.

        Rows of another tense do not fit, though their form may be right (MB-7).
        """
        if feature is None or feature not in self.features:
            return set()
        asked = self._asked(told)
        asked.pop(feature, None)
        rows = _fitting(self._forms.get(form, ()), asked, None)
        found = (row.values[feature] for row in rows if feature in row.values)
        return {value if value == UNKNOWN else to_unimorph(value) for value in found}

    def _asked(self, told: Mapping[str, str]) -> Asked:
        asked: Asked = {}
        for name, value in told.items():
            if name == "lemma":
                asked[name] = value
            elif name in self.features:
                several = tuple(map(self.translate, regex.split(r"[,|/]", value)))
                asked[name] = several if len(several) > 1 else several[0]
        for name, value in _DEFAULTS.items():
            if name in self.features:
                asked.setdefault(name, self.translate(value))
        return asked


def _fitting(rows: Iterable[Row], asked: Asked, strict: str | None) -> list[Row]:
    """Return the rows that have what is asked for or do not state it; the strict feature they must.

    One of several values must be stated, too.
    """
    return [row for row in rows if all(_fits(row, *pair, strict) for pair in asked.items())]


def _fits(row: Row, name: str, value: str | tuple[str, ...], strict: str | None) -> bool:
    if name == "lemma":
        return row.lemma == value
    stated = row.values.get(name)
    if isinstance(value, tuple):
        return stated in value
    return stated == value or (name != strict and stated in (None, UNKNOWN))


def _closest(rows: list[Row], asked: Asked) -> list[Row]:
    """Return the rows with the fewest features that were not asked for."""
    further = [len(row.values.keys() - asked.keys()) for row in rows]
    least = min(further, default=0)
    return [row for row, count in zip(rows, further, strict=True) if count == least]


# UniMorph


def read_unimorph(paths: Sequence[str | Path], language: str) -> list[Row]:
    """Read files of UniMorph in their order, with the authors' edits of the language.

    A tag that is none of the schema is left out, and so is what follows the first of several
    forms in Greek. Blank lines and others that do not have three columns are skipped.
    """
    found = []
    for path in paths:
        for _, line in lines(path):
            cells = line.rstrip("\n").split("\t")
            if len(cells) < 3 or not all(cells[:3]):
                continue
            lemma, form, tags = cells[:3]
            # A digit that points to a footnote stays (MB-9)
            if language == "el":
                form = form.split(", ")[0]
            found += [Row(lemma, form, values) for values in _read_tags(tags, language)]
    return found + (_english(found) if language == "en" else [])


@lru_cache(1 << 14)
def _read_tags(text: str, language: str) -> list[dict[str, str]]:
    """Return the features of a bundle; several if a feature has several values."""
    if language == "fo":  # the authors' edit: the first dot is a semicolon
        text = regex.sub(r"^(.)\.", r"\1;", text)
    text = text.replace("/", "+").replace(",", "+").replace("{", "").replace("}", "")
    text = text.replace("V.PTCP", "V;V.PTCP")
    values: dict[str, list[str]] = {}
    for tag in text.strip().split(";"):
        parts = tag.strip().split("+")
        name = _FEATURES.get(parts[0]) or _family(parts[0])
        if name:
            values.setdefault(name, []).extend(parts)
    bundles: list[dict[str, str]] = [{}]
    for name, several in values.items():
        bundles = [bundle | {name: value} for bundle in bundles for value in several]
    return bundles


def _family(tag: str) -> str | None:
    """Return the feature of a tag that the schema has by family: possession and so on."""
    found = regex.match(r"PSS|LGSPEC|BANTU|ARG", tag)
    return found[0] if found else None


def _english(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that the authors add: a plural by each third singular, six forms of *be*."""
    third = {PART: "V", "Person": "3", "Number": "SG", "Tense": "PRS"}
    added = [
        Row(row.lemma, row.lemma, {**row.values, "Number": "PL", "Mood": "IND"})
        for row in rows
        if row.values == third and regex.fullmatch("[a-z]+", row.lemma + row.form)
    ]
    cells = ("am 1 SG", "are 2 SG", "is 3 SG", "are 1 PL", "are 2 PL", "are 3 PL")
    for form, person, number in map(str.split, cells):
        told = {PART: "V", "Person": person, "Number": number, "Tense": "PRS", "Mood": "IND"}
        added.append(Row("be", form, told))
    return added


# The second lexicon


def is_malformed(token: Token) -> bool:
    """Return whether a line is marked as a slip, a style or another language (rules 1.1)."""
    own, misc = features(token.feats), features(token.misc)
    return (
        token.deprel == "reparandum"
        or own.get("Typo") == "Yes"
        or "Style" in own
        or "Foreign" in own
        or any("Correct" in name for name in misc)
        or "Lang" in misc
        or "OrigLang" in misc
    )


def read_words(sentences: Iterable[Sentence]) -> list[Row]:
    """Return the lexicon of treebanks (rules 1.2): words in lower case, without slips."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for sentence in sentences:
        for word in sentence.words:
            told = _word_features(word)
            if told:
                counts[word.lemma.lower(), word.form.lower(), told] += 1
    kept = _without_rare_forms(counts) & _without_rare_readings(counts)
    # The authors' table loses its first row: its header is read twice
    rows = sorted(kept)[1:]
    return [Row(lemma, form, values) for lemma, form, told in rows for values in _expanded(told)]


def _word_features(word: Token) -> str | None:
    own = features(word.feats)
    part = _PARTS.get(word.upos)
    if part is None or not own or EMPTY in word.lemma or is_malformed(word):
        return None
    told = dict(own)
    if told.get("VerbForm") == "Fin":
        told.setdefault("Mood", "Ind")
    if "Mood" in told:
        told.setdefault("VerbForm", "Fin")
    if told.get("VerbForm") == "Fin":
        told.setdefault("Voice", "Act")
    return ";".join([part, *(f"{name}={value}" for name, value in sorted(told.items()))])


def _without_rare_forms(counts: Mapping[tuple[str, str, str], int]) -> set[tuple[str, str, str]]:
    most: Counter[tuple[str, str]] = Counter()
    for (lemma, _, told), count in counts.items():
        most[lemma, told] = max(most[lemma, told], count)
    return {
        row for row, count in counts.items() if most[row[0], row[2]] <= _RARER_FORM * count
    }  # fmt: skip


def _without_rare_readings(
    counts: Mapping[tuple[str, str, str], int],
) -> set[tuple[str, str, str]]:
    readings: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for (lemma, form, told), count in counts.items():
        readings[lemma, form].append((told, count))
    kept = set()
    for (lemma, form), several in readings.items():
        first, most = max(several, key=lambda pair: pair[1])
        for told, count in several:
            differ = {*first.split(";")} ^ {*told.split(";")}
            if most <= _RARER_READING * count or count > 1 or len(differ) > 2 or (
                first[0] != told[0]
            ):  # fmt: skip
                kept.add((lemma, form, told))
    return kept


def _expanded(told: str) -> list[dict[str, str]]:
    part, *pairs = told.split(";")
    bundles = [{PART: part}]
    for pair in pairs:
        name, _, value = pair.partition("=")
        bundles = [b | {name: each} for b in bundles for each in regex.split("[,/+]", value)]
    return bundles
