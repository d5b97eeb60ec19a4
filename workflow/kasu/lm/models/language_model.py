"""Language models of a local folder, asked for log probabilities at a few positions."""

import json
import math
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from kasu.base.errors import KasuError
from kasu.base.run import log
from kasu.lm import PRECISIONS
from kasu.lm.models.loading import load_tokenizer
from kasu.lm.models.shortcuts import Cut, Replaced, cutting, find_cuts, pack_linears, restore
from kasu.lm.scoring.definitions import CAUSAL, MASKED, Text

MASKED_NAMES, CAUSAL_NAMES = ("ForMaskedLM", "ForPreTraining"), ("ForCausalLM", "LMHeadModel")
REVISION = re.compile(r"[0-9a-f]{40}")
# What a network raises that is not made as a shortcut supposes
UNFIT = (RuntimeError, ValueError, LookupError, AttributeError, TypeError, NotImplementedError)
AGREES = {"float32": 1e-4, "bfloat16": 0.5}  # of logits, absolute and relative


class LanguageModel:
    """A masked or causal model with its tokenizer.

    Attributes:
        name: folder of the model, for messages.
        kind: MASKED or CAUSAL.
        max_length: the most tokens it takes, added ones included.
        vocabulary: how many tokens it chooses among.
        mask: number of the mask token; None if it has none.
        unknown: number of the token for what it has no token for; None if it has none.
        missing: weights that the checkpoint lacks, so that they were drawn by chance.
    """

    def __init__(
        self,
        network: nn.Module,
        tokenizer,
        *,
        kind: str,
        name: str,
        device: torch.device,
        dtype: str = "float32",
        missing: Sequence[str] = (),
    ) -> None:
        """Take a network that transformers made, or one that is called like those.

        Args:
            network: called with `input_ids` of shape (rows, tokens), gives `.logits` of shape
                (rows, tokens, vocabulary).
            dtype: one of PRECISIONS; in bfloat16 all but the vocabulary head computes with 8 bits.
        """
        if dtype not in PRECISIONS:
            raise KasuError("dtype", repr(dtype), " or ".join(PRECISIONS))
        self.network = network.to(device).eval()
        self.tokenizer, self.kind, self.name = tokenizer, kind, name
        self.device, self.dtype, self.missing = device, dtype, tuple(missing)
        self.mask, self.unknown = tokenizer.mask_token_id, tokenizer.unk_token_id
        self.max_length = _max_length(network, tokenizer)
        self._cut: Cut | None = None
        self.vocabulary = self._example().shape[1]
        self._take_shortcuts()

    def encode(self, sentence: str, special_tokens: bool, within_words: bool = False) -> Text:
        """The tokens of a sentence.

        A causal model gets its token of the beginning, if it has one, also where its tokenizer
        leaves it out.

        Raises:
            KasuError: words are asked for and the tokenizer does not tell them.
        """
        if within_words and not self.tokenizer.is_fast:
            raise KasuError(self.name, "its tokenizer does not tell words", "a fast tokenizer")
        coded = self.tokenizer(
            sentence, add_special_tokens=special_tokens, return_special_tokens_mask=True,
            verbose=False,
        )  # fmt: skip
        ids, special = tuple(coded["input_ids"]), tuple(map(bool, coded["special_tokens_mask"]))
        if not special_tokens:
            special = (False,) * len(ids)
        first = self.tokenizer.bos_token_id
        if special_tokens and self.kind == CAUSAL and first is not None and ids[:1] != (first,):
            ids, special = (first, *ids), (True, *special)
        return Text(ids, special, tuple(coded.word_ids()) if within_words else ())

    @torch.inference_mode()
    def log_probabilities(
        self, ids: Tensor, rows: Sequence[int], positions: Sequence[int], targets: Sequence[int]
    ) -> Tensor:
        """Natural log probabilities, float32, on the CPU.

        Args:
            ids: (rows, tokens) of one length each: nothing is padded.
            rows, positions, targets: (n), token `targets[i]` predicted at `positions[i]` of row
                `rows[i]`.
        """
        logits = self._logits(ids, rows, positions)
        gold = torch.tensor(np.asarray(targets), device=logits.device)
        found = logits.gather(1, gold[:, None]).squeeze(1) - logits.logsumexp(1)
        return found.cpu()

    def _take_shortcuts(self) -> None:
        """Those that give the logits of the plain network on a small example."""
        plain = self._example()
        if self.device.type == "cpu" and self.dtype == "float32":
            replaced: Replaced = []
            with suppress(*UNFIT):
                replaced = pack_linears(self.network)
            if replaced and not self._agrees(plain):
                restore(replaced)
        for cut in find_cuts(self.network):
            self._cut = cut
            if self._agrees(plain):
                return
        self._cut = None
        log.info("%s: its vocabulary head answers at every position: slower", self.name)

    def _example(self) -> Tensor:
        size = min(getattr(getattr(self.network, "config", None), "vocab_size", 2), 1000)
        return self._logits(torch.arange(10).reshape(2, 5) * 7 % size, [1, 0, 1], [3, 1, 0])

    def _agrees(self, plain: Tensor) -> bool:
        try:
            found = self._example()
        except UNFIT:
            return False
        tolerance = AGREES[self.dtype]
        return found.shape == plain.shape and torch.allclose(found, plain, tolerance, tolerance)

    def _logits(self, ids: Tensor, rows: Sequence[int], positions: Sequence[int]) -> Tensor:
        """(n, vocabulary), float32."""
        places = torch.tensor(np.array([rows, positions]), device=self.device)
        narrow = nullcontext()
        if self.dtype == "bfloat16":
            narrow = torch.autocast(self.device.type, torch.bfloat16)
        with torch.inference_mode(), narrow, cutting(self._cut, *places) as cut:
            # transformers 5 asks nothing of a mask that is all ones, others need not have one
            logits = self.network(input_ids=ids.to(self.device)).logits
        return (logits.squeeze(0) if cut else logits[tuple(places)]).float()


