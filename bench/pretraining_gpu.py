"""Pretrain on a GPU by the recipe `paper`, against transformers and the products of that GPU.

Without a GPU there are no rows. Both programs compute in bfloat16, on the same rows, masks and
passes. The peer computes the head at every position, does not compile the network, and may add in
another order each time.
"""

import copy
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
import transformers
from measuring import row
from pretraining import VOCABULARY, make_tokenizer, peers, write_stream
from products import Rate, product_rate, seconds_of, share_row

from kasu.base.errors import KasuError
from kasu.lm.pretraining.masking import MASKED_SHARE
from kasu.lm.pretraining.recipes import RECIPES, complete, operations
from kasu.lm.pretraining.trainer import Trainer
from kasu.neural.device import make_deterministic
from kasu.neural.resume import Work

SIZES = {4: 256, 8: 512, 12: 768}  # layers: hidden
STEPS, FIRST = 23, 3  # the first are not timed: in them the network is compiled
LENGTH, TOKENS = (RECIPES["paper"][key] for key in ("length", "tokens_per_batch"))
EQUAL = 0.02  # of the loss of the last step: dropout differs


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Tokens and operations a second, the latter beside those of a product; memory of the GPU."""
    if not torch.cuda.is_available():
        return []
    make_deterministic(threads=1)
    figures, rate = [], product_rate(torch.bfloat16, device="cuda")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_stream(folder / "tokens.npy")
        for layers, hidden in SIZES.items():
            figures += compare(folder, layers, hidden, rate, torch.device("cuda"))
    return figures


def ours(trainer: Trainer, folder: Path, clock: Callable[[], float]) -> tuple[float, float]:
    """Seconds of the timed steps, and the loss of the last."""
    work = Work(folder / "work", {}, 600)
    trainer.run(FIRST, (), work, {})
    began = clock()
    trainer.run(STEPS - 1, (), work, {})
    before = trainer._loss_sum
    trainer.run(STEPS, (), work, {})
    return clock() - began, trainer._loss_sum - before


def compare(
    folder: Path, layers: int, hidden: int, rate: Rate, device: torch.device, scale: float = 1
) -> list[dict[str, object]]:
    """The rows of one model; `scale` cuts the tokens of a step.

    Raises:
        KasuError: the losses of the two programs differ.
    """
    on_gpu = device.type == "cuda"
    given = {"recipe": "paper", "layers": layers, "hidden": hidden, "steps": STEPS}
    given |= {"compile": on_gpu}
    if scale < 1:  # whole rows
        given["tokens_per_batch"] = LENGTH * max(2, int(TOKENS * scale / LENGTH))
    settings = complete(given)
    tokens = folder / "tokens.npy"
    trainer = Trainer(tokens, tokens, make_tokenizer(), settings, 1, device)
    network = copy.deepcopy(trainer.network)
    seconds, loss = ours(trainer, folder, seconds_of(device.type))
    peak = torch.cuda.max_memory_allocated() / 2**20 if on_gpu else None
    torch.use_deterministic_algorithms(False)  # the peer asks for none
    ends, losses = peers(network, trainer, settings, folder, bf16=True, use_cpu=not on_gpu)
    torch.use_deterministic_algorithms(True)
    other = ends[-1] - ends[FIRST - 1]
    # The peer adds up the means of the passes of a step
    expected = losses[-1] * settings["tokens_per_pass"] / settings["tokens_per_batch"]
    if abs(loss - expected) > EQUAL * loss:
        raise KasuError("pretraining", f"loss {loss}, and {expected} of the peer", "equal ones")
    tokens = (STEPS - FIRST) * settings["tokens_per_batch"]
    cost = tokens * operations(settings, VOCABULARY, MASKED_SHARE)
    name = torch.cuda.get_device_name() if on_gpu else "a CPU"
    size = settings["tokens_per_pass"]
    item = f"pretraining BERT {layers}L by `paper`, {size} tokens a pass, on {name}"
    peer = f"transformers {transformers.__version__} Trainer, {tokens / other:.0f}"
    speed = tokens / seconds
    return [
        row(item, speed, "tokens/s", peer, other / seconds, peak),
        share_row(item, cost, seconds, rate, device.type),
    ]
