"""Warnings of the inflection study: `kasu.transduction.task.warnings` with its datasets."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kasu.inflection.data.triples import read_dataset
from kasu.results.warnings.table import ResultWarning
from kasu.transduction.task.warnings import warn_of_answers


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
    lemmata = {
        name: [triple.lemma for triple in read_dataset(Path(folder) / "test.parquet")]
        for name, folder in datasets.items()
    }
    return warn_of_answers(dict(zip(keys, files["predictions"], strict=True)), lemmata)
