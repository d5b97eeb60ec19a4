"""The languages of the config and their datasets: what they are made from, and where they lie."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.sources import Entry, Source
from kasu.base.workspace import Described, Workspace, describe
from kasu.cloze.names import SETTINGS, SIZES, SPLITS, TRACKS
from kasu.cloze.settings import ClozeLanguageSettings, ClozeSettings
from kasu.transduction.members.languages import announce_missing, resolve_languages

SECTION = "config cloze languages"
TASK = "sigmorphon2018/task2"
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
    """A dataset of the study, released or the user's own, and its files by split."""

    name: str
    released: bool
    files: Mapping[str, Entry] = field(repr=False)

    @property
    def settings(self) -> list[str]:
        """The settings it has: both tracks of each training set."""
        return [setting for setting in SETTINGS if setting.partition("-")[2] in self.files]


def released_languages(
    registry: Mapping[str, Source], downloads: Path
) -> dict[str, dict[str, Entry]]:
    """The released languages of the registry with their files, sorted by name.

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


class Datasets:
    """The datasets of a config's section `cloze`, resolved on first use.

    Methods that give the files of a language also take a Snakemake wildcard in braces, unless they
    need to know what it stands for.
    """

    def __init__(self, settings: ClozeSettings, folder: str, workspace: Workspace) -> None:
        self.settings, self.folder, self.workspace = settings, folder, workspace

    @cached_property
    def _registered(self) -> dict[str, dict[str, Entry]]:
        return released_languages(self.workspace.registry, self.workspace.downloads)

    @cached_property
    def _resolved(self) -> tuple[list[Language], list[str]]:
        return resolve_languages(
            self.settings.languages,
            self._registered,
            lambda name, files: Language(name, True, files),
            self._own,
            self.workspace,
            SECTION,
        )

    def _own(self, entry: str | ClozeLanguageSettings) -> Language:
        if isinstance(entry, str):
            expected = f"one of {', '.join(self._registered)}, all, available, or name and splits"
            raise KasuError(SECTION, f"no released language {entry!r}", expected)
        named = entry.splits.dump().items()
        files = {part: self.workspace.resolve(str(text), SECTION) for part, text in named}
        return Language(entry.name, False, files)

    @cached_property
    def languages(self) -> dict[str, Language]:
        """The languages by name, those whose sources `licences` admit.

        Raises:
            KasuError: an entry of the config is unknown.
        """
        found, _ = self._resolved
        allows = self.workspace.allows
        return {each.name: each for each in found if all(map(allows, each.files.values()))}

    @property
    def known(self) -> list[str]:
        """The languages that a config may name: its own and all released ones, also if absent."""
        found, _ = self._resolved
        return list(dict.fromkeys([*self._registered, *(language.name for language in found)]))

    @property
    def released(self) -> list[str]:
        """The languages with a released dataset."""
        return [name for name, language in self.languages.items() if language.released]

    def dataset(self, language: str) -> dict[str, str]:
        """The files of a dataset: splits, card, counts and drops."""
        folder = f"{self.folder}/datasets/{language}"
        return {
            **{split: f"{folder}/{split}.parquet" for split in SPLITS},
            "card": f"{folder}/README.md",
            "counts": f"{folder}/counts.tsv",
            "drops": f"{folder}/drops.tsv",
        }

    @property
    def folders(self) -> dict[str, str]:
        """The folder of each language's dataset."""
        return {name: f"{self.folder}/datasets/{name}" for name in self.languages}

    @property
    def splits(self) -> list[str]:
        """The splits of all datasets."""
        return [self.dataset(name)[split] for name in self.languages for split in SPLITS]

    def raw_files(self, language: str) -> dict[str, str]:
        """What a dataset is made from, by split."""
        return {part: str(entry.file) for part, entry in self.languages[language].files.items()}

    def described(self, language: str) -> list[Described]:
        """What the card says about the sources of a dataset."""
        return [describe(entry) for entry in self.languages[language].files.values()]

    # Released files come in one job per language

    def downloads(self, *, lock: bool = False) -> list[str]:
        """Where the released files of `{language}` land, or their locks."""
        folder = self.workspace.downloads / TASK
        return [f"{folder}/{file}" + ".lock" * lock for file in RELEASED.values()]

    @property
    def registered(self) -> list[str]:
        """The released languages."""
        return list(self._registered)

    def released_sources(self, language: str) -> list[dict[str, object]]:
        """Facts of the sources of a released language, in order of RELEASED.

        Raises:
            KasuError: `licences` do not admit one of them.
        """
        files: Sequence[str] = [f.format(language=language) for f in RELEASED.values()]
        return [self.workspace.source_at(f"{TASK}/{file}").facts() for file in files]

    @property
    def drops(self) -> dict[str, int]:
        """How many languages were left out, by reason."""
        found, unreached = self._resolved
        return {
            "released language neither in a mirror nor downloaded": len(unreached),
            "licence not allowed": len(found) - len(self.languages),
        }

    @property
    def notices(self) -> list[str]:
        """What a user should know before the run."""
        _, unreached = self._resolved
        return announce_missing("cloze", unreached)
