"""Tokens of forms and of masked sentences by a tokenizer in a folder."""

import json

import pyarrow as pa
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_parquet
from kasu.minimal_sets.models.token_counts import count_tokens

ITEM = {
    "item_id": "toy-1", "set": "toy", "sentence_id": "s1", "masked": "[MASK] ab cd.",
    "grammatical": "nom", "form_nom": "ab", "form_erg": "abcd",
}  # fmt: skip


@pytest.fixture
def tokenizer(tmp_path):
    """A tokenizer of letters that adds [CLS]."""
    letters = ["[UNK]", "[MASK]", "[CLS]", *"abcd.", *(f"##{letter}" for letter in "abcd")]
    numbers = {each: at for at, each in enumerate(letters)}
    made = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing("[CLS] $A", special_tokens=[("[CLS]", 2)])
    names = {"unk_token": "[UNK]", "mask_token": "[MASK]", "cls_token": "[CLS]"}
    folder = tmp_path / "model"
    PreTrainedTokenizerFast(tokenizer_object=made, **names).save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    return folder


def test_added_tokens_do_not_count(tokenizer, tmp_path):
    items = tmp_path / "items.parquet"
    write_parquet(items, [ITEM], pa.schema([(key, pa.string()) for key in ITEM]))
    count_tokens(tokenizer, items, tmp_path / "t.parquet", system="toy model")
    rows = read_parquet(tmp_path / "t.parquet").to_pylist()
    assert [(row["value"], row["form_tokens"], row["sentence_tokens"]) for row in rows] == [
        ("erg", 4, 6), ("nom", 2, 6),
    ]  # fmt: skip


def test_a_folder_without_tokenizer_is_refused(tmp_path):
    with pytest.raises(KasuError, match="expected the folder of a model"):
        count_tokens(tmp_path, tmp_path / "i", tmp_path / "t", system="x")
