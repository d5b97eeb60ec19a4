"""Minimal pairs: the paper's three examples, BLiMP's fields, real counts, bad input."""

import json
from pathlib import Path

import pytest
import yaml

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv
from kasu.pretraining.data.pairs import FIELDS, PAIRS, REORDERED, make_pairs

ROOT = Path(__file__).resolve().parents[3]
TYPES = {"E1: Deklinabidea": "E1", "E2: Aditza": "E2", "E3: Egitura eta ordena": "E3"}
# Table 2 of the paper
EXAMPLES = [
    ("Ni oso pozik nago.", "Nik oso pozik nago.", "E1: Deklinabidea", "A"),
    ("Nik dauzkat zure autoaren giltzak.", "Nik daukat zure autoaren giltzak.", "E2: Aditza", "B"),
    ("Balkoitik oso bista ederra daukat.", "Balkoitik oso ederra bista daukat.",
     "E3: Egitura eta ordena", "C"),
]  # fmt: skip


def write_lines(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def examples(path: Path) -> Path:
    names = ("sentence_good", "sentence_bad", "type", "level")
    return write_lines(path, [dict(zip(names, row, strict=True)) for row in EXAMPLES])


def make(source: Path, folder: Path, **settings) -> tuple[list[dict], dict, dict]:
    out, counts, drops = (folder / name for name in ("p.parquet", "counts.tsv", "drops.tsv"))
    make_pairs(source, out, counts, drops, **settings)
    counted = {row["step"]: int(row["count"]) for row in read_tsv(counts)}
    dropped = {row["reason"]: int(row["count"]) for row in read_tsv(drops)}
    return read_parquet(out).to_pylist(), counted, dropped


def test_examples_of_the_paper(tmp_path):
    rows, counts, drops = make(examples(tmp_path / "p.jsonl"), tmp_path, types=TYPES)
    assert list(rows[0]) == PAIRS.names
    assert [(row["item_id"], row["type"], row["level"]) for row in rows] == [
        ("1", "E1", "A"), ("2", "E2", "B"), ("3", "E3", "C"),
    ]  # fmt: skip
    assert counts["pairs E2 B"] == 1 and counts["pairs in all"] == 3 and drops == {}


def test_fields_of_blimp(tmp_path):
    row = {"sentence_good": "Who left?", "sentence_bad": "Who leave?", "field": "syntax",
           "UID": "wh_agreement"}  # fmt: skip
    rows, _, _ = make(
        write_lines(tmp_path / "p.jsonl", [row]), tmp_path, fields={"type": "field", "level": "UID"}
    )
    assert (rows[0]["type"], rows[0]["level"]) == ("syntax", "wh_agreement")


def test_equal_and_empty_halves_are_dropped_and_item_ids_stay_line_numbers(tmp_path):
    pair = {"sentence_good": "Bai.", "type": "t"}
    lines = [pair | {"sentence_bad": bad} for bad in ("Bai.", "Ez.", " ")]
    source = write_lines(tmp_path / "p.jsonl", lines)
    rows, _, drops = make(source, tmp_path, fields={"level": ""})
    assert [row["item_id"] for row in rows] == ["2"]
    assert drops == {"equal halves": 1, "an empty sentence": 1}


def test_paper_config_reads_a_line_of_each_file(tmp_path):
    """The reordered and the segmented file have no level."""
    sentences = {"sentence_good": "Gizona etorri da.", "sentence_bad": "Gizonak etorri da."}
    again = {
        "sentence_good_reorder": "Etorri da gizona.",
        "sentence_bad_reorder": "Etorri da gizonak.",
    }
    kind = {"type": "E1: Deklinabidea"}
    forms = {
        "bl2mp": sentences | kind | {"level": "A"},
        "bl2mp-reorder": sentences | again | kind,
        "bl2mp-released-segmentation": sentences | kind,
    }
    config = yaml.safe_load((ROOT / "config" / "paper.yaml").read_text())
    for entry in config["pretraining"]["pairs"]:
        settings = {key: entry[key] for key in ("fields", "types", "levels") if key in entry}
        source = write_lines(tmp_path / "p.jsonl", [forms.pop(entry["name"])])
        rows, _, _ = make(source, tmp_path, **settings)
        assert rows[0]["type"] == "E1"
    assert not forms


def test_second_word_order(tmp_path):
    # section 5.4 of the paper
    row = {
        "sentence_good": "Katuak sagua jan zuen.", "sentence_bad": "Katuak sagua jan zen.",
        "sentence_good_reorder": "Sagua katuak jan zuen.",
        "sentence_bad_reorder": "Sagua katuak jan zen.", "type": "E2: Aditza", "level": "A",
    }  # fmt: skip
    fields = FIELDS | {
        "good_reorder": "sentence_good_reorder", "bad_reorder": "sentence_bad_reorder"
    }  # fmt: skip
    rows, _, _ = make(write_lines(tmp_path / "p.jsonl", [row]), tmp_path, fields=fields)
    assert list(rows[0]) == REORDERED.names
    assert rows[0]["sentence_bad_reorder"] == "Sagua katuak jan zen."


def test_near_copies_share_their_source(tmp_path):
    lines = [
        {"sentence_good": f"{name} etorri da 201{n}an.", "sentence_bad": "x", "type": "t"}
        for n, name in enumerate(("Ane", "Jon"))
    ]
    source = write_lines(tmp_path / "p.jsonl", lines)
    rows, counts, _ = make(source, tmp_path, fields={"level": ""})
    assert rows[0]["source_id"] == rows[1]["source_id"]
    assert counts["source sentences"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentence_bad": None}, "p.jsonl:2, field 'sentence_bad': None; expected a string"),
        ({"type": "E4"}, "p.jsonl:2, type: 'E4'; expected 'E1: Deklinabidea', "),
        ({"level": "D"}, "p.jsonl:2, level: 'D'; expected 'A', 'B', 'C'"),
    ],
)
def test_bad_fields_are_reported_with_their_line(tmp_path, change, message):
    source = examples(tmp_path / "p.jsonl")
    lines = [json.loads(line) for line in source.read_text().splitlines()]
    lines[1] |= change
    with pytest.raises(KasuError) as error:
        make(
            write_lines(source, lines), tmp_path, types=TYPES, levels={"A": "A", "B": "B", "C": "C"}
        )
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no pair in 0 lines"),
        (b"\x89PNG\xff", "invalid UTF-8"),
        (b"PK\x03\x04", "p.jsonl:1: invalid JSON"),
        (b"[1]\n", "p.jsonl:1: list; expected one object per line"),
    ],
)
def test_files_without_pairs(tmp_path, content, message):
    (tmp_path / "p.jsonl").write_bytes(content)
    with pytest.raises(KasuError, match=r"p\.jsonl") as error:
        make(tmp_path / "p.jsonl", tmp_path)
    assert message in str(error.value)


