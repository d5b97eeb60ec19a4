"""How much is on record: of a table, of a study, and as the page shows it."""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from kasu.records.reading import UNJUDGED, RecordEntry, command_of, rank
from kasu.report.on_record import OnRecord, Tally
from kasu.results.reproduction import State
from kasu.results.study import StudyReport

_WORDS = (*map(str, State), UNJUDGED)


def tally(entries: Sequence[RecordEntry], table: str = "") -> Tally:
    """Count the entries of one study; `table` names them if they are of one table."""
    known = [entry for entry in entries if entry.recorded]
    words = Counter(entry.word for entry in known)
    configs = Counter(entry.config for entry in known)
    commits = Counter(entry.commit for entry in known)
    return Tally(
        study=entries[0].study,
        table=table,
        printed=len(entries),
        words=Counter({word: words[word] for word in sorted(words, key=_place)}),
        configs={config: configs[config] for config in sorted(configs, key=rank)},
        commits=[commit for commit, _ in commits.most_common()],
    )


def by_table(entries: Sequence[RecordEntry]) -> list[Tally]:
    """Count the entries of each table of each study: tables by number, then what else it prints."""
    tables: dict[str, dict[str, list[RecordEntry]]] = {}
    for entry in entries:
        tables.setdefault(entry.study, {}).setdefault(entry.table, []).append(entry)
    return [tally(of[name], name) for of in tables.values() for name in sorted(of, key=_number)]


def _number(table: str) -> int:
    kind, _, number = table.partition(" ")
    return int(number) if kind == "Table" else sys.maxsize


def figures_of(entries: Sequence[RecordEntry], study: str) -> list[RecordEntry]:
    """Return the printed figures of a study, without claims and fingerprints."""
    return [entry for entry in entries if entry.study == study and entry.printed]


def on_record(studies: Iterable[StudyReport], record: Sequence[RecordEntry]) -> list[OnRecord]:
    """Return what is on record of the studies in the record, in their order."""
    shown = []
    for study in studies:
        if figures := figures_of(record, study.name):
            tables = by_table([each for each in record if each.study == study.name])
            configs = sorted({name for each in tables for name in each.configs}, key=rank)
            shown.append(
                OnRecord(
                    name=study.name,
                    title=study.short,
                    citation=study.citation,
                    figures=tally(figures),
                    tables=tables,
                    commands={name: command_of(study.name, name) for name in configs},
                )
            )
    return shown


def _place(word: str) -> tuple[int, str]:
    """Return a sort key: states in their order, before the verdicts on claims."""
    return (_WORDS.index(word) if word in _WORDS else len(_WORDS), word)
