"""Load models in Hugging Face form from a folder: offline, and without running their code unasked.

Weights are safetensors; a `pytorch_model.bin` is read as weights only, never unpickled in full.
"""

import json
import pickle
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import torch
import transformers
from torch import nn
from transformers import CONFIG_MAPPING, PreTrainedModel, PreTrainedTokenizerBase

from kasu.base.errors import KasuError
from kasu.base.files import expect_file
from kasu.base.run import log
from kasu.base.seals import expect_fetched, expect_sealed
from kasu.lm import CAUSAL, ENCODER, MASKED
from kasu.lm.models.identifiers import COMMIT

_FACTORIES = {
    ENCODER: transformers.AutoModel,
    MASKED: transformers.AutoModelForMaskedLM,
    CAUSAL: transformers.AutoModelForCausalLM,
}
# How the names of architectures end, by kind; XLM and Flaubert, which end in the first, are masked
_ARCHITECTURES = {
    "WithLMHeadModel": MASKED,
    "ForMaskedLM": MASKED,
    "ForPreTraining": MASKED,
    "ForCausalLM": CAUSAL,
    "LMHeadModel": CAUSAL,
}
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_POOLER = "pooler"  # a layer that many checkpoints lack and nothing here reads

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()


class Parts(NamedTuple):
    """What a model folder holds, ready for inference.

    network: in evaluation mode, float32, its weights frozen.
    longest: the most tokens of an input, special ones included.
    missing: names of weights absent from the checkpoint and therefore randomly initialised.
    """

    tokenizer: PreTrainedTokenizerBase
    network: PreTrainedModel
    longest: int
    missing: tuple[str, ...]


def kind_of(folder: str | Path) -> str:
    """MASKED or CAUSAL, by the architecture that the configuration of a model folder names.

    Raises:
        KasuError: the configuration cannot be read, or names neither.
    """
    path = Path(folder, "config.json")
    expect_file(path, "the configuration of a model")
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        names = [str(name) for name in config.get("architectures") or ()]
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise KasuError(path, f"not a model's configuration ({error})") from error
    if kinds := list(filter(None, map(_kind, names))):
        return kinds[0]
    found = f"architectures {', '.join(names) or 'not stated'}"
    raise KasuError(path, found, f"{MASKED} or {CAUSAL}; name a --definition")


def is_causal(network: PreTrainedModel) -> bool:
    """Whether the configuration of a network names a causal architecture."""
    return any(_kind(name) == CAUSAL for name in network.config.architectures or ())


def load_parts(
    folder: str | Path,
    kind: str,
    device: torch.device,
    *,
    allow_missing: bool = False,
    remote_code: str | None = None,
) -> Parts:
    """Load the tokenizer and the network of a model folder.

    Args:
        kind: ENCODER, MASKED or CAUSAL.
        allow_missing: initialise missing weights at random (always the same) and log a warning.
            Otherwise they are an error.
        remote_code: the commit (40 hexadecimal digits) whose Python files may run. The folder must
            bear that name. Without it no code of the model runs.

    Raises:
        KasuError: the folder is missing, is not a model of that kind, or cannot be read; weights
            are missing or need full unpickling; the model brings code that is not allowed to run.
    """
    folder = Path(folder)
    config = _read_config(folder)
    _check_code(folder, config, remote_code)
    _check_kind(folder, config, kind)
    if not any(next(folder.glob(pattern), None) for pattern in _WEIGHTS):
        raise KasuError(folder, f"no {' or '.join(_WEIGHTS)}", "the folder of a model")
    tokenizer = load_tokenizer(folder, run_code=remote_code is not None)
    with _one_line(folder, "the model"), torch.random.fork_rng():
        torch.manual_seed(0)  # for weights that the checkpoint lacks
        network, info = _FACTORIES[kind].from_pretrained(
            str(folder.resolve()),
            local_files_only=True,
            trust_remote_code=remote_code is not None,
            dtype=torch.float32,
            weights_only=True,
            output_loading_info=True,
        )
    missing = tuple(sorted(key for key in info["missing_keys"] if _POOLER not in key))
    if missing:
        found = ", ".join(missing[:3]) + ", ..." * (len(missing) > 3)
        if not allow_missing:
            raise KasuError(folder, f"no weights {found}", f"all weights of a network ({kind})")
        log.warning(
            "%s: the checkpoint lacks %d weights, now random: %s", folder, len(missing), found
        )
    network = network.to(device).eval().requires_grad_(False)
    return Parts(tokenizer, network, longest_input(tokenizer, network), missing)


