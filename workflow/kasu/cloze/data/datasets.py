"""Datasets of sentences with target words: made from files, written and read."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.cloze.data.names import SPLITS, TRACKS
from kasu.cloze.data.sentences import (
    Sentence,
    Word,
    check_shown,
    read_training,
    read_uncovered,
)
from kasu.files.tables import read_parquet, write_counts, write_drops, write_parquet
from kasu.sources.cards import UNDETERMINED, write_card
from kasu.transduction.task.settings import SIZES

SENTENCES = pa.schema(
    [
        ("sentence", pa.int32()),
        ("token", pa.int32()),
        ("form", pa.string()),
        ("lemma", pa.string()),
        ("features", pa.string()),
        ("target", pa.bool_()),
        ("plausible", pa.list_(pa.string())),
    ]
)
COLUMNS = {
    "sentence": "the number of the sentence in the split, from 0",
    "token": "the number of the token in the sentence, from 0",
    "form": "the form in the treebank",
    "lemma": "the citation form; null where the source gives none (of `#` it gives an empty one)",
    "features": "the features (MSD) in the UniMorph schema; null where the source gives none. Of a "
    "target in dev and test no system sees them",
    "target": "whether the form is asked for in dev and test, or may be learnt from in training",
    "plausible": "of a target, all forms that fit its place, that of the treebank first",
}
CITATION = (
    "Cotterell et al. (2018). The CoNLL-SIGMORPHON 2018 Shared Task: Universal Morphological "
    "Reinflection."
)


def read_splits(
    files: Mapping[str, str | Path],
    folder: str | Path,
    *,
    language: str,
    sources: Sequence[Mapping[str, str]],
    code: str = UNDETERMINED,
) -> None:
    """Write the files of a language as a dataset.

    Args:
        files: by split, without the sizes that the language does not have. Files by split and track
            (`low_track2`, `dev_track1`) are what participants saw; they must agree with the split.
        folder: receives one parquet file per split, README.md, counts.tsv and drops.tsv.
        language: name of the dataset.
        sources: `name`, `licence` and `citation` of each source, for the card.
        code: the code of the language, for the card.

    Raises:
        KasuError: there is no dev, test or training file, the files disagree, or one is at fault.
    """
    for needed in ("dev", "test"):
        if needed not in files:
            raise KasuError(f"dataset {language}", f"no {needed} file", ", ".join(SPLITS))
    if not set(files) & set(SIZES):
        raise KasuError(f"dataset {language}", "no training file", ", ".join(SPLITS))
    splits: dict[str, list[Sentence]] = {}
    for split in (split for split in SPLITS if split in files):
        training = split in SIZES
        splits[split] = (read_training if training else read_uncovered)(files[split])
        for track in TRACKS:
            if shown := files.get(f"{split}_{track}"):
                check_shown(splits[split], shown, track, covered=not training)
    write_dataset(folder, splits, language=language, sources=sources, code=code)


def write_dataset(
    folder: str | Path,
    splits: Mapping[str, Sequence[Sentence]],
    *,
    language: str,
    sources: Sequence[Mapping[str, str]],
    code: str = UNDETERMINED,
    drops: Mapping[str, int] | None = None,
    steps: Mapping[str, int] | None = None,
) -> None:
    """Write all splits in their order, with card, counts and drops.

    A missing split becomes a file without rows. A sentence without a target stays, as in the
    released files, and is counted. `steps` are counts written before those of the splits.
    """
    folder = Path(folder)
    counts = dict(steps or {})
    for split in SPLITS:
        sentences = splits.get(split, [])
        write_parquet(folder / f"{split}.parquet", list(_rows(sentences)), SENTENCES)
        counts |= {f"{split}: {what}": n for what, n in count(sentences).items()}
    write_counts(folder / "counts.tsv", counts)
    write_drops(folder / "drops.tsv", drops or {})
    write_card(
        folder / "README.md",
        title=f"Cloze: {language}",
        summary="Sentences in which the forms of some words are asked for, given their lemmata.",
        header={"language": [code], "task_categories": ["text-generation"]},
        sources=sources,
        splits=SPLITS,
        columns=COLUMNS,
        citation=CITATION,
    )


def count(sentences: Sequence[Sentence]) -> dict[str, int]:
    """Count sentences, tokens and targets of a split."""
    words = [word for words in sentences for word in words]
    targets = [word for word in words if word.target]
    return {
        "sentences": len(sentences),
        "sentences without a target": sum(not any(w.target for w in words) for words in sentences),
        "tokens": len(words),
        "targets": len(targets),
        "lemmata of targets": len({word.lemma for word in targets}),
        "targets with further plausible forms": sum(len(word.plausible) > 1 for word in targets),
    }


def _rows(sentences: Sequence[Sentence]) -> Iterator[dict[str, object]]:
    for at, words in enumerate(sentences):
        for place, word in enumerate(words):
            place_and_word = (at, place, *word[:3], word.target, list(word.plausible))
            yield dict(zip(SENTENCES.names, place_and_word, strict=True))


def read_dataset(path: str | Path) -> list[Sentence]:
    """Read one split, in its order.

    Raises:
        KasuError: the file is unreadable or a column is missing.
    """
    columns = read_parquet(path, SENTENCES.names).to_pydict()
    sentences: list[list[Word]] = []
    for at, form, lemma, features, plausible in zip(
        *(columns[name] for name in ("sentence", "form", "lemma", "features", "plausible")),
        strict=True,
    ):
        if at == len(sentences):
            sentences.append([])
        sentences[at].append(Word(form, lemma, features, tuple(plausible)))
    return list(sentences)
