"""How much of the released data a treebank and its paradigms give again."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from kasu.cloze.data.names import RELEASED_IN
from kasu.cloze.data.sentences import Sentence, read_training, read_uncovered
from kasu.cloze.data.treebank import Candidate
from kasu.corpora.texts.spelling import canonical
from kasu.transduction.task.settings import SIZES

RECOVERED = ("split", "sentences", "found", "candidates", "targets", "targets_found", "recovered")
"""Columns of recovered.tsv: the released sentences of a split, those in the treebank, those of them
that are candidates; their targets in dev and test, those in sentences found, and those of them that
may be asked for here too."""


class Released:
    """The released sentences of one file, to be found in a treebank by their forms."""

    def __init__(self, split: str, path: str | Path) -> None:
        """Read the file of `high`, `dev` or `test`.

        Raises:
            KasuError: as `read_training` and `read_uncovered`.
        """
        self.split, self.asked = split, split not in SIZES
        self.sentences = (read_uncovered if self.asked else read_training)(path)
        self._by_forms: dict[tuple[str, ...], list[Sentence]] = {}
        for words in self.sentences:
            self._by_forms.setdefault(_forms(words), []).append(words)
        self._counts: Counter[str] = Counter()

    def find(self, candidate: Candidate) -> None:
        """Find the released sentence that equals a sentence of the treebank; count each once."""
        same = self._by_forms.get(_forms(candidate.words))
        if not same:
            return
        words = same.pop()
        found = {"found": 1, "candidates": int(bool(candidate.hits))}
        if self.asked:
            places = [place for place, word in enumerate(words) if word.target]
            found["targets_found"] = len(places)
            found["recovered"] = len(set(places) & set(candidate.hits))
        self._counts.update(found)

    def row(self) -> dict[str, object]:
        """Return the row of RECOVERED; cells for the targets of a training set are empty."""
        cells: dict[str, object] = {"split": self.split, "sentences": len(self.sentences)}
        for column in ("found", "candidates"):
            cells[column] = self._counts[column]
        targets = sum(word.target for words in self.sentences for word in words)
        counts = (targets, self._counts["targets_found"], self._counts["recovered"])
        return cells | dict(zip(RECOVERED[4:], counts if self.asked else [None] * 3, strict=True))


def _forms(words: Sentence) -> tuple[str, ...]:
    return tuple(canonical(word.form) for word in words)


def read_released(files: Mapping[str, str | Path]) -> dict[str, Released]:
    """Read released files (of RELEASED_IN), by the split of the treebank to find them in."""
    return {RELEASED_IN[name]: Released(name, path) for name, path in files.items()}
