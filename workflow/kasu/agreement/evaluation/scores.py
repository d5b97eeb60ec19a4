"""Score verb number prediction: accuracy and recall, paired comparisons, the paper's claims."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from kasu.agreement.data.labels import LABELS, SLOTS, SPLITS
from kasu.agreement.runs import Run
from kasu.base.errors import KasuError
from kasu.base.scores import CLAIMS, LEVEL, SCORES, compare_paired, holm, share_interval
from kasu.base.tables import COUNTS, read_parquet, read_tsv, write_parquet, write_tsv

STUDY = "agreement"
PAPER = "basque2018"
# Table and name of the systems that the paper prints; the null models are listed in the tables of
# all networks that ran
PRINTED = {"bilstm": ("Table 4", "BiLSTM"), "lstm": ("footnote 6", "unidirectional LSTM")}
TRANSFORMS = {"base": "Base", "no_verb_lemma": "Base, verb lemma hidden"}
ALPHA = 1 - LEVEL

COMPARISONS = (
    "condition", "variant", "a", "b", "n", "accuracy_a", "accuracy_b", "difference", "low", "high",
    "mcnemar_p", "permutation_p", "holm_p",
)  # fmt: skip


def metrics(
    gold: np.ndarray, prediction: np.ndarray
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield each metric's name, its hits and its trials, boolean over the items (BASQUE-11).

    `recall` requires that a present argument is predicted present, as the paper's numbers imply;
    `strict_recall` requires the right number too.
    """
    present = gold != "none"
    right = gold == prediction
    yield "accuracy", right, np.ones(len(gold), bool)
    yield "recall", present & (prediction != "none"), present
    yield "strict_recall", present & right, present
    for number in ("singular", "plural"):
        yield f"recall_{number}", right & (gold == number), gold == number


def variants_of(paths: Iterable[str | Path]) -> list[str]:
    """Return the variants that occur in files of predictions, sorted."""
    variants: set[str] = set()
    for path in paths:
        variants.update(read_parquet(path, ["variant"])["variant"].unique().to_pylist())
    return sorted(variants)


def read_predictions(paths: Mapping[str, str | Path], variant: str) -> pd.DataFrame:
    """Read one variant of the predictions of several systems, with a column `system`.

    At the paper's size there are millions of rows, so `item_id` and `cluster` are numbers (in the
    order of the names) and the other texts are categories.

    Raises:
        KasuError: the systems were not tested on the same items.
    """
    columns = ["item_id", "cluster", "slot", "gold", "prediction", "variant", "seed"]
    categories = {"slot": SLOTS, "gold": LABELS, "prediction": LABELS, "variant": [variant]}
    numbered: dict[str, pd.Index] = {}  # by column, the names that are numbered
    frames = []
    for system, path in paths.items():
        table = read_parquet(path, columns, [("variant", "==", variant)])
        frame = table.to_pandas(strings_to_categorical=True)
        for column in ("item_id", "cluster"):
            names = frame[column].cat.categories.sort_values()
            if not names.equals(numbered.setdefault(column, names)):
                raise KasuError(path, "other test items than the first system's", "the same items")
            frame[column] = frame[column].cat.set_categories(names).cat.codes
        for column, values in categories.items():
            frame[column] = frame[column].cat.set_categories(values)
        frame["system"] = pd.Categorical([system], sorted(paths)).repeat(len(frame))
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def score_study(
    runs: Sequence[Run],
    counts: str | Path,
    scores: str | Path,
    comparisons: str | Path,
    claims: str | Path,
    *,
    main_corpus: str,
    seed: int,
) -> None:
    """Write SCORES, COMPARISONS and CLAIMS of the study.

    Args:
        runs: the predictions of each system, corpus and condition.
        counts: the counts.tsv of the main corpus's dataset.
        main_corpus: the corpus that is compared with the published figures.
    """
    tested: dict[tuple[str, str], dict[str, str | Path]] = {}
    for run in runs:
        tested.setdefault((run.corpus, run.condition), {})[run.system] = run.predictions
    measured = False  # the main corpus is the same under every condition
    rows: list[dict] = []
    compared: list[dict] = []
    for (corpus, condition), files in tested.items():
        suffix = "" if corpus == main_corpus else corpus
        for variant in variants_of(files.values()):
            frame = read_predictions(files, variant)
            rows += score(frame, condition, suffix, seed)
            compared += compare(frame, condition, suffix, seed)
            if not suffix and not measured:
                rows += corpus_facts(frame, counts, seed)
        measured = measured or not suffix
    correct(compared)
    columns = ("table", "system", "condition", "metric", "variant", "seed")
    rows.sort(key=lambda row: [(row[column] is None, row[column]) for column in columns])
    write_parquet(scores, rows, SCORES)
    write_tsv(comparisons, compared, COMPARISONS)
    write_tsv(claims, test_claims(rows, compared), CLAIMS)


