"""The authors' results by item: file names, bases of logarithms, invalid files."""

import math
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_parquet
from kasu.minimal_sets.models.predictions import TOKENS
from kasu.minimal_sets.released.results import name_released, predict_released

HEADER = (
    "Index,sentence_id,match_id,masked_text,form_grammatical_dat,form_ungrammatical_erg,"
    "form_ungrammatical_nom,p_form_grammatical_dat,p_form_ungrammatical_nom,p_form_ungrammatical_erg"
)
WORD, SENTENCE = "mlm-mBERT-S1-DAT-word-level.csv", "ntp-GPT2-GEO-S1-DAT-sentence-level.csv"


def predicted(folder: Path, name: str, cells: str, header: str = HEADER, **settings) -> list[dict]:
    (folder / "full").mkdir(exist_ok=True)
    (folder / "full" / name).write_text(f"{header}\n{cells}\n", encoding="utf-8")
    predict_released([*(folder / "full").iterdir()], folder / "p.parquet", **settings)
    return read_parquet(folder / "p.parquet").to_pylist()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mlm-HPLT-INTR-S1-NOM-word-level.csv", ("HPLT-BERT-ka", "intransitive-nom-subj")),
        ("mlm-XLM-RoBERTa(bs)-S1-NOM-word-level.csv",
         ("XLM-RoBERTa(bs)", "transitive-nom-dat-subj")),
        ("ntp-mGPT-1.3B-Georgian-S3-DAT-sentence-level.csv",
         ("mGPT-ka", "transitive-dat-nom-subj")),
        ("mlm-RemBERT-S2-ERG-word-level.csv", ("RemBERT", "transitive-erg-nom-subj")),
        ("mlm-mBERT-S2-NOM-word-level.csv", ("mBERT", "transitive-erg-nom-obj")),
    ],
)  # fmt: skip
def test_names_of_files(name, expected):
    named = name_released(name)
    assert (named.system, named.set) == expected


def test_another_name_is_refused():
    with pytest.raises(KasuError, match="a name of another kind"):
        name_released("mlm-mBERT-S4-NOM-word-level.csv")


def test_word_level_has_probabilities(tmp_path):
    cells = '0,s1,3,"[MASK], ერთი.",სახეს,სახემ,სახე,0.5,0.25,1e-40'
    rows = predicted(tmp_path, WORD, cells)
    assert [(row["value"], row["grammatical"], row["form"]) for row in rows] == [
        ("dat", True, "სახეს"), ("erg", False, "სახემ"), ("nom", False, "სახე"),
    ]  # fmt: skip
    given = [row["log_probability"] for row in rows]
    assert given == pytest.approx([math.log(0.5), math.log(1e-40), math.log(0.25)])
    assert (rows[0]["characters"], rows[0]["bytes"], rows[0]["words"]) == (5, 15, 1)
    assert rows[0]["tokens"] is None


def test_decoders_have_logarithms_to_base_2(tmp_path):
    rows = predicted(tmp_path, SENTENCE, "0,s1,3,[MASK] ერთი.,სახეს,სახემ,სახე,-3,-4,-5")
    assert rows[0]["log_probability"] == pytest.approx(-3 * math.log(2))
    assert (rows[0]["characters"], rows[0]["words"]) == (11, 2)


def test_encoders_have_natural_logarithms(tmp_path):
    name = "mlm-mBERT-S1-DAT-sentence-level.csv"
    rows = predicted(tmp_path, name, "0,s1,3,[MASK] ერთი.,სახეს,სახემ,სახე,-3,-4,-5")
    assert rows[0]["log_probability"] == -3


def test_items_and_tokens_are_joined_by_sentence(tmp_path):
    item = {"item_id": "x-7", "set": "transitive-nom-dat-obj", "sentence_id": "s1"}
    item |= {"masked": "[MASK]", "grammatical": "dat", "form_dat": "სახეს", "aspect": "Imp"}
    write_parquet(tmp_path / "i.parquet", [item], pa.schema([(key, pa.string()) for key in item]))
    count = {"system": "mBERT", "set": "transitive-nom-dat-obj", "sentence_id": "s1"}
    count |= {"item_id": "another", "value": "dat", "form_tokens": 4, "sentence_tokens": 30}
    write_parquet(tmp_path / "t.parquet", [count], TOKENS)
    rows = predicted(
        tmp_path, WORD, "0,s1,3,[MASK],სახეს,სახემ,სახე,0.5,0.25,0.1",
        items=[tmp_path / "i.parquet"], tokens=[tmp_path / "t.parquet"],
    )  # fmt: skip
    assert {(row["item_id"], row["aspect"]) for row in rows} == {("x-7", "Imp")}
    assert [row["form_tokens"] for row in rows] == [4, None, None]


@pytest.mark.parametrize(
    ("name", "cells", "expected"),
    [
        (WORD, "0,s1,3,[MASK],a,b,c,1.5,0.25,0.1", "'1.5'; expected a probability"),
        (WORD, "0,s1,3,[MASK],a,b,c,0.5,0,0.1", "'0'; expected a probability"),
        (WORD, "0,s1,3,[MASK],a,b,c,0.5,nan,0.1", "'nan'; expected a probability"),
        (SENTENCE, "0,s1,3,[MASK],a,b,c,-1,-inf,-2", "'-inf'; expected its logarithm"),
        (SENTENCE, "0,s1,3,[MASK],a,b,c,-1,x,-2", "'x'; expected its logarithm"),
        (SENTENCE, "0,s1,3,[MASK],a,b,c,-1", "wrong number of cells"),
        (WORD, '0,s1,3,"[MASK],a', "expected comma-separated text"),
    ],
)
def test_a_cell_that_is_not_a_probability_is_refused(tmp_path, name, cells, expected):
    with pytest.raises(KasuError, match=expected):
        predicted(tmp_path, name, cells)


@pytest.mark.parametrize(
    ("missing", "found"),
    [
        ("masked_text", "no column 'masked_text'"),
        ("p_form_grammatical_dat", "no column 'p_form_grammatical_dat'"),
        ("form_grammatical_dat", "0 right forms"),
    ],
)
def test_a_file_without_a_column_is_refused(tmp_path, missing, found):
    with pytest.raises(KasuError, match=found):
        predicted(tmp_path, WORD, "", HEADER.replace(f",{missing},", ",other,"))


def test_no_file_is_refused(tmp_path):
    with pytest.raises(KasuError, match="no file"):
        predict_released([], tmp_path / "p.parquet")


@pytest.mark.real
def test_withheld_sets_are_read_once_they_are_available(mirror, tmp_path):
    full = mirror / "papers" / "georgian-case-alignment" / "results" / "full"
    (tmp_path / "full").mkdir()
    # The mirror lacks files of the withheld sets, so a copy of another file stands in
    for code in ("S1-DAT", "S2-ERG"):
        shutil.copy(
            full / "mlm-mBERT-S1-DAT-word-level.csv",
            tmp_path / "full" / f"mlm-mBERT-{code}-word-level.csv",
        )
    predict_released([*(tmp_path / "full").iterdir()], tmp_path / "p.parquet")
    rows = read_parquet(tmp_path / "p.parquet", ["set"]).to_pydict()["set"]
    assert {name: rows.count(name) for name in rows} == {
        "transitive-nom-dat-obj": 150, "transitive-erg-nom-subj": 150,
    }  # fmt: skip
