"""The corpora and treebanks of a config, and the files that each of them consists of."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kasu.base.errors import KasuError, nearest
from kasu.corpora.paths import PATHS
from kasu.corpora.settings import AnalyserSettings, CorpusSettings, TreebankSettings
from kasu.results.paths import Paths
from kasu.sources.registry import Entry, each_once
from kasu.sources.workspace import Described, Workspace, describe

SPLITS = ("train", "validation", "test")
OWN = dict(zip(("train", "dev", "test"), SPLITS, strict=True))
"""The split of a treebank's file, by the end of its name."""
WILDCARDS = {"wikis": "wiki", "texts": "text", "treebanks": "treebank_file"}
"""The wildcard of a source's slug in the paths of its outputs, by its kind."""


def _analysed(corpus: CorpusSettings) -> bool:
    return bool(corpus.analyser or corpus.tagset)


@dataclass(frozen=True)
class CorpusSource:
    """A dump, a line text, or a file of the treebank of a corpus.

    Attributes:
        kind: `wikis`, `texts` or `treebanks`, also the folder of its output.
        entry: the source itself.
        language: the language of its corpus.
        reading: how to read a line text: fields, split, tokenised. Empty for a dump.
    """

    kind: str
    entry: Entry
    language: str
    reading: Mapping[str, object] = field(default_factory=dict)


