"""Language models that are asked for log probabilities at a few positions."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import AddedToken
from torch import Tensor, nn
from transformers import BatchEncoding, PreTrainedTokenizerBase

from kasu.base.errors import KasuError
from kasu.job.run import log
from kasu.lm import CAUSAL, MASKED, PRECISIONS
from kasu.lm.models.definitions import Text
from kasu.lm.models.loading import load_parts, longest_input
from kasu.lm.models.networks import LENGTH, longest_switched, rows_of_embedding
from kasu.lm.models.pieces import Gaps
from kasu.lm.models.shortcuts import Cut, Replaced, cutting, find_cuts, pack_linears, restore

# Raised by a network whose structure is not the one that a shortcut expects
UNFIT = (RuntimeError, ValueError, LookupError, AttributeError, TypeError, NotImplementedError)
BLANK = "\uffff"  # where the mask stands in a text; a noncharacter, so not part of any text
TOLERANCES = {"float32": 1e-4, "bfloat16": 0.5}  # of logits, absolute and relative


class LanguageModel:
    """A masked or causal model with its tokenizer.

    Attributes:
        name: folder of the model, for messages.
        kind: MASKED or CAUSAL.
        max_length: the most tokens of an input, special ones included.
        vocabulary: the number of tokens that it predicts among.
        rows: ids from this one on are no tokens of the network.
        mask: id of the mask token; None if it has none, or is causal.
        unknown: id of the token that replaces unknown text; None if it has none.
        missing: weights absent from the checkpoint and therefore randomly initialised.
    """

    def __init__(
        self,
        network: nn.Module,
        tokenizer: PreTrainedTokenizerBase,
        *,
        kind: str,
        name: str,
        device: torch.device,
        dtype: str = "float32",
        missing: Sequence[str] = (),
    ) -> None:
        """Wrap a network of transformers, or one that is called in the same way.

        Args:
            network: maps `input_ids` (rows, tokens) to an output whose `.logits` are
                (rows, tokens, vocabulary).
            tokenizer: of the network; it learns BLANK as a further token.
            dtype: one of PRECISIONS; bfloat16 concerns everything but the vocabulary head.
        """
        if dtype not in PRECISIONS:
            raise KasuError("dtype", repr(dtype), " or ".join(PRECISIONS))
        self.network = network.to(device).eval()
        self.tokenizer, self.kind, self.name = tokenizer, kind, name
        self.device, self.dtype, self.missing = device, dtype, tuple(missing)
        self.mask: Any = tokenizer.mask_token_id if kind == MASKED else None
        self._gaps = Gaps(tokenizer)
        self.unknown = self._gaps.unknown
        self._blank = None if self.mask is None else _add_blank(tokenizer)
        self.max_length = longest_input(tokenizer, network)
        self._cut: Cut | None = None
        self.vocabulary = self._example().shape[1]
        self.rows = min(self.vocabulary, rows_of_embedding(network) or self.vocabulary)
        self._take_shortcuts()

    def encode(self, sentence: str, special_tokens: bool, within_words: bool = False) -> Text:
        """Tokenise a sentence; BLANK in it becomes the mask, and a literal `[SEP]` is text.

        With special tokens, a causal model's input starts with its beginning-of-text token, even
        if the tokenizer does not add it by itself.

        Raises:
            KasuError: words are asked for, but the tokenizer does not divide the text into words.
        """
        coded = self._tokenise(sentence, special_tokens, aligned=within_words or self._gaps.dropped)
        ids = tuple(coded["input_ids"])
        if BLANK in sentence:
            ids = tuple(self.mask if token == self._blank else token for token in ids)
        special = tuple(map(bool, coded["special_tokens_mask"]))
        words = self._words(sentence, coded) if within_words else ()
        lost = self._gaps.lost(sentence, coded.get("offset_mapping", ()))
        first = self.tokenizer.bos_token_id
        # Some begin with another one, as XGLM's with </s>, though they have a <s>, too
        begun = ids[:1] == (first,) or special[:1] == (True,)
        if special_tokens and self.kind == CAUSAL and first is not None and not begun:
            ids, special = (first, *ids), (True, *special)
        return Text(ids, special, words, lost=lost)

    def encode_form(self, before: str, form: str, after: str, special_tokens: bool) -> Text:
        """Tokenise a sentence in which the mask takes the place of a form.

        The form is the tokens of the whole sentence that hold characters of it. A token may hold
        characters beside it, too: a blank before it, or letters where nothing separates words.
        `target` is empty if no token holds any.

        Raises:
            KasuError: it cannot be told which tokens are the form's.
        """
        if not self.tokenizer.is_fast:
            return self._encode_between(before, form, after, special_tokens)
        sentence = f"{before}{form}{after}"
        coded = self._tokenise(sentence, special_tokens, aligned=True)
        ids, spans = tuple(coded["input_ids"]), coded["offset_mapping"]
        special = tuple(map(bool, coded["special_tokens_mask"]))
        start, end = len(before), len(before) + len(form)
        held = [
            at
            for at, (first, last) in enumerate(spans)
            if first < end and last > start and not special[at]
        ]
        if not held:
            return Text(ids, special)
        left, right = held[0], held[-1] + 1
        beside = sentence[spans[left][0] : start] + sentence[end : spans[right - 1][1]]
        # A piece for the blank before the form alone, where words begin with their blank
        words, before_it = coded.word_ids(), slice(*spans[left - 1])
        if left and words[left - 1] == words[left] and not sentence[before_it].strip():
            left -= 1
        return Text(
            (*ids[:left], self.mask, *ids[right:]),
            (*special[:left], False, *special[right:]),
            target=ids[left:right],
            lost=self._gaps.lost(form, [(first - start, last - start) for first, last in spans]),
            shared=bool(beside.strip()),
        )

    def _encode_between(self, before: str, form: str, after: str, special_tokens: bool) -> Text:
        """Encode a form as `encode_form` does, by a tokenizer that does not align."""
        text = self.encode(f"{before}{form}{after}", special_tokens)
        frame = f"{before}{self.tokenizer.mask_token}{after}"
        masked = self.tokenizer(frame, add_special_tokens=special_tokens)["input_ids"]
        left = masked.index(self.mask) if self.mask in masked else 0
        right = len(text.ids) - (len(masked) - left - 1)
        context = (*text.ids[:left], self.mask, *text.ids[right:])
        if context != tuple(masked):
            found = f"the text around {form!r} has other tokens with it than with a mask"
            raise KasuError(self.name, found, "a fast tokenizer, which aligns tokens and text")
        special = (*text.special[:left], False, *text.special[right:])
        return Text(context, special, target=text.ids[left:right])

    def _tokenise(self, sentence: str, special_tokens: bool, aligned: bool) -> BatchEncoding:
        """Tokenise a sentence; `aligned`: with the words and characters of each token."""
        if aligned and not self.tokenizer.is_fast:
            raise KasuError(self.name, "its tokenizer does not align tokens and text", "a fast one")
        return self.tokenizer(
            sentence, add_special_tokens=special_tokens, split_special_tokens=True,
            return_special_tokens_mask=True, return_offsets_mapping=aligned, verbose=False,
        )  # fmt: skip

    def _words(self, sentence: str, coded: BatchEncoding) -> tuple[int | None, ...]:
        """Return the word of each token, None for tokens that the tokenizer adds."""
        words = tuple(coded.word_ids())
        if len({*words} - {None}) == 1 and len(sentence.split()) > 1:
            found = "its tokenizer does not divide text into words"
            raise KasuError(self.name, found, "one that does, or another definition")
        return words

    @torch.inference_mode()
    def log_probabilities(
        self, ids: Tensor, rows: Sequence[int], positions: Sequence[int], targets: Sequence[int]
    ) -> Tensor:
        """Return natural log probabilities of tokens, (n), float32, on the CPU.

        Args:
            ids: (rows, tokens), without padding.
            rows, positions, targets: (n) each; the i-th answer is the probability of token
                `targets[i]` at position `positions[i]` of row `rows[i]`.
        """
        logits = self._logits(ids, rows, positions)
        gold = torch.tensor(np.asarray(targets), device=logits.device)
        return (logits.gather(1, gold[:, None]).squeeze(1) - logits.logsumexp(1)).cpu()

    def _take_shortcuts(self) -> None:
        """Take each shortcut that leaves the logits of a small example as they are."""
        plain = self._example()
        if self.device.type == "cpu":
            for fuse in (True, False):
                replaced: Replaced = []
                with suppress(*UNFIT):
                    replaced = pack_linears(self.network, fuse, self.dtype == "bfloat16")
                if replaced and self._agrees(plain):
                    break
                restore(replaced)
        for cut in find_cuts(self.network):
            self._cut = cut
            if self._agrees(plain):
                return
        self._cut = None
        log.info("%s: slower, for its vocabulary head answers at every position", self.name)

    def _example(self) -> Tensor:
        """Return logits at three positions of two made-up rows."""
        size = min(getattr(getattr(self.network, "config", None), "vocab_size", 2), 1000)
        # Long enough for the attention that long texts get
        length = max(LENGTH, min(longest_switched(self.network) + 1, self.max_length))
        rows = torch.arange(2 * length).reshape(2, length) * 7 % size
        return self._logits(rows, [1, 0, 1], [3, 1, 0])

    def _agrees(self, plain: Tensor) -> bool:
        try:
            logits = self._example()
        except UNFIT:
            return False
        tolerance = TOLERANCES[self.dtype]
        return logits.shape == plain.shape and torch.allclose(logits, plain, tolerance, tolerance)

    def _logits(self, ids: Tensor, rows: Sequence[int], positions: Sequence[int]) -> Tensor:
        """Return the logits at (row, position) pairs: (n, vocabulary), float32."""
        places = torch.tensor(np.array([rows, positions]), device=self.device)
        precision: AbstractContextManager = nullcontext()
        if self.dtype == "bfloat16":
            precision = torch.autocast(self.device.type, torch.bfloat16)
        with torch.inference_mode(), precision, cutting(self._cut, *places) as cut:
            # No attention mask: nothing is padded, and not every network accepts one
            logits = self.network(input_ids=ids.to(self.device)).logits
        return (logits.squeeze(0) if cut else logits[tuple(places)]).float()


def _add_blank(tokenizer: PreTrainedTokenizerBase) -> int:
    """Add BLANK as a token that is placed as the mask is; return its id.

    The mask itself is a special token, and special tokens in a text are read as text.
    """
    mask = tokenizer.added_tokens_decoder.get(tokenizer.mask_token_id, AddedToken(""))
    tokenizer.add_tokens(
        AddedToken(BLANK, lstrip=mask.lstrip, rstrip=mask.rstrip, normalized=False)
    )
    return tokenizer.convert_tokens_to_ids(BLANK)


def load_model(
    folder: str | Path,
    kind: str,
    *,
    device: torch.device,
    dtype: str = "float32",
    untrained: bool = False,
    remote_code: str | None = None,
) -> LanguageModel:
    """Load a language model (see `load_parts`).

    Args:
        kind: MASKED or CAUSAL.
    """
    parts = load_parts(folder, kind, device, untrained=untrained, remote_code=remote_code)
    return LanguageModel(
        parts.network, parts.tokenizer, kind=kind, name=str(folder), device=device, dtype=dtype,
        missing=parts.missing,
    )  # fmt: skip
