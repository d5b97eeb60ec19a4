"""Fills proposed by a masked language model (An et al. 2023 §2.1; BLM-6, S-10).

The network sees each distinct sentence with a slot once. Its words are tried in order of
probability; the lexicon decides which of them keep number, gender and elision.

The last digits of a network differ between processors. It therefore computes in float64, and words
within NEAR of each other count as equally likely: NEAR is far above the error of float64 and far
below the usual distance of two words, so the order is the same on any processor.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.blm.generation.fills import Fills, Request, judge
from kasu.blm.generation.substitutions import FILLED, Lexicon, Pair
from kasu.corpora.texts.tokens import is_alphabetic
from kasu.job.run import Progress
from kasu.lm import MASKED
from kasu.lm.models.bucketing import pad, rows_of, token_batches
from kasu.lm.models.loading import load_parts
from kasu.lm.models.networks import expect_tokens, rows_of_embedding
from kasu.lm.models.shortcuts import Cut, cutting

# How the vocabulary marks where words begin and go on
WORD_MARKS = ("▁", "Ġ")  # SentencePiece and byte pairs: before a piece that begins a word
CONTINUED = "##"  # WordPiece: before a piece that goes on
# What a token is as a word, whatever the request
KNOWN, PART, SIGNS, UNKNOWN = range(4)
REASONS = {PART: "part of a word", SIGNS: "not alphabetic", UNKNOWN: "no paired number form"}

NEAR = 1e-9  # nats
TIED = "as likely as the next word: the first in the vocabulary comes first"

Text = tuple[str, str]  # a sentence left and right of the slot


class Words(NamedTuple):
    """The vocabulary as words: by token, the text and what it is (KNOWN, PART, SIGNS, UNKNOWN)."""

    texts: list[str]
    kinds: np.ndarray


class Ranking(NamedTuple):
    """All tokens at a slot, the likeliest first; both arrays are (tokens).

    tokens: their numbers.
    groups: rising numbers; tokens that are equally likely have the same.
    """

    tokens: np.ndarray
    groups: np.ndarray


class MaskedFills:
    """Fills proposed by a masked language model, for `kasu.blm.generation.slots.ask_fills`.

    Attributes:
        rejected: how many of the model's words were skipped, by reason, counted once per sentence;
            also how many of the words that were tried are TIED.
    """

    def __init__(
        self,
        folder: str | Path,
        lexicon: Lexicon,
        device: torch.device,
        tokens_per_batch: int,
        otherwise: Fills | None = None,
    ) -> None:
        """Load the model.

        Args:
            otherwise: proposes the remaining fills of a slot for which the model has too few, as a
                model with a small vocabulary may; `rejected` counts these. None: they are missing.

        Raises:
            KasuError: the model cannot be loaded, or its tokenizer has no mask token.
        """
        self.lexicon, self.otherwise = lexicon, otherwise
        self.ranking = SlotRanking(folder, device, tokens_per_batch)
        self.rejected: Counter[str] = Counter()
        self._after_space, self._after_apostrophe = words_of(self.ranking.tokenizer, lexicon)

    def fills(self, requests: Sequence[Request], count: int) -> list[list[Pair]]:
        """Return up to `count` pairs for each request, best first.

        Raises:
            KasuError: a sentence is too long, or the tokenizer does not keep one mask in it.
        """
        # Requests that share a sentence share its ranking
        places = defaultdict(list)
        for at, request in enumerate(requests):
            places[request.before, request.after].append(at)
        answers: list[list[Pair]] = [[] for _ in requests]
        for text, ranking in self.ranking.rank(sorted(places)):
            for at in places[text]:
                answers[at] = self._choose(requests[at], ranking, count)
        self._top_up(requests, answers, count)
        return answers

    def _top_up(
        self, requests: Sequence[Request], answers: Sequence[list[Pair]], count: int
    ) -> None:
        """Complete short answers from `otherwise`."""
        short = [at for at, pairs in enumerate(answers) if len(pairs) < count]
        if not short or self.otherwise is None:
            return
        # Twice as many as needed: the model may have proposed some of them
        others = self.otherwise.fills([requests[at] for at in short], 2 * count)
        for at, offered in zip(short, others, strict=True):
            new = [pair for pair in offered if pair not in answers[at]][: count - len(answers[at])]
            answers[at] += new
            self.rejected["no fill of the model left: one of the lexicon"] += len(new)

    def _choose(self, request: Request, ranking: Ranking, count: int) -> list[Pair]:
        """Take the first `count` tokens in order of rank that the lexicon accepts."""
        after_space = not request.before or request.before[-1].isspace()
        texts, kinds = self._after_space if after_space else self._after_apostrophe
        pairs: list[Pair] = []
        last = -1  # rank of the last token judged
        ranked = ranking.tokens
        known = np.flatnonzero(kinds[ranked] == KNOWN)
        for rank in known.tolist():
            if len(pairs) == count:
                break
            last = rank
            verdict = judge(texts[ranked[rank]], request, self.lexicon)
            if isinstance(verdict, str):
                self.rejected[verdict] += 1
            elif verdict in pairs:
                self.rejected["already a better fill"] += 1
            else:
                pairs.append(verdict)
        # Count the tokens in between that no request could use; all of them if fills are missing
        seen = kinds[ranked[: last + 1] if len(pairs) == count else ranked]
        for kind, reason in REASONS.items():
            if number := int((seen == kind).sum()):
                self.rejected[reason] += number
        # A judged word ties if the next word of the lexicon is equally likely
        tied = np.diff(ranking.groups[known]) == 0
        if number := int((tied & (known[:-1] <= last)).sum()):
            self.rejected[TIED] += number
        return pairs


def words_of(tokenizer: PreTrainedTokenizerBase, lexicon: Lexicon) -> tuple[Words, Words]:
    """Read the vocabulary as words after a space, and as words after an apostrophe."""
    special = set(tokenizer.all_special_ids)
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    marked = any(piece.startswith(WORD_MARKS) for piece in pieces)
    after_space, after_apostrophe = [""] * len(pieces), [""] * len(pieces)
    for number, piece in enumerate(pieces):
        if number in special or piece.startswith(CONTINUED):
            continue
        word = tokenizer.decode([number]).strip()
        # WordPiece splits at apostrophes and marks no beginnings: words look alike in both places
        if not marked or piece.startswith(WORD_MARKS):
            after_space[number] = word
        if not marked or not piece.startswith(WORD_MARKS):
            after_apostrophe[number] = word

    def classify(texts: list[str]) -> Words:
        return Words(texts, np.array([_kind(text, lexicon) for text in texts]))

    return classify(after_space), classify(after_apostrophe)


def _kind(word: str, lexicon: Lexicon) -> int:
    if not word:
        return PART
    if not is_alphabetic(word):
        return SIGNS
    return KNOWN if lexicon.find(word, *FILLED) else UNKNOWN


class SlotRanking:
    """Rank the tokens that a masked language model predicts at the slot of a sentence."""

    def __init__(self, folder: str | Path, device: torch.device, tokens_per_batch: int) -> None:
        """Load the model.

        Raises:
            KasuError: it cannot be loaded, or its tokenizer has no mask token.
        """
        self.device, self.tokens = device, tokens_per_batch
        parts = load_parts(folder, MASKED, device)
        self.tokenizer, self.longest = parts.tokenizer, parts.longest
        self.network = parts.network.double()
        if self.tokenizer.mask_token_id is None:
            raise KasuError(folder, "a tokenizer without a mask", "a masked language model")

    def rank(self, texts: Sequence[Text]) -> Iterator[tuple[Text, Ranking]]:
        """Yield each text with the ranking of all tokens at its slot.

        Raises:
            KasuError: a sentence is too long, or the tokenizer does not keep one mask in it.
        """
        ids = [self.ids(*text) for text in texts]
        lengths = np.array([len(row) for row in ids])
        progress = Progress("fills", len(texts), "sentences")
        for rows, width in token_batches(lengths, self.tokens):
            # Every batch of a width has the same number of rows (the first is repeated to fill it),
            # so that no answer depends on what else is asked
            full = np.resize(rows, rows_of(width, self.tokens))
            full[len(rows) :] = rows[0]
            width = min(width, self.longest)
            matrix, mask = pad([ids[row] for row in full], width, self.tokenizer.pad_token_id)
            rankings = self.likeliest(matrix, mask)
            yield from ((texts[row], rankings[at]) for at, row in enumerate(rows))
            progress.add(len(rows))

    def ids(self, before: str, after: str) -> list[int]:
        """Tokenize a sentence with the mask in its slot."""
        text = f"{before}{self.tokenizer.mask_token}{after}"
        ids = self.tokenizer(text, verbose=False)["input_ids"]
        if ids.count(self.tokenizer.mask_token_id) != 1:
            raise KasuError(repr(text), f"{ids.count(self.tokenizer.mask_token_id)} masks", "one")
        if len(ids) > self.longest:
            raise KasuError(repr(text), f"{len(ids)} tokens", f"at most {self.longest}")
        expect_tokens(repr(text), ids, rows_of_embedding(self.network), self.tokenizer)
        return ids

    @hint(change="a smaller blm.encoding.tokens_per_batch")
    @torch.inference_mode()
    def likeliest(self, matrix: np.ndarray, mask: np.ndarray) -> list[Ranking]:
        """Rank all tokens at the slot of each row.

        Args:
            matrix: (rows, width) token ids with one mask in each row.
            mask: (rows, width), true where a token stands, false for padding.
        """
        ids = torch.from_numpy(matrix).to(self.device)
        slots = torch.nonzero(ids == self.tokenizer.mask_token_id, as_tuple=True)
        # The head runs at the slots alone: logits at all positions would take gigabytes
        with cutting(Cut(self.network.base_model, below=True), *slots):
            logits = self.network(
                input_ids=ids, attention_mask=torch.from_numpy(mask).to(self.device).long()
            ).logits
        at_slot = logits[0, :, : len(self.tokenizer)]  # some networks have more rows than tokens
        return [_rank(logits) for logits in at_slot.cpu().numpy()]


def _rank(logits: np.ndarray) -> Ranking:
    """Rank tokens by their logits, (tokens,), and equally likely ones by number.

    Tokens are equally likely if each is within NEAR of the next.
    """
    order = np.argsort(-logits, kind="stable")
    with np.errstate(invalid="ignore"):  # between two infinite logits
        groups = np.cumsum(np.diff(-logits[order], prepend=-np.inf) > NEAR)
    return Ranking(order[np.lexsort((order, groups))], groups)
