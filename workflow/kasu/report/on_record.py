"""What the page shows of earlier runs beside its own: how much of each paper is on record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kasu.results.reproduction import State


@dataclass(frozen=True)
class Tally:
    """How much of a table, or of a study, is on record.

    Attributes:
        study: its name.
        table: its name; empty for a study.
        printed: how many figures it prints, or how many claims or fingerprints there are.
        words: how many of those on record have each word.
        configs: how many come from each config, in the order of SCALES.
        commits: what measured them, first the one that most are of.
    """

    study: str
    table: str
    printed: int
    words: Counter[str]
    configs: dict[str, int]
    commits: list[str]

    @property
    def recorded(self) -> int:
        """How many have something on record."""
        return self.words.total()


@dataclass(frozen=True)
class OnRecord:
    """What is on record of a study.

    Attributes:
        name: the study's.
        title: its heading, without the question that it asks.
        citation: its paper.
        figures: of all printed figures.
        tables: of each table, and of the claims and fingerprints.
        commands: what repeats it, by config.
    """

    name: str
    title: str
    citation: str
    figures: Tally
    tables: Sequence[Tally]
    commands: Mapping[str, str]


def chips(words: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Return for each state its style (its name), its word and its count."""
    styles = {str(state): state.name.lower() for state in State}
    return [(styles.get(word, ""), word, count) for word, count in words.items()]
