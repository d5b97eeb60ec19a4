"""Does the number of tokens explain the scores? As the paper tests it, and with its slips mended.

The paper correlates log odds with numbers of tokens file by file and averages r and p (GEO-16).
Averaged p values are no p value. Here too: one r over all systems and sets, each centred, with a
permutation test that keeps the systems' scores of an item together.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from scipy.special import logsumexp
from scipy.stats import pearsonr

from kasu.minimal_sets.evaluation.cells import Cell, Cells, Group, mean_over_cells, several
from kasu.minimal_sets.released.paper import CASES, COUNTED_TWICE

CORRELATIONS = (
    "variant", "level", "system", "set", "grammatical", "tokens", "method", "r", "low", "high",
    "p", "files", "n", "note",
)  # fmt: skip
"""`tokens` are those of the right form (word) or of its sentence. `method` is one file, `as
published`, `pooled`, or `partial` (pooled, the other number of tokens held fixed)."""

KINDS = {"word": "form_tokens", "sentence": "sentence_tokens"}
FLOOR = 1e-12
DRAWS = 2000


def log_odds(cell: Cell) -> np.ndarray:
    """(items) Logarithm of p(right) over the sum of the wrong forms, each p raised by 1e-12."""
    raised = np.logaddexp(cell.scores, np.log(FLOOR))
    wrong = raised.copy()
    wrong[np.arange(len(cell)), cell.right] = -np.inf
    return cell.of_right(raised) - logsumexp(wrong, axis=1)


def _counts(cell: Cell, kind: str) -> np.ndarray:
    return cell.of_right(cell.units[KINDS[kind]])


def correlate(cell: Cell, kind: str) -> tuple[float, float] | None:
    """Pearson's r and p of one file; None where tokens are unknown or do not vary."""
    counts, odds = _counts(cell, kind), log_odds(cell)
    varied = len(counts) > 2 and np.ptp(counts) > 0 and np.ptp(odds) > 1e-9
    if np.isnan(counts).any() or not varied:
        return None
    found = pearsonr(odds, counts)
    return float(found.statistic), float(found.pvalue)


def list_correlations(cells: Cells, seed: int) -> list[dict]:
    """Rows of CORRELATIONS, of all cells at word level whose tokens are known."""
    rows = []
    gathered: dict[tuple, Cells] = {}
    for key, cell in cells.items():
        case = cell.case()
        if key.level != "word" or case is None:
            continue
        about = (key.variant, cell.collection, cell.values, case)
        gathered.setdefault(about, {})[key] = cell
        for kind in KINDS:
            if found := correlate(cell, kind):
                named = key._asdict() | {"grammatical": case, "tokens": kind, "method": "one file"}
                rows.append(named | dict(zip("rp", found, strict=True)) | _size([cell]))
    for (variant, collection, values, case), mine in gathered.items():
        named = {"variant": variant, "level": "word", "system": "all systems"}
        named |= {"set": several(collection, values, case), "grammatical": case}
        for kind in KINDS:
            rows += [named | {"tokens": kind} | row for row in _over_files(mine, kind, seed)]
    return rows


def _size(cells: list[Cell]) -> dict:
    return {"files": len(cells), "n": sum(map(len, cells))}


def _over_files(cells: Cells, kind: str, seed: int) -> Iterator[dict]:
    if found := average_as_published(cells, kind):
        yield found | {"method": "as published"}
    if known := known_tokens(cells, kind):
        yield {"method": "pooled"} | pool(known, kind, None, seed)
    other = next(each for each in KINDS if each != kind)
    if both := known_tokens(known, other):
        yield {"method": "partial"} | pool(both, kind, other, seed)


def known_tokens(cells: Cells, kind: str) -> Cells:
    """The cells whose numbers of tokens are known, of three items or more."""
    return {
        key: cell
        for key, cell in cells.items()
        if not np.isnan(_counts(cell, kind)).any() and len(cell) > 2
    }


def average_as_published(cells: Cells, kind: str) -> dict | None:
    """Means of r and of p over files, the intransitive ones counted twice (GEO-16)."""
    found, counted, skipped = [], [], 0
    for key, cell in cells.items():
        correlation = correlate(cell, kind)
        if correlation is None:
            skipped += 1
            continue
        times = 2 if key.set == COUNTED_TWICE else 1
        found += [correlation] * times
        counted.append(cell)
    if not found:
        return None
    r, p = np.mean(found, axis=0)
    note = "means of r and of p; a mean of p values is no p value"
    if len(found) > len(counted):
        note += f"; {COUNTED_TWICE} counts twice"
    if skipped:
        note += f"; {skipped} files without tokens or without variation left out"
    return {"r": float(r), "p": float(p), "note": note} | _size(counted)


