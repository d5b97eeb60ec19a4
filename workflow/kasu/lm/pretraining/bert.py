"""The sizes of BERT."""

from collections.abc import Mapping
from typing import Any

from transformers import BertConfig

from kasu.lm.pretraining.recipes import HEAD
from kasu.lm.pretraining.tokenizer import PAD


def bert_config(vocabulary: int, settings: Mapping[str, Any]) -> BertConfig:
    """BERT in the proportions of BL2MP-4: heads of width 64, feed-forward layers of 4 × hidden."""
    hidden = settings["hidden"]
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=settings["layers"],
        num_attention_heads=hidden // HEAD,
        intermediate_size=4 * hidden,
        max_position_embeddings=settings["length"],
        hidden_dropout_prob=settings["dropout"],
        attention_probs_dropout_prob=settings["dropout"],
        pad_token_id=PAD,
        attn_implementation="sdpa",
    )
