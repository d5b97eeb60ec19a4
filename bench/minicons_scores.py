"""Pseudo-log-likelihoods by minicons, for scoring.py: it runs with an older transformers."""

import json
import sys
import time

import torch
from minicons.scorer import MaskedLMScorer
from transformers import BertForMaskedLM, PreTrainedTokenizerFast

torch.set_num_threads(1)
given = json.load(sys.stdin)
tokenizer = PreTrainedTokenizerFast(
    tokenizer_file=given["folder"] + "/tokenizer.json", pad_token="[PAD]", unk_token="[UNK]",
    cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
)  # fmt: skip
scorer = MaskedLMScorer(
    BertForMaskedLM.from_pretrained(given["folder"]), "cpu", tokenizer=tokenizer
)


def score(sentences: list[str], size: int) -> tuple[float, list[float]]:
    """CPU seconds and scores, in batches of `size` sentences."""
    found, began = [], time.process_time()
    for start in range(0, len(sentences), size):
        found += scorer.sequence_score(
            sentences[start : start + size], reduction=lambda x: x.sum(0).item(),
            PLL_metric=given["metric"],
        )  # fmt: skip
    return time.process_time() - began, found


sentences = given["sentences"]
score(sentences[:2], 2)
best = min(given["batches"], key=lambda size: score(sentences[: given["part"]], size)[0])
seconds, scores = score(sentences, best)
print(json.dumps({"batch": best, "seconds": seconds, "scores": scores}))
