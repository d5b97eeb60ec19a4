"""How far our segmentation agrees with the released one, and how they differ (BL2MP-3, S-8)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_tsv

AGREEMENT = ("measure", "count", "of", "share")
"""Equal sentences, then kinds of difference, most frequent first; `share` is `count / of`."""
_SENTENCES = ("sentence_good", "sentence_bad")


def compare_segmentations(ours: str | Path, released: str | Path, table: str | Path) -> None:
    """Write AGREEMENT of two segmented files of pairs, over the pairs that are in both.

    The released file lacks all exclamation marks, so sentences are also compared without ours.

    Raises:
        KasuError: no pair is in both files.
    """
    mine, theirs = _sentences(ours), _sentences(released)
    common = sorted(mine.keys() & theirs.keys())
    if not common:
        raise KasuError(ours, f"no pair of {released}", "a segmentation of the same pairs")
    equal, without_marks = 0, 0
    kinds: Counter[str] = Counter()
    for key in common:
        equal += mine[key] == theirs[key]
        ours_unmarked = [token for token in mine[key].split() if token != "!"]  # noqa: S105
        tokens = theirs[key].split()
        without_marks += ours_unmarked == tokens
        kinds.update(differences(ours_unmarked, tokens))
    rows = [("equal sentences", equal, len(common))]
    rows.append(("equal sentences but for exclamation marks", without_marks, len(common)))
    by_count = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    rows += [(kind, count, kinds.total()) for kind, count in by_count]
    write_tsv(table, (_row(*row) for row in rows), AGREEMENT)


def _row(measure: str, count: int, total: int) -> dict[str, object]:
    return {"measure": measure, "count": count, "of": total, "share": f"{count / total:.4f}"}


def _sentences(path: str | Path) -> dict[tuple[str, str], str]:
    """Read the segmented sentences by item and column."""
    rows: Sequence[Mapping[str, str]] = read_parquet(path, ["item_id", *_SENTENCES]).to_pylist()
    return {(row["item_id"], name): row[name] for row in rows for name in _SENTENCES}


def differences(ours: Sequence[str], released: Sequence[str]) -> Iterator[str]:
    """Yield the kind of each difference between two segmentations of a sentence."""
    matcher = SequenceMatcher(None, ours, released, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            yield _kind(ours[a:b], released[c:d])


def _kind(ours: Sequence[str], released: Sequence[str]) -> str:
    if len(ours) == len(released):
        return "another stem or suffix"
    if "".join(ours) == "".join(released):
        return "split here only" if len(ours) > len(released) else "split there only"
    if len(ours) > len(released):
        return "split here only, with another stem or suffix"
    return "split there only, with another stem or suffix"
