"""Resolve a config's list of languages: released datasets of the registry, or the user's own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from kasu.base.download import is_held
from kasu.base.errors import KasuError
from kasu.base.sources import Entry
from kasu.base.workspace import Workspace

Released = Mapping[str, Mapping[str, Entry]]
"""The files of each released language by what they hold."""


class Named(Protocol):
    """A dataset, or an entry of the config that names one."""

    @property
    def name(self) -> str: ...


L = TypeVar("L", bound=Named)
E = TypeVar("E", bound=Named)


def resolve_languages(
    entries: Iterable[str | E],
    released: Released,
    take: Callable[[str, Mapping[str, Entry]], L],
    make: Callable[[str | E], L],
    workspace: Workspace,
    section: str,
) -> tuple[list[L], list[str]]:
    """Resolve a list of languages.

    `all` means every released language, `available` those whose files the mirrors or the downloads
    hold. Any other text is a released language or else, like an entry with a name, the user's own.

    Args:
        take: makes a dataset of a released language's name and files.
        make: makes one of any other entry.
        section: where the list stands, for messages.

    Returns:
        The languages, and the names of the released ones that `available` left out.

    Raises:
        KasuError: two entries have the same name.
    """
    languages: dict[str, L] = {}
    missing = []
    for entry in entries:
        if entry == "all":
            new = [take(name, files) for name, files in released.items()]
        elif entry == "available":
            new = []
            for name, files in released.items():
                if all(is_held(file, workspace.mirrors) for file in files.values()):
                    new.append(take(name, files))
                else:
                    missing.append(name)
        elif isinstance(entry, str) and entry in released:
            new = [take(entry, released[entry])]
        else:
            new = [make(entry)]
        for language in new:
            if language.name in languages:
                shown = entry if isinstance(entry, str) else entry.name
                found = f"a second {language.name!r}"
                raise KasuError(f"{section}: {shown}", found, "each name once")
            languages[language.name] = language
    return list(languages.values()), missing


def announce_missing(section: str, missing: Sequence[str]) -> list[str]:
    """What a user should know of released languages that `available` left out; one line at most."""
    if not missing:
        return []
    return [
        f"{section}: {len(missing)} released languages are neither in a mirror nor downloaded; "
        "`languages: [available]` leaves them out, `languages: [all]` downloads them"
    ]
