"""What a printed accuracy and a printed recall imply together (BASQUE-11).

Every missed argument is an error, so (1 - recall) * share <= 1 - accuracy, where `share` is the
share of sentences that have the argument. So the two figures bound the share. For an assumed share
they tell how many errors are not misses: an argument predicted where there is none, or a wrong
number.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kasu.agreement.runs import PAPER
from kasu.files.tables import read_parquet, write_tsv
from kasu.results.published import Published, PublishedFiles, read_published

IMPLIED = (
    "table", "system", "condition", "variant", "accuracy", "recall", "share_at_most", "share",
    "printed_otherwise", "ours_otherwise", "ours_otherwise_strict",
    "lemma_accuracy", "lemma_recall",
)  # fmt: skip


def list_implied(
    figures: Iterable[Published], scores: Iterable[Mapping]
) -> Iterator[dict[str, object]]:
    """Yield a row of IMPLIED for each printed pair whose recall is not 100 %, beside our figures.

    Arguments that no sentence of ours has are left out.

    `accuracy` and `recall` are the printed ones. `share_at_most` is the largest share that fits
    them as rounded; `share` is that of our sentences. `printed_otherwise` is the share of the
    paper's sentences that are wrong otherwise than by a miss, if the argument is as frequent there
    as in ours; below 0 that is impossible. `ours_otherwise` is the same share of our sentences, in
    `ours_otherwise_strict` with a wrong number as a miss.
    `lemma_accuracy` and `lemma_recall` are what the lemma of the verb gives by itself on our
    sentences, where that null ran.

    Args:
        scores: rows of SCORES.
    """
    printed = {each.key: each for each in figures if each.paper == PAPER}
    ours: dict[tuple, dict[str, Mapping]] = {}
    for row in scores:
        own = ours.setdefault(tuple(row[name] for name in IMPLIED[:4]), {})
        # Of several seeds, the row over all
        own[row["metric"]] = max(
            own.get(row["metric"], row), row, key=lambda each: each["runs"] or 0
        )
    for place, own in ours.items():
        accuracy, recall = (
            printed.get((PAPER, *place[:3], metric)) for metric in ("accuracy", "recall")
        )
        # Nothing can be missed where no sentence has the argument
        if accuracy and recall and (recall.value or 1) < 1 and own["recall"]["n"]:
            row = dict(zip(IMPLIED[:4], place, strict=True))
            null = ours.get((place[0], "lemma", *place[2:]), {})
            alone = {f"lemma_{metric}": null[metric]["value"] for metric in IMPLIED[4:6] if null}
            yield row | _implied(accuracy, recall, own) | alone


def _implied(
    accuracy: Published, recall: Published, own: Mapping[str, Mapping]
) -> dict[str, float | None]:
    right, found = float(accuracy.value or 0), float(recall.value or 0)
    share = own["recall"]["n"] / own["accuracy"]["n"]

    def otherwise(accuracy: float, recall: float) -> float:
        # Rounded, since a difference of 0 may have an error in floating point
        return round((1 - accuracy) - (1 - recall) * share, 9)

    # `share_at_most` takes the lowest accuracy and the highest recall that round to those printed
    return {
        "accuracy": right,
        "recall": found,
        "share_at_most": (1 - right + accuracy.half) / (1 - found - recall.half),
        "share": share,
        "printed_otherwise": otherwise(right, found),
        "ours_otherwise": otherwise(own["accuracy"]["value"], own["recall"]["value"]),
        "ours_otherwise_strict": otherwise(own["accuracy"]["value"], own["strict_recall"]["value"]),
    }


def write_implied(published: PublishedFiles, scores: str | Path, out: str | Path) -> None:
    """Write IMPLIED from the folder of printed figures and a study's scores."""
    rows = read_parquet(scores).to_pylist()
    write_tsv(out, list_implied(read_published(published), rows), IMPLIED)
