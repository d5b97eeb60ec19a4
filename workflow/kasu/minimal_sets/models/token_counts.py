"""Count the tokens of the forms of a set and of their sentences (GEO-16)."""

from pathlib import Path

from kasu.base.limits import hint
from kasu.files.tables import write_parquet
from kasu.lm.models.loading import load_tokenizer
from kasu.lm.scoring.items import FORM
from kasu.minimal_sets.models.predictions import TOKENS, read_items


def count_tokens(
    tokenizer: str | Path, items: str | Path, counts: str | Path, *, system: str
) -> None:
    """Write TOKENS of a minimal set, without the tokens that the tokenizer adds at the ends.

    As in the released code, the sentence is the text that still holds `[MASK]`, whatever the
    tokenizer makes of that.

    Args:
        tokenizer: the folder of a model; its weights are not read.
        items: a parquet of a minimal set.
        system: the name of the model in tables.

    Raises:
        KasuError: the folder holds no tokenizer, or the set lacks a column.
    """
    encode = load_tokenizer(tokenizer)

    def count(text: str) -> int:
        with hint(tokenizer):
            return len(encode(text, add_special_tokens=False)["input_ids"])

    rows = []
    for item in read_items(items):
        named = {"system": system, "set": item["set"], "sentence_id": item["sentence_id"]}
        named |= {"item_id": item["item_id"], "sentence_tokens": count(item["masked"])}
        for column in sorted(name for name in item if name.startswith(FORM)):
            value, tokens = column.removeprefix(FORM), count(item[column])
            rows.append(named | {"value": value, "form_tokens": tokens})
    write_parquet(counts, rows, TOKENS)
