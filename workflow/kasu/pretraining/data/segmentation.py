"""How far a segmentation agrees with the released one, and in what they differ (BL2MP-3, S-8)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, write_tsv

AGREEMENT = ("measure", "count", "of", "share")
"""Sentences that agree, then differences between tokens, the most frequent first."""
_SENTENCES = ("sentence_good", "sentence_bad")


def compare_segmentations(ours: str | Path, released: str | Path, table: str | Path) -> None:
    """Write AGREEMENT of two segmented files of pairs; only pairs that both hold are compared.

    The released file has lost all exclamation marks, so sentences are also compared without them.

    Raises:
        KasuError: no pair is in both.
    """
    mine, theirs = _sentences(ours), _sentences(released)
    common = sorted(mine.keys() & theirs.keys())
    if not common:
        raise KasuError(ours, f"no pair of {released}", "a segmentation of the same pairs")
    equal, without_marks, kinds = 0, 0, Counter()
    for key in common:
        equal += mine[key] == theirs[key]
        a = [token for token in mine[key].split() if token != "!"]  # noqa: S105
        b = theirs[key].split()
        without_marks += a == b
        kinds.update(differences(a, b))
    rows = [("equal sentences", equal, len(common))]
    rows.append(("equal sentences but for exclamation marks", without_marks, len(common)))
    order = sorted(kinds.items(), key=lambda each: (-each[1], each[0]))
    rows += [(kind, count, kinds.total()) for kind, count in order]
    write_tsv(table, (_row(*row) for row in rows), AGREEMENT)


def _row(measure: str, count: int, of: int) -> dict[str, object]:
    return {"measure": measure, "count": count, "of": of, "share": f"{count / of:.4f}"}


def _sentences(path: str | Path) -> dict[tuple[str, str], str]:
    rows: Sequence[Mapping[str, str]] = read_parquet(path, ["item_id", *_SENTENCES]).to_pylist()
    return {(row["item_id"], name): row[name] for row in rows for name in _SENTENCES}


def differences(ours: Sequence[str], released: Sequence[str]) -> Iterator[str]:
    """The kind of each place where two segmentations of a sentence differ."""
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
