"""Where the networks of each condition find their training text, and the curve over its size."""

from collections.abc import Iterable, Sequence

from kasu.agreement.data.transforms import split_condition
from kasu.agreement.grid import TrainingSetSettings
from kasu.base.errors import KasuError, nearest
from kasu.results.paths import Paths


class TrainingSets:
    """The training sets that the grid uses.

    Args:
        paths: the outputs of the study.
        settings: those that the config defines.
        main_corpus: the corpus whose curve is drawn.
        used: corpus and condition of each cell of the grid.
    """

    def __init__(
        self,
        paths: Paths,
        settings: Sequence[TrainingSetSettings],
        main_corpus: str,
        used: Iterable[tuple[str, str]],
    ) -> None:
        self.paths, self.main_corpus = paths, main_corpus
        self._settings = {each.name: each for each in settings}
        names = {(corpus, split_condition(condition)[1]) for corpus, condition in used}
        self.used = sorted((corpus, name) for corpus, name in names if name)

    def file(self, corpus: str, condition: str) -> str:
        """Return the training text of a condition: a training set, or the whole split."""
        _, name = split_condition(condition)
        if not name:
            return self.paths("train", corpus=corpus)
        return self.paths("training_set", corpus=corpus, name=name)

    def drawn_from(self, corpus: str, name: str) -> str:
        """Return the training split that a training set is drawn from.

        Raises:
            KasuError: as `source`.
        """
        return self.paths("train", corpus=self.source(corpus, name))

    def source(self, corpus: str, name: str) -> str:
        """Return the corpus that a training set is drawn from.

        Raises:
            KasuError: there is no such training set.
        """
        if name not in self._settings:
            where = "config agreement.training_sets"
            raise KasuError(where, f"no {name!r}", nearest(name, self._settings))
        return self._settings[name].corpus or corpus

    def words(self, name: str) -> int | None:
        """Return the most words of a training set, None for no limit."""
        return self._settings[name].words

    def counted(self, kind: str) -> dict[str, str]:
        """Return the counts or drops of each training set, by what was counted."""
        return {
            f"training set {name} of {corpus}": self._report(corpus, name, kind)
            for corpus, name in self.used
        }

    def _report(self, corpus: str, name: str, kind: str) -> str:
        return self.paths(f"training_set_{kind}", corpus=corpus, name=name)

    @property
    def counts(self) -> list[str]:
        """The counts of the training sets of the curve."""
        return list(self.curve.values())

    @property
    def sources(self) -> dict[str, str]:
        """The corpus that each training set of the curve is drawn from."""
        return {name: self.source(self.main_corpus, name) for name in self.curve}

    @property
    def curve(self) -> dict[str, str]:
        """The training sets of the curve by name, with the counts of each."""
        return {
            name: self._report(corpus, name, "counts")
            for corpus, name in self.used
            if corpus == self.main_corpus
        }
