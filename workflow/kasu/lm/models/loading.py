"""Load a model of Hugging Face form from a folder: offline, no code of others, no pickle that runs.

Weights are safetensors; a `pytorch_model.bin` is read as weights only.
"""

from pathlib import Path

import torch
import transformers
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from kasu.base.errors import KasuError

ENCODER, MASKED = "AutoModel", "AutoModelForMaskedLM"
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_NOT_ASKED = "pooler"  # a network that many checkpoints lack and nobody here reads

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()


def load_tokenizer(folder: str | Path) -> PreTrainedTokenizerBase:
    """The tokenizer of a model; it pads on the right.

    Raises:
        KasuError: the folder holds none that can be read without running its code.
    """
    _expect(folder, "config.json")
    tokenizer = _load(transformers.AutoTokenizer, folder, "a tokenizer")
    tokenizer.padding_side = tokenizer.truncation_side = "right"
    return tokenizer


def load_network(folder: str | Path, kind: str, device: torch.device) -> PreTrainedModel:
    """A network for inference: single precision, no dropout.

    Args:
        kind: ENCODER or MASKED.

    Raises:
        KasuError: the folder holds none, only a part of its weights, or only what would have to
            run its code.
    """
    _expect(folder, "config.json")
    _expect(folder, *_WEIGHTS)
    network, loaded = _load(
        getattr(transformers, kind),
        folder,
        f"weights for {kind}",
        weights_only=True,
        dtype=torch.float32,
        output_loading_info=True,
    )
    missing = sorted(key for key in loaded["missing_keys"] if _NOT_ASKED not in key)
    if missing:
        raise KasuError(folder, f"no weights {', '.join(missing[:3])}", f"those of {kind}")
    return network.to(device).eval().requires_grad_(False)


def longest_input(tokenizer: PreTrainedTokenizerBase, network: PreTrainedModel) -> int:
    """How many tokens a sentence may have, special ones included."""
    config = network.config
    positions = getattr(config, "max_position_embeddings", None) or tokenizer.model_max_length
    if config.model_type in ("roberta", "camembert", "xlm-roberta"):
        positions -= config.pad_token_id + 1  # their positions begin behind that of padding
    return min(positions, tokenizer.model_max_length)


def _expect(folder: str | Path, *patterns: str) -> None:
    """Also guards against a folder that is not there, which the library takes for a hub's name."""
    if not any(next(Path(folder).glob(pattern), None) for pattern in patterns):
        raise KasuError(folder, f"no {' or '.join(patterns)}", "the folder of a model")


def _load(factory: type, folder: str | Path, what: str, **options: object):
    try:
        return factory.from_pretrained(
            str(Path(folder).resolve()), local_files_only=True, trust_remote_code=False, **options
        )
    except Exception as error:  # foreign files: each reader below has exceptions of its own
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise KasuError(folder, line[:200], f"{what} to be read without its code") from error
