"""Pseudo-log-likelihoods by minicons, for scoring.py: it runs with an older transformers."""

import json
import sys
import time

import torch
from minicons.scorer import IncrementalLMScorer, MaskedLMScorer
from transformers import AutoModelForCausalLM, BertForMaskedLM, PreTrainedTokenizerFast

torch.set_num_threads(1)
given = json.load(sys.stdin)
masked, first = given["metric"] is not None, "[CLS]"
tokenizer = PreTrainedTokenizerFast(
    tokenizer_file=given["folder"] + "/tokenizer.json", pad_token="[PAD]", unk_token="[UNK]",
    cls_token=first, sep_token="[SEP]", mask_token="[MASK]", bos_token=None if masked else first,
)  # fmt: skip
network = (BertForMaskedLM if masked else AutoModelForCausalLM).from_pretrained(given["folder"])
network.to(getattr(torch, given["dtype"])).eval()
scorer = (MaskedLMScorer if masked else IncrementalLMScorer)(
    network, given["device"], tokenizer=tokenizer
)
options = {"PLL_metric": given["metric"]} if masked else {}


def clock() -> float:
    """CPU seconds, or those of the day once the GPU has done its work."""
    if given["device"] == "cpu":
        return time.process_time()
    torch.cuda.synchronize()
    return time.monotonic()


def score(sentences: list[str], size: int) -> tuple[float, list[float]]:
    """Sentences a second and scores, in batches of `size`, until the time is up if there is one."""
    found, began = [], clock()
    for start in range(0, len(sentences), size):
        found += scorer.sequence_score(
            sentences[start : start + size], reduction=lambda x: x.sum(0).item(), **options
        )
        if given["limit"] and clock() - began > given["limit"]:
            break
    return len(found) / (clock() - began), found


def speed(size: int) -> float:
    """Sentences a second in batches of `size`; none if they are too large for the GPU."""
    try:
        return score(sentences[: given["part"]], size)[0]
    except torch.OutOfMemoryError:
        return 0


sentences = given["sentences"]
score(sentences[:2], 2)
best = max(given["batches"], key=speed)
found, scores = score(sentences, best)
print(json.dumps({"batch": best, "speed": found, "scores": scores}))