def load_tokenizer(folder: str | Path, run_code: bool = False) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a model; it pads and truncates on the right.

    Raises:
        KasuError: the folder holds none, or none that can be read, or files that have changed.
    """
    folder = Path(folder)
    _read_config(folder)
    expect_sealed(folder)
    expect_fetched(folder)
    with _one_line(folder, "its tokenizer"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder.resolve()), local_files_only=True, trust_remote_code=run_code
        )
    tokenizer.padding_side = tokenizer.truncation_side = "right"
    return tokenizer


def longest_input(tokenizer: PreTrainedTokenizerBase, network: nn.Module) -> int:
    """The most tokens that tokenizer and network both take, special ones included.

    RoBERTa and its relatives number positions from after their padding index, so the first rows of
    their position table are no positions.
    """
    limits = [
        tokenizer.model_max_length,
        getattr(getattr(network, "config", None), "max_position_embeddings", None),
    ]
    for name, module in network.named_modules():
        if name.endswith("position_embeddings") and hasattr(module, "num_embeddings"):
            padding = getattr(module, "padding_idx", None)
            limits.append(module.num_embeddings - (0 if padding is None else padding + 1))
    return int(min((limit for limit in limits if limit and limit > 0), default=sys.maxsize))


def _read_config(folder: Path) -> dict:
    """Read config.json; its absence also tells a hub's name from a folder."""
    path = folder / "config.json"
    if not path.is_file():
        raise KasuError(folder, "no config.json", "the folder of a model")
    try:
        config = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise KasuError(path, f"not JSON ({error})") from error
    if not isinstance(config, dict):
        raise KasuError(path, type(config).__name__, "an object")
    names = config.get("architectures") or []
    for key, sound in (
        ("model_type", isinstance(config.get("model_type", ""), str)),
        ("architectures", isinstance(names, list) and all(isinstance(n, str) for n in names)),
        ("auto_map", isinstance(config.get("auto_map") or {}, dict)),
    ):
        if not sound:
            raise KasuError(path, f"{key}: {str(config[key])[:60]}", "as transformers writes it")
    return config


def _check_code(folder: Path, config: Mapping, remote_code: str | None) -> None:
    """Refuse code that nobody allowed, of another revision or from another repository."""
    code = config.get("auto_map") or {}
    if remote_code is None:
        if code and config.get("model_type") not in CONFIG_MAPPING:
            raise KasuError(
                folder,
                "the model brings its own code",
                "a model without code, or its revision as remote_code, which lets the code run",
            )
        return
    if not COMMIT.fullmatch(remote_code):
        raise KasuError(folder, f"remote_code {remote_code!r}", "a commit, 40 hexadecimal digits")
    if folder.resolve().name != remote_code:
        raise KasuError(folder, f"not revision {remote_code}", "a folder of that name")
    if any("--" in str(name) for name in code.values()):
        raise KasuError(folder, "its code is in another repository", "code of this revision")
    log.warning("%s: code of the model runs, as the configuration asks", folder)


def _kind(architecture: str) -> str | None:
    """MASKED or CAUSAL, by the name of an architecture; None for another."""
    kinds = (kind for end, kind in _ARCHITECTURES.items() if architecture.endswith(end))
    return next(kinds, None)


def _check_kind(folder: Path, config: Mapping, kind: str) -> None:
    """Refuse a causal model where a masked one is asked for, and the reverse."""
    other = {MASKED: CAUSAL, CAUSAL: MASKED}.get(kind)
    for name in config.get("architectures") or ():
        if other and _kind(name) == other:
            raise KasuError(folder, f"{name} is a {other} model", f"a {kind} one")


@contextmanager
def _one_line(folder: Path, what: str) -> Iterator[None]:
    """Turn what goes wrong while foreign files are read into a KasuError of one line."""
    try:
        yield
    except pickle.UnpicklingError as error:
        raise KasuError(
            folder,
            "the weights need full unpickling, which may run any code",
            "safetensors, or a file of weights alone",
        ) from error
    except Exception as error:  # every reader of the library has exceptions of its own
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise KasuError(folder, f"{what} cannot be loaded ({line[:200]})") from error
