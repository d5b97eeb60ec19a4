"""The sentences of treebanks, with the file and the licence of each."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kasu.corpora.treebanks.treebank import Sentence, read_treebank
from kasu.job.run import Progress
from kasu.sources.cards import strictest
from kasu.sources.registry import slug_of


class Source(NamedTuple):
    """A sentence and where it is from."""

    sentence: Sentence
    file: str
    licence: str

    @property
    def sentence_id(self) -> str:
        """The sentence's id, by file: several treebanks may have the same."""
        return f"{self.file}:{self.sentence.sentence_id}"


def read_sources(
    treebanks: Sequence[str | Path], licences: Mapping[str, str], name: str
) -> list[Source]:
    """Read treebanks into memory, in their order.

    Args:
        licences: `slug_of` a file -> its licence.
        name: of the set, for the log.
    """
    progress = Progress(name, unit="sentences")
    found = []
    for path in treebanks:
        name_of_file = slug_of(path)
        licence = licences.get(name_of_file, "not stated")
        for sentence in read_treebank(path):
            found.append(Source(sentence, name_of_file, licence))
            progress.add()
    return found


def licences_of_rows(
    treebanks: Sequence[str | Path], licences: Sequence[str], forms: Sequence[str]
) -> dict[str, str]:
    """Return the licence of the rows from each treebank, by `slug_of` its file.

    It is the stricter of the treebank's and of UniMorph's: a set is made of both.

    Args:
        licences: of each treebank.
        forms: of the files of UniMorph.
    """
    return {
        slug_of(file): strictest([licence, *forms])
        for file, licence in zip(treebanks, licences, strict=True)
    }
