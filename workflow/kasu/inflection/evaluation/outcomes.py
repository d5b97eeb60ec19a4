"""The unit of evaluation: one language in one setting, with the outcomes of all systems."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.files.tables import read_parquet
from kasu.inflection.data.triples import TRIPLES
from kasu.transduction.alignments.edit_distance import distances
from kasu.transduction.members.predictions import Submitted, read_predictions

ENSEMBLE = "oracle-e of the systems run"

Output = tuple[str, str | None, int | None]
"""System, variant and seed: together what the shared task calls a system."""


class Guesses(NamedTuple):
    """Whether each guess is right, and its distance to the right form, shape (items,).

    `members` is the number of members of a family that made the guesses together.
    """

    right: np.ndarray
    distance: np.ndarray
    members: int = 1


@dataclass(frozen=True)
class LanguageResults:
    """The test items of a language in a setting, with the guesses of each system.

    `lemma` is the number of each item's lemma. `known` tells whether its features occur in training
    (oracle-fc). `copied` is the null that guesses the lemma. Arrays have the shape (items,).
    """

    setting: str
    language: str
    lemma: np.ndarray
    known: np.ndarray
    copied: Guesses
    outputs: Mapping[Output, Guesses]

    @property
    def condition(self) -> str:
        """The condition of the scores."""
        return f"{self.setting}|{self.language}"

    def systems(self) -> Iterator[tuple[str, str | None, dict[int | None, Guesses]]]:
        """Yield each system and variant with its guesses by seed."""
        found: dict[tuple[str, str | None], dict[int | None, Guesses]] = {}
        for (system, variant, seed), guesses in self.outputs.items():
            found.setdefault((system, variant), {})[seed] = guesses
        for (system, variant), runs in found.items():
            yield system, variant, runs

    def ensemble(self, output: Output | None = None) -> np.ndarray:
        """Return where any system is right: oracle-e of the systems run.

        Each system counts once, with the first seed of its default variant. Given an `output`,
        its system counts with that one instead.
        """
        chosen: dict[str, Guesses] = {}
        for (system, *_), guesses in self.outputs.items():
            chosen.setdefault(system, guesses)
        if output is not None:
            chosen[output[0]] = self.outputs[output]
        return np.any([guesses.right for guesses in chosen.values()], axis=0)

    @property
    def different(self) -> int:
        """The number of systems that ran, whatever their variants and seeds."""
        return len({system for system, *_ in self.outputs})


def read_results(
    setting: str,
    language: str,
    train: str | Path,
    test: str | Path,
    submitted: Iterable[Submitted] = (),
) -> LanguageResults | None:
    """Read what the systems predict for a language; return None if it has no training set here.

    Args:
        submitted: files of predictions; files of other settings or without this language are
            skipped.

    Raises:
        KasuError: a system's predictions are not exactly those of the test items.
    """
    training = set(read_parquet(train, ["features"])["features"].to_pylist())
    if not training:
        return None
    items = read_parquet(test, TRIPLES.names)
    lemmas, forms, features = (items[name].to_pylist() for name in TRIPLES.names)
    outputs = {
        (each.system, variant, seed): judge(forms, *guesses)
        for each in submitted
        if each.setting == setting and language in each.languages
        for (variant, seed), guesses in read_predictions(each.path, language, forms).items()
    }
    return LanguageResults(
        setting=setting,
        language=language,
        lemma=np.unique(lemmas, return_inverse=True)[1],
        known=np.array([each in training for each in features], bool),
        copied=judge(forms, lemmas),
        outputs=outputs,
    )


def judge(forms: Sequence[str], guesses: Sequence[str], members: int = 1) -> Guesses:
    """Compare guesses with the right forms, exactly."""
    distance = distances(forms, guesses)
    return Guesses(distance == 0, distance, members)
