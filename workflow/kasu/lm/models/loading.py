"""Load models in Hugging Face form from a folder: offline, and without running their code unasked.

Weights are safetensors; a `pytorch_model.bin` is read as weights only, never unpickled in full.
"""

import pickle
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import torch
import transformers
from tokenizers import Tokenizer
from torch import nn
from transformers import CONFIG_MAPPING, PreTrainedModel, PreTrainedTokenizerBase

from kasu.base.errors import KasuError
from kasu.base.limits import hint, reraise_limit
from kasu.files.seals import expect_fetched, expect_sealed
from kasu.job.run import log
from kasu.lm import CAUSAL, ENCODER, MASKED
from kasu.lm.models.folders import expect_model, read_config
from kasu.lm.models.identifiers import COMMIT
from kasu.lm.models.networks import keep_attention, rows_of_embedding, sees_later
from kasu.lm.models.pieces import leave_out_dropout, leave_out_sampling

_TYPES = {
    ENCODER: transformers.MODEL_MAPPING,
    MASKED: transformers.MODEL_FOR_MASKED_LM_MAPPING,
    CAUSAL: transformers.MODEL_FOR_CAUSAL_LM_MAPPING,
}
_FACTORIES = {
    ENCODER: transformers.AutoModel,
    MASKED: transformers.AutoModelForMaskedLM,
    CAUSAL: transformers.AutoModelForCausalLM,
}
_POOLER = "pooler"  # a layer that many checkpoints lack and nothing here reads
_NUMBER = re.compile(r"(?<![^.])\d+(?=\.)")  # of a layer, in the name of a weight
_BACKEND = "tokenizer.json"
_PROBE = "a \u2603"  # a letter, and a sign that few vocabularies have
_FEW = 0.9  # of the rows of an embedding, which may be padded to a round number

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()


class Parts(NamedTuple):
    """What a model folder holds, ready for inference.

    network: in evaluation mode, float32, its weights frozen.
    longest: the most tokens of an input, special ones included.
    sees_later: whether what the network answers at a token changes with later ones.
    missing: names of weights absent from the checkpoint and therefore randomly initialised.
    """

    tokenizer: PreTrainedTokenizerBase
    network: PreTrainedModel
    longest: int
    sees_later: bool
    missing: tuple[str, ...]


def load_parts(
    folder: str | Path,
    kind: str,
    device: torch.device,
    *,
    untrained: bool = False,
    remote_code: str | None = None,
) -> Parts:
    """Load the tokenizer and the network of a model folder.

    Args:
        kind: ENCODER, MASKED or CAUSAL.
        untrained: the checkpoint lacks weights; initialise them at random, always the same.
        remote_code: the commit (40 hexadecimal digits) whose Python files may run. The folder must
            bear that name. Without it no code of the model runs.

    Raises:
        KasuError: the folder lacks what a model needs (see `expect_model`) or cannot be read; its
            network is not of that kind: a causal one answers alike whatever comes later, a masked
            one does not; weights are missing and not expected to be, or the reverse, have another
            shape, are of layers that config.json does not count, or need full unpickling.
    """
    folder = Path(folder)
    config = expect_model(folder, remote_code=remote_code is not None)
    if remote_code is None:
        _check_type(folder, config, kind)
    else:
        _check_code(folder, config, remote_code)
    tokenizer = load_tokenizer(folder, run_code=remote_code is not None)
    with _one_line(folder, "the model cannot be loaded"), torch.random.fork_rng():
        torch.manual_seed(0)  # for weights that the checkpoint lacks
        network, info = _FACTORIES[kind].from_pretrained(
            str(folder.resolve()),
            local_files_only=True,
            trust_remote_code=remote_code is not None,
            dtype=torch.float32,
            weights_only=True,
            ignore_mismatched_sizes=True,  # they are an error below, with a name
            output_loading_info=True,
        )
    if other := sorted(str(key[0]) for key in info["mismatched_keys"]):
        raise KasuError(folder, f"weights of another shape: {_some(other)}", "those of config.json")
    missing = tuple(sorted(key for key in info["missing_keys"] if _POOLER not in key))
    unused = sorted(info["unexpected_keys"])
    _check_layers(folder, network, unused)
    _check_missing(folder, kind, missing, unused, untrained)
    network = network.to(device).eval().requires_grad_(False)
    keep_attention(network)
    _check_sizes(folder, tokenizer, network)
    with _one_line(folder, "its network does not answer"):
        later = sees_later(network, tokenizer)
    if kind != ENCODER:
        _check_kind(folder, kind, later)
    return Parts(tokenizer, network, longest_input(tokenizer, network), later, missing)


