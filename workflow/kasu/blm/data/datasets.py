"""Write the dataset of each type: problems, splits, card, counts and drops (BLM-5 to -9)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.blm.data.names import SPLITS
from kasu.blm.data.problems import COLUMNS, PROBLEMS, Problems, load_problems
from kasu.blm.data.splits import same_train, split_problems
from kasu.blm.data.types import generate_type_i, generate_type_ii, generate_type_iii
from kasu.blm.generation.fills import Fills
from kasu.blm.generation.grammar import CLAUSES, VARIANTS
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.substitutions import Lexicon
from kasu.files.tables import write_counts, write_drops, write_parquet
from kasu.sources.cards import write_card

CITATION = (
    "An, Jiang, Rodriguez, Nastase & Merlo (2023). BLM-AgrF: A New French Benchmark to "
    "Investigate Generalization of Agreement in Neural Networks. EACL."
)
_SUMMARIES = {
    "type_I": "one vocabulary throughout",
    "type_II": "one word replaced",
    "type_III": "sentences resampled from type II",
}


def build_type_i(
    seeds: str | Path,
    folder: str | Path,
    *,
    settings: Mapping,
    language: str,
    sources: Sequence[Mapping[str, str]],
) -> None:
    """Write type I (BLM-2 to -5): the problems (PROBLEMS), their splits, card, counts and drops.

    Args:
        folder: receives problems, train, validation and test.parquet, README.md, counts.tsv and
            drops.tsv.
        settings: `variant` (list of VARIANTS), `capitals` (lower or keep), and those of
            `splits.split_problems`.
        language: language code of the seeds, for the card and for upper and lower case.
        sources: `name`, `licence` and `citation` of each source, for the card.

    Raises:
        KasuError: the seeds file is malformed, two candidates of a problem are equal, a split is
            empty or a setting is unknown.
    """
    problems = generate_type_i(
        read_seeds(seeds, settings["capitals"], language), _variants(settings)
    )
    _write(problems, folder, settings, language, sources, {})


def build_type_ii(
    seeds: str | Path,
    folder: str | Path,
    *,
    lexicon: Lexicon,
    fills: Fills,
    settings: Mapping,
    language: str,
    sources: Sequence[Mapping[str, str]],
) -> None:
    """Write type II (BLM-6): the same files as build_type_i.

    Args:
        lexicon: the lexicon of the seeds' language; locates the words to replace.
        fills: proposes replacements; drops.tsv counts those it rejected.
        settings: as in build_type_i, and `fill`: per_sentence or per_problem.

    Raises:
        KasuError: as in build_type_i; a word to replace is not found, or too few fills are.
    """
    problems = generate_type_ii(
        read_seeds(seeds, settings["capitals"], language),
        lexicon,
        fills,
        _variants(settings),
        settings["fill"],
    )
    _write(problems, folder, settings, language, sources, fills.rejected)


def split_by_seed(
    problems: str | Path,
    folder: str | Path,
    *,
    type_: str,
    settings: Mapping,
    language: str,
    sources: Sequence[Mapping[str, str]],
) -> None:
    """Write type I or II with other splits: the same files as build_type_i.

    Args:
        problems: problems.parquet of the type.
        settings: as in build_type_i.

    Raises:
        KasuError: the file is damaged, a split is empty or a setting is unknown.
    """
    _write(
        load_problems(problems, _variants(settings), type_),
        folder,
        settings,
        language,
        sources,
        {},
    )


def build_type_iii(
    type_ii: str | Path,
    folder: str | Path,
    *,
    settings: Mapping,
    language: str,
    sources: Sequence[Mapping[str, str]],
) -> None:
    """Write type III (BLM-7): the same files as build_type_i.

    Args:
        type_ii: problems.parquet of type II.
        settings: as in build_type_i, and `candidates`: shared or independent. Under `split:
            by_seed` sentences are resampled within each split (S-11).

    Raises:
        KasuError: the file is damaged, a setting is unknown, or there are too few problems to draw
            from.
    """
    source = load_problems(type_ii, _variants(settings), "type_II")
    parts = split_problems(source, settings) if settings["split"] == "by_seed" else None
    problems = generate_type_iii(source, settings["candidates"], settings["seed"], parts)
    _write(problems, folder, settings, language, sources, {})


def _variants(settings: Mapping) -> list[str]:
    variants = list(dict.fromkeys(settings["variant"]))
    if not variants or set(variants) - set(VARIANTS):
        raise KasuError("variant", repr(settings["variant"]), f"some of {', '.join(VARIANTS)}")
    return variants


def _write(
    problems: Problems,
    folder: str | Path,
    settings: Mapping,
    language: str,
    sources: Sequence[Mapping[str, str]],
    drops: Mapping[str, int],
) -> None:
    folder = Path(folder)
    split = split_problems(problems, settings)
    same = same_train(problems, split, settings)
    variants = _variants(settings)
    table = pa.concat_tables(
        problems.table(variant, settings["seed"], split, same) for variant in variants
    )
    write_parquet(folder / "problems.parquet", table, PROBLEMS)
    for name in SPLITS:
        write_parquet(
            folder / f"{name}.parquet", table.filter(pc.equal(table["split"], name)), PROBLEMS
        )
    write_counts(folder / "counts.tsv", _counts(problems, split, same))
    write_drops(folder / "drops.tsv", drops)
    write_card(
        folder / "README.md",
        title=f"Agreement matrices, {problems.type.replace('_', ' ')}",
        summary=f"Seven sentences and six candidates for the eighth; {_SUMMARIES[problems.type]}.",
        header={"language": [language], "task_categories": ["multiple-choice"]},
        sources=sources,
        splits=SPLITS,
        columns=COLUMNS,
        citation=CITATION,
    )


def _counts(problems: Problems, split: np.ndarray, same: np.ndarray) -> dict[str, int]:
    """Count the problems of one variant by clause and split, and the distinct sentences of all."""
    clauses = Counter(problems.clause.tolist())
    used = np.unique(np.concatenate([problems.context, *problems.candidates.values()], axis=1))
    return {
        "problems": len(problems),
        **{clause: clauses[at] for at, clause in enumerate(CLAUSES)},
        **{name: int((split == at).sum()) for at, name in enumerate(SPLITS)},
        **{f"same {name}": int((same == at).sum()) for at, name in enumerate(SPLITS[:2])},
        "distinct sentences": len(used),
        "distinct context sentences": len(np.unique(problems.context)),
    }
