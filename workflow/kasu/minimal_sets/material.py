"""What a set that is made from a treebank is made of: the item of the config, and its files."""

from dataclasses import dataclass
from typing import Any

from kasu.base.paths import locate
from kasu.corpora.plan import Treebanks
from kasu.minimal_sets.pairs.design import FEATURES, KASU
from kasu.minimal_sets.settings import CollectionSettings, MinimalSetsSettings, SetSettings
from kasu.sources.registry import Entry
from kasu.sources.workspace import Described, describe

STUDY = "minimal_sets"
SECTION = f"config {STUDY}"
COLLECTIONS = f"{SECTION}.collections"


@dataclass(frozen=True)
class BuiltSet:
    """A set that is built from a treebank: what it is made of."""

    settings: SetSettings
    collection: CollectionSettings
    study: MinimalSetsSettings
    seed: int
    treebanks: Treebanks

    @property
    def design(self) -> dict[str, Any]:
        """The arguments of `kasu.minimal_sets.data.design.Design`, without the licence."""
        return {
            "name": self.settings.name,
            "target": self.settings.target,
            "verb": self.settings.verb,
            "feature": self.collection.feature,
            "values": list(self.settings.values or self.collection.values or ()),
            "matches": self.study.matches or ("last" if self.settings.released else "all"),
            "capitals": self.study.capitals,
            "agreement": self.collection.agreement,
            "max_items": self.collection.max_items,
            "seed": self.seed,
        }

    @property
    def language(self) -> str:
        """The language of the treebank."""
        return self.treebanks.get(self.collection.treebank, COLLECTIONS).language

    @property
    def request(self) -> Entry:
        """The file of the request.

        Raises:
            KasuError: there is no such file.
        """
        where = f"{COLLECTIONS}, set {self.settings.name}"
        return self.treebanks.workspace.resolve(self.settings.request, where)

    @property
    def treebank(self) -> list[str]:
        """The files of the treebank that items come from."""
        return self.treebanks.files(self.collection.treebank, COLLECTIONS)

    @property
    def lexicon(self) -> list[str]:
        """The files of the treebanks that only forms come from."""
        names = self.collection.lexicon
        return [file for name in names for file in self.treebanks.files(name, COLLECTIONS)]

    @property
    def paradigms(self) -> list[Entry]:
        """The UniMorph files that the config names and whose licences are admitted."""
        return paradigms_of(self.collection, self.treebanks)

    @property
    def conventions(self) -> list[str]:
        """The table of what UniMorph means, if there are paradigms."""
        return conventions_of(self.study, self.treebanks) if self.paradigms else []

    @property
    def treebank_entries(self) -> list[Entry]:
        """The sources of the treebanks."""
        names = (self.collection.treebank, *self.collection.lexicon)
        return [entry for name in names for entry in self.treebanks.entries(name, COLLECTIONS)]

    @property
    def described(self) -> list[Described]:
        """What the card says of treebanks and paradigms."""
        return list(map(describe, [*self.treebank_entries, *self.paradigms]))

    @property
    def paradigm_files(self) -> list[str]:
        """The paths of `paradigms`."""
        return [str(entry.file) for entry in self.paradigms]


def paradigms_of(collection: CollectionSettings, treebanks: Treebanks) -> list[Entry]:
    """Return the UniMorph files that a collection names and whose licences are admitted."""
    workspace = treebanks.workspace
    entries = workspace.resolve_each(collection.paradigm_files, COLLECTIONS)
    return list(filter(workspace.allows, entries))


def conventions_of(study: MinimalSetsSettings, treebanks: Treebanks) -> list[str]:
    """Return the table of what UniMorph means."""
    entry = treebanks.workspace.resolve(study.conventions, f"{SECTION}.conventions")
    return [str(entry.file)]


@dataclass(frozen=True)
class PairSet:
    """A set of agreement pairs from a treebank: what it is made of."""

    name: str
    rules: str
    collection: CollectionSettings
    study: MinimalSetsSettings
    seed: int
    treebanks: Treebanks

    kinds = ("verb", "auxiliary", "participle")
    """The kinds of targets, in the order of `requests`."""

    @property
    def design(self) -> dict[str, Any]:
        """The arguments of `kasu.minimal_sets.pairs.design.PairDesign`."""
        collection = self.collection
        return {
            "name": self.name,
            "rules": self.rules,
            "features": list(collection.features or FEATURES),
            "language": self.language,
            "agrees": collection.agrees,
            "per_condition": collection.per_condition,
            "seed": self.seed,
        }

    @property
    def language(self) -> str:
        """The language of the treebank."""
        return self.treebanks.get(self.collection.treebank, COLLECTIONS).language

    @property
    def requests(self) -> list[Entry]:
        """The requests that come with Kasu, one for each kind; none by others' rules."""
        kinds = self.kinds if self.rules == KASU else ()
        files = [str(locate(f"resources/queries/any/{kind}.req")) for kind in kinds]
        return [self.treebanks.workspace.resolve(file, COLLECTIONS) for file in files]

    @property
    def request_kinds(self) -> list[str]:
        """The kinds of `requests`."""
        return [entry.file.stem for entry in self.requests]

    @property
    def request_files(self) -> list[str]:
        """The paths of `requests`."""
        return [str(entry.file) for entry in self.requests]

    @property
    def treebank(self) -> list[str]:
        """The files of the treebank."""
        return self.treebanks.files(self.collection.treebank, COLLECTIONS)

    @property
    def treebank_entries(self) -> list[Entry]:
        """The sources of the treebank."""
        return self.treebanks.entries(self.collection.treebank, COLLECTIONS)

    @property
    def paradigms(self) -> list[Entry]:
        """The UniMorph files that the config names and whose licences are admitted."""
        return paradigms_of(self.collection, self.treebanks)

    @property
    def paradigm_files(self) -> list[str]:
        """The paths of `paradigms`."""
        return [str(entry.file) for entry in self.paradigms]

    @property
    def conventions(self) -> list[str]:
        """The table of what UniMorph means, if there are paradigms; none by others' rules."""
        wanted = self.paradigms and self.rules == KASU
        return conventions_of(self.study, self.treebanks) if wanted else []

    @property
    def in_print(self) -> bool:
        """Whether print stands beside: by others' rules, as `printed` says."""
        if self.rules == KASU:
            return False
        registered = all(entry.is_registered for entry in self.treebank_entries)
        return registered if self.collection.printed is None else self.collection.printed

    @property
    def licences(self) -> list[str]:
        """The licence of each file of the treebank."""
        return [describe(entry)["licence"] for entry in self.treebank_entries]

    @property
    def form_licences(self) -> list[str]:
        """The licence of each file of UniMorph."""
        return [describe(entry)["licence"] for entry in self.paradigms]

    @property
    def described(self) -> list[Described]:
        """What the card says of treebanks and paradigms."""
        return list(map(describe, [*self.treebank_entries, *self.paradigms]))
