"""What the page shows of the record, beside its own run: how much of each paper, in which words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kasu.base.reproduction import State
from kasu.base.study import StudyReport
from kasu.record.reading import Entry, Tally, by_table, command_of, figures_of, tally


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
    tables: list[Tally]
    commands: dict[str, str]


def on_record(studies: Iterable[StudyReport], record: Sequence[Entry]) -> list[OnRecord]:
    """What is on record of those studies that are in the record, in their order."""
    shown = []
    for study in studies:
        figures = figures_of(record, study.name)
        if figures:
            counted, entries = tally(figures), [each for each in record if each.study == study.name]
            shown.append(
                OnRecord(
                    name=study.name,
                    title=study.short,
                    citation=study.citation,
                    figures=counted,
                    tables=by_table(entries),
                    commands={name: command_of(study.name, name) for name in counted.configs},
                )
            )
    return shown


def chips(words: Counter[str]) -> list[tuple[str, str, int]]:
    """The style of each word (the name of its State), the word and its count."""
    states = {str(state): state.name.lower() for state in State}
    return [(states.get(word, ""), word, count) for word, count in words.items()]
