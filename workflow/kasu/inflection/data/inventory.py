"""The languages of a config and their datasets: what they are made from, and where they lie."""

from collections.abc import Sequence
from functools import cached_property

from kasu.base.errors import KasuError, nearest
from kasu.corpora.plan import Corpora
from kasu.inflection.data.languages import (
    SECTION,
    Language,
    released_languages,
    resolve_frequencies,
    resolve_languages,
)
from kasu.inflection.data.settings import LanguageSettings, WordCountSettings
from kasu.inflection.data.triples import SETTINGS, SPLITS
from kasu.results.paths import Paths
from kasu.sources.registry import Entry
from kasu.sources.workspace import Described, describe
from kasu.transduction.task.languages import Inventory


class Datasets(Inventory[Language]):
    """The datasets of a config's section `inflection`, resolved on first use."""

    SPLITS = SPLITS

    def __init__(
        self,
        entries: Sequence[str | LanguageSettings],
        frequencies: Sequence[WordCountSettings],
        paths: Paths,
        corpora: Corpora,
    ) -> None:
        """Take the keys `languages` and `frequencies` of the section; `paths` are the study's."""
        super().__init__(paths, corpora.workspace)
        self.entries, self.frequencies, self.corpora = entries, frequencies, corpora

    @cached_property
    def _resolved(self) -> tuple[list[Language], list[str]]:
        return resolve_languages(self.entries, self.workspace)

    @cached_property
    def languages(self) -> dict[str, Language]:
        """The languages by name, those whose sources `licences` admit.

        Raises:
            KasuError: an entry of the config is unknown, also its corpus.
        """
        found, _ = self._resolved
        for language in found:
            if language.corpus:
                self.corpora.get(language.corpus, f"{SECTION}: {language.name}")
        return super().languages

    @property
    def sampled(self) -> list[str]:
        """The languages whose dataset is sampled from paradigms."""
        return self._of("paradigms")

    def is_released(self, language: str) -> bool:
        """Return whether a dataset is the organisers' own."""
        return self.languages[language].origin == "released"

    def raw_files(self, language: str) -> dict[str, str]:
        """Return what a dataset is made from: released splits, or paradigms and word counts.

        Raises:
            KasuError: there is no such language.
        """
        if language not in self.languages:
            expected = nearest(language, self.languages)
            raise KasuError(SECTION, f"{language!r}: no such language", expected)
        named = self.languages[language]
        files = {part: str(entry.file) for part, entry in named.files.items()}
        if named.corpus:
            files["sentences"] = self.corpora.file(named.corpus, "sentences", SECTION)
        return files

    def described(self, language: str) -> list[Described]:
        """Describe the sources of a dataset, for its card."""
        named = self.languages[language]
        described = [describe(entry) for entry in named.sources]
        return described + (self.corpora.described(named.corpus) if named.corpus else [])

    # Released files come in one job per language: all its splits, whatever the config lists

    def downloads(self, *splits: str, lock: bool = False) -> list[str]:
        """Return where splits of `{language}` land from a `{collection}`, or their locks."""
        folder = self.workspace.downloads / "sigmorphon2018/task1/{collection}"
        parts = [f"train-{split}" if split in SETTINGS else split for split in splits]
        return [f"{folder}/{{language}}-{part}" + ".lock" * lock for part in parts]

    def released_with(self, *splits: str) -> list[str]:
        """List the registered languages with exactly these splits."""
        return [name for name, files in self._registered.items() if set(files) == set(splits)]

    def released_sources(self, language: str) -> list[dict[str, object]]:
        """Return facts of the sources of a registered language, in order of `SPLITS`.

        Raises:
            KasuError: `licences` do not admit one of them.
        """
        files = self._registered[language].values()
        paths = [file.source.path for file in files if file.source]
        return [self.workspace.source_at(path).facts() for path in paths]

    @cached_property
    def _registered(self) -> dict[str, dict[str, Entry]]:
        return released_languages(self.workspace.registry, self.workspace.downloads)

    # Checks of the datasets

    @cached_property
    def _counts(self) -> dict[str, Entry]:
        """Word counts of the config's `frequencies`, for languages of this run."""
        found, _ = self._resolved
        names = [language.name for language in found]
        counts = resolve_frequencies(self.frequencies, names, self.workspace)
        return {name: entry for name, entry in counts.items() if name in self.languages}

    @property
    def admitted_counts(self) -> dict[str, Entry]:
        """The word counts that `licences` admit."""
        allows = self.workspace.allows
        return {name: entry for name, entry in self._counts.items() if allows(entry)}

    @property
    def word_counts(self) -> dict[str, str | None]:
        """The list or corpus with the word counts of each language; None without one."""
        counts: dict[str, str | None] = {}
        for name in self.languages:
            files = self.raw_files(name)
            listed = self.admitted_counts.get(name)
            given = files.get("sentences") or files.get("frequencies")
            counts[name] = given or (str(listed.file) if listed else None)
        return counts

    @property
    def word_files(self) -> list[str]:
        """The lists and corpora of `word_counts`, each once."""
        return sorted(set(filter(None, self.word_counts.values())))

    @property
    def drawn(self) -> list[str]:
        """The languages whose dataset is drawn by word counts."""
        parts = ("sentences", "frequencies")
        return [n for n in self.sampled if any(part in self.raw_files(n) for part in parts)]

    @property
    def drops(self) -> dict[str, int]:
        """How many languages and word counts were left out, by reason."""
        lost = len(self._counts) - len(self.admitted_counts)
        return {**super().drops, "word counts: licence not allowed": lost}
