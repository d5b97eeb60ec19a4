"""The sets of a config: those built from treebanks, and the released ones."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from kasu.base.errors import KasuError
from kasu.corpora.plan import Treebanks
from kasu.minimal_sets.data.paper import FILE_SETS, LANGUAGE, RELEASED_SETS, STATISTICS
from kasu.minimal_sets.data.paper import SETS as PAPER_SETS
from kasu.minimal_sets.material import SECTION, STUDY, BuiltSet, PairSet, conventions_of
from kasu.minimal_sets.paths import PATHS
from kasu.minimal_sets.released.files import FOLDER, RESULT_FILES, ReleasedSet, pick_released
from kasu.minimal_sets.settings import MinimalSetsSettings
from kasu.results.paths import Paths
from kasu.sources.registry import Entry


class Sets:
    """The sets of a config: built from treebanks, and released by the authors.

    Attributes:
        codes: the authors' codes of their sets, as in the names of their files.
        released_language: of the released sets.
    """

    codes = tuple(FILE_SETS)
    released_language = LANGUAGE

    def __init__(self, settings: MinimalSetsSettings, seed: int, treebanks: Treebanks) -> None:
        self.settings, self.seed, self.treebanks = settings, seed, treebanks
        self.workspace = treebanks.workspace
        self.paths = Paths(PATHS, self.workspace.results, STUDY)

    @cached_property
    def built(self) -> dict[str, BuiltSet]:
        """The sets that are built from treebanks, by name."""
        return {
            item.name: BuiltSet(item, collection, self.settings, self.seed, self.treebanks)
            for collection in self.settings.collections
            for item in collection.own
        }

    @cached_property
    def pairs(self) -> dict[str, PairSet]:
        """The sets of agreement pairs, by name."""
        return {
            name: PairSet(name, rules, collection, self.settings, self.seed, self.treebanks)
            for name, (rules, collection) in self.settings.pair_sets().items()
        }

    def pair_set(self, set: str) -> PairSet:
        """Return the set of pairs of this name."""
        return self.pairs[set]

    @property
    def pair_items(self) -> list[str]:
        """The items of the sets of pairs."""
        return self.items([*self.pairs])

    @property
    def pair_agreement(self) -> list[str]:
        """Whether languages agree, a table for each set of pairs."""
        return [self.paths("agreement", set=name) for name in self.pairs]

    @property
    def pair_pools(self) -> list[str]:
        """All pairs before a draw, a table for each set of pairs."""
        return [self.paths("pool", set=name) for name in self.pairs]

    @property
    def pair_names(self) -> list[str]:
        """The names of the sets of pairs."""
        return [*self.pairs]

    @property
    def pair_languages(self) -> dict[str, str]:
        """The language of each set of pairs."""
        return {name: each.language for name, each in self.pairs.items()}

    @property
    def pairs_in_print(self) -> list[str]:
        """The sets of pairs beside which print stands."""
        return [name for name, each in self.pairs.items() if each.in_print]

    @property
    def pair_rules(self) -> dict[str, str]:
        """Whose rules make each set of pairs."""
        return {name: each.rules for name, each in self.pairs.items()}

    @property
    def audited(self) -> list[Entry]:
        """The released files to audit whose licences are admitted."""
        resolve = self.workspace.resolve
        entries = [resolve(text, f"{SECTION}.audit") for text in self.settings.audit]
        return list(filter(self.workspace.allows, entries))

    @property
    def audited_files(self) -> list[str]:
        """The paths of `audited`."""
        return [str(entry.file) for entry in self.audited]

    @property
    def grounds(self) -> dict[str, dict[str, object]]:
        """Language -> the material to audit its released file with, by `Ground`'s names."""
        return {
            each.language: {
                "treebanks": each.treebank,
                "licences": each.licences,
                "unimorph": each.paradigm_files,
                "conventions": next(iter(conventions_of(each.study, each.treebanks)), None),
                "language": each.language,
            }
            for each in self.pairs.values()
        }

    @property
    def ground_files(self) -> list[str]:
        """The treebanks and paradigms of `grounds`."""
        return list(
            dict.fromkeys(
                file
                for each in self.pairs.values()
                for file in (*each.treebank, *each.paradigm_files, *each.conventions)
            )
        )

    def get(self, set: str) -> BuiltSet:
        """Return the built set of this name."""
        return self.built[set]

    def overlapping(self, set: str) -> list[str]:
        """Return the items of the set of the paper that a built set corresponds to."""
        return self.items([self.counterparts[set]])

    def source(self, set: str) -> Entry:
        """Return the file that the items of a released set are read from."""
        return self.released[set].items

    @property
    def releasable(self) -> list[str]:
        """The names of the paper's sets that the config does not give to its own sets."""
        return [name for name in PAPER_SETS if name not in {*self.built, *self.pairs}]

    @cached_property
    def released(self) -> dict[str, ReleasedSet]:
        """The authors' sets that the config asks for, by name.

        Raises:
            KasuError: an unknown set, or one with the name of a built set.
        """
        released = pick_released(self.settings.released, self.workspace, f"{SECTION}.released")
        if clashes := sorted(released.keys() & {*self.built, *self.pairs}):
            found = f"{clashes[0]!r} is built and released"
            raise KasuError(SECTION, found, "another name")
        return released

    @property
    def names(self) -> list[str]:
        """The names of all sets."""
        return [*self.built, *self.pairs, *self.released]

    def items(self, sets: Sequence[str]) -> list[str]:
        """List the items of some sets."""
        return [self.paths("items", set=name) for name in sets]

    @property
    def pools(self) -> dict[str, str]:
        """Set -> the collection that it is pooled with.

        A collection is named after its treebank; from the second one on, they are numbered.
        """
        counts: Counter[str] = Counter()
        pools: dict[str, str] = {}
        for collection in self.settings.collections:
            treebank = collection.treebank
            counts[treebank] += 1
            number = f" {counts[treebank]}" if counts[treebank] > 1 else ""
            pools |= dict.fromkeys((item.name for item in collection.own), treebank + number)
        pools |= {name: name for name in self.pairs}
        return pools | dict.fromkeys(self.released, RELEASED_SETS)

    @property
    def all_items(self) -> list[str]:
        """The items of all sets."""
        return self.items(self.names)

    @property
    def all_drops(self) -> list[str]:
        """The drops of all sets."""
        return [*self.reports("drops").values()]

    @property
    def released_items(self) -> list[str]:
        """The items of the authors' sets."""
        return self.items([*self.released])

    @property
    def rebuilt_items(self) -> list[str]:
        """The items of `rebuilt`."""
        return self.items([*self.rebuilt])

    @property
    def counterparts(self) -> dict[str, str]:
        """Built set -> the set of the paper that it corresponds to."""
        return {
            name: built.settings.released
            for name, built in self.built.items()
            if built.settings.released
        }

    @property
    def rebuilt(self) -> dict[str, str]:
        """The counterparts that the paper's claims on verbs are tested on.

        A treebank of the user's own, or in another language, says nothing about them.
        """
        return {
            name: counterpart
            for name, counterpart in self.counterparts.items()
            if self.built[name].language == LANGUAGE
            and all(entry.is_registered for entry in self.built[name].treebank_entries)
        }

    @property
    def overlaps(self) -> dict[str, str]:
        """Built set -> its table of overlap with the released counterpart, where there is one."""
        return {
            name: self.paths("overlap", set=name)
            for name, counterpart in self.counterparts.items()
            if counterpart in self.released
        }

    @property
    def result_files(self) -> list[str]:
        """The files of the released results of a set, by the wildcard {code}."""
        return [f"{self.workspace.downloads}/{FOLDER}/{file}" for file in RESULT_FILES]

    @property
    def result_locks(self) -> list[str]:
        """The locks of `result_files`."""
        return [f"{file}.lock" for file in self.result_files]

    def result_sources(self, code: str) -> list[dict[str, object]]:
        """List what the fetch of `result_files` depends on, in their order."""
        paths = (f"{FOLDER}/{file.format(code=code)}" for file in RESULT_FILES)
        return [self.workspace.source_at(path).facts() for path in paths]

    @property
    def results(self) -> list[str]:
        """The files of all released results."""
        return [str(entry.file) for item in self.released.values() for entry in item.results]

    @property
    def statistics(self) -> list[str]:
        """The treebank's own counts, if there are released sets and the licence is admitted."""
        entries = [self.workspace.resolve(STATISTICS, SECTION)] if self.released else []
        return [str(entry.file) for entry in filter(self.workspace.allows, entries)]

    def reports(self, kind: str) -> dict[str, str]:
        """Return counts or drops of every set."""
        return {name: self.paths(kind, set=name) for name in self.names}
