"""Forms from UniMorph, for words whose forms the treebanks lack."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.schema import Unreadable, alternatives, is_bundle
from kasu.corpora.paradigms.unimorph import read_paradigms
from kasu.corpora.texts.spelling import canonical, capitalised, folded, upper
from kasu.corpora.treebanks.treebank import Token, features
from kasu.files.tables import list_drops, read_tsv
from kasu.job.run import log
from kasu.minimal_sets.data.forms import is_word

Tags = frozenset[str]

# UD features -> tags of the UniMorph schema, in every spelling that its files use; a spelling of
# several tags is joined by semicolons
_SPELLINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "Case": {
        "Nom": ("NOM",), "Acc": ("ACC",), "Gen": ("GEN",), "Dat": ("DAT",), "Erg": ("ERG",),
        "Abs": ("ABS",), "Ins": ("INS", "INST"), "Voc": ("VOC",), "Ess": ("ESS", "FRML"),
        "Par": ("PRT",), "Abl": ("ABL", "AT+ABL"), "All": ("ALL", "AT+ALL"), "Com": ("COM",),
        "Ine": ("IN+ESS",), "Ill": ("IN+ALL",), "Ela": ("IN+ABL",), "Ade": ("AT+ESS",),
        "Sup": ("ON+ESS",), "Sub": ("ON+ALL",), "Del": ("ON+ABL",), "Loc": ("LOC", "ESS"),
        "Tra": ("TRANS",), "Ter": ("TERM",), "Abe": ("PRIV",), "Cau": ("PRP",), "Equ": ("EQTV",),
    },
    "Number": {"Sing": ("SG",), "Plur": ("PL",), "Dual": ("DU",)},
    "Person": {"1": ("1",), "2": ("2",), "3": ("3",)},
    "Gender": {"Masc": ("MASC",), "Fem": ("FEM",), "Neut": ("NEUT",)},
    "Animacy": {"Anim": ("ANIM",), "Inan": ("INAN",)},
    "Definite": {"Def": ("DEF",), "Ind": ("INDF", "NDEF")},
    "Degree": {"Cmp": ("CMPR",), "Sup": ("SPRL",)},
    "Tense": {
        "Pres": ("PRS",), "Past": ("PST", "PST;PFV"), "Fut": ("FUT",), "Imp": ("PST;IPFV", "IPFV"),
    },
    "Mood": {
        "Ind": ("IND",), "Imp": ("IMP",), "Sub": ("SBJV",), "Cnd": ("COND",), "Pot": ("POT",),
        "Opt": ("OPT",),
    },
    "Aspect": {"Imp": ("IPFV",), "Perf": ("PFV",), "Prog": ("PROG",)},
    "Voice": {"Act": ("ACT",), "Pass": ("PASS",), "Mid": ("MID",)},
    "VerbForm": {
        "Fin": ("FIN",), "Inf": ("NFIN",), "Part": ("V.PTCP",), "Conv": ("V.CVB",),
        "Vnoun": ("V.MSDR",),
    },
    "Polarity": {"Neg": ("NEG",), "Pos": ("POS",)},
    "Polite": {"Form": ("FORM",), "Infm": ("INFM",)},
}  # fmt: skip
TAGS: dict[tuple[str, str], list[Tags]] = {
    (feature, value): [frozenset(spelling.split(";")) for spelling in spellings]
    for feature, values in _SPELLINGS.items()
    for value, spellings in values.items()
}
# UD parts of speech -> UniMorph's
PARTS = {
    "NOUN": {"N"},
    "PROPN": {"PROPN", "N"},
    "ADJ": {"ADJ"},
    "PRON": {"PRO"},
    "DET": {"DET"},
    "NUM": {"NUM"},
    "VERB": {"V"},
    "AUX": {"V", "AUX"},
}
CONVENTIONS = ("language", "tags", "stands_for", "but_not", "note")
"""The columns of `resources/tagsets/unimorph_conventions.tsv`."""
ANY = "*"
# Newer files nest the agreement of a verb: `V;PRS;NOM(3,SG)`
_NESTED = re.compile(r"NOM\(([^()]*)\)")


class Convention(NamedTuple):
    """What a file means by some tags: `stands_for`, but not of the lemmas `but_not`."""

    stands_for: tuple[Tags, ...]
    but_not: frozenset[str]


def read_conventions(path: str | Path, language: str) -> dict[Tags, Convention]:
    """Read what files of a language mean by some tags, as their rows write them.

    Some tables tag only the odd form: English has *walks*, `V;3;SG;PRS`, and *walk*, `V;NFIN`,
    which is the form of all other persons too.

    Args:
        path: a table of CONVENTIONS; what tags stand for are bundles separated by blanks, and
            `but_not` has lemmas likewise. The language `*` is any.

    Raises:
        KasuError: a cell is empty, the tags are not of the UniMorph schema, two lines are about the
            same tags, or as `read_tsv`.
    """
    found: dict[Tags, Convention] = {}
    for number, row in enumerate(read_tsv(path, CONVENTIONS), start=2):
        where = f"{path}:{number}"
        if empty := [column for column in CONVENTIONS[:3] if not row[column]]:
            raise KasuError(where, f"no {empty[0]}", ", ".join(CONVENTIONS[:3]))
        if row["language"] not in (ANY, language):
            continue
        tags, *meant = (_checked_tags(where, text) for text in _bundles(row))
        if len(tags) > 1 or tags[0] in found:
            raise KasuError(where, f"{row['tags']} is several tags, or named again", "each once")
        stands_for = tuple(dict.fromkeys(chain.from_iterable(meant)))
        found[tags[0]] = Convention(stands_for, frozenset(map(canonical, row["but_not"].split())))
    return found


class Paradigms:
    """The paradigms of UniMorph files, looked up by the words of a treebank.

    drops: file -> reason -> number of lines that were left out.
    """

    def __init__(
        self,
        path: str | Path | Sequence[str | Path],
        feature: str,
        values: Iterable[str],
        language: str = "",
        conventions: str | Path | None = None,
    ) -> None:
        """Read a file, or several in their order.

        Args:
            values: those that the files must have.
            language: its code, for upper and lower case, and for the conventions.
            conventions: as `read_conventions`.

        Raises:
            KasuError: as `read_paradigms` and `read_conventions`; UniMorph has no tag for a value,
                or no line of the file has it, as where the file uses another tag set.
        """
        meant = read_conventions(conventions, language) if conventions else {}
        paths = [path] if isinstance(path, str | Path) else path
        self.path = path = ", ".join(map(str, paths))
        self.feature, self.language = feature, language
        self._entries: dict[str, list[tuple[Tags, str]]] = defaultdict(list)
        self._asked: set[str] = set()  # parts of speech
        attested: set[Tags] = set()
        read = {each: read_paradigms(each) for each in paths}
        self.drops = {each: drops for each, (_, drops) in read.items()}
        for cell in chain.from_iterable(cells for cells, _ in read.values()):
            lemma = canonical(cell.lemma)
            for written in _read_tags(cell.features):
                said: tuple[Tags, ...] = (written,)
                convention = meant.get(written)
                if convention and lemma not in convention.but_not:
                    said = convention.stands_for
                for tags in said:
                    attested.add(tags)
                    self._entries[lemma].append((tags, cell.form))
        self._parts = set().union(*attested) & set().union(*PARTS.values())
        for value in values:
            spellings = TAGS.get((feature, value))
            if spellings is None:
                raise KasuError(path, f"no UniMorph tag is known for {feature}={value}")
            if not any(spelling <= tags for tags in attested for spelling in spellings):
                spelt = " or ".join(sorted(";".join(sorted(tags)) for tags in spellings))
                found = f"no form is tagged {spelt} ({feature}={value})"
                expected = "the tags of the UniMorph schema, or a line of `conventions` for them"
                raise KasuError(path, found, expected)

    def log_drops(self) -> None:
        """Say in the log how many lines of each file were left out, by reason."""
        for path, drops in self.drops.items():
            if drops:
                log.info("%s: lines left out: %s", path, list_drops(drops))

    def candidate(self, word: Token, value: str) -> str | None:
        """Return the form of a word with another value of the feature, or None.

        The paradigm must be the word's own: it has the word's lemma, and the word's form at the
        word's features. The form is capitalised like the word.
        """
        self._asked.add(word.upos)
        feats = features(word.feats)
        if self.feature not in feats:
            return None
        own = {folded(form, self.language) for form in self._forms(word, feats)}
        wanted = self._forms(word, feats | {self.feature: value})
        if folded(word.form, self.language) not in own or not wanted:
            return None
        form = next(filter(is_word, wanted), None)
        if form is None:
            return None
        if len(word.form) > 1 and word.form.isupper():
            return upper(form, self.language)
        return capitalised(form, self.language) if word.form[:1].isupper() else form

    def readings(self, word: Token, form: str) -> list[dict[str, str]]:
        """Return the features that a form of a word may have, by its lemma and part of speech.

        Where tags stand for several values, as `IPFV` for a tense and an aspect, a feature has all
        of them, joined by commas.
        """
        parts, own = _parts(word.upos), folded(form, self.language)
        return [
            _features(tags)
            for tags, other in self._entries.get(canonical(word.lemma), ())
            if not tags.isdisjoint(parts) and folded(other, self.language) == own
        ]

    def values(self, feature: str) -> set[str]:
        """Return the values of a feature that verbs have, as UD writes them."""
        tags = set().union(
            *(tags for rows in self._entries.values() for tags, _ in rows if "V" in tags)
        )
        return {
            value
            for (name, value), spellings in TAGS.items()
            if name == feature and any(spelling <= tags for spelling in spellings)
        }

    def has_part(self, upos: str) -> bool:
        """Return whether there are paradigms of a part of speech."""
        return not self._parts.isdisjoint(_parts(upos))

    def need_parts(self) -> None:
        """Check that the file has paradigms of words like those asked for.

        Raises:
            KasuError: it has none of any of their parts of speech.
        """
        if self._asked and all(self._parts.isdisjoint(_parts(upos)) for upos in self._asked):
            found = f"no paradigm of a {' or '.join(sorted(self._asked))}"
            raise KasuError(self.path, found, "the parts of speech of the targets")

    def _forms(self, word: Token, feats: Mapping[str, str]) -> list[str]:
        """Return the forms of the word's lemma that are tagged with these features.

        UniMorph leaves out what a form does not show: `V;PST` is every person of an English past.
        So tags must not say more than the features, and may say less, except of the feature that
        changes. The forms whose tags say most are returned.
        """
        allowed = set(_parts(word.upos)).union(*_spellings(feats))
        changing = TAGS.get((self.feature, feats[self.feature]), [])
        fitting = [
            (len(tags), form)
            for tags, form in self._entries.get(canonical(word.lemma), ())
            if tags <= allowed
            and not tags.isdisjoint(_parts(word.upos))
            and any(spelling <= tags for spelling in changing)
        ]
        most = max((count for count, _ in fitting), default=0)
        return [form for count, form in fitting if count == most]


def _bundles(row: Mapping[str, str]) -> list[str]:
    return [row["tags"], *row["stands_for"].split()]


def _checked_tags(where: str, text: str) -> list[Tags]:
    try:
        if is_bundle(text):
            return _read_tags(text)
    except Unreadable:
        pass
    raise KasuError(where, repr(text), "tags of the UniMorph schema, separated by semicolons")


def _read_tags(text: str) -> list[Tags]:
    """Read the tags that a cell may have, one set or several alternatives.

    `V.PTCP` counts as a verb, and the person of a subject is unnested.
    """
    if text.count("(") == 1:
        text = _NESTED.sub(lambda nested: nested[1].replace(",", ";"), text)
    return [
        frozenset(bundle) | {tag.partition(".")[0] for tag in bundle if tag.startswith("V.")}
        for bundle in alternatives(text)
    ]


@lru_cache(1 << 12)
def _features(tags: Tags) -> dict[str, str]:
    """Return the features that tags stand for. Calls share the result: do not change it."""
    found: dict[str, list[str]] = {}
    for (feature, value), spellings in TAGS.items():
        if any(spelling <= tags for spelling in spellings):
            found.setdefault(feature, []).append(value)
    return {feature: ",".join(values) for feature, values in found.items()}


def _parts(upos: str) -> set[str]:
    return PARTS.get(upos, {upos})


def _spellings(feats: Mapping[str, str]) -> Iterator[Tags]:
    """Yield all spellings of the tags that the features of a word allow."""
    for pair in feats.items():
        yield from TAGS.get(pair, ())