class Corpora:
    """The corpora of a config; their sources are resolved on first use."""

    def __init__(
        self,
        corpora: Sequence[CorpusSettings],
        analysers: Sequence[AnalyserSettings],
        workspace: Workspace,
        treebanks: "Treebanks | None" = None,
    ) -> None:
        self.workspace, self.paths = workspace, Paths(PATHS, workspace.results)
        self._treebanks = treebanks or Treebanks([], workspace)
        self._corpora = each_once(
            (f"config corpora, entry {number}", corpus.name, corpus)
            for number, corpus in enumerate(corpora, start=1)
        )
        self._analysers = each_once(
            (f"config analysers, entry {number}", analyser.name, analyser)
            for number, analyser in enumerate(analysers, start=1)
        )
        self._sources: dict[str, list[CorpusSource]] = {}

    @property
    def files(self) -> list[str]:
        """The files that the target `corpora` builds: analyses, or sentences without an analyser.

        Raises:
            KasuError: a source of a corpus is unknown, or two would have one output.
        """
        for name in self._corpora:
            self._resolve(name)
        self._index_sources()
        return [
            self.file(name, "analyses" if _analysed(corpus) else "sentences", "config corpora")
            for name, corpus in self._corpora.items()
        ]

    @property
    def of_treebanks(self) -> list[str]:
        """The corpora that are treebanks."""
        return [name for name, corpus in self._corpora.items() if corpus.treebank]

    @property
    def of_text(self) -> list[str]:
        """The corpora that are no treebanks."""
        return [name for name, corpus in self._corpora.items() if not corpus.treebank]

    def get(self, name: str, section: str) -> CorpusSettings:
        """Return the corpus with a name.

        Raises:
            KasuError: there is none (names `section`, the part of the config that asked).
        """
        if name not in self._corpora:
            raise KasuError(section, f"corpus {name!r}", nearest(name, self._corpora))
        return self._corpora[name]

    def file(self, name: str, part: str, section: str) -> str:
        """Return the parquet of a corpus: `sentences` or `analyses`."""
        return self.paths(part, corpus=self.get(name, section).name)

    def wiki(self, wiki: str) -> CorpusSource:
        """Return the dump with this slug.

        Raises:
            KasuError: there is none.
        """
        return self._source("wikis", wiki)

    def text(self, text: str) -> CorpusSource:
        """Return the line text with this slug.

        Raises:
            KasuError: there is none.
        """
        return self._source("texts", text)

    def sources(self, name: str) -> list[CorpusSource]:
        """Return the sources of a corpus that `licences` admit, in the config's order."""
        return [source for source in self._resolve(name) if self.workspace.allows(source.entry)]

    def refused(self, corpus: str) -> list[str]:
        """List the names of the sources that `licences` keep out of a corpus."""
        entries = (source.entry for source in self._resolve(corpus))
        return [
            entry.source.name if entry.source else str(entry.file)
            for entry in entries
            if not self.workspace.allows(entry)
        ]

    def source_sentences(self, corpus: str) -> list[str]:
        """Return the sentences of each source of a corpus, in the config's order."""
        return [self._output(source, "sentences") for source in self.sources(corpus)]

    def _output(self, source: CorpusSource, part: str) -> str:
        """Return the sentences, counts or drops of a source."""
        slug = {WILDCARDS[source.kind]: source.entry.slug}
        return self.paths(f"{source.kind}_{part}", **slug)

    def described(self, corpus: str) -> list[Described]:
        """Describe the sources of a corpus, for cards."""
        return [describe(source.entry) for source in self.sources(corpus)]

    def analyser(self, corpus: str) -> AnalyserSettings:
        """Return the analyser of a corpus.

        Raises:
            KasuError: the config names none, or an unknown one.
        """
        analyser = self.get(corpus, "config corpora").analyser
        if analyser not in self._analysers:
            found = f"analyser {analyser!r}"
            expected = nearest(str(analyser), self._analysers)
            raise KasuError(f"config corpora {corpus}", found, expected)
        return self._analysers[analyser]

    def tagset(self, corpus: str) -> str:
        """Return the tagset file of a corpus: its own, or its analyser's.

        Raises:
            KasuError: the corpus is a treebank without a tagset, or as `analyser`.
        """
        settings = self.get(corpus, "config corpora")
        if settings.treebank and not settings.tagset:
            raise KasuError(f"config corpora {corpus}", "a treebank without a tagset", "a tagset")
        return settings.tagset or self.analyser(corpus).tagset

    def treebank_files(self, corpus: str) -> list[str]:
        """Return the parquet files of the treebank that a corpus is made of."""
        section = f"config corpora {corpus}"
        treebank = self.get(corpus, section).treebank
        return self._treebanks.files(treebank, section) if treebank else []

    def own_splits(self, name: str) -> dict[str, str]:
        """Return the split of each file of a treebank by slug.

        Nothing if the treebank lacks one of the three, or has another file.
        """
        if not self.get(name, "config corpora").treebank:
            return {}
        slugs = [source.entry.slug for source in self.sources(name)]
        splits = {slug: part for slug in slugs for end, part in OWN.items() if slug.endswith(end)}
        return splits if {*splits} == {*slugs} and {*splits.values()} == {*SPLITS} else {}

    def dictionary(self, corpus: str) -> list[str]:
        """Return the dictionary of a corpus's analyser.

        Nothing if it is missing, which its job reports.
        """
        dictionary = self.analyser(corpus).dictionary
        return [dictionary] if Path(dictionary).is_file() else []

    def reports(self, name: str, kind: str) -> dict[str, str]:
        """Return the files of counts or drops of a corpus and its sources, by what they count."""
        files = {
            f"source {source.entry.slug}": self._output(source, kind)
            for source in self.sources(name)
        }
        files[f"corpus {name}"] = self.paths(kind, corpus=name)
        if kind == "counts" and _analysed(self._corpora[name]):
            files[f"analysis of {name}"] = self.paths("analyses_counts", corpus=name)
        return files

    def _source(self, kind: str, slug: str) -> CorpusSource:
        if (kind, slug) not in self._by_slug:
            known = [slug for each, slug in self._by_slug if each == kind]
            raise KasuError(f"config corpora, {kind}", f"no {slug!r}", nearest(slug, known))
        return self._by_slug[kind, slug]

    def _resolve(self, name: str) -> list[CorpusSource]:
        """Resolve all sources of a corpus, admitted or not, each once."""
        if name not in self._sources:
            corpus, section = self.get(name, "config corpora"), f"config corpora {name}"
            wikis = [
                CorpusSource("wikis", entry, corpus.language)
                for entry in self.workspace.resolve_each(corpus.wikis, section)
            ]
            files = self.workspace.resolve_each((text.source for text in corpus.texts), section)
            texts = [
                CorpusSource(
                    "texts",
                    entry,
                    corpus.language,
                    text.model_dump(mode="json", exclude={"source"}),
                )
                for entry, text in zip(files, corpus.texts, strict=True)
            ]
            trees = [
                CorpusSource("treebanks", entry, corpus.language)
                for entry in (
                    self._treebanks.resolve(corpus.treebank, section) if corpus.treebank else ()
                )
            ]
            self._sources[name] = wikis + texts + trees
        return self._sources[name]

    @cached_property
    def _by_slug(self) -> Mapping[tuple[str, str], CorpusSource]:
        return self._index_sources()

    def _index_sources(self) -> dict[tuple[str, str], CorpusSource]:
        """Return sources by kind and slug.

        Raises:
            KasuError: two different sources would have one output. Corpora may share a source.
        """
        sources = []
        for name in self._corpora:
            # A corpus with a mistake says so when it is asked for itself
            with suppress(KasuError):
                sources += [(name, source) for source in self.sources(name)]
        by_slug: dict[tuple[str, str], CorpusSource] = {}
        for kind in ("wikis", "texts"):
            named = each_once(
                (f"config corpora {name}: {source.entry.file}", source.entry.slug, source)
                for name, source in sources
                if source.kind == kind
            )
            by_slug |= {(kind, slug): source for slug, source in named.items()}
        return by_slug


