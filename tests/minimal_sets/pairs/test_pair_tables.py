"""Tables of agreement pairs: yields beside print, nulls, models, the audit of released files."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv
from kasu.minimal_sets.models.predictions import PREDICTIONS
from kasu.minimal_sets.pairs.audit import Ground, audit
from kasu.minimal_sets.pairs.columns import AGREEMENT, POOL, SCHEMA
from kasu.minimal_sets.pairs.design import NULLS
from kasu.minimal_sets.pairs.released import read_printed, read_released
from kasu.minimal_sets.pairs.tables import nulls, tabulate_pairs

ROW = {
    "set": "t-multiblimp", "sentence_id": "a", "phenomenon": "SV-#", "right_value": "SG",
    "wrong_value": "PL", "attractors": 0, "distance": 1, "nearest": "SG", "right_tokens": 5,
    "wrong_tokens": 2,
    "form_right": "sleeps", "form_wrong": "sleep", "sen": "cat sleeps", "wrong_sen": "cat sleep",
    "licence": "CC BY-SA 4.0", "condition": "SG PL SV verb", "grammatical": "right",
}  # fmt: skip
OTHER = ROW | {
    "sentence_id": "b", "right_value": "PL", "wrong_value": "SG", "attractors": 1, "distance": 7,
    "nearest": None,
    "form_right": "sleep", "form_wrong": "sleeps", "sen": "cats sleep", "wrong_sen": "cats sleeps",
    "licence": "CC BY-NC-SA 4.0",
}  # fmt: skip


def test_nulls():
    found = nulls([ROW, ROW, OTHER])
    assert list(found) == list(NULLS)
    assert {name: worths.tolist() for name, worths in found.items()} == {
        "commoner value": [1, 1, 0],
        "more frequent form": [1, 1, 1],
        "shorter form": [0, 0, 1],
        "nearest noun": [1, 1, 0.5],
    }


@given(st.lists(st.sampled_from([ROW, OTHER]), min_size=1, max_size=8))
def test_swapping_right_and_wrong_turns_every_null_but_the_commoner_value(rows):
    def swapped(row):
        pairs = (
            ("right_tokens", "wrong_tokens"),
            ("form_right", "form_wrong"),
            ("right_value", "wrong_value"),
        )
        return row | {a: row[b] for pair in pairs for a, b in (pair, pair[::-1])}

    one, two = nulls(rows), nulls(list(map(swapped, rows)))
    for name in NULLS[1:]:
        assert (one[name] + two[name]).tolist() == [1] * len(rows)


def write_set(folder, rows):
    rows = [row | {"item_id": str(at)} for at, row in enumerate(rows)]
    table = pa.Table.from_pylist(rows, SCHEMA)
    pq.write_table(table, folder / "items.parquet")
    return folder / "items.parquet"


def write_table(path, header, rows=()):
    path.write_text(
        "\n".join(["\t".join(header), *("\t".join(row) for row in rows)]) + "\n", "utf-8"
    )
    return path


def prediction(item, value, log_probability):
    return {
        "set": "t-multiblimp", "item_id": item, "system": "gpt", "definition": "causal_released",
        "value": value, "grammatical": value == "right", "log_probability": log_probability,
    }  # fmt: skip


def test_tables_stand_beside_print_and_nulls(tmp_path):
    # The third is too long for the model, and counts for the nulls alone
    items = write_set(tmp_path, [ROW, OTHER, ROW | {"sentence_id": "c"}])
    rows = [prediction("0", "right", -1.0), prediction("0", "wrong", -2.0),
            prediction("1", "right", -2.0), prediction("1", "wrong", -1.0)]  # fmt: skip
    predictions = tmp_path / "gpt.parquet"
    pq.write_table(pa.Table.from_pylist(rows, PREDICTIONS), predictions)
    tables = {name: tmp_path / f"{name}.tsv" for name in ("agreement", "pairs", "pair_scores")}
    pool = write_table(tmp_path / "pool.tsv", POOL, [("SV-#", "cat sleeps", "cat sleep")])
    tabulate_pairs(
        {"t-multiblimp": items},
        [write_table(tmp_path / "one.tsv", AGREEMENT)],
        [predictions],
        [released(tmp_path, "bor", [row_of(), row_of(sen="other", wrong_sen="others")])],
        {"t-multiblimp": pool},
        languages={"t-multiblimp": "bor"},
        rules={"t-multiblimp": "multiblimp"},
        in_print={"t-multiblimp"},
        seed=1,
        tables=tables,
    )
    pairs = read_tsv(tables["pairs"])
    first = pairs[0]
    told = (
        "phenomenon",
        "pairs",
        "sentences",
        "printed",
        "difference",
        "released",
        "found",
        "licence",
    )
    assert [first[name] for name in told] == [
        "all", "3", "3", "241", "-238", "2", "1", "CC BY-NC-SA 4.0"
    ]  # fmt: skip
    # Empty phenomena stay, with 0
    assert [(row["phenomenon"], row["pairs"]) for row in pairs[1:]] == [
        ("SV-#", "3"), ("SV-P", "0"), ("SV-G", "0"), ("SP-#", "0"), ("SP-P", "0"), ("SP-G", "0")
    ]  # fmt: skip
    scores = {
        (row["phenomenon"], row["group"], row["system"]): float(row["share"])
        for row in read_tsv(tables["pair_scores"])
    }
    assert scores["SV-#", "", "gpt"] == 0.5
    assert (scores["SV-#", "1 or more", "gpt"], scores["SV-#", "0", "gpt"]) == (0, 1)
    assert (scores["SV-#", "7 or more", "gpt"], scores["SV-#", "1", "gpt"]) == (0, 1)
    assert scores["all", "", "nearest noun"] == pytest.approx(2.5 / 3)
    judged = {row["system"]: row["pairs"] for row in read_tsv(tables["pair_scores"])[:5]}
    assert (judged["gpt"], judged["nearest noun"]) == ("2", "3")


def test_print_by_either_code():
    assert read_printed("en") == read_printed("eng")
    assert read_printed("en").pairs["SV-P", "3 1 VS verb"] == 28
    assert read_printed("xx") is None


HEADER = (
    "sen", "wrong_sen", "lang", "phenomenon", "grammatical_feature", "ungrammatical_feature", "wo",
    "inflect_item", "head", "head_idx", "cop", "cop_idx", "child", "child_idx", "swap_head",
    "num_incongruent_attractors", "metadata",
)  # fmt: skip


def row_of(**cells):
    text = cells.pop("text", "cat sleeps")
    about = {"sent_id": "s", "text": text, "treebank": "UD_X/other.conllu"}
    row = {
        "sen": "cat sleeps", "wrong_sen": "cat sleep", "lang": "eng", "phenomenon": "SV-#",
        "grammatical_feature": "SG", "ungrammatical_feature": "PL", "wo": "SV",
        "inflect_item": "verb", "head": "sleeps", "head_idx": "1", "cop": "", "cop_idx": "",
        "child": "cat", "child_idx": "0", "swap_head": "sleep", "num_incongruent_attractors": "0",
        "metadata": repr(about),
    }  # fmt: skip
    return row | cells


def released(folder, language, rows):
    path = folder / "data.tsv"
    lines = [[row["lang"] and (row | {"lang": language})[name] for name in HEADER] for row in rows]
    return write_table(path, HEADER, lines)


def audited(tmp_path, rows, ground=None):
    out = tmp_path / "audit.tsv", tmp_path / "items.tsv"
    audit([released(tmp_path, "eng", rows)], {"en": ground} if ground else {}, *out)
    return {
        row["fault"]: (int(row["rows"]), int(row["of"]))
        for row in read_tsv(out[0]) if row["phenomenon"] == "all"
    }, read_tsv(out[1])  # fmt: skip


def test_the_columns_show_faults(tmp_path):
    rows = [
        row_of(),
        row_of(),
        row_of(text="cat's asleep"),
        row_of(head="have", swap_head="'ve", wrong_sen="a"),
        row_of(head="is", swap_head="'m", wrong_sen="b"),
        row_of(swap_head="sleep1", wrong_sen="c"),
        row_of(cop="Does", cop_idx="0", inflect_item="aux", wrong_sen="d", head="Does"),
        row_of(head_idx="0", child_idx="1", wrong_sen="e", grammatical_feature="PL"),
    ]
    counts, items = audited(tmp_path, rows)
    assert {fault: count for fault, (count, _) in counts.items()} == {
        "MB-1": 1, "MB-2": 1, "MB-4": 2, "MB-6": 1, "MB-9": 1, "MB-11": 7, "MB-12": 8, "MB-14": 1
    }  # fmt: skip
    assert {of for _, of in counts.values()} == {8}
    assert [(row["line"], row["found"]) for row in items if row["fault"] == "MB-6"] == [
        ("5", "'ve")
    ]


def test_the_treebank_shows_more(tmp_path, write_treebank):
    sing = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
    past = "Mood=Ind|Tense=Past|VerbForm=Fin"
    noun, verb = ("cat", "cat", "NOUN", "Number=Sing"), ("costs", "cost", "VERB", sing)
    dogs = ("dogs", "dog", "NOUN", "Number=Plur", 1, "nmod")
    path = write_treebank(
        {
            "s": [(*noun, 3, "nsubj"), dogs, (*verb, 0, "root")],
            "past": [(*noun, 2, "nsubj"), ("cost", "cost", "VERB", past, 0, "root")],
            "pl": [("cats", "cat", "NOUN", "Number=Plur", 2, "nsubj"),
                   ("cost", "cost", "VERB", sing.replace("Sing", "Plur"), 0, "root")],
        }
    )  # fmt: skip
    ground = Ground([str(path)], ["CC BY-NC-SA 4.0"], [], None, "en")
    row = row_of(head="costs", head_idx="2", swap_head="cost")
    counts, items = audited(tmp_path, [row], ground)
    on_ground = {fault: counts[fault][0] for fault in ("MB-3", "MB-5", "MB-7", "MB-8", "MB-10")}
    assert on_ground == {"MB-3": 1, "MB-5": 0, "MB-7": 1, "MB-8": 0, "MB-10": 1}
    assert {row["fault"]: row["found"] for row in items}["MB-3"] == "dogs"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sen\tx\n", "no column 'wrong_sen'"),
        ("\t".join(HEADER) + "\na\tb\n", "data.tsv:2: 2 cells"),
        (
            "\t".join(HEADER) + "\n" + "\t".join(row_of(metadata="open('x')").values()) + "\n",
            "metadata or places that cannot be read",
        ),
        (
            "\t".join(HEADER) + "\n" + "\t".join(row_of(head_idx="one").values()) + "\n",
            "metadata or places that cannot be read",
        ),
    ],
)
def test_a_broken_file_is_an_error_of_one_line(tmp_path, text, told):
    path = tmp_path / "data.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(KasuError, match=told):
        list(read_released(path))


@pytest.mark.real
@pytest.mark.parametrize(
    ("iso", "expected"),
    [
        ("eng", {"MB-1": 129, "MB-2": 2, "MB-4": 29, "MB-6": 150, "MB-9": 0, "MB-14": 0}),
        ("ell", {"MB-1": 373, "MB-2": 0, "MB-4": 2, "MB-6": 0, "MB-9": 1, "MB-14": 0}),
        ("tur", {"MB-1": 608, "MB-2": 0, "MB-4": 9, "MB-6": 0, "MB-9": 0, "MB-14": 0}),
    ],
)
def test_the_released_files_have_known_faults(mirror, tmp_path, iso, expected):
    out = tmp_path / "audit.tsv", tmp_path / "items.tsv"
    audit([mirror / "papers" / "multiblimp" / iso / "data.tsv.gz"], {}, *out)
    counts = {r["fault"]: int(r["rows"]) for r in read_tsv(out[0]) if r["phenomenon"] == "all"}
    assert {fault: counts[fault] for fault in expected} == expected
