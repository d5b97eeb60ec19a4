"""Forms from UniMorph, for words whose forms the treebanks lack."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.schema import alternatives
from kasu.corpora.paradigms.unimorph import read_paradigms
from kasu.corpora.texts.spelling import canonical, capitalised, folded, upper
from kasu.corpora.treebanks.treebank import Token, features

Tags = frozenset[str]

# UD features -> tags of the UniMorph schema, in every spelling that its files use; a spelling of
# several tags is joined by semicolons
_SPELLINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "Case": {
        "Nom": ("NOM",), "Acc": ("ACC",), "Gen": ("GEN",), "Dat": ("DAT",), "Erg": ("ERG",),
        "Abs": ("ABS",), "Ins": ("INS", "INST"), "Voc": ("VOC",), "Ess": ("ESS",),
        "Par": ("PRT",), "Abl": ("ABL", "AT+ABL"), "All": ("ALL", "AT+ALL"), "Com": ("COM",),
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
# Newer files nest the agreement of a verb: `V;PRS;NOM(3,SG)`
_NESTED = re.compile(r"NOM\(([^()]*)\)")


class Paradigms:
    """The paradigms of a UniMorph file, looked up by the words of a treebank."""

    def __init__(
        self, path: str | Path, feature: str, values: Iterable[str], language: str = ""
    ) -> None:
        """Read a file; `language` is a code, for upper and lower case.

        Raises:
            KasuError: as `read_paradigms`; UniMorph has no tag for a value, or no line of the file
                has it, as where the file uses another tag set.
        """
        self.path, self.feature, self.language = path, feature, language
        self._entries: dict[str, list[tuple[Tags, str]]] = defaultdict(list)
        self._asked: set[str] = set()  # parts of speech
        attested: set[Tags] = set()
        for cell in read_paradigms(path)[0]:
            for tags in _read_tags(cell.features):
                attested.add(tags)
                self._entries[canonical(cell.lemma)].append((tags, cell.form))
        self._parts = set().union(*attested) & set().union(*PARTS.values())
        for value in values:
            spellings = TAGS.get((feature, value))
            if spellings is None:
                raise KasuError(path, f"no UniMorph tag is known for {feature}={value}")
            if not any(spelling <= tags for tags in attested for spelling in spellings):
                spelt = " or ".join(sorted(";".join(sorted(tags)) for tags in spellings))
                found = f"no form is tagged {spelt} ({feature}={value})"
                raise KasuError(path, found, "the tags of the UniMorph schema")

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
        form = wanted[0]
        if len(word.form) > 1 and word.form.isupper():
            return upper(form, self.language)
        return capitalised(form, self.language) if word.form[:1].isupper() else form

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


def _parts(upos: str) -> set[str]:
    return PARTS.get(upos, {upos})


def _spellings(feats: Mapping[str, str]) -> Iterator[Tags]:
    """Yield all spellings of the tags that the features of a word allow."""
    for pair in feats.items():
        yield from TAGS.get(pair, ())
