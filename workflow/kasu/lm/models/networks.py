"""What a loaded network reads and attends to, whatever its class is called."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from kasu.base.errors import KasuError

ROUNDING = 1e-4  # of answers, relative to the largest
LENGTH = 5  # tokens of a short example
ENDS = 4  # last tokens that are compared


def rows_of_embedding(network: nn.Module) -> int | None:
    """Return the number of tokens that a network can read; None if it does not say."""
    with suppress(AttributeError, NotImplementedError):
        return len(network.get_input_embeddings().weight)
    return None


def expect_tokens(
    where: str, ids: Iterable[int], rows: int | None, tokenizer: PreTrainedTokenizerBase
) -> None:
    """Check that a network can read tokens.

    Args:
        where: what the tokens are of, for messages.
        rows: see `rows_of_embedding`.

    Raises:
        KasuError: its embedding has no row for one, as where tokens were added to the tokenizer
            and the network was not resized.
    """
    if rows and (beyond := next((token for token in ids if token >= rows), None)):
        found = f"token {tokenizer.convert_ids_to_tokens(beyond)!r} has the number {beyond}"
        raise KasuError(where, found, f"one below {rows}, the number that its network has")


@torch.inference_mode()
def sees_later(network: nn.Module, tokenizer: PreTrainedTokenizerBase) -> bool:
    """Return whether an answer at a token changes with a later token, beyond rounding.

    Answers are logits, or the states of a network without a vocabulary head.

    Raises:
        ArithmeticError: no answer is a finite number.
    """
    rows = _examples(network, tokenizer)
    output = network(input_ids=rows.to(next(network.parameters()).device))
    answers = output.logits if hasattr(output, "logits") else output.last_hidden_state
    before = answers[:, :-1].float()
    finite = before.isfinite().all(0)
    if not finite.any():
        raise ArithmeticError("no finite answer")
    kept = before[:, finite]
    return bool((kept - kept[:1]).abs().max() > ROUNDING * kept.abs().max())


def _examples(network: nn.Module, tokenizer: PreTrainedTokenizerBase) -> Tensor:
    """Return texts of LENGTH tokens that differ in their last one: (ENDS, LENGTH).

    The tokens are spread over the vocabulary, since some parts of it may never have been trained.
    """
    size = min(len(tokenizer), rows_of_embedding(network) or len(tokenizer))
    special = set(tokenizer.all_special_ids)
    ordinary = [token for token in range(size) if token not in special]
    wanted = LENGTH - 1 + ENDS
    spread = ordinary[:: max(1, len(ordinary) // wanted)][:wanted]
    ids = list(chain(spread, range(size)))[:wanted]
    return torch.tensor([[*ids[: LENGTH - 1], last] for last in ids[LENGTH - 1 :]])


def longest_switched(network: nn.Module) -> int:
    """Return the longest text for which a network gives up sparse attention, in tokens, or 0.

    BigBird does: such a text has too few blocks.
    """
    config: Any = getattr(network, "config", None)
    if getattr(config, "attention_type", None) != "block_sparse":
        return 0
    return (5 + 2 * config.num_random_blocks) * config.block_size


def keep_attention(network: nn.Module) -> None:
    """Keep a text from changing how later ones are read.

    After a short text, BigBird would keep full attention for good.
    """
    short = longest_switched(network)

    def make_sparse(module: nn.Module, given: tuple, named: dict[str, Tensor]) -> None:
        ids = given[0] if given else named["input_ids"]
        if ids.shape[1] > short:
            module.set_attention_type("block_sparse")

    for module in network.modules() if short else ():
        if isinstance(module, PreTrainedModel) and hasattr(module, "set_attention_type"):
            module.register_forward_pre_hook(make_sparse, with_kwargs=True)