class Treebanks:
    """The treebanks of a config; their files are resolved on first use."""

    def __init__(self, treebanks: Sequence[TreebankSettings], workspace: Workspace) -> None:
        self.workspace, self.paths = workspace, Paths(PATHS, workspace.results)
        self._treebanks = each_once(
            (f"config treebanks, entry {number}", treebank.name, treebank)
            for number, treebank in enumerate(treebanks, start=1)
        )

    def get(self, name: str, section: str) -> TreebankSettings:
        """Return the treebank with a name.

        Raises:
            KasuError: there is none (names `section`, the part of the config that asked).
        """
        if name not in self._treebanks:
            found = f"treebank {name!r}: no such treebank"
            raise KasuError(section, found, nearest(name, self._treebanks))
        return self._treebanks[name]

    def resolve(self, name: str, section: str) -> list[Entry]:
        """Return the CoNLL-U files of a treebank in the config's order, allowed or not.

        Raises:
            KasuError: there is no such treebank, or as `Workspace.resolve_each`.
        """
        treebank, where = self.get(name, section), f"config treebanks {name}"
        return self.workspace.resolve_each(treebank.files, where, treebank.licence)

    def entries(self, name: str, section: str) -> list[Entry]:
        """Return the CoNLL-U files of a treebank that `licences` admit, in the config's order."""
        return list(filter(self.workspace.allows, self.resolve(name, section)))

    def files(self, name: str, section: str) -> list[str]:
        """Return the parquet files of a treebank, in the same order."""
        return [
            self.paths("treebank", treebank_file=entry.slug)
            for entry in self.entries(name, section)
        ]

    def file(self, treebank_file: str) -> Entry:
        """Return the CoNLL-U file with this slug.

        Raises:
            KasuError: there is none.
        """
        if treebank_file not in self._by_slug:
            expected = nearest(treebank_file, self._by_slug)
            raise KasuError("config treebanks", f"no file {treebank_file!r}", expected)
        return self._by_slug[treebank_file]

    def counts(self, treebank_file: str) -> str:
        """Return the counts of a CoNLL-U file."""
        return self.paths("treebank_counts", treebank_file=treebank_file)

    @cached_property
    def _by_slug(self) -> dict[str, Entry]:
        return each_once(
            (f"config treebanks {name}: {entry.file}", entry.slug, entry)
            for name in self._treebanks
            for entry in self.entries(name, "config treebanks")
        )
