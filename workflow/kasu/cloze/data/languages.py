"""The languages of the config and their datasets: what they are made from, and where they lie."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from kasu.base.errors import KasuError
from kasu.cloze.data.names import MADE, RELEASED_IN, SETTINGS, SPLITS, TRACKS
from kasu.cloze.data.settings import ClozeLanguageSettings
from kasu.results.paths import Paths
from kasu.sources.cards import UNDETERMINED
from kasu.sources.registry import Entry, Source
from kasu.sources.workspace import Described, Workspace, describe
from kasu.transduction.task.languages import Inventory, resolve_languages
from kasu.transduction.task.settings import SIZES

SECTION = "config cloze languages"
TASK = "sigmorphon2018/task2"
MAKING = ("language", "features_second", "variant", "lemmata", "least")
"""The keys that say how a dataset is made from a treebank."""
_TEST = re.compile(rf"{TASK}/testsets/(?P<language>[a-z]+)-uncovered")

RELEASED = {
    **{size: f"trainsets/{{language}}-track1-{size}" for size in SIZES},
    **{f"{size}_track2": f"trainsets/{{language}}-track2-{size}" for size in SIZES},
    **{split: f"{split}sets/{{language}}-uncovered" for split in ("dev", "test")},
    **{
        f"{split}_{track}": f"{split}sets/{{language}}-{track}-covered"
        for split in ("dev", "test")
        for track in TRACKS
    },
}
"""The files of a released language, by what `read_splits` calls them."""


@dataclass(frozen=True)
class Language:
    """A dataset of the study: released, split by the user, or made from a treebank.

    Attributes:
        files: the sources by split. A dataset made from a treebank also has `conversion`, and
            `released_dev` and so on, whose sentences are looked for.
        paradigms, annotations: further sources of a dataset made from a treebank.
        making: the settings of a dataset made from a treebank.
        code: the code of the language, for the card and for upper and lower case; a released
            language is named by it.
    """

    name: str
    origin: Literal["released", "splits", "treebank"]
    files: Mapping[str, Entry] = field(repr=False)
    paradigms: Sequence[Entry] = field(default=(), repr=False)
    annotations: Sequence[Entry] = field(default=(), repr=False)
    making: Mapping[str, object] = field(default_factory=dict, repr=False)
    code: str = UNDETERMINED

    @property
    def sources(self) -> list[Entry]:
        """All its sources; the table of features does not count as one."""
        files = [entry for part, entry in self.files.items() if part != "conversion"]
        return [*files, *self.paradigms, *self.annotations]

    @property
    def settings(self) -> list[str]:
        """The settings that it has: both tracks of each training set."""
        if self.origin == "treebank":
            return list(SETTINGS) if "train" in self.files else []
        return [setting for setting in SETTINGS if setting.partition("-")[2] in self.files]


def released_languages(
    registry: Mapping[str, Source], downloads: Path
) -> dict[str, dict[str, Entry]]:
    """Return the released languages of the registry with their files, sorted by name.

    Raises:
        KasuError: a language lacks a file.
    """
    sources = {source.path: source for source in registry.values()}
    names = sorted(match["language"] for path in sources if (match := _TEST.fullmatch(path)))
    found: dict[str, dict[str, Entry]] = {}
    for name in names:
        paths = {part: f"{TASK}/{file.format(language=name)}" for part, file in RELEASED.items()}
        if missing := [path for path in paths.values() if path not in sources]:
            raise KasuError("config/sources.tsv", f"no {missing[0]}", f"all files of {name}")
        found[name] = {
            part: Entry(sources[path].slug, downloads / path, sources[path])
            for part, path in paths.items()
        }
    return found


class Datasets(Inventory[Language]):
    """The datasets of a config's section `cloze`, resolved on first use."""

    SPLITS = SPLITS

    def __init__(
        self, entries: Sequence[str | ClozeLanguageSettings], paths: Paths, workspace: Workspace
    ) -> None:
        """Take the key `languages` of the section; `paths` are the study's."""
        super().__init__(paths, workspace)
        self.entries = entries

    @cached_property
    def _registered(self) -> dict[str, dict[str, Entry]]:
        return released_languages(self.workspace.registry, self.workspace.downloads)

    @cached_property
    def _resolved(self) -> tuple[list[Language], list[str]]:
        return resolve_languages(
            self.entries,
            self._registered,
            lambda name, files: Language(name, "released", files, code=name),
            self._own,
            self.workspace,
            SECTION,
        )

    def _own(self, entry: str | ClozeLanguageSettings) -> Language:
        if isinstance(entry, str):
            expected = f"one of {', '.join(self._registered)}, all, available, or a map with name"
            raise KasuError(SECTION, f"no released language {entry!r}", expected)
        section = f"{SECTION}: {entry.name}"

        def resolve(text: object) -> Entry:
            return self.workspace.resolve(str(text), section, entry.licence)

        if entry.splits:
            named = {part: resolve(text) for part, text in entry.splits.dump().items()}
            return Language(entry.name, "splits", named, code=entry.language or UNDETERMINED)
        stated = entry.dump()
        files = {part: resolve(text) for part, text in stated["treebank"].items()}
        files["conversion"] = self.workspace.resolve(entry.conversion, section)
        if entry.released:
            files |= self._to_find(entry.released, list(files), section)
        return Language(
            entry.name, "treebank", files,
            paradigms=self.workspace.resolve_each(entry.paradigms, section, entry.licence),
            annotations=self.workspace.resolve_each(entry.annotations, section, entry.licence),
            making={key: stated[key] for key in MAKING},
        )  # fmt: skip

    def _to_find(self, language: str, splits: Sequence[str], section: str) -> dict[str, Entry]:
        """Return the released files whose sentences are looked for in splits of a treebank."""
        if language not in self._registered:
            expected = ", ".join(self._registered)
            raise KasuError(section, f"no released language {language!r}", f"one of {expected}")
        files = self._registered[language]
        self.workspace.register(*files.values())
        return {
            f"released_{part}": files[part]
            for part, split in RELEASED_IN.items()
            if split in splits
        }

    @property
    def made(self) -> list[str]:
        """The languages whose dataset is made from a treebank."""
        return self._of("treebank")

    def made_files(self, language: str) -> dict[str, str]:
        """Return the files that are written beside a dataset made from a treebank."""
        return {part: self.paths(part, language=language) for part in MADE}

    @property
    def made_tables(self) -> list[str]:
        """The tables beside all datasets made from treebanks."""
        tables = ("conversion", "recovered", "agreement")
        return [self.made_files(name)[part] for name in self.made for part in tables]

    def making(self, language: str) -> Mapping[str, object]:
        """Return the settings of a dataset that is made from a treebank."""
        return self.languages[language].making

    def raw_files(self, language: str) -> dict[str, str | list[str]]:
        """Return what a dataset is made from, by split; paradigms and annotations are lists."""
        named = self.languages[language]
        files: dict[str, str | list[str]] = {
            part: str(entry.file) for part, entry in named.files.items()
        }
        for part, entries in (("paradigms", named.paradigms), ("annotations", named.annotations)):
            if entries:
                files[part] = [str(entry.file) for entry in entries]
        return files

    def described(self, language: str) -> list[Described]:
        """Describe the sources of a dataset, for its card."""
        named = self.languages[language]
        compared = [entry for part, entry in named.files.items() if part.startswith("released_")]
        return [describe(entry) for entry in named.sources if entry not in compared]

    # Released files come in one job per language

    def downloads(self, *, lock: bool = False) -> list[str]:
        """Return where the released files of `{language}` land, or their locks."""
        folder = self.workspace.downloads / TASK
        return [f"{folder}/{file}" + ".lock" * lock for file in RELEASED.values()]

    @property
    def registered(self) -> list[str]:
        """The released languages."""
        return list(self._registered)

    def released_sources(self, language: str) -> list[dict[str, object]]:
        """Return facts of the sources of a released language, in order of RELEASED.

        Raises:
            KasuError: `licences` do not admit one of them.
        """
        files: Sequence[str] = [f.format(language=language) for f in RELEASED.values()]
        return [self.workspace.source_at(f"{TASK}/{file}").facts() for file in files]