def corpus_facts(predictions: pd.DataFrame, counts: str | Path, seed: int) -> list[dict]:
    """Measure the corpus: its sizes (§5), the share of sentences with a dative (§6.1)."""
    counted = {row["step"]: int(row["count"]) for row in read_tsv(counts, COUNTS)}
    key = {"study": STUDY, "paper": PAPER, "system": "corpus", "condition": "", "seed": None}
    rows: list[dict] = []
    for variant, group in predictions.groupby("variant", observed=True):
        sizes = {"sentences_total": counted["sentences"]}
        sizes |= {f"sentences_{s}": counted[f"{variant}: {s}"] for s in SPLITS}
        for metric, value in sizes.items():
            rows.append(
                {**key, "table": "section 5", "metric": metric, "value": value, "low": None,
                 "high": None, "n": None, "runs": None, "variant": variant, "note": None}
            )  # fmt: skip
        # The gold labels are the same for all systems and seeds: take each item once
        first = group[group["system"] == group["system"].iloc[0]]
        items = first[first["slot"] == "dative"].drop_duplicates("item_id")
        marked = (items["gold"] != "none").to_numpy()
        low, high = share_interval(marked, np.ones(len(items), bool), items["cluster"], seed=seed)
        rows.append(
            {**key, "table": "section 6.1", "metric": "share_sentences_with_dative",
             "value": marked.mean(), "low": low, "high": high, "n": len(items), "runs": 1,
             "variant": variant, "note": "target verbs of the test set"}
        )  # fmt: skip
    return rows


def score(predictions: pd.DataFrame, transform: str, corpus: str, seed: int) -> list[dict]:
    """Score one corpus and transform (SCORES), over all seeds and for each.

    Args:
        predictions: from `read_predictions`.
        transform: key of TRANSFORMS.
        corpus: empty for the corpus that is compared with the published figures, else its name.
        seed: of the bootstrap.
    """
    rows: list[dict] = []
    ran = set(predictions["system"].unique())
    keys = ["system", "variant", "slot"]
    for names, group in predictions.groupby(keys, observed=True):
        system, variant, slot = map(str, names)
        key = {"study": STUDY, "paper": PAPER, "variant": variant}
        key["condition"] = _condition(transform, slot, corpus)
        for run, part in _all_and_each(group):
            runs = part["seed"].nunique(dropna=False)
            for row in _score_part(part, slot, seed, runs):
                for table, name in _places(system, ran):
                    rows.append({**key, "table": table, "system": name, "seed": run, **row})
    return rows


def _condition(transform: str, slot: str, corpus: str) -> str:
    return "|".join(filter(None, (TRANSFORMS[transform], slot, corpus)))


def _all_and_each(group: pd.DataFrame) -> Iterator[tuple[int | None, pd.DataFrame]]:
    """Yield the rows of all seeds, if there are several, then those of each seed."""
    seeds = group["seed"].unique()
    if len(seeds) > 1:
        yield None, group
    for seed in sorted(seeds):
        if pd.isna(seed):
            yield None, group
        else:
            yield int(seed), group[group["seed"] == seed]


def _places(system: str, ran: Iterable[str]) -> list[tuple[str, str]]:
    """Return the tables that list a system, and its name in them."""
    if system in PRINTED:
        return [PRINTED[system]]
    return [(table, system) for network, (table, _) in PRINTED.items() if network in ran]


def _score_part(part: pd.DataFrame, slot: str, seed: int, runs: int) -> Iterator[dict]:
    """Yield each metric with its interval over the clusters."""
    gold, prediction = part["gold"].to_numpy(), part["prediction"].to_numpy()
    for metric, hits, trials in metrics(gold, prediction):
        n = int(trials.sum())
        low, high = share_interval(hits, trials, part["cluster"], seed=seed)
        notes = []
        if slot == "absolutive" and metric == "recall":
            notes.append("100 % by construction: every finite verb marks an absolutive (S-5)")
        if runs > 1 and n:
            by_seed = [(part["seed"] == run).to_numpy() for run in part["seed"].unique()]
            shares = [hits[rows].sum() / trials[rows].sum() for rows in by_seed]
            notes.append(f"standard deviation over seeds {np.std(shares, ddof=1):.4f}")
        yield {
            "metric": metric,
            "value": hits.sum() / n if n else None,
            "low": low,
            "high": high,
            "n": n // runs,
            "runs": runs,
            "note": "; ".join(notes) or None,
        }


