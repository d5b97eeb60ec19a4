"""Warnings of the inflection study: `kasu.transduction.task.warnings` with its datasets."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kasu.inflection.data.triples import read_dataset
from kasu.results.warnings.table import ResultWarning
from kasu.transduction.task.warnings import warn_of_answers, warn_of_learnt


def find_warnings(
    files: Mapping[str, Sequence[str]],
    *,
    submitted: Sequence[tuple[str, str]],
    datasets: Mapping[str, str],
) -> Iterator[ResultWarning]:
    """Compare the answers of each submission with lemmata and right forms.

    Args:
        files: `predictions`, one file per submission and setting.
        submitted: the system and setting of each of them.
        datasets: the folder of each language's dataset.
    """
    keys = [(system, setting) for system, setting in submitted]
    tests = {name: read_dataset(Path(folder) / "test.parquet") for name, folder in datasets.items()}
    for setting in dict.fromkeys(setting for _, setting in keys):
        for name, folder in datasets.items():
            train = {triple.slot for triple in read_dataset(Path(folder) / f"{setting}.parquet")}
            slots = [triple.slot for triple in tests[name]]
            yield from warn_of_learnt(slots, train, "lemma and features", f"{setting}, {name}")
    lemmata = {name: [triple.lemma for triple in triples] for name, triples in tests.items()}
    yield from warn_of_answers(dict(zip(keys, files["predictions"], strict=True)), lemmata)
