"""The feature schema of UniMorph: its dimensions, and what a bundle of features asks for.

Sources: Sylak-Glassman (2016), "The Composition and Use of the Universal Morphological Feature
Schema", and for alternatives and negations the guide of unimorph.github.io: `X+Y` is both, `{X/Y}`
one of several, `non{X}` any other value of the dimension.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product

DIMENSIONS = {
    "Aktionsart": "STAT DYN TEL ATEL PCT DUR ACH ACCMP SEMEL ACTY",
    "animacy": "ANIM INAN HUM NHUM",
    "aspect": "IPFV PFV PRF PROG PROSP ITER HAB",
    "case": "NOM ACC ERG ABS NOMS DAT BEN PRP GEN REL PRT INS COM VOC COMPV EQTV PRIV PROPR AVR "
    "FRML TRANS BYWAY INTER AT POST IN CIRC ANTE APUD ON ONHR ONVR SUB REM PROXM ESS ALL ABL APPRX "
    "TERM",
    "comparison": "CMPR SPRL AB RL EQT",
    "definiteness": "DEF INDF SPEC NSPEC",
    "deixis": "PROX MED REMT REF1 REF2 NOREF PHOR VIS NVIS ABV EVEN BEL",
    "evidentiality": "FH DRCT SEN VISU NVSEN AUD NFH QUOT RPRT HRSY INFER ASSUM",
    "finiteness": "FIN NFIN",
    "gender": "MASC FEM NEUT",
    "information": "TOP FOC",
    "interrogativity": "DECL INT",
    "mood": "IND SBJV REAL IRR AUPRP AUNPRP IMP COND PURP INTEN POT LKLY ADM OBLIG DEB PERM DED "
    "SIM OPT",
    "number": "SG PL GRPL DU TRI PAUC GRPAUC INVN",
    "part of speech": "N PROPN ADJ PRO CLF ART DET V ADV AUX V.PTCP V.MSDR V.CVB ADP COMP CONJ NUM "
    "PART INTJ",
    "person": "0 1 2 3 4 INCL EXCL PRX OBV",
    "polarity": "POS NEG",
    "politeness": "INFM FORM ELEV HUMB POL AVOID LOW HIGH STELEV STSUPR LIT FOREG COL",
    "possession": "ALN NALN",
    "switch-reference": "SS SSADV DS DSADV OR SIMMA SEQMA LOG",
    "tense": "PRS PST FUT IMMED HOD 1DAY RCT RMT",
    "valency": "IMPRS INTR TR DITR REFL RECP CAUS APPL",
    "voice": "ACT MID PASS ANTIP DIR INV AGFOC PFOC LFOC BFOC ACFOC IFOC CFOC",
}
"""The features of each dimension; those of a numbered class of nouns, of an argument, of possession
and of one language alone (`BANTU7`, `ARGABS3`, `PSS1S`, `LGSPEC2`) are not listed."""
SPELLINGS = {
    "INST": "INS", "LOC": "ESS", "NDEF": "INDF", "SUBJ": "SBJV", "PRES": "PRS", "PAST": "PST",
}  # fmt: skip
"""Features as some files spell them, and as the schema does (of UD's locative,
`resources/tagsets/ud_unimorph.tsv`)."""
DIMENSION = {
    feature: dimension for dimension, listed in DIMENSIONS.items() for feature in listed.split()
}
DIMENSION |= {spelling: DIMENSION[feature] for spelling, feature in SPELLINGS.items()}
"""The dimension of a feature, in all spellings of real files."""

Bundle = tuple[str, ...]
"""Features without alternatives or negations; one of several parts is still joined by `+`."""

MOST = 1000
"""More readings than this can no bundle have."""

_FAMILIES = r"(?:LGSPEC|BANTU|NAKH)\d*|ARG[A-Z]+\d*\w*|PSS\w+"
_FEATURE = "|".join(map(re.escape, sorted(DIMENSION, key=len, reverse=True)))
_NEGATION = r"(?:non|not|\(non\))"
_BEGIN = re.compile(rf"{_NEGATION}?\{{?(?:{_FEATURE}|{_FAMILIES})(?![^\s;|+/.:,(){{}}])")
# Names with values, as the task of 2016 has
_PAIRS = re.compile(r"[A-Za-z_]+(?:\[\w+\])?=[\w,.+-]+(?:[;|,].*)?")
_SEPARATOR = re.compile(r"\s*[;|]\s*")
# Features, whose parentheses may hold anything, and the signs between them
_SIGNS = ("{", "}", "/", "(non)", "+", ";", "non", "not")
_TOKEN = re.compile(r"(?:non|not)(?=\{)|\(non\)|[{}/;+]|(?:\([^()]*\)|[^{}/;+(])+|\(")


def tidy(features: str) -> str:
    """Return features with one semicolon between two of them, as the schema has it.

    Files have blanks around it; MorphyNet has `N|GEN;SG`.
    """
    return _SEPARATOR.sub(";", features.strip())


def is_bundle(text: str) -> bool:
    """Return whether a text must be features: it begins with a known one or with a pair."""
    return bool(_BEGIN.match(text) or _PAIRS.fullmatch(text))


class Unreadable(ValueError):
    """A bundle is not written as the schema has it."""


@lru_cache(1 << 14)
def alternatives(features: str) -> tuple[Bundle, ...]:
    """Return all bundles that a bundle with alternatives and negations allows.

    `N;{NOM/ACC};PL` allows `N;NOM;PL` and `N;ACC;PL`. The braces are missing in some files
    (Romanian); they may hold bundles, as in `V;{1;SG/3;PL}`. `non{NOM}`, elsewhere `not{NOM}` or
    `(non)NOM`, allows every other case; a word without a case has none of them. Features of another
    schema stay as they are.

    Raises:
        Unreadable: braces do not match, something is missing beside `/` or `+`, a negation is not
            of features of one dimension, or more than MOST bundles are allowed.
    """
    listed = tuple(filter(None, features.split(";")))
    if not any(sign in features for sign in _SIGNS[:4]) or not any(map(is_bundle, listed)):
        return (listed,)
    parser = _BundleParser(_TOKEN.findall(";".join(listed)))
    found = parser.bundle(_BundleParser.choice)
    if parser.tokens:
        raise Unreadable(features)
    return tuple(dict.fromkeys(found))


class _BundleParser:
    """Read a bundle from its tokens; the next one stands last."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = [*tokens][::-1]

    def bundle(self, member: Callable[["_BundleParser"], list[Bundle]]) -> list[Bundle]:
        """Parse features separated by semicolons: all must hold."""
        found = member(self)
        while self._next_is(";"):
            found = _pairs(found, member(self), lambda one, two: (*one, *two))
        return found

    def choice(self) -> list[Bundle]:
        """Parse values separated by slashes: one must hold."""
        found = self.sum()
        while self._next_is("/"):
            found = found + self.sum()
        return found

    def sum(self) -> list[Bundle]:
        """Parse parts joined by a plus: all must hold."""
        found = self._part()
        while self._next_is("+"):
            found = _pairs(found, self._part(), _joined)
        return found

    def _part(self) -> list[Bundle]:
        if self._next_is("(non)"):
            return _others([(self._feature(),)])
        negated = self._next_is("non") or self._next_is("not")
        if not self._next_is("{"):
            return [(self._feature(),)]
        found = self.bundle(_BundleParser.sum)
        while self._next_is("/"):
            found = found + self.bundle(_BundleParser.sum)
        if not self._next_is("}"):
            raise Unreadable
        return _others(found) if negated else found

    def _feature(self) -> str:
        if not self.tokens or self.tokens[-1] in _SIGNS:
            raise Unreadable
        return self.tokens.pop().strip()

    def _next_is(self, sign: str) -> bool:
        if found := self.tokens[-1:] == [sign]:
            self.tokens.pop()
        return found


def _pairs(
    first: list[Bundle], then: list[Bundle], join: Callable[[Bundle, Bundle], Bundle]
) -> list[Bundle]:
    if len(first) * len(then) > MOST:
        raise Unreadable
    return [join(one, two) for one, two in product(first, then)]


def _joined(one: Bundle, two: Bundle) -> Bundle:
    return *one[:-1], f"{one[-1]}+{two[0]}", *two[1:]


def _others(named: list[Bundle]) -> list[Bundle]:
    """Return the other values of the dimension of these values."""
    features = {feature for bundle in named for feature in bundle}
    dimensions = {DIMENSION.get(feature) for feature in features}
    if None in dimensions or len(dimensions) > 1 or any(len(bundle) > 1 for bundle in named):
        raise Unreadable
    return [
        (feature,)
        for feature, dimension in DIMENSION.items()
        if dimension in dimensions and feature not in features
    ]
