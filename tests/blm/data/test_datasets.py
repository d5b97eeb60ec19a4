"""Datasets split again by lexical seed (S-11)."""

from pathlib import Path

from kasu.blm.data.datasets import build_type_i, split_by_seed
from kasu.files.tables import read_parquet

SEEDS = Path(__file__).resolve().parents[3] / "resources" / "seeds" / "eng.tsv"
RANDOM = {
    "variant": ["released", "paper"], "capitals": "lower", "split": "random", "test": 0.1,
    "validation": 0.2, "seed": 1, "fold": None, "folds": None,
}  # fmt: skip
FOLD = {**RANDOM, "split": "by_seed", "fold": 2, "folds": 4}
CARD = {
    "language": "en",
    "sources": [{"name": "seeds", "licence": "not stated", "citation": "none"}],
}


def test_splitting_again_equals_splitting_when_built(tmp_path):
    built, again = tmp_path / "built", tmp_path / "again"
    build_type_i(SEEDS, built, settings=FOLD, **CARD)
    build_type_i(SEEDS, tmp_path / "random", settings=RANDOM, **CARD)
    problems = tmp_path / "random" / "problems.parquet"
    split_by_seed(problems, again, type_="type_I", settings=FOLD, **CARD)
    files = sorted(path.name for path in built.iterdir())
    assert len(files) == 7
    for name in files:
        assert (again / name).read_bytes() == (built / name).read_bytes(), name
    tested = read_parquet(again / "test.parquet", ["seed"])["seed"].to_pylist()
    trained = read_parquet(again / "train.parquet", ["seed"])["seed"].to_pylist()
    assert len(set(tested)) == 2
    assert not set(tested) & set(trained)
