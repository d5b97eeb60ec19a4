"""Scores of a model beside the nulls: what it knows beyond the best one."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from kasu.audits.data.findings import MODEL, Finding
from kasu.audits.data.items import Benchmark
from kasu.base.errors import KasuError
from kasu.files.tables import ParquetReader, read_parquet
from kasu.lm.scoring.clusters import SEED, interval
from kasu.results.statistics import compare_paired, tied, worth

_COLUMNS = ["item_id", "column", "definition", "log_probability"]
_SIZE = "characters"  # of the text that was scored; one's own scores may lack it


def read_scores(path: Path, benchmark: Benchmark) -> dict[str, np.ndarray]:
    """Read scores, as `kasu score` writes them; return (items, options) for each definition.

    The columns of options are those of the benchmark; of multiple choice candidate_1 and so on.

    Raises:
        KasuError: the file cannot be read, has scores of other items or of texts with other numbers
            of characters than the benchmark, or has a score twice.
    """
    table = read_parquet(path, _COLUMNS)
    sized = _SIZE in ParquetReader(path).schema.names
    sizes = read_parquet(path, [_SIZE])[_SIZE].to_pylist() if sized else [None] * table.num_rows
    items = {name: at for at, name in enumerate(benchmark.names)}
    columns = {name: at for at, name in enumerate(benchmark.columns)}
    found: dict[str, np.ndarray] = {}
    for item, column, definition, score, size in zip(
        *(table[name].to_pylist() for name in _COLUMNS), sizes, strict=True
    ):
        if item not in items:
            raise KasuError(
                f"{path}: item {item}", f"not in {benchmark.path}", "scores of its items"
            )
        if column in columns:  # others are of further pairs
            of = found.setdefault(str(definition), np.full((len(items), len(columns)), np.nan))
            place = at, option = items[item], columns[column]
            # A form by itself, or the sentence with it
            of_both = (benchmark.strings, benchmark.options)
            lengths = sorted({len(texts[at][option]) for texts in of_both})
            if size is not None and size not in lengths:
                expected = f"{' or '.join(map(str, lengths))}, as in {benchmark.path}"
                found_size = f"a score of {column} with {size} characters"
                raise KasuError(f"{path}: item {item}", found_size, expected)
            if not np.isnan(of[place]):
                found_twice = f"{definition} of {column} a second time"
                raise KasuError(f"{path}: item {item}", found_twice, "each score once")
            of[place] = score
    if not found:
        raise KasuError(path, "no scores", f"scores of {', '.join(benchmark.columns)}")
    for scores in found.values():
        if len(lacking := np.flatnonzero(np.isnan(scores).any(axis=1))):
            item, expected = benchmark.names[lacking[0]], "scores of all options"
            if np.isnan(scores[lacking[0]]).all():
                expected += f"; take items that --too-long drop left out from {benchmark.path}, too"
            raise KasuError(f"{path}: item {item}", "not scored", expected)
    return found


def model_worths(
    files: Sequence[Path], benchmark: Benchmark, names: Sequence[str] = ()
) -> dict[str, np.ndarray]:
    """Return what each item is worth to each model, by name and definition; see `read_scores`.

    Args:
        names: of the models; by default those of the files.
    """
    found: dict[str, np.ndarray] = {}
    names = names or [path.name.removesuffix(".parquet").removesuffix(".scores") for path in files]
    for model, path in zip(names, files, strict=True):
        for definition, scores in read_scores(path, benchmark).items():
            name = f"{model}, {definition}"
            if name in found:
                raise KasuError(path, f"a second {name!r}", "files of different names")
            found[name] = worth(scores, benchmark.right)
    return found


def judge_models(
    benchmark: Benchmark,
    models: Mapping[str, np.ndarray],
    null: str,
    of_null: np.ndarray,
) -> Iterator[Finding]:
    """Yield, for each model: its share, by how much that is beyond a null, its share where it errs.

    Args:
        models: by name, what the items are worth to it.
        null: the name of the best null.
        of_null: what the items are worth to that.
    """
    wrong = of_null == 0
    for name, values in models.items():
        yield _share(benchmark, name, values, np.ones(len(values), bool))
        both = compare_paired(values, of_null, benchmark.clusters, metric="share", seed=SEED)
        test, p = "permutation", both["permutation_p"]
        yield Finding(
            MODEL, f"{name}, beyond {null}", len(values), share=both["difference"],
            low=both["low"], high=both["high"], says=f"{test} p {p:.2g}",
        )  # fmt: skip
        if wrong.any():
            yield _share(benchmark, f"{name}, where {null} is wrong", values, wrong)
        for group, members in benchmark.groups.items():
            yield _share(benchmark, name, values, members, group)


def _share(
    benchmark: Benchmark,
    name: str,
    values: np.ndarray,
    members: np.ndarray,
    group: str | None = None,
) -> Finding:
    mine = values[members]
    low, high = interval(mine, benchmark.clusters[members])
    return Finding(
        MODEL, name, len(mine), group, share=float(mine.mean()), low=low, high=high,
        ties=int(tied(mine).sum()),
    )  # fmt: skip
