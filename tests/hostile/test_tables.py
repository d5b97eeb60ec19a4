"""Tables and lists that are bad or hostile: files.tsv has the content and the outcome of each."""

import ast
from pathlib import Path

import pytest

from kasu.blm.generation.seeds import COLUMNS as SEEDS
from kasu.blm.generation.seeds import read_seeds
from kasu.blm.generation.substitutions import read_lexicon
from kasu.cloze.data.sentences import read_training, read_uncovered
from kasu.corpora.paradigms.frequencies import read_frequencies
from kasu.corpora.paradigms.unimorph import read_paradigms
from kasu.corpora.texts.sentences import LineFormat, read_lines
from kasu.corpora.treebanks.treebank import read_conllu
from kasu.files.tables import read_parquet
from kasu.inflection.data.triples import read_triples
from kasu.lm.scoring.items import read_items
from kasu.pretraining.data.pairs import make_pairs
from kasu.sources.registry import read_registry

HERE = Path(__file__).resolve().parent
REGISTRY = "name\tpath\turl\tbytes\tsha256\tchecksums\tlicence\tcitation"
SOURCE = dict.fromkeys(REGISTRY.split("\t"), "") | {
    "name": "n", "path": "p/x", "url": "https://e.example/x", "licence": "CC0", "citation": "c",
}  # fmt: skip


def paradigms(path):
    cells, drops = read_paradigms(path)
    return len(cells), dict(drops)


def outputs(path):
    return [path.parent / name for name in ("out.parquet", "counts.tsv", "drops.tsv")]


def json_lines(path):
    read_lines(path, *outputs(path), source="t", form=LineFormat("eu", fields=["text"]))
    return read_parquet(outputs(path)[0])["text"].to_pylist()


def pairs(path):
    make_pairs(path, *outputs(path))
    return read_parquet(outputs(path)[0])["sentence_good"].to_pylist()


# What a reader is called in files.tsv, the file that it is given, and what it finds
READERS = {
    "cloze training": ("c.tsv", lambda path: sum(map(len, read_training(path)))),
    "cloze test": (
        "c.tsv",
        lambda path: [word.plausible for words in read_uncovered(path) for word in words],
    ),
    "triples": ("low", lambda path: len(read_triples(path))),
    "paradigms": (
        "eus",
        lambda path: (len(read_paradigms(path)[0]), dict(read_paradigms(path)[1])),
    ),
    "frequencies": ("f.txt", lambda path: dict(read_frequencies(path, ["etxe"]).counts)),
    "seeds": ("s.tsv", lambda path: len(read_seeds(path))),
    "lexicon": ("l.tsv", lambda path: read_lexicon(path) and "a lexicon"),
    "JSON lines": ("t.jsonl", json_lines),
    "pairs": ("p.jsonl", pairs),
    "treebank": ("t.conllu", lambda path: len(list(read_conllu(path)))),
    "items.jsonl": ("i.jsonl", lambda path: [item.sentence for item in read_items(path)]),
    "items.tsv": ("i.tsv", lambda path: [item.sentence for item in read_items(path)]),
    "items.parquet": ("i.parquet", lambda path: [item.sentence for item in read_items(path)]),
    "registry": ("s.tsv", lambda path: sorted(read_registry(path))),
}


def write(path, content):
    """Write bytes, text, or the cells in which a row of a sound table is changed."""
    if isinstance(content, dict):
        sound = SOURCE if set(content) <= set(SOURCE) else {name: name for name in SEEDS}
        rows = (sound.keys(), (sound | content).values())
        content = "".join("\t".join(row) + "\n" for row in rows)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


CASES = [row.split("\t") for row in (HERE / "files.tsv").read_text().splitlines()[1:]]


@pytest.mark.parametrize(("reader", "content", "outcome"), CASES)
def test_it_ends_as_stated(tmp_path, line, reader, content, outcome):
    name, read = READERS[reader]
    path = write(tmp_path / name, ast.literal_eval(content))
    if outcome.startswith("read: "):
        assert repr(read(path)) == outcome.removeprefix("read: ")
    else:
        assert line(read, path) == f"DIR/{name}{outcome}"


LONG = [
    ("cloze training", "a\ta\tN;" + "X" * 500_000 + "\n", 1),
    ("cloze test", "a/" * 100_000 + "a\ta\t_\n", [("a",) * 100_001]),
    ("paradigms", "a\tb\tV." + "a" * 500_000 + "\n", (1, {})),
    ("triples", "a" * 500_000 + "\tb\tN\n", 1),
    ("items.tsv", "sentence_a\n" + "a" * 100_000 + "\n", ["a" * 100_000]),
]


@pytest.mark.parametrize("case", range(len(LONG)))
def test_a_long_cell_is_read(tmp_path, case):
    reader, content, expected = LONG[case]
    name, read = READERS[reader]
    assert read(write(tmp_path / name, content)) == expected


def test_a_folder_is_no_parquet(tmp_path, line):
    (tmp_path / "a.parquet").mkdir()
    assert (
        line(read_parquet, tmp_path / "a.parquet")
        == "DIR/a.parquet: a folder; expected a parquet file"
    )
