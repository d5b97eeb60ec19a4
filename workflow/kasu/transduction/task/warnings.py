"""Warnings of both tasks: submissions that copy, answer as a null does, loop, or misspell."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence, Set

import numpy as np
import pandas as pd

from kasu.corpora.texts.spelling import canonical
from kasu.files.tables import read_parquet
from kasu.results.warnings.signs import (
    LEAST,
    NEARLY,
    like,
    often,
    one_answer,
    one_class,
    repeats,
)
from kasu.results.warnings.table import ResultWarning

COPYING = "copying the lemma"
_COLUMNS = ["language", "variant", "seed", "gold", "prediction"]


def warn_of_answers(
    predictions: Mapping[tuple[str, str], str],
    lemmata: Mapping[str, Sequence[str]],
    nulls: Collection[str] = (),
) -> Iterator[ResultWarning]:
    """Compare the answers of each submission with lemmata, nulls and right forms.

    Args:
        predictions: files of PREDICTIONS by system and setting.
        lemmata: of the test items of each language.
        nulls: names of systems.
    """
    by_null: dict[tuple[str, str, str], Sequence[str]] = {}
    tested = set()
    # Nulls first, so that each submission has them beside it
    for system, setting in sorted(predictions, key=lambda key: key[0] not in nulls):
        frame = read_parquet(predictions[system, setting], _COLUMNS).to_pandas()
        for (language, variant, seed), rows in frame.groupby(_COLUMNS[:3], dropna=False):
            gold, answers = rows["gold"].tolist(), rows["prediction"].tolist()
            items = f"{language}, {len(gold):,} items"
            if language not in tested:
                tested.add(language)
                yield from _of_test_set(gold, lemmata[language], items)
            if system in nulls:
                by_null[system, setting, language] = answers
                continue
            beside = {COPYING: lemmata[language]} | {
                null: by_null[null, setting, language]
                for null in nulls
                if (null, setting, language) in by_null
            }
            run = "" if pd.isna(variant) else f", {variant}"
            run += "" if pd.isna(seed) else f", seed {seed:.0f}"
            for warning, example in _of_answers(answers, gold, beside):
                where = ", ".join(filter(None, (setting, f"{items}{run}", example)))
                yield ResultWarning(system, warning, where)


def warn_of_learnt(
    test: Sequence[Hashable], train: Set[Hashable], what: str, where: str
) -> Iterator[ResultWarning]:
    """Tell whether many test items stand in a training set: learnt by heart, they are right.

    Args:
        test, train: what two items share if they are the same.
        what: the name of that, for the warning.
    """
    known = sum(item in train for item in test)
    if often(known, len(test)):
        wrong = f"{what} of many test items stand in training too: learnt by heart, they are right"
        yield ResultWarning("test set", wrong, f"{where}, {known:,} of {len(test):,} items")


def _of_test_set(
    gold: Sequence[str], lemmata: Sequence[str], where: str
) -> Iterator[ResultWarning]:
    if wrong := one_class(gold):
        yield ResultWarning("test set", wrong, where)
    elif np.mean(np.array(gold) == np.array(lemmata)) >= NEARLY:
        wrong = "the right form of nearly every item is its lemma: copying is right"
        yield ResultWarning("test set", wrong, where)


def _of_answers(
    answers: Sequence[str], gold: Sequence[str], beside: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with answers, and an example of it or nothing; of nulls, the first."""
    for sign in (repeats, _misspells):
        if found := sign(answers, gold):
            yield found
    if wrong := one_answer(answers, gold):
        yield wrong, ""
        return
    for null, others in beside.items():
        if wrong := like(answers, others, gold, null):
            yield wrong, ""
            return


def _misspells(answers: Sequence[str], gold: Sequence[str]) -> tuple[str, str] | None:
    """Tell whether many answers are right but for blanks around them or their normal form."""
    found = [
        answer
        for answer, right in zip(answers, gold, strict=True)
        if answer != right and canonical(answer.strip()) == canonical(right.strip())
    ]
    if len(answers) < LEAST or not often(len(found), len(answers)):
        return None
    wrong = "is right in many items but for blanks around the form or composed letters (NFC, NFD)"
    return wrong, f"{len(found):,} of {len(answers):,} items: {found[0]!r}"