def compare(predictions: pd.DataFrame, transform: str, corpus: str, seed: int) -> list[dict]:
    """Compare every two systems on the same items, slot by slot (COMPARISONS without `holm_p`).

    An item's value is the share of seeds that got it right. McNemar's test needs single runs; the
    permutation test swaps whole clusters.
    """
    rows: list[dict] = []
    for variant, group in predictions.groupby("variant", observed=True):
        for slot in SLOTS:
            chosen = group[group["slot"] == slot]
            right = chosen.assign(right=chosen["gold"] == chosen["prediction"]).pivot_table(
                index=["item_id", "cluster"], columns="system", values="right", aggfunc="mean",
                observed=True,
            )  # fmt: skip
            clusters = right.index.get_level_values("cluster").to_numpy()
            for a, b in combinations(right.columns, 2):
                row = {"condition": _condition(transform, slot, corpus), "variant": variant}
                row |= {"a": a, "b": b}
                pair = compare_paired(right[a], right[b], clusters, metric="accuracy", seed=seed)
                rows.append(row | pair)
    return rows


def correct(comparisons: Sequence[dict]) -> None:
    """Add `holm_p`: the permutation p after Holm's correction over all rows of a variant."""
    for variant in {row["variant"] for row in comparisons}:
        rows = [row for row in comparisons if row["variant"] == variant]
        for row, p in zip(rows, holm([row["permutation_p"] for row in rows]), strict=True):
            row["holm_p"] = p


def test_claims(scores: Sequence[Mapping], comparisons: Sequence[Mapping]) -> list[dict]:
    """Test the paper's claims on its corpus (CLAIMS): each holds, fails or is untestable."""
    rows = []
    for variant in sorted({row["variant"] for row in scores}):
        # The row over the most seeds comes last, so it is the one kept
        values = {
            (row["system"], row["condition"], row["metric"]): row["value"]
            for row in sorted(scores, key=lambda row: row["runs"] or 0)
            if row["variant"] == variant
        }
        paired = {
            (row["a"], row["b"], row["condition"]): row
            for row in comparisons
            if row["variant"] == variant
        }
        for claim, test, (result, evidence) in _claims(values, paired):
            named = {"paper": PAPER, "claim": claim, "test": test, "variant": variant}
            rows.append(named | {"result": result, "evidence": evidence})
    return rows


def _claims(
    values: Mapping[tuple[str, str, str], float | None],
    paired: Mapping[tuple[str, str, str], Mapping],
) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield each claim, its test, and the result with the evidence.

    Args:
        values: by system, condition and metric.
        paired: rows of COMPARISONS, by both systems and the condition.
    """
    for slot in SLOTS:
        yield (
            f"The BiLSTM learns the number of the {slot} (§6.1)",
            "accuracy above the majority rate, paired by item, Holm-corrected",
            _larger(paired.get(("bilstm", "majority", f"Base|{slot}"))),
        )
    for slot in ("ergative", "absolutive"):
        yield (
            f"Reading both ways helps with the {slot} (footnote 6)",
            "accuracy of BiLSTM above unidirectional LSTM, paired by item, Holm-corrected",
            _larger(paired.get(("bilstm", "lstm", f"Base|{slot}"))),
        )
    ergative, absolutive, dative = (
        values.get(("BiLSTM", f"Base|{slot}", "recall")) for slot in SLOTS
    )
    if ergative is None or absolutive is None or dative is None:
        outcome = "untestable", "a slot without an item"
    else:
        outcome = (
            "holds" if dative < ergative < absolutive else "fails",
            f"recall {dative:.3f} dative, {ergative:.3f} ergative, {absolutive:.3f} absolutive",
        )
    yield "Recall is lowest for the dative, then the ergative (§6.1)", "order of recall", outcome


def _larger(row: Mapping | None) -> tuple[str, str]:
    if row is None:
        return "untestable", "one of the two systems did not run"
    evidence = f"difference {row['difference']:+.4f}, p {row['holm_p']:.2g}"
    if row["holm_p"] >= ALPHA:
        return "untestable", f"{evidence}: within chance at {row['n']} items"
    return ("holds" if row["difference"] > 0 else "fails"), evidence
