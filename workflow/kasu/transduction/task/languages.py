"""A config's list of languages: released datasets of the registry, or the user's own."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Generic, Protocol, TypeVar

from kasu.base.errors import KasuError
from kasu.base.paths import lies_in
from kasu.results.paths import Paths
from kasu.sources.download import is_available
from kasu.sources.mirrors import check_mirrors
from kasu.sources.registry import Entry
from kasu.sources.workspace import Workspace

Released = Mapping[str, Mapping[str, Entry]]
"""The files of each released language by what they hold."""


class Named(Protocol):
    """A dataset, or an entry of the config that names one."""

    @property
    def name(self) -> str: ...


class Dataset(Named, Protocol):
    """A dataset, and what it is made from: `released` files, the user's `splits`, or other files.

    `code` is the code of its language, for the card and for upper and lower case. `sources` are all
    sources that `licences` must admit.
    """

    @property
    def origin(self) -> str: ...

    @property
    def sources(self) -> Sequence[Entry]: ...

    @property
    def code(self) -> str: ...


D = TypeVar("D", bound=Dataset)
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

    `all` means every released language. `available` means the released languages whose files are
    available (`kasu.sources.download`): all, unless a mirror is named that lacks some. Any other
    text is a released language or else, like an entry with a name, the user's own.

    Args:
        take: makes a dataset of a released language's name and files.
        make: makes a dataset of any other entry.
        section: where the list stands, for messages.

    Returns:
        The languages, and the names of the released ones that `available` left out.

    Raises:
        KasuError: two entries have the same name, or nothing is available and a mirror is no
            folder.
    """
    languages: dict[str, L] = {}
    missing = []
    for entry in entries:
        if entry == "all":
            new = [take(name, files) for name, files in released.items()]
        elif entry == "available":
            new = []
            for name, files in released.items():
                if all(is_available(file, workspace.mirrors) for file in files.values()):
                    new.append(take(name, files))
                else:
                    missing.append(name)
            if not new:
                check_mirrors(workspace.mirrors)
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


class Inventory(ABC, Generic[D]):
    """The languages of a study by what their datasets are made from, and where these lie.

    Args:
        paths: the paths of the study, among them splits, `card`, `counts` and `drops` of a dataset.
        workspace: where sources lie, and which ones `licences` admit.
    """

    SPLITS: ClassVar[Sequence[str]]
    """The splits of a dataset."""

    def __init__(self, paths: Paths, workspace: Workspace) -> None:
        self.paths, self.workspace = paths, workspace

    @property
    @abstractmethod
    def _registered(self) -> Released:
        """The released languages of the registry."""

    @property
    @abstractmethod
    def _resolved(self) -> tuple[list[D], list[str]]:
        """The languages, and the released ones left out, as `resolve_languages` returns them."""

    @cached_property
    def languages(self) -> dict[str, D]:
        """The languages by name, those whose sources `licences` admit.

        Raises:
            KasuError: an entry of the config is unknown, or names a file of the folder that its
                dataset is written to.
        """
        found, _ = self._resolved
        for each in found:
            folder = self.dataset_folder(each.name)
            for source in each.sources:
                if source.source is None and lies_in(source.file, folder):
                    where = f"config {self.paths.study} languages: {each.name}"
                    written = f"{source.file} lies in the folder that its dataset is written to"
                    raise KasuError(where, written, "a copy elsewhere")
        allows = self.workspace.allows
        return {each.name: each for each in found if all(map(allows, each.sources))}

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
        """Notices for the user, before the run."""
        _, unreached = self._resolved
        if not unreached:
            return []
        return [
            f"{self.paths.study}: {len(unreached)} released languages are neither in a mirror nor "
            "downloaded; `languages: [available]` leaves them out, `languages: [all]` downloads "
            "them"
        ]

    @property
    def codes(self) -> dict[str, str]:
        """The code of the language of each dataset."""
        return {name: language.code for name, language in self.languages.items()}

    def code(self, language: str) -> str:
        """Return the code of the language of a dataset."""
        return self.languages[language].code

    @cached_property
    def known(self) -> dict[str, None]:
        """The languages that a config may name: its own and all released ones, also if absent."""
        found, _ = self._resolved
        # Asked for each name, of which there may be thousands
        return dict.fromkeys([*self._registered, *(language.name for language in found)])

    @property
    def released(self) -> list[str]:
        """The languages with a released dataset."""
        return self._of("released")

    @property
    def split(self) -> list[str]:
        """The languages whose dataset is split already."""
        return self._of("released", "splits")

    def _of(self, *origins: str) -> list[str]:
        return [name for name, each in self.languages.items() if each.origin in origins]

    def dataset(self, language: str) -> dict[str, str]:
        """Return the files of a dataset: splits, card, counts and drops."""
        parts = (*self.SPLITS, "card", "counts", "drops")
        return {part: self.paths(part, language=language) for part in parts}

    def dataset_folder(self, language: str) -> str:
        """Return the folder of a dataset."""
        return self.paths("card", language=language).rpartition("/")[0]

    @property
    def dataset_folders(self) -> dict[str, str]:
        """The folder of each language's dataset."""
        return {name: self.dataset_folder(name) for name in self.languages}

    @property
    def splits(self) -> list[str]:
        """The splits of all datasets."""
        return [
            self.paths(split, language=name) for name in self.languages for split in self.SPLITS
        ]
