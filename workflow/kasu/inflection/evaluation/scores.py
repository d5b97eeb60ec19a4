"""Scores of systems, null and oracles by language, means over languages, and derived tables."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from kasu.files.tables import read_parquet, read_tsv, write_parquet, write_tsv
from kasu.inflection.data.triples import PAPER, SETTINGS, SPLITS
from kasu.inflection.evaluation.claims import test_claims
from kasu.inflection.evaluation.means import fewer_members, mean_rows
from kasu.inflection.evaluation.outcomes import ENSEMBLE, Cell, Guesses, Output, read_cell
from kasu.inflection.evaluation.pairs import COMPARISONS, COPY, POWER, compare, power_rows
from kasu.inflection.evaluation.printed import RUN, Printed, cell_of, read_printed
from kasu.results.differences import ALPHA
from kasu.results.published import PublishedFiles
from kasu.results.scores import CLAIMS, SCORES, cluster_bootstrap, mcnemar, share_interval
from kasu.transduction.fingerprints.fingerprint import PublishedMembers
from kasu.transduction.members.predictions import MISSING, check_complete, held, survey

STUDY = "inflection"
NOT_RECOMPUTABLE = "not recomputable: needs every submission's output"
CURVES = ("language", "system", "variant", *SETTINGS)

_EMPTY = {
    "study": STUDY, "paper": PAPER, "value": None, "low": None, "high": None, "n": None,
    "runs": None, "variant": None, "seed": None, "note": None,
}  # fmt: skip


def score_study(
    predictions: Sequence[str | Path],
    missing: Sequence[str | Path],
    datasets: Mapping[str, str | Path],
    published: PublishedFiles,
    out: Mapping[str, str | Path],
    *,
    submitted: Mapping[str, Mapping[str, Collection[str]]],
    published_members: PublishedMembers,
    released: Collection[str],
    seed: int,
) -> None:
    """Score all systems in all languages that they have predictions for.

    Args:
        predictions: files of PREDICTIONS, one per system and setting.
        missing: tables of MISSING, likewise.
        datasets: the folder of each language's dataset.
        published: the published figures.
        out: files to write: `scores` (SCORES), `comparisons`, `claims`, `learning_curves`
            (CURVES), `power` and `failures` (MISSING).
        submitted: the languages that each system should have, by setting.
        released: the languages whose dataset is the released one.
        seed: seed of the bootstrap.

    Raises:
        KasuError: a file cannot be read, or a system lacks a language that did not fail.
    """
    printed = read_printed(published)
    found = survey(predictions)
    failed = [row for path in missing for row in read_tsv(path, MISSING)]
    names = {name: _shown(name, name in released, printed) for name in datasets}
    rows, cells = [], []
    for name, folder in datasets.items():
        rows += count_rows(
            names[name], {split: Path(folder) / f"{split}.parquet" for split in SPLITS}, printed
        )
    for setting, (name, folder) in product(SETTINGS, datasets.items()):
        systems = [each for each in submitted if name in submitted[each].get(setting, ())]
        if not systems:
            continue
        train, test = (Path(folder) / f"{split}.parquet" for split in (setting, "test"))
        cell = read_cell(setting, name, train, test, found)
        if cell is None:
            continue
        check_complete(setting, name, systems, found, failed)
        if cell.outputs:
            cells.append(replace(cell, language=names[name]))
            rows += score_cell(cells[-1], printed, seed, published_members)
    lost = {
        (row["system"], row["setting"], names[row["language"]])
        for row in failed
        if (row["system"], row["setting"], row["language"]) not in held(found)
    }
    means = mean_rows(rows, printed, lost, published_members)
    rows += [*(_EMPTY | row for row in means), *best_rows(rows, printed)]
    columns = ("table", "system", "condition", "metric", "variant", "seed")
    rows.sort(key=lambda row: [(row[column] is not None, row[column]) for column in columns])
    write_parquet(out["scores"], rows, SCORES)
    write_tsv(out["comparisons"], compare(cells, seed), COMPARISONS)
    write_tsv(out["claims"], test_claims(rows, printed), CLAIMS)
    write_tsv(out["learning_curves"], curves(rows), CURVES)
    write_tsv(out["power"], power_rows(cells), POWER)
    write_tsv(out["failures"], sorted(failed, key=lambda row: [*row.values()]), MISSING)


def _shown(name: str, released: bool, printed: Printed) -> str:
    # The user's own dataset must not be compared with the paper's figures for that language
    known = any(name in printed.languages(setting) for setting in SETTINGS)
    return f"{name} (own data)" if known and not released else name


# By language (Tables 13 to 19)


def score_cell(
    cell: Cell,
    printed: Printed,
    seed: int,
    published_members: PublishedMembers | None = None,
) -> list[dict]:
    """Rows of SCORES for a language in a setting: systems, the null, the oracles."""
    rows = []
    published = published_members or {}
    for system, variant, by_seed in cell.systems():
        parts = {None: list(by_seed.values())} if len(by_seed) > 1 else {}
        several = published.get(system, {}).get(cell.setting, 0)
        for run, runs in (parts | {run: [by_seed[run]] for run in by_seed}).items():
            key = {"system": system, "variant": variant, "seed": run}
            fewer = fewer_members([each.members for each in runs], several)
            flags = _flags(cell, (system, variant, run)) if len(runs) == 1 else ()
            note = "; ".join([*fewer, *flags])
            count = {"runs": sum(each.members for each in runs)}
            rows.append(key | _accuracy(cell, [each.right for each in runs], seed, note) | count)
            rows.append(key | _levenshtein(cell, runs, seed, "; ".join(fewer)) | count)
    rows += _oracles(cell, printed, seed)
    rows = [row | {"table": _table(row["system"], cell.setting, printed)} for row in rows]
    # The null belongs in every table that has one of our systems
    tables = dict.fromkeys(printed.table(system, cell.setting) for system, *_ in cell.outputs)
    for row in (
        _accuracy(cell, [cell.copied.right], seed),
        _levenshtein(cell, [cell.copied], seed),
    ):
        rows += [row | {"system": COPY, "table": table} for table in tables]
    return [_EMPTY | row | {"condition": cell.condition} for row in rows]


def _table(system: str, setting: str, printed: Printed) -> str:
    return printed.table("oracle-e" if system == ENSEMBLE else system, setting)


def _oracles(cell: Cell, printed: Printed, seed: int) -> Iterator[dict]:
    yield {"system": "oracle-fc"} | _accuracy(cell, [cell.known], seed)
    if cell.different > 1:  # of one system, oracle-e would be that system
        over = f"over the {cell.different} systems run"
        yield {"system": ENSEMBLE} | _accuracy(cell, [cell.ensemble()], seed, over)
    if printed.value("oracle-e", cell.setting, cell.language) is not None:
        yield {"system": "oracle-e", "metric": "accuracy", "note": NOT_RECOMPUTABLE}


def _accuracy(cell: Cell, runs: Sequence[np.ndarray], seed: int, note: str = "") -> dict:
    right, lemma = np.concatenate(runs), np.tile(cell.lemma, len(runs))
    low, high = share_interval(right, np.ones(len(right), bool), lemma, seed=seed)
    return {
        "metric": "accuracy", "value": float(right.mean()), "low": low, "high": high,
        "n": len(cell.lemma), "runs": len(runs),
        "note": note or None,
    }  # fmt: skip


def _levenshtein(cell: Cell, runs: Sequence[Guesses], seed: int, note: str = "") -> dict:
    distance = np.concatenate([run.distance for run in runs])
    low = high = None
    if np.ptp(distance):  # the interval of a constant would have no width
        lemma = np.tile(cell.lemma, len(runs))
        low, high = cluster_bootstrap(distance, lemma, seed=seed)
    return {
        "metric": "levenshtein", "value": float(distance.mean()), "low": low, "high": high,
        "n": len(cell.lemma), "runs": len(runs),
        "note": note or None,
    }  # fmt: skip


def _flags(cell: Cell, output: Output) -> Iterator[str]:
    """The sign tests of the appendix; none against oracle-e unless two different systems ran."""
    right = cell.outputs[output].right
    if right.mean() > cell.known.mean() and mcnemar(right, cell.known) < ALPHA:
        yield "† better than oracle-fc"
    if cell.different > 1 and mcnemar(right, cell.ensemble(output)) >= ALPHA:
        yield f"‡ not different from oracle-e over the {cell.different} systems run"


# The best system of a language (Tables 9 and 10), learning curves, counts (Tables 2 and 3)


def _over_seeds(rows: Iterable[Mapping]) -> dict[tuple[str, str, str, str | None], Mapping]:
    """The accuracy of each language, setting, system and variant over all seeds."""
    found: dict[tuple[str, str, str, str | None], Mapping] = {}
    for row in rows:
        cell = cell_of(row["condition"])
        if not cell or row["metric"] != "accuracy" or row["value"] is None:
            continue
        key = (*reversed(cell), row["system"], row["variant"])
        if key not in found or row["runs"] > found[key]["runs"]:
            found[key] = row
    return {key: row for key, row in found.items() if key[2] not in (COPY, ENSEMBLE, "oracle-fc")}


def best_rows(rows: Iterable[Mapping], printed: Printed) -> list[dict]:
    """The best system run for each language and setting; the first of equals.

    It stands beside the printed one only where all systems that the paper chose from have run: the
    best of a few is another figure. Each system counts with its first variant, the default.
    """
    ran: dict[tuple[str, str], dict[str, Mapping]] = {}
    for (language, setting, system, _), row in _over_seeds(rows).items():
        ran.setdefault((language, setting), {}).setdefault(system, row)
    found = []
    for (language, setting), systems in ran.items():
        row = max(systems.values(), key=lambda row: row["value"])
        kept = {key: row[key] for key in ("value", "low", "high", "n", "runs")}
        whole = systems.keys() >= set(printed.competitors(setting, language))
        where = setting if whole else f"{setting}|{RUN}"
        named = {"system": language, "condition": where, "metric": "best_accuracy"}
        table = printed.summary_table("best_accuracy", language, setting)
        note = f"ours: {_named(row['system'], row['variant'])}"
        found.append(_EMPTY | kept | named | {"table": table, "note": note})
    return found


def _named(system: str, variant: str | None) -> str:
    return f"{system} ({variant})" if variant else system


def curves(rows: Iterable[Mapping]) -> list[dict]:
    """Accuracy from low to high, one row per language, system and variant."""
    found: dict[tuple, dict] = {}
    for (language, setting, system, variant), row in _over_seeds(rows).items():
        key = (language, system, variant or "")
        named = {"language": language, "system": system, "variant": variant}
        found.setdefault(key, named | dict.fromkeys(SETTINGS))[setting] = row["value"]
    return [found[key] for key in sorted(found)]


def count_rows(language: str, splits: Mapping[str, str | Path], printed: Printed) -> list[dict]:
    """The number of lemmata and forms in each split of a language."""
    found = []
    for split, path in splits.items():
        lemmas = read_parquet(path, ["lemma"])["lemma"]
        if len(lemmas):
            sizes = {"lemmata": len(lemmas.unique()), "forms": len(lemmas)}
            found += [{"condition": split, "metric": key, "value": sizes[key]} for key in sizes]
    if printed.value(language, "total", metric="forms") is not None:
        note = "not recomputable from the released samples"
        for metric in ("lemmata", "forms"):
            found.append({"condition": "total", "metric": metric, "note": note})
    place = {"system": language, "table": printed.summary_table("lemmata", language, "test")}
    return [_EMPTY | row | place for row in found]