def pool(cells: Cells, kind: str, held: str | None, seed: int) -> dict:
    """One correlation over all cells, each centred; sentences are resampled, items permuted.

    The permutation gives the token counts of an item, of all systems at once, to another item of
    its set, so that what systems have in common on an item is not counted as evidence.

    Args:
        held: another number of tokens, held fixed within each cell; None for none.
    """
    tokens, odds, sentences, exchanged = [], [], [], []
    for mine in _by_set(cells):
        common = sorted(set.intersection(*(set(cell.items) for cell in mine)))
        parts = [cell.take(np.isin(cell.items, common)) for cell in mine]
        x = np.stack([_residual(part, _counts(part, kind), held) for part in parts])
        y = np.stack([_residual(part, log_odds(part), held) for part in parts])
        tokens.append(x.ravel())
        odds.append(y.ravel())
        sentences.append(np.tile(parts[0].sentences, len(parts)))
        exchanged.append((x, y))
    x, y, sentence = map(np.concatenate, (tokens, odds, sentences))
    size = {"files": len(cells), "n": len(x), "note": "each file centred"}
    scale = float(np.sqrt((x @ x) * (y @ y)))
    if scale == 0:
        return size | {"r": None, "low": None, "high": None, "p": None}
    low, high = _resample(x, y, sentence, seed)
    return size | {
        "r": float(x @ y) / scale, "low": low, "high": high, "p": _permute(exchanged, seed)
    }  # fmt: skip


def _by_set(cells: Cells) -> list[list[Cell]]:
    sets: dict[str, list[Cell]] = {}
    for key, cell in cells.items():
        sets.setdefault(key.set, []).append(cell)
    return list(sets.values())


def _residual(cell: Cell, values: np.ndarray, held: str | None) -> np.ndarray:
    centred = values - values.mean()
    if held is None:
        return centred
    other = _counts(cell, held)
    other = other - other.mean()
    scale = other @ other
    return centred - other * (centred @ other / scale) if scale else centred


def _resample(
    x: np.ndarray, y: np.ndarray, sentences: np.ndarray, seed: int, draws: int = 1000
) -> tuple[float, float]:
    _, index = np.unique(sentences, return_inverse=True)
    sums = np.stack([np.bincount(index, products) for products in (x * y, x * x, y * y)], axis=1)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), draws) @ sums
    scale = np.sqrt(drawn[:, 1] * drawn[:, 2])
    r = drawn[scale > 0, 0] / scale[scale > 0]
    low, high = np.quantile(r, [0.025, 0.975])
    return float(low), float(high)


def _permute(exchanged: list[tuple[np.ndarray, np.ndarray]], seed: int) -> float:
    """Two-sided p; the observed order counts as one of the draws.

    Args:
        exchanged: for each set, its counts and its odds, (systems, items) both.
    """
    generator = np.random.default_rng(seed)
    observed = abs(sum(float((x * y).sum()) for x, y in exchanged))
    drawn = np.zeros(DRAWS)
    for x, y in exchanged:
        items = np.arange(x.shape[1])
        for draw in range(DRAWS):
            drawn[draw] += np.vdot(x[:, generator.permuted(items)], y)
    return float((1 + (np.abs(drawn) >= observed * (1 - 1e-9)).sum()) / (1 + DRAWS))


def printed_tokenisation(group: Group, seed: int) -> Iterator[dict]:
    """The figures of section 7.4, where all of their sets and tokens are there."""
    if group.level != "word":
        return
    for system in group.systems:
        mine = {key: cell for key, cell in group.cells.items() if key.system == system}
        if Group(group.variant, "word", mine, (system,)).complete():
            yield from _mean_tokens(system, mine, seed)
    for case in CASES:
        cells = group.of_case(case)
        for kind in KINDS if group.complete(case) else ():
            found = average_as_published(cells, kind)
            if not found or found["files"] < len(cells):
                continue
            named = {"system": "mean over models and tasks", "condition": f"word-level|{case}"}
            named |= {"n": found["n"], "note": found["note"]}
            yield named | {"metric": f"pearson_r_{kind}_tokens", "value": found["r"]}
            yield named | {"metric": f"p_{kind}_tokens", "value": found["p"]}


def _mean_tokens(system: str, cells: Mapping, seed: int) -> Iterator[dict]:
    counts = [_counts(cell, "word") for cell in cells.values()]
    if any(np.isnan(found).any() for found in counts):
        return
    counted, sentences = np.concatenate(counts), [cell.sentences for cell in cells.values()]
    _, low, high = mean_over_cells([(counted, np.concatenate(sentences))], seed)
    yield {
        "system": system, "condition": "target word", "metric": "mean_tokens",
        "value": float(counted.mean()), "low": low, "high": high, "n": len(counted),
        "note": "of the right form, over all items",
    }  # fmt: skip
