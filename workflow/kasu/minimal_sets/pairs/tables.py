"""Tables of agreement pairs: what each language yields beside print, and who solves them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from kasu.files.tables import read_parquet, read_tsv, write_tsv
from kasu.minimal_sets.pairs.columns import AGREEMENT
from kasu.minimal_sets.pairs.design import MULTIBLIMP, NULLS, RIGHT, WRONG
from kasu.minimal_sets.pairs.released import ALL, read_printed, read_released
from kasu.results.scores import at_most, distance_group
from kasu.results.statistics import share_interval, worth
from kasu.sources.cards import strictest

PAIRS = (
    "set", "rules", "language", "phenomenon", "pairs", "sentences", "printed", "difference",
    "released", "found", "licence", "note",
)  # fmt: skip
"""The pairs of each set, by phenomenon and in all. Beside those by MultiBLiMP's rules stand the
`printed` number, the `difference` to it, how many different pairs of the `released` file there are
(where it is at hand) and how many of these the rules `found` letter by letter, before the draw."""
SCORES = (
    "set", "phenomenon", "by", "group", "system", "definition", "share", "low", "high", "pairs",
    "sentences",
)  # fmt: skip
"""The share of pairs that a model or a null solves, with its interval (95 %, by sentences); of all
pairs that it judged, and of each group by GROUPINGS."""
GROUPINGS: dict[str, Callable[[Mapping], str]] = {
    "attractors": lambda row: at_most(1, row["attractors"]),
    "distance": lambda row: distance_group(row["distance"]),
}
_COLUMNS = [
    "item_id", "sentence_id", "phenomenon", "condition", "right_value", "wrong_value", "attractors",
    "distance", "nearest", "right_tokens", "wrong_tokens", f"form_{RIGHT}", f"form_{WRONG}", "sen",
    "wrong_sen", "licence",
]  # fmt: skip
# The authors' edits of UniMorph that these rules lack: in their resources/unimorph/changelog.sh
LACKING = frozenset(
    {
        "it", "fr", "fi", "az", "uz", "olo", "krl", "vep", "ko", "eu", "hsb", "sk", "sa", "nl",
        "de", "kmr", "yi", "la", "sl", "fa", "ug", "tt", "hbo",
    }
)  # fmt: skip
_PHENOMENA = ("SV-#", "SV-P", "SV-G", "SP-#", "SP-P", "SP-G")

Rows = list[dict]


def tabulate_pairs(
    items: Mapping[str, str | Path],
    agreement: Sequence[str | Path],
    predictions: Sequence[str | Path],
    released: Sequence[str | Path],
    pools: Mapping[str, str | Path],
    *,
    languages: Mapping[str, str],
    rules: Mapping[str, str],
    in_print: Collection[str],
    seed: int,
    tables: Mapping[str, str | Path],
) -> None:
    """Write AGREEMENT, PAIRS and SCORES of all sets of pairs.

    Args:
        items: set -> its items.
        agreement: AGREEMENT of each set.
        predictions: of models on these sets.
        released: released files of MultiBLiMP.
        pools: set by MultiBLiMP's rules -> all its pairs, before the draw.
        languages, rules: of each set.
        in_print: the sets beside which print stands.
        tables: `agreement`, `pairs` and `pair_scores`, the files to write.
    """
    by_set = {name: read_parquet(path, _COLUMNS).to_pylist() for name, path in items.items()}
    write_tsv(tables["agreement"], [row for path in agreement for row in read_tsv(path)], AGREEMENT)
    theirs = _released_pairs(released)
    rows = [
        row
        for name, found in by_set.items()
        for row in _yields(
            name, found, languages[name], rules[name], theirs, pools, in_print=name in in_print
        )
    ]
    write_tsv(tables["pairs"], rows, PAIRS)
    answers = _answers(predictions, by_set)
    scores = [row for name, found in by_set.items() for row in _scores(name, found, answers, seed)]
    write_tsv(tables["pair_scores"], scores, SCORES)


def _released_pairs(paths: Sequence[str | Path]) -> dict[str, dict[str, set[tuple[str, str]]]]:
    """Return the different pairs of released files, by language and phenomenon."""
    found: dict[str, dict[str, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
    for path in paths:
        for row in read_released(path):
            for phenomenon in (ALL, row.cells["phenomenon"]):
                found[row.cells["lang"]][phenomenon].add(row.pair)
    return found


def _yields(
    name: str,
    found: Rows,
    language: str,
    rules: str,
    released: Mapping,
    pools: Mapping,
    *,
    in_print: bool,
) -> Iterator[dict]:
    by = {phenomenon: [r for r in found if r["phenomenon"] == phenomenon]
          for phenomenon in _PHENOMENA}  # fmt: skip
    printed = read_printed(language) if in_print else None
    theirs = released.get(printed.iso, {}) if printed else {}
    pool: dict[str, set] = defaultdict(set)
    if theirs:
        for row in read_tsv(pools[name]):
            for phenomenon in (ALL, row["phenomenon"]):
                pool[phenomenon].add((row["sen"], row["wrong_sen"]))
    note = ""
    if rules == MULTIBLIMP and language in LACKING:
        note = "the authors edit this language's UniMorph or spelling, Kasu does not"
    for phenomenon, members in {ALL: found, **by}.items():
        told = printed.pairs.get((phenomenon, "")) if printed else None
        known = theirs.get(phenomenon)
        yield {
            "set": name, "rules": rules, "language": language, "phenomenon": phenomenon,
            "pairs": len(members), "sentences": len({row["sentence_id"] for row in members}),
            "printed": told, "difference": None if told is None else len(members) - told,
            "released": len(known) if known else None,
            "found": len(known & pool[phenomenon]) if known else None,
            "licence": strictest(sorted({r["licence"] for r in members})) if members else None,
            "note": note or None,
        }  # fmt: skip


def _answers(
    predictions: Sequence[str | Path], by_set: Mapping[str, Rows]
) -> dict[tuple[str, str], dict[tuple[str, str], list[float]]]:
    """Return by (system, definition) and (set, item) the scores of the right and wrong forms."""
    columns = ["set", "item_id", "system", "definition", "value", "log_probability"]
    found: dict = defaultdict(lambda: defaultdict(lambda: [float("nan")] * 2))
    for path in predictions:
        for row in read_parquet(path, columns).to_pylist():
            if row["set"] in by_set:
                scores = found[row["system"], row["definition"]][row["set"], row["item_id"]]
                scores[row["value"] == WRONG] = row["log_probability"]
    return found


def _scores(name: str, found: Rows, answers: Mapping, seed: int) -> Iterator[dict]:
    every = np.ones(len(found), bool)
    # By system and definition, what pairs are worth and which were judged
    solved = {(null, ""): (worths, every) for null, worths in nulls(found).items()}
    for system, scores in answers.items():
        given = np.array([scores[name, row["item_id"]] for row in found]).reshape(-1, 2)
        judged = ~np.isnan(given).any(axis=1)
        if judged.any():
            solved[system] = worth(given, 0), judged
    sentences = np.array([row["sentence_id"] for row in found])
    about = np.array([row["phenomenon"] for row in found])
    groups = {("", ""): every}
    for by, group_of in GROUPINGS.items():
        names = np.array([group_of(row) for row in found])
        groups |= {(by, group): names == group for group in sorted(set(names))}
    for phenomenon in (ALL, *_PHENOMENA):
        of = every if phenomenon == ALL else about == phenomenon
        for (by, group), members in groups.items():
            for (system, definition), (worths, judged) in solved.items():
                if not (counted := of & members & judged).any():
                    continue
                low, high = share_interval(
                    worths[counted], np.ones(counted.sum()), sentences[counted], seed=seed
                )
                yield {
                    "set": name, "phenomenon": phenomenon, "by": by, "group": group,
                    "system": system, "definition": definition,
                    "share": float(worths[counted].mean()), "low": low, "high": high,
                    "pairs": int(counted.sum()), "sentences": len(set(sentences[counted])),
                }  # fmt: skip


def nulls(found: Rows) -> dict[str, np.ndarray]:
    """Return what each pair is worth by each of NULLS, (pairs): 1, 0, or a half in a tie.

    `commoner value`: of a pair's two values, the one that is right more often in its phenomenon.
    `more frequent form`: in the treebanks. `shorter form`: in characters. `nearest noun`: the form
    with the value of the last noun or pronoun before the target; a tie if that has neither value.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in found:
        counts[row["phenomenon"]][row["right_value"]] += 1

    def commoner(row: Mapping, value: str) -> int:
        return counts[row["phenomenon"]][row[f"{value}_value"]]

    def near(row: Mapping, value: str) -> bool:
        return row[f"{value}_value"] in (row["nearest"] or "").split(",")

    measures = dict(
        zip(
            NULLS,
            (
                commoner,
                lambda row, value: row[f"{value}_tokens"],
                lambda row, value: -len(row[f"form_{value}"]),
                near,
            ),
            strict=True,
        )
    )
    return {
        name: worth(
            np.array(
                [[float(measure(row, each)) for each in (RIGHT, WRONG)] for row in found]
            ).reshape(-1, 2),
            0,
        )
        for name, measure in measures.items()
    }