def _max_length(network: nn.Module, tokenizer) -> float:
    """The most tokens that both take; infinite where neither says."""
    known = [getattr(getattr(network, "config", None), "max_position_embeddings", None)]
    known.append(tokenizer.model_max_length)
    for name, module in network.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            # RoBERTa counts positions from behind the number of its padding
            skipped = 0 if module.padding_idx is None else module.padding_idx + 1
            known.append(module.num_embeddings - skipped)
    return min((number for number in known if number and number > 0), default=math.inf)


def load_model(
    folder: str | Path,
    kind: str,
    *,
    device: torch.device,
    dtype: str = "float32",
    remote_code: str | None = None,
) -> LanguageModel:
    """Load a model of a local folder, as the Hugging Face hub lays them out; the net is not asked.

    Args:
        kind: MASKED or CAUSAL.
        remote_code: a revision (40 hexadecimal digits) whose Python files may run. The folder must
            bear that name. Without it no code of a model runs.

    Raises:
        KasuError: no such folder or not of that kind; its weights need unpickling; it brings code
            that nobody asked for, or of another revision.
    """
    import transformers

    folder = Path(folder)
    config = _read_config(folder)
    _check_code(folder, config, remote_code)
    _check_kind(folder, config, kind)
    options = {"local_files_only": True, "trust_remote_code": remote_code is not None}
    auto = {
        MASKED: transformers.AutoModelForMaskedLM,
        CAUSAL: transformers.AutoModelForCausalLM,
    }[kind]
    with _plain_errors(folder), torch.random.fork_rng():
        torch.manual_seed(0)  # for weights that the checkpoint lacks
        if remote_code is None:
            tokenizer = load_tokenizer(folder)
        else:
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options)
        network, info = auto.from_pretrained(
            folder, dtype=torch.float32, weights_only=True, output_loading_info=True, **options
        )
    missing = sorted(info["missing_keys"])
    if missing:
        log.warning(
            "%s: the checkpoint lacks %d weights, drawn by chance instead: %s",
            folder, len(missing), ", ".join(missing[:5]) + ", ..." * (len(missing) > 5),
        )  # fmt: skip
    return LanguageModel(
        network, tokenizer, kind=kind, name=str(folder), device=device, dtype=dtype,
        missing=missing,
    )  # fmt: skip


def _read_config(folder: Path) -> dict:
    path = folder / "config.json"
    if not path.is_file():
        raise KasuError(folder, "no model", "a folder with config.json, tokenizer and weights")
    try:
        config = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise KasuError(path, f"no JSON ({error})") from error
    if not isinstance(config, dict):
        raise KasuError(path, type(config).__name__, "an object")
    return config


def _check_code(folder: Path, config: Mapping, remote_code: str | None) -> None:
    from transformers import CONFIG_MAPPING

    code = config.get("auto_map") or {}
    if remote_code is None:
        if code and config.get("model_type") not in CONFIG_MAPPING:
            raise KasuError(
                folder, "the model brings code of its own",
                "one without, or its revision as remote_code, which lets that code run",
            )  # fmt: skip
        return
    if not REVISION.fullmatch(remote_code):
        raise KasuError(folder, f"remote_code {remote_code!r}", "a commit, 40 hexadecimal digits")
    if folder.resolve().name != remote_code:
        raise KasuError(folder, f"not revision {remote_code}", "a folder of that name")
    if any("--" in str(name) for name in code.values()):
        raise KasuError(folder, "its code is in another repository", "code of this revision")
    log.warning("%s: code of the model runs, as the configuration asks", folder)


def _check_kind(folder: Path, config: Mapping, kind: str) -> None:
    for name in config.get("architectures") or ():
        other, names = (CAUSAL, CAUSAL_NAMES) if kind == MASKED else (MASKED, MASKED_NAMES)
        if name.endswith(names):
            raise KasuError(folder, f"{name} is a {other} model", f"a {kind} one")


@contextmanager
def _plain_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except pickle.UnpicklingError as error:
        raise KasuError(
            folder, "the weights need full unpickling, which may run any code",
            "safetensors, or weights that load as such alone",
        ) from error  # fmt: skip
    except (
        OSError, ValueError, RuntimeError, LookupError, ImportError, AttributeError, TypeError,
        SafetensorError,
    ) as error:  # fmt: skip
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise KasuError(folder, f"the model cannot be loaded ({line})") from error
