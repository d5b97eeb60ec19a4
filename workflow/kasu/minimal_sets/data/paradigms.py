"""Forms from UniMorph, for words whose forms the treebanks lack."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.treebank import Token, features
from kasu.corpora.unimorph import read_paradigms

# UD features -> tags of the UniMorph schema, in every spelling that its files use. Features that
# are missing here (Gender, Animacy) do not inflect nouns and are ignored.
TAGS = {
    ("Case", "Nom"): {"NOM"},
    ("Case", "Acc"): {"ACC"},
    ("Case", "Gen"): {"GEN"},
    ("Case", "Dat"): {"DAT"},
    ("Case", "Erg"): {"ERG"},
    ("Case", "Abs"): {"ABS"},
    ("Case", "Ins"): {"INS", "INST"},
    ("Case", "Voc"): {"VOC"},
    ("Case", "Ess"): {"ESS"},
    ("Case", "Par"): {"PRT"},
    ("Case", "Abl"): {"ABL", "AT+ABL"},
    ("Case", "All"): {"ALL", "AT+ALL"},
    ("Case", "Com"): {"COM"},
    ("Number", "Sing"): {"SG"},
    ("Number", "Plur"): {"PL"},
    ("Number", "Dual"): {"DU"},
    ("Definite", "Def"): {"DEF"},
    ("Definite", "Ind"): {"INDF", "NDEF"},
}
# UD parts of speech -> UniMorph's
PARTS = {
    "NOUN": {"N"},
    "PROPN": {"PROPN", "N"},
    "ADJ": {"ADJ"},
    "PRON": {"PRO"},
    "DET": {"DET"},
    "NUM": {"NUM"},
}


class Paradigms:
    """The paradigms of a UniMorph file, looked up by the words of a treebank."""

    def __init__(self, path: str | Path, feature: str, values: Iterable[str]) -> None:
        """Read a file.

        Raises:
            KasuError: as `read_paradigms`; UniMorph has no tag for a value, or no line of the file
                has it, as where the file uses another tag set.
        """
        self.feature = feature
        self._entries: dict[str, list[tuple[frozenset[str], str]]] = defaultdict(list)
        attested: set[str] = set()
        for cell in read_paradigms(path)[0]:
            tags = frozenset(cell.features.split(";"))
            attested |= tags
            self._entries[cell.lemma].append((tags, cell.form))
        for value in values:
            spellings = TAGS.get((feature, value))
            if spellings is None:
                raise KasuError(path, f"no UniMorph tag is known for {feature}={value}")
            if attested.isdisjoint(spellings):
                found = f"no form is tagged {' or '.join(sorted(spellings))} ({feature}={value})"
                raise KasuError(path, found, "the tags of the UniMorph schema")

    def candidate(self, word: Token, value: str) -> str | None:
        """Return the form of a word with another value of the feature, or None.

        The paradigm must be the word's own: it has the word's lemma, and the word's form at the
        word's features.
        """
        feats = features(word.feats)
        if self.feature not in feats:
            return None
        own = {form.casefold() for form in self._forms(word, feats)}
        wanted = self._forms(word, feats | {self.feature: value})
        if word.form.casefold() not in own or not wanted:
            return None
        form = wanted[0]
        return form[:1].upper() + form[1:] if word.form[:1].isupper() else form

    def _forms(self, word: Token, feats: dict[str, str]) -> list[str]:
        """Return the forms of the word's lemma that are tagged with exactly these features."""
        wanted = [TAGS[pair] for pair in feats.items() if pair in TAGS]
        wanted.append(PARTS.get(word.upos, {word.upos}))
        return [
            form
            for tags, form in self._entries.get(word.lemma, ())
            if len(tags) == len(wanted)
            and all(not tags.isdisjoint(spellings) for spellings in wanted)
        ]
