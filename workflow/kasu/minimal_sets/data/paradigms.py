"""Forms that treebanks lack, from UniMorph; items say which of their forms came from there."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.treebank import Token, features
from kasu.corpora.unimorph import read_paradigms

# Features of UD as tags of the UniMorph schema, all spellings that its files use; a feature that
# is not here (Gender, Animacy) is no part of a paradigm of nouns there
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
PARTS = {
    "NOUN": {"N"},
    "PROPN": {"PROPN", "N"},
    "ADJ": {"ADJ"},
    "PRON": {"PRO"},
    "DET": {"DET"},
    "NUM": {"NUM"},
}


class Paradigms:
    """The paradigms of a UniMorph file, to be asked for the form of a word of a treebank."""

    def __init__(self, path: str | Path, feature: str, values: Iterable[str]) -> None:
        """Read a file.

        Raises:
            KasuError: as `read_paradigms`; a value that has no tag here, or whose tag no line of
                the file has, as where its tags are of another set.
        """
        self.feature = feature
        self._cells: dict[str, list[tuple[frozenset[str], str]]] = defaultdict(list)
        cells, _ = read_paradigms(path)
        seen: set[str] = set()
        for cell in cells:
            tags = frozenset(cell.features.split(";"))
            seen |= tags
            self._cells[cell.lemma].append((tags, cell.form))
        for value in values:
            tags = TAGS.get((feature, value))
            if tags is None:
                raise KasuError(path, f"no UniMorph tag is known for {feature}={value}")
            if seen.isdisjoint(tags):
                found = f"no form is tagged {' or '.join(sorted(tags))} ({feature}={value})"
                raise KasuError(path, found, "the tags of the UniMorph schema")

    def candidate(self, word: Token, value: str) -> str | None:
        """The form of a word with another value of the feature, None if there is none.

        The paradigm must be the word's: its lemma, and its own form at its own features.
        """
        own = features(word.feats)
        if self.feature not in own:
            return None
        right = {form.casefold() for form in self._forms(word, own)}
        forms = self._forms(word, own | {self.feature: value})
        if word.form.casefold() not in right or not forms:
            return None
        first = forms[0][:1]
        return (first.upper() if word.form[:1].isupper() else first) + forms[0][1:]

    def _forms(self, word: Token, told: dict[str, str]) -> list[str]:
        """Forms of the lemma whose tags are those of the features, and no more."""
        sought = [TAGS[pair] for pair in told.items() if pair in TAGS]
        sought.append(PARTS.get(word.upos, {word.upos}))
        return [
            form
            for tags, form in self._cells.get(word.lemma, ())
            if len(tags) == len(sought) and all(not tags.isdisjoint(any_of) for any_of in sought)
        ]