def test_missing_file_and_unknown_field(tmp_path):
    with pytest.raises(KasuError, match="No such file"):
        make(tmp_path / "none.jsonl", tmp_path)
    with pytest.raises(KasuError, match="fields: 'wrong'"):
        make(examples(tmp_path / "p.jsonl"), tmp_path, fields={"wrong": "x"})


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"good": ""}, "fields, good: no name; expected a field of the file"),
        (
            {"bad_reorder": "again"},
            "fields: one half of the other order; expected good_reorder and bad_reorder",
        ),
    ],
)
def test_halves_without_a_field(tmp_path, fields, line):
    with pytest.raises(KasuError, match=line):
        make(examples(tmp_path / "p.jsonl"), tmp_path, fields=fields)


@pytest.mark.real
def test_two_thirds_of_bl2mp(tmp_path, mirror):
    source = mirror / "papers/bl2mp/bl2mp.twothirds.jsonl"
    rows, counts, drops = make(source, tmp_path, types=TYPES)
    cells = {key: count for key, count in counts.items() if key.startswith("pairs E")}
    assert cells == {
        "pairs E1 A": 139, "pairs E1 B": 105, "pairs E1 C": 134,
        "pairs E2 A": 134, "pairs E2 B": 140, "pairs E2 C": 124,
        "pairs E3 A": 123, "pairs E3 B": 127, "pairs E3 C": 118,
    }  # fmt: skip
    assert (len(rows), counts["repeated pairs"], drops) == (1144, 0, {})


@pytest.mark.real
def test_two_thirds_of_the_segmented_file(tmp_path, mirror):
    source = mirror / "papers/bl2mp/bl2mp_type_lemma.twothirds.jsonl"
    rows, _, drops = make(source, tmp_path, types=TYPES, fields={"level": ""})
    assert len(rows) == 1132
    assert drops == {"equal halves": 11, "an empty sentence": 1}


def test_counts_of_lines_repetitions_and_kinds(tmp_path):
    one = {"sentence_good": "bai da.", "sentence_bad": "ez da.", "type": "t"}
    two = one | {"sentence_good": "hala da."}
    source = tmp_path / "p.jsonl"
    lines = [json.dumps(row) for row in (one, one, two)]
    source.write_text("\n".join([lines[0], "", *lines[1:], ""]))
    rows, counts, _ = make(source, tmp_path, fields={"level": ""})
    # blank lines have numbers, but are no lines of pairs
    assert [row["item_id"] for row in rows] == ["1", "3", "4"]
    assert counts == {
        "lines": 3, "pairs in all": 3, "pairs t": 3, "repeated pairs": 1, "source sentences": 2,
    }  # fmt: skip


def test_halves_that_are_equal_in_the_second_order_only_are_dropped(tmp_path):
    fields = {"good_reorder": "g", "bad_reorder": "b", "type": "", "level": ""}
    pair = {"sentence_good": "x y", "sentence_bad": "x z"}
    orders = [("y x", "z x"), ("y x", "y x"), ("y x", "")]
    lines = [pair | {"g": good, "b": bad} for good, bad in orders]
    rows, counts, drops = make(write_lines(tmp_path / "p", lines), tmp_path, fields=fields)
    assert [row["item_id"] for row in rows] == ["1"]
    assert drops == {"equal halves in the other order": 1, "an empty sentence": 1}
    assert counts["pairs"] == 1


def test_the_licence_is_that_of_the_file_or_null(tmp_path):
    source = examples(tmp_path / "p.jsonl")
    assert {row["licence"] for row in make(source, tmp_path)[0]} == {None}
    assert {row["licence"] for row in make(source, tmp_path, licence="CC0-1.0")[0]} == {"CC0-1.0"}
