"""Resolve the languages of the config: released datasets of the registry, or the user's own."""

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from kasu.base.errors import KasuError
from kasu.inflection.data.codes import CODES
from kasu.inflection.data.settings import LanguageSettings, WordCountSettings
from kasu.inflection.data.triples import SETTINGS, SPLITS
from kasu.sources.cards import UNDETERMINED
from kasu.sources.registry import Entry, Source
from kasu.sources.workspace import Workspace
from kasu.transduction.task.languages import resolve_languages as resolve

SECTION = "config inflection languages"

RELEASED = re.compile(
    r"sigmorphon2018/task1/\w+/(?P<language>[a-z-]+)-(?P<part>train-(low|medium|high)|dev|test)"
)


@dataclass(frozen=True)
class Language:
    """A dataset of the study: released, split by the user, or sampled from paradigms.

    `files` maps splits, or `paradigms` and `frequencies`, to their sources. `corpus` names a corpus
    of the config, whose words are counted if there is no frequency list. `code` is the code of the
    language, for the card and for upper and lower case.
    """

    name: str
    origin: Literal["released", "splits", "paradigms"]
    files: Mapping[str, Entry] = field(repr=False)
    corpus: str | None = None
    code: str = UNDETERMINED

    @property
    def sources(self) -> list[Entry]:
        """All sources of the dataset."""
        return list(self.files.values())

    @property
    def settings(self) -> list[str]:
        """The settings that the dataset may have; the number of paradigms decides (S-6)."""
        return [s for s in SETTINGS if s in self.files or self.origin == "paradigms"]


def released_languages(
    registry: Mapping[str, Source], downloads: Path
) -> dict[str, dict[str, Entry]]:
    """Return the released languages of the registry with their splits, sorted by name.

    A language without a low training set, a dev set or a test set does not belong to the task.
    """
    found: dict[str, dict[str, Entry]] = {}
    for source in registry.values():
        if match := RELEASED.fullmatch(source.path):
            entry = Entry(source.slug, downloads / source.path, source)
            split = match["part"].removeprefix("train-")
            found.setdefault(match["language"], {})[split] = entry
    return {
        language: {split: found[language][split] for split in SPLITS if split in found[language]}
        for language in sorted(found)
        if {"low", "dev", "test"} <= found[language].keys()
    }


def resolve_languages(
    entries: Iterable[str | LanguageSettings], workspace: Workspace
) -> tuple[list[Language], list[str]]:
    """Resolve the config's list of languages.

    A text that is not the name of a released language names a file of paradigms: a registered name,
    a local path or a URL.

    Returns:
        The languages, and the names of the released languages that `available` left out.

    Raises:
        KasuError: an entry is unknown, or two entries have the same name.
    """
    released = released_languages(workspace.registry, workspace.downloads)
    return resolve(
        entries,
        released,
        lambda name, files: Language(name, "released", files, code=CODES.get(name, UNDETERMINED)),
        lambda entry: _own_language(entry, workspace, released),
        workspace,
        SECTION,
    )


def _own_language(
    entry: str | LanguageSettings, workspace: Workspace, released: Collection[str]
) -> Language:
    """Resolve a dataset of the user's own; a text is a file of paradigms alone."""
    if isinstance(entry, str):
        nearest = ", ".join(difflib.get_close_matches(entry, released, cutoff=0.75))
        if nearest and entry not in workspace.registry and not Path(entry).exists():
            expected = f"a released language ({nearest}), a registered name, a file or an address"
            raise KasuError(SECTION, f"no language {entry!r}", expected)
        paradigms = workspace.resolve(entry, SECTION)
        # UniMorph's files are named by the code of their language, as are their folders
        *_, folder, name = ("", *paradigms.file.parts)
        code = name if name == folder and len(name) == 3 else UNDETERMINED
        return Language(paradigms.slug, "paradigms", {"paradigms": paradigms}, code=code)
    named = {"paradigms": entry.paradigms, "frequencies": entry.frequencies}
    if entry.splits:
        named = entry.splits.dump()
    files = {part: workspace.resolve(text, SECTION) for part, text in named.items() if text}
    origin: Literal["splits", "paradigms"] = "splits" if entry.splits else "paradigms"
    code = entry.language or CODES.get(entry.name, UNDETERMINED)
    return Language(entry.name, origin, files, entry.corpus, code)


def resolve_frequencies(
    entries: Iterable[WordCountSettings], languages: Iterable[str], workspace: Workspace
) -> dict[str, Entry]:
    """Resolve the config's `frequencies`: the word counts of each language named there.

    Args:
        languages: names of the config's own languages, allowed next to the released ones.

    Raises:
        KasuError: a language is unknown or named twice, or its source is unknown.
    """
    released = released_languages(workspace.registry, workspace.downloads)
    known = released.keys() | set(languages)
    counts: dict[str, Entry] = {}
    where = "config inflection frequencies"
    for entry in entries:
        name = entry.language
        if name not in known:
            nearest = ", ".join(difflib.get_close_matches(name, sorted(known)))
            expected = f"a released language or one of the config's ({nearest})"
            raise KasuError(where, f"no language {name!r}", expected)
        if name in counts:
            raise KasuError(where, f"a second {name!r}", "each language once")
        counts[name] = workspace.resolve(entry.source, where)
    return counts