def load_tokenizer(folder: str | Path, run_code: bool = False) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a model; it pads and truncates on the right.

    If there is a `tokenizer.json`, the tokenizer does what it says. Many of the classes that
    configurations name would build their own pipeline, and take only the vocabulary from that file.

    Raises:
        KasuError: the folder holds none, or none that can be read, or files that have changed.
    """
    folder = Path(folder)
    read_config(folder)
    expect_sealed(folder)
    expect_fetched(folder)
    with _one_line(folder, "its tokenizer cannot be loaded"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder.resolve()), local_files_only=True, trust_remote_code=run_code
        )
        files = tokenizer.vocab_files_names.values()
        # A class that finds none of its files knows its special tokens and nothing else
        if files and not any((folder / name).is_file() for name in (*files, _BACKEND)):
            raise FileNotFoundError(f"no {' or '.join(files)}")
        if (folder / _BACKEND).is_file() and tokenizer.is_fast:
            _follow_file(folder, tokenizer)
        if tokenizer.is_fast:
            leave_out_dropout(tokenizer.backend_tokenizer, folder)
        else:
            leave_out_sampling(tokenizer, folder)
        tokenizer(_PROBE)
    tokenizer.padding_side = tokenizer.truncation_side = "right"
    return tokenizer


def _follow_file(folder: Path, tokenizer: PreTrainedTokenizerBase) -> None:
    """Let a tokenizer do what its `tokenizer.json` says, and forget tokens that are not there."""
    backend = Tokenizer.from_file(str(folder / _BACKEND))
    named = [name for name in tokenizer.SPECIAL_TOKENS_ATTRIBUTES if getattr(tokenizer, name)]
    lacking = [name for name in named if backend.token_to_id(getattr(tokenizer, name)) is None]
    if lacking:
        log.info("%s: not in the vocabulary, so there is none: %s", folder, ", ".join(lacking))
    for name in lacking:
        setattr(tokenizer, name, None)
    tokenizer._tokenizer = backend


def longest_input(tokenizer: PreTrainedTokenizerBase, network: nn.Module) -> int:
    """Return the most tokens that tokenizer and network both take, special ones included.

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


def _check_code(folder: Path, config: Mapping, remote_code: str) -> None:
    """Refuse code of another revision or from another repository."""
    code = config.get("auto_map") or {}
    if not COMMIT.fullmatch(remote_code):
        raise KasuError(folder, f"remote_code {remote_code!r}", "a commit, 40 hexadecimal digits")
    if folder.resolve().name != remote_code:
        raise KasuError(folder, f"not revision {remote_code}", "a folder of that name")
    if any("--" in str(name) for name in code.values()):
        raise KasuError(folder, "its code is in another repository", "code of this revision")
    log.warning("%s: code of the model runs, as the configuration asks", folder)


def _check_type(folder: Path, config: Mapping, kind: str) -> None:
    """Refuse a type of network for which transformers has no class of this kind."""
    type_ = config.get("model_type")
    known = type_ in CONFIG_MAPPING
    if known and CONFIG_MAPPING[type_] not in _TYPES[kind]:
        raise KasuError(folder, f"no {type_} network is {kind}", f"a {kind} one")


def _check_layers(folder: Path, network: PreTrainedModel, unused: Sequence[str]) -> None:
    """Refuse a checkpoint with more layers than its config.json: half a network would answer.

    Heads, and what layers have besides, may be unused; so may whole layers that predict tokens
    after the next one, as DeepSeek's, which their config counts apart.
    """
    if getattr(network.config, "num_nextn_predict_layers", 0):
        return
    prefix = f"{network.base_model_prefix}."  # either the network or its checkpoint may lack it
    used = [name.removeprefix(prefix) for name in network.state_dict()]
    kinds = {_NUMBER.sub("", name) for name in used}
    layers = {layer for name in used for layer in _layers(name)}
    further = [
        name
        for name in unused
        if _NUMBER.sub("", own := name.removeprefix(prefix)) in kinds
        and not layers.issuperset(_layers(own))
    ]
    if further:
        found = f"weights of further layers, which are not used: {_some(further)}"
        raise KasuError(folder, found, "as many layers as config.json has")


def _layers(name: str) -> Iterator[str]:
    """Yield the layer of a weight, and those around it: `h.1` for `h.1.attn.bias`."""
    for number in _NUMBER.finditer(name):
        yield name[: number.end()]


def _check_missing(
    folder: Path, kind: str, missing: Sequence[str], unused: Sequence[str], untrained: bool
) -> None:
    """Refuse missing weights unless they are expected, and none where some are."""
    if untrained and not missing:
        raise KasuError(folder, "all weights are there", "some to be missing, as it is `untrained`")
    if not missing:
        return
    found = _some(missing) + (f"; it has {_some(unused)}, which are not used" if unused else "")
    if not untrained:
        expected = f"all weights of a network ({kind})"
        if kind != ENCODER:
            expected += "; or state that it is `untrained`, a null with random weights"
        raise KasuError(folder, f"no weights {found}", expected)
    log.warning(
        "%s: untrained: the checkpoint lacks %d weights, now random: %s",
        folder, len(missing), found,
    )  # fmt: skip


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + ", ..." * (len(names) > 3)


def _check_sizes(folder: Path, tokenizer: PreTrainedTokenizerBase, network: nn.Module) -> None:
    """Say if a tokenizer has far fewer tokens than its network, as another network's may have."""
    rows = rows_of_embedding(network)
    if rows and len(tokenizer) < _FEW * rows:
        log.warning(
            "%s: its tokenizer has %d tokens, its network %d; is it the tokenizer of this network?",
            folder, len(tokenizer), rows,
        )  # fmt: skip


def _check_kind(folder: Path, kind: str, later: bool) -> None:
    """Refuse a network that does not do what its kind is for, whatever its class is called."""
    if later and kind == CAUSAL:
        raise KasuError(folder, "its answers change with what comes later",
                        "a causal network, or a definition for masked ones")  # fmt: skip
    if not later and kind == MASKED:
        raise KasuError(folder, "its answers do not change with what comes later",
                        "a masked network, or a definition for causal ones")  # fmt: skip


@contextmanager
def _one_line(folder: Path, what: str) -> Iterator[None]:
    """Turn what goes wrong while foreign files are read into a KasuError of one line."""
    try:
        with hint(folder):
            yield
    except pickle.UnpicklingError as error:
        raise KasuError(
            folder,
            "the weights need full unpickling, which may run any code",
            "safetensors, or a file of weights alone",
        ) from error
    except Exception as error:  # every reader of the library has exceptions of its own
        reraise_limit(error)
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise KasuError(folder, f"{what} ({line[:200]})") from error
