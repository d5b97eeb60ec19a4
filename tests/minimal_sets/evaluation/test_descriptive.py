"""Tables 1 and 2: what the sets contain."""

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv, write_drops, write_parquet
from kasu.minimal_sets.evaluation.descriptive import describe_sets


def item(number: int, where: str, **changes) -> dict:
    row = {
        "item_id": f"{where}-{number}", "set": where, "sentence_id": f"s{number}",
        "masked": "[MASK]", "grammatical": "erg", "form_nom": "a", "form_erg": "b",
        "form_dat": "c", "upos": "NOUN", "tense": "Past", "aspect": "Perf",
    }  # fmt: skip
    return row | changes


def described(folder, sets: dict[str, list[dict]], counterparts=None):
    items, drops = {}, {}
    for name, rows in sets.items():
        items[name], drops[name] = folder / f"{name}.parquet", folder / f"{name}.tsv"
        schema = pa.schema([(key, pa.string()) for key in item(1, name)])
        write_parquet(items[name], rows, schema)
        write_drops(drops[name], {"syncretism": 12} if name == "x" else {})
    table, scheme = folder / "sets.tsv", folder / "scheme.tsv"
    describe_sets(items, drops, table, scheme, counterparts or {})
    return read_tsv(folder / "sets.tsv"), read_tsv(folder / "scheme.tsv")


SUBJECTS = "transitive-erg-nom-subj"


def test_one_row_per_set(tmp_path):
    rows = [
        item(1, SUBJECTS), item(2, SUBJECTS, upos="PRON", aspect="Imp"),
        item(3, SUBJECTS, form_nom="b", aspect=None),
    ]  # fmt: skip
    sets, _ = described(tmp_path, {SUBJECTS: rows, "other": [item(1, "other")]})
    assert sets[0] == {
        "set": SUBJECTS, "right": "erg 3", "values": "nom erg dat", "tests": "3",
        "sentences": "3", "sentences_elsewhere": "1", "pronouns": "1", "equal_forms": "1",
        "tense": "Past 3", "aspect": "Imp 1; Perf 1; none 1",
    }  # fmt: skip


def test_what_is_not_recorded_stays_empty(tmp_path):
    (row,), _ = described(tmp_path, {"one": [item(1, "x", upos=None, tense=None, aspect=None)]})
    assert (row["pronouns"], row["tense"], row["aspect"]) == ("", "", "")


def test_the_scheme_of_cases_with_the_verbs_of_the_sets(tmp_path):
    _, scheme = described(tmp_path, {SUBJECTS: [item(1, SUBJECTS)]})
    assert [(row["screeve"], row["subject"], row["object"]) for row in scheme] == [
        ("present/future", "nom", ""), ("present/future", "nom", "dat"),
        ("past", "erg", "nom"), ("perfective", "dat", "nom"),
    ]  # fmt: skip
    assert [row["tests"] for row in scheme] == ["", "", "1", ""]
    assert (scheme[2]["tense"], scheme[2]["aspect"]) == ("Past 1", "Perf 1")


def test_verbs_of_the_scheme_are_those_of_the_sets_built_here(tmp_path):
    released = [item(1, SUBJECTS, tense=None, aspect=None)]
    built = [item(number, "glc-erg-nom-subj") for number in range(3)]
    sets = {SUBJECTS: released, "glc-erg-nom-subj": built}
    _, scheme = described(tmp_path, sets, {"glc-erg-nom-subj": SUBJECTS})
    assert [(row["tests"], row["tense"], row["aspect"]) for row in scheme] == [
        ("", "", ""), ("", "", ""), ("1", "Past 3", "Perf 3"), ("", "", ""),
    ]  # fmt: skip


def test_a_set_without_items_has_a_row(tmp_path):
    _, empty = described(tmp_path, {"one": [item(1, "one")], "x": []})[0]
    assert empty == {
        "set": "x", "right": "", "values": "nom erg dat", "tests": "0", "sentences": "0",
        "sentences_elsewhere": "0", "pronouns": "", "equal_forms": "0", "tense": "", "aspect": "",
    }  # fmt: skip


def test_no_item_in_any_set_is_one_line(tmp_path):
    message = r"minimal sets: no item \(x: syncretism 12; y: no match\); expected one or more"
    with pytest.raises(KasuError, match=message):
        described(tmp_path, {"x": [], "y": []})
    assert not (tmp_path / "sets.tsv").exists()
