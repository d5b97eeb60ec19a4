"""Resolve the languages of the config: released datasets of the registry, or raw sources."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kasu.base.download import is_held
from kasu.base.errors import KasuError
from kasu.base.run import seed_of
from kasu.base.sources import Entry, Source, resolve
from kasu.inflection.data.triples import SETTINGS, SPLITS

RELEASED = re.compile(
    r"sigmorphon2018/task1/\w+/(?P<language>[a-z-]+)-(?P<part>train-(low|medium|high)|dev|test)"
)


@dataclass(frozen=True)
class Language:
    """A dataset of the study: released, with one file per split, or sampled from raw sources.

    `files` maps splits, or `paradigms` and `frequencies`, to their sources. `corpus` names a corpus
    of the config, whose words are counted if there is no frequency list.
    """

    name: str
    released: bool
    files: Mapping[str, Entry] = field(repr=False)
    corpus: str | None = None

    @property
    def settings(self) -> list[str]:
        """The settings it may have; for raw sources the paradigms decide (S-6)."""
        return [s for s in SETTINGS if s in self.files] if self.released else list(SETTINGS)


def released_languages(
    registry: Mapping[str, Source], downloads: Path
) -> dict[str, dict[str, Entry]]:
    """The released languages of the registry with their splits, sorted by name.

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
    entries: Sequence[str | Mapping[str, str]],
    registry: Mapping[str, Source],
    downloads: Path,
    mirrors: Iterable[Path] = (),
) -> tuple[list[Language], list[str]]:
    """Resolve the config's list of languages.

    `all` means every released language, `available` those whose files the mirrors or the downloads
    hold. Any other text is a released language or else a paradigm file: a registered name, a local
    path or a URL. A mapping names a dataset to sample from `paradigms`, with word counts from
    `frequencies` (a list) or `corpus` (a corpus of the config).

    Returns:
        The languages, and the names of the released languages that `available` left out.

    Raises:
        KasuError: an entry is unknown, or two entries have the same name.
    """
    released = released_languages(registry, downloads)
    mirrors = list(mirrors)
    languages: dict[str, Language] = {}
    missing = []
    for entry in entries:
        if entry == "all":
            new = [Language(name, True, files) for name, files in released.items()]
        elif entry == "available":
            new = []
            for name, files in released.items():
                if all(is_held(file, mirrors) for file in files.values()):
                    new.append(Language(name, True, files))
                else:
                    missing.append(name)
        elif isinstance(entry, str) and entry in released:
            new = [Language(entry, True, released[entry])]
        else:
            new = [_raw(entry, registry, downloads)]
        for language in new:
            if language.name in languages:
                where = f"config inflection languages: {entry}"
                raise KasuError(where, f"a second {language.name!r}", "each name once")
            languages[language.name] = language
    return list(languages.values()), missing


def resolve_frequencies(
    entries: Iterable[Mapping[str, str]],
    languages: Iterable[str],
    registry: Mapping[str, Source],
    downloads: Path,
) -> dict[str, Entry]:
    """Resolve the config's `frequencies`: the word counts of each language named there.

    Args:
        languages: names of the config's own languages, allowed next to the released ones.

    Raises:
        KasuError: a language is unknown or named twice, or its source is unknown.
    """
    known = released_languages(registry, downloads).keys() | set(languages)
    counts: dict[str, Entry] = {}
    for entry in entries:
        name, where = entry["language"], "config inflection frequencies"
        if name not in known:
            nearest = ", ".join(difflib.get_close_matches(name, sorted(known)))
            expected = f"a released language or one of the config's ({nearest})"
            raise KasuError(where, f"no language {name!r}", expected)
        if name in counts:
            raise KasuError(where, f"a second {name!r}", "each language once")
        counts[name] = resolve(entry["source"], registry, downloads)
    return counts


def _raw(
    entry: str | Mapping[str, str], registry: Mapping[str, Source], downloads: Path
) -> Language:
    named = {"paradigms": entry} if isinstance(entry, str) else dict(entry)
    files: dict[str, Entry] = {
        key: resolve(named[key], registry, downloads)
        for key in ("paradigms", "frequencies")
        if key in named
    }
    name = named.get("name", files["paradigms"].slug)
    return Language(name, False, files, named.get("corpus"))


def share_out(names: Iterable[str], packs: int) -> dict[int, list[str]]:
    """Assign languages to packs, each by its own name alone, so a new one changes one pack."""
    shared: dict[int, list[str]] = {}
    for name in names:
        shared.setdefault(seed_of(name) % packs, []).append(name)
    return dict(sorted(shared.items()))
