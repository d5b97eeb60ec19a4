"""Features of Universal Dependencies in the schema of UniMorph, by a table that anyone can extend.

The table is `resources/tagsets/ud_unimorph.tsv`. A line says which tags stand for a class of words
(features `_`) or for one or more features, in all languages (`*`) or one, for all classes or one;
`Name=*` is any value, and the tags `-` say that UniMorph has no counterpart. More
specific lines come first: with more features, then a language, then a class, then a value. A
feature is converted once. Tags keep the order of the features, as in the data of CoNLL-SIGMORPHON
2018 task 2 (Cotterell et al. 2018, §3.2).

Schemas: https://universaldependencies.org/u/feat, Sylak-Glassman (2016).
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv

COLUMNS = ("language", "upos", "features", "unimorph", "note")
ANY, NONE, LOST = "*", "_", "-"


class Rule(NamedTuple):
    """A line of the table; `features` are `Name=Value`, none for a class of words."""

    language: str
    upos: str
    features: tuple[str, ...]
    tags: tuple[str, ...]

    @property
    def rank(self) -> tuple[int, bool, bool, int]:
        """How specific the line is: the smallest comes first."""
        values = sum(feature.endswith("=*") for feature in self.features)
        return (-len(self.features), self.language == ANY, self.upos == ANY, values)

    def find(self, features: Iterable[str]) -> list[str]:
        """Return the features of a word that the line is about; empty if one is missing."""
        given = list(features)
        found = []
        for wanted in self.features:
            name = wanted.removesuffix("*")
            fits = [f for f in given if f == wanted or (name != wanted and f.startswith(name))]
            if not fits:
                return []
            found += fits
        return found


class Converted(NamedTuple):
    """What a word has in UniMorph.

    Attributes:
        features: the class and the tags, separated by semicolons.
        lost: the features that the table says have no counterpart.
        unknown: the class and features that the table does not have.
    """

    features: str
    lost: tuple[str, ...]
    unknown: tuple[str, ...]


class Conversion:
    """The lines of the table for one language."""

    def __init__(self, rules: Iterable[Rule], language: str) -> None:
        own = [rule for rule in rules if rule.language in (ANY, language)]
        self._rules = sorted((rule for rule in own if rule.features), key=lambda rule: rule.rank)
        classes = sorted((rule for rule in own if not rule.features), key=lambda rule: rule.rank)
        # The more specific line is written last
        self._classes = {rule.upos: rule.tags for rule in reversed(classes)}
        self.convert = lru_cache(1 << 14)(self._convert)

    def _convert(self, upos: str, cell: str) -> Converted:
        """Convert the cells UPOS and FEATS of a word; several values of a feature one by one."""
        features = [
            f"{name}={value}"
            for part in (cell.split("|") if cell != NONE else ())
            for name, _, values in (part.partition("="),)
            for value in values.split(",")
        ]
        rest, lost = list(features), []
        tags: dict[int, tuple[str, ...]] = {}
        for rule in self._rules:
            if rule.upos not in (ANY, upos) or not (found := rule.find(rest)):
                continue
            rest = [feature for feature in rest if feature not in found]
            if rule.tags:
                tags[features.index(found[0])] = rule.tags
            else:
                lost += found
        word = self._classes.get(upos, (upos,))
        unknown = [f"UPOS={upos}"] * (upos not in self._classes) + rest
        named = [tag for at in sorted(tags) for tag in tags[at]]
        return Converted(";".join(dict.fromkeys((*word, *named))), tuple(lost), tuple(unknown))


def read_conversion(path: str | Path, language: str) -> Conversion:
    """Read the table for a language.

    Raises:
        KasuError: a cell is empty, a feature is not `Name=Value`, two lines are about the same, or
            as `read_tsv`.
    """
    rules: dict[tuple[str, str, frozenset[str]], Rule] = {}
    for number, row in enumerate(read_tsv(path, COLUMNS), start=2):
        where = f"{path}:{number}"
        if empty := [column for column in COLUMNS[:4] if not row[column]]:
            raise KasuError(where, f"no {empty[0]}", ", ".join(COLUMNS[:4]))
        features = () if row["features"] == NONE else tuple(row["features"].split("|"))
        if wrong := [each for each in features if not all(each.partition("="))]:
            raise KasuError(where, f"the feature {wrong[0]!r}", "Name=Value, or _ for a class")
        if not features and ANY in (row["upos"], row["unimorph"]):
            raise KasuError(where, "no features and no class", "a class of words, or features")
        tags = () if row["unimorph"] == LOST else tuple(row["unimorph"].split(";"))
        key = (row["language"], row["upos"], frozenset(features))
        if key in rules:
            raise KasuError(where, f"a second line for {row['features']}", "one")
        rules[key] = Rule(row["language"], row["upos"], features, tags)
    return Conversion(rules.values(), language)
