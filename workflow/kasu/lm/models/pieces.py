"""What a tokenizer cannot spell, whether its configuration says so or not, and what is random."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from tokenizers import Tokenizer, models, pre_tokenizers

from kasu.job.run import log

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

SNOWMAN = "\u2603"  # a character that few vocabularies have
_BLANK = "Ġ"  # as a byte-level vocabulary writes it


def leave_out_dropout(tokenizer: Tokenizer, where: object) -> None:
    """Switch off BPE dropout, so that a text has the same tokens each time.

    Args:
        where: what the log calls it.
    """
    if dropout := getattr(tokenizer.model, "dropout", None):
        log.info("%s: its tokenizer's dropout of %s is left out", where, dropout)
        tokenizer.model.dropout = None


def leave_out_sampling(tokenizer: "PreTrainedTokenizerBase", where: object) -> None:
    """Let a tokenizer of sentencepiece without a `tokenizer.json` take the best pieces, not draw.

    Args:
        where: what the log calls it.
    """
    options = getattr(tokenizer, "sp_model_kwargs", None) or {}
    if options.get("enable_sampling"):
        from sentencepiece import SentencePieceProcessor

        log.info("%s: its tokenizer would draw pieces at random; it takes the best", where)
        tokenizer.sp_model = SentencePieceProcessor(
            model_proto=tokenizer.sp_model.serialized_model_proto(),
            **(options | {"enable_sampling": False}),
        )


class Gaps:
    """What of a text a tokenizer has no token for.

    Attributes:
        unknown: id of the token that replaces unknown text; None if there is none.
        dropped: whether unknown text has no token at all, so that `lost` needs those of the rest.
    """

    def __init__(self, tokenizer: "PreTrainedTokenizerBase") -> None:
        self.unknown = unknown_token(tokenizer)
        self._spells = find_speller(tokenizer)
        with_it, without = (tokenizer(text)["input_ids"] for text in (f"a{SNOWMAN}", "a"))
        self.dropped = tokenizer.is_fast and with_it == without

    def lost(self, text: str, spans: Iterable[tuple[int, int]]) -> int:
        """Count the characters of a text, blanks aside, of which bytes or all are in no token.

        Args:
            spans: the characters of each token; not used unless unknown text is dropped.
        """
        if self._spells:  # where bytes vanish, tokens are not aligned as they should be
            return sum(not self._spells(sign) for sign in text if not sign.isspace())
        if not self.dropped:
            return 0
        held = {at for first, last in spans for at in range(first, last)}
        return sum(at not in held and not sign.isspace() for at, sign in enumerate(text))


def unknown_token(tokenizer: "PreTrainedTokenizerBase") -> Any:
    """Return the id of the token that replaces unknown text; None if there is none.

    `tokenizer.json` may have one that the configuration does not name.
    """
    if tokenizer.unk_token_id is not None or not tokenizer.is_fast:
        return tokenizer.unk_token_id
    backend = tokenizer.backend_tokenizer
    if isinstance(backend.model, models.Unigram):
        return json.loads(backend.to_str())["model"]["unk_id"]
    name = getattr(backend.model, "unk_token", None)
    return backend.token_to_id(name) if name else None


def find_speller(tokenizer: "PreTrainedTokenizerBase") -> Callable[[str], bool] | None:
    """Return what tells whether a tokenizer has a token for each byte of a character.

    None if it has one for every byte, or does not divide text into bytes. A trainer that is not
    told all bytes keeps those of its text; any other one vanishes without a token.
    """
    if not tokenizer.is_fast or unknown_token(tokenizer) is not None:
        return None
    normaliser, divider = (
        getattr(tokenizer.backend_tokenizer, name) for name in ("normalizer", "pre_tokenizer")
    )

    def written(character: str) -> set[str]:
        text = normaliser.normalize_str(character) if normaliser else character
        pieces = divider.pre_tokenize_str(text) if divider else [(text, None)]
        return {sign for piece, _ in pieces for sign in piece}

    signs = {*pre_tokenizers.ByteLevel.alphabet()}
    missing = signs - tokenizer.get_vocab().keys() - {_BLANK}
    snowman = written(SNOWMAN)
    if not missing or not snowman or not snowman <= signs:
        return None
    return cache(lambda character: missing.isdisjoint(written(character)))
