"""Score verb number prediction (accuracy, recall, paired comparisons), and all of the study."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from kasu.agreement.data.tasks import LABELS, PROBED_SYSTEM, PROBES, SUFFIX, VERB_NUMBER
from kasu.agreement.data.transforms import BASE, split_condition
from kasu.agreement.evaluation.ablations import list_ablation_claims
from kasu.agreement.evaluation.claims import list_claims
from kasu.agreement.evaluation.closest import LINKED, closest_claim, read_events, score_closest
from kasu.agreement.evaluation.corpus import corpus_facts
from kasu.agreement.evaluation.probes import list_probe_claims, read_probed, score_probes
from kasu.agreement.evaluation.rows import all_and_each, score_share, title_of
from kasu.agreement.evaluation.suffixes import list_suffix_claims, score_suffixes
from kasu.agreement.runs import PAPER, STUDY, PredictionFile
from kasu.base.errors import KasuError
from kasu.corpora.morphology.tagset import ALL_SLOTS
from kasu.files.tables import read_parquet, write_tsv
from kasu.results.scores import CLAIMS, Score, write_scores
from kasu.results.statistics import compare_paired, correct
from kasu.results.verdicts import Claim, judge_claims

# Table and name of the systems that the paper prints; the null models are listed in the tables of
# all networks that ran
PRINTED = {"bilstm": ("Table 4", "BiLSTM"), "lstm": ("footnote 6", "unidirectional LSTM")}
# Arguments that each finite verb marks
ALWAYS = {"absolutive": "an absolutive", "subject": "a subject"}
COMPARISONS = (
    "condition", "variant", "a", "b", "n", "accuracy_a", "accuracy_b", "difference", "low", "high",
    "mcnemar_p", "permutation_p", "holm_p",
)  # fmt: skip

Tested = dict[tuple[str, str, str], dict[str, str | Path]]


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


def variants_of(path: str | Path) -> list[str]:
    """Return the variants that occur in a file of predictions, sorted."""
    return sorted(read_parquet(path, ["variant"])["variant"].unique().to_pylist())


def read_predictions(paths: Mapping[str, str | Path], variant: str) -> pd.DataFrame:
    """Read one variant of the predictions of several systems, with a column `system`.

    At the paper's size there are millions of rows, so `item_id` and `cluster` are numbers (in the
    order of the names) and the other texts are categories.

    Raises:
        KasuError: the systems were not tested on the same items.
    """
    columns = ["item_id", "cluster", "slot", "gold", "prediction", "variant", "seed"]
    categories = {"slot": ALL_SLOTS, "gold": LABELS, "prediction": LABELS, "variant": [variant]}
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
    runs: Sequence[PredictionFile],
    datasets: Mapping[str, str | Path],
    scores: str | Path,
    comparisons: str | Path,
    claims: str | Path,
    *,
    main_corpus: str,
    untestable: str | None,
    seed: int,
) -> None:
    """Write SCORES, COMPARISONS and CLAIMS of the study.

    Args:
        runs: the predictions of each task, system, corpus and condition.
        datasets: the folder of the dataset of each corpus.
        main_corpus: the corpus that is compared with the published figures. Its figures are those
            without a corpus's name; of several corpora none is unnamed if this one is `untestable`.
        untestable: why this corpus cannot test the paper's claims, if so.
    """

    def name_of(corpus: str, condition: str = BASE) -> str:
        # A curve is of the main corpus alone, which its training sets are drawn from
        _, training_set = split_condition(condition)
        nameless = untestable is None or len(datasets) == 1 or training_set
        return "" if corpus == main_corpus and nameless else corpus

    # Task -> (corpus, condition, variant) -> system -> file of predictions
    tested: dict[str, Tested] = {}
    for run in runs:
        for variant in variants_of(run.predictions):
            cell = (run.corpus, run.condition, variant)
            files = tested.setdefault(run.task, {}).setdefault(cell, {})
            files[run.system] = run.predictions
    numbers, suffixes = tested.get(VERB_NUMBER, {}), tested.get(SUFFIX, {})
    trained = {system for files in numbers.values() for system in files} & PRINTED.keys()
    rows: list[Score] = []
    for corpus, dataset in datasets.items():
        rows += corpus_facts(dataset, seed, name_of(corpus))
    compared: list[dict] = []
    judged: list[Claim] = []
    for (corpus, condition, variant), files in numbers.items():
        named = name_of(corpus, condition)
        frame = read_predictions(files, variant)
        rows += score(frame, files, condition, named, seed, trained=trained)
        compared += compare(frame, condition, named, seed)
        if corpus == main_corpus and condition == BASE:
            judged += list_claims(frame, variant, untestable)
    for variant in dict.fromkeys(variant for *_, variant in numbers):
        ablated = _ablated(numbers, main_corpus, variant)
        judged += list_ablation_claims(ablated, variant, untestable)
    for (corpus, condition, variant), files in suffixes.items():
        rows += score_suffixes(files, condition, variant, name_of(corpus, condition), seed)
    test = Path(datasets[main_corpus], "test.parquet")
    for variant in dict.fromkeys(variant for *_, variant in suffixes):
        found = {
            (system, condition): path
            for (corpus, condition, which), files in suffixes.items()
            for system, path in files.items()
            if (corpus, which) == (main_corpus, variant)
        }
        judged += list_suffix_claims(found, variant, untestable)
        linked = {
            system: read_events(test, found[system, BASE], variant)
            for system in LINKED
            if (system, BASE) in found
        }
        for system, events in linked.items():
            predictions = found[system, BASE]
            rows += score_closest(events, predictions, system, variant, seed)
        judged.append(closest_claim(linked.get("bilstm"), variant, untestable))
        path = tested.get(PROBES, {}).get((main_corpus, BASE, variant), {}).get(PROBED_SYSTEM)
        probed = read_probed(path, variant) if path else None
        judged += list_probe_claims(probed, variant, untestable)
        if path and probed is not None:
            rows += score_probes(probed, path, variant, seed)
    write_scores(scores, rows)
    write_tsv(comparisons, correct(compared, by=("variant",)), COMPARISONS)
    write_tsv(claims, judge_claims(PAPER, judged), CLAIMS)


def _ablated(tested: Tested, corpus: str, variant: str) -> dict[str, dict[str, str | Path]]:
    """Return the file of each system under each condition, on one corpus and of one variant."""
    return {
        condition: files
        for (where, condition, which), files in tested.items()
        if (where, which) == (corpus, variant)
    }


def score(
    predictions: pd.DataFrame,
    files: Mapping[str, str | Path],
    transform: str,
    corpus: str,
    seed: int,
    *,
    trained: Collection[str] = (),
) -> list[Score]:
    """Score one corpus and transform, over all seeds and for each.

    Args:
        predictions: from `read_predictions`.
        files: the file of predictions of each system.
        transform: the condition of the config.
        corpus: its name in the conditions; empty where it has none.
        seed: of the bootstrap.
        trained: the networks of the whole study.
    """
    rows: list[Score] = []
    ran = set(predictions["system"].unique())
    keys = ["system", "variant", "slot"]
    for names, group in predictions.groupby(keys, observed=True):
        system, variant, slot = map(str, names)
        condition = _condition(transform, slot, corpus)
        named = Score(STUDY, PAPER, condition=condition, variant=variant, predictions=files[system])
        for run, part in all_and_each(group):
            for row in _score_part(part, slot, replace(named, seed=run), seed):
                for table, name in _places(system, ran, trained):
                    rows.append(replace(row, table=table, system=name))
    return rows


def _condition(transform: str, slot: str, corpus: str) -> str:
    return "|".join(filter(None, (title_of(transform), slot, corpus)))


def _places(system: str, ran: Collection[str], trained: Collection[str]) -> list[tuple[str, str]]:
    """Return the tables that list a system, and its name in them."""
    if system in PRINTED:
        return [PRINTED[system]]
    # A null stands beside the networks that ran; alone, in the first table of the study
    first = (_tables(trained) or _tables(PRINTED))[:1]
    return [(table, system) for table in _tables(ran) or first]


def _tables(networks: Collection[str]) -> list[str]:
    return [table for network, (table, _) in PRINTED.items() if network in networks]


def _score_part(part: pd.DataFrame, slot: str, named: Score, seed: int) -> Iterator[Score]:
    """Yield each metric with its interval over the clusters."""
    gold, prediction = part["gold"].to_numpy(), part["prediction"].to_numpy()
    clusters, seeds = part["cluster"].to_numpy(), part["seed"].to_numpy()
    for metric, hits, trials in metrics(gold, prediction):
        note = None
        if slot in ALWAYS and metric == "recall":
            share = trials.mean()
            note = f"by construction: {share:.2%} of the items mark {ALWAYS[slot]} (S-5)"
        noted = replace(named, note=note)
        yield score_share(noted, metric, hits, trials, clusters, seeds, seed=seed)


def compare(predictions: pd.DataFrame, transform: str, corpus: str, seed: int) -> list[dict]:
    """Compare every two systems on the same items, slot by slot (COMPARISONS without `holm_p`).

    An item's value is the share of seeds that got it right. McNemar's test needs single runs; the
    permutation test swaps whole clusters.
    """
    rows: list[dict] = []
    for variant, group in predictions.groupby("variant", observed=True):
        for slot in ALL_SLOTS:
            chosen = group[group["slot"] == slot]
            if not len(chosen):  # the language has no such argument
                continue
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
