"""Warnings of the cloze study: `kasu.transduction.task.warnings` with its datasets and nulls."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from kasu.cloze.data.datasets import read_dataset
from kasu.cloze.data.names import split_setting
from kasu.cloze.data.sentences import Sentence, targets
from kasu.results.warnings.table import ResultWarning
from kasu.transduction.task.warnings import warn_of_answers, warn_of_learnt


def find_warnings(
    files: Mapping[str, Sequence[str]],
    *,
    submitted: Sequence[tuple[str, str]],
    datasets: Mapping[str, str],
    nulls: Collection[str],
) -> Iterator[ResultWarning]:
    """Compare the answers of each submission with lemmata, nulls and right forms.

    Args:
        files: `predictions`, one file per submission and setting.
        submitted: the system and setting of each of them.
        datasets: the folder of each language's dataset.
        nulls: names of systems.
    """
    keys = [(system, setting) for system, setting in submitted]
    tests = {name: read_dataset(Path(folder) / "test.parquet") for name, folder in datasets.items()}
    for size in dict.fromkeys(split_setting(setting)[1] for _, setting in keys):
        for name, folder in datasets.items():
            train = set(map(_forms, read_dataset(Path(folder) / f"{size}.parquet")))
            asked = [_forms(words) for words in tests[name] for word in words if word.target]
            yield from warn_of_learnt(asked, train, "the sentences", f"{size}, {name}")
    lemmata = {
        name: [word.lemma or "" for word in targets(sentences)] for name, sentences in tests.items()
    }
    yield from warn_of_answers(dict(zip(keys, files["predictions"], strict=True)), lemmata, nulls)


def _forms(words: Sentence) -> tuple[str, ...]:
    return tuple(word.form for word in words)
