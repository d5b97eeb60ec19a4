"""Fills that a masked language model proposes (An et al. 2023 §2.1; BLM-6, S-10).

The network is asked once for each distinct sentence with a slot; its words are taken in order of
probability, and the lexicon says which of them keep number, gender and elision.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

from kasu.base.errors import KasuError
from kasu.base.run import Progress
from kasu.blm.generation.fills import Fills, Request, judge
from kasu.blm.generation.substitutions import FILLED, Lexicon, Pair
from kasu.lm import MASKED
from kasu.lm.models.bucketing import pad, rows_of, token_batches
from kasu.lm.models.loading import load_parts
from kasu.lm.models.shortcuts import Cut, cutting

WORD_MARKS = ("▁", "Ġ")  # what pieces that begin a word begin with: SentencePiece, byte pairs
CONTINUED = "##"  # what WordPiece puts before the others
# What a token is at a slot, before anything is known of the request
KNOWN, PART, SIGNS, UNKNOWN = range(4)
REASONS = {PART: "part of a word", SIGNS: "not alphabetic", UNKNOWN: "no paired number form"}

Text = tuple[str, str]  # a sentence left and right of the slot


class MaskedFills:
    """Fills of a masked language model, for `kasu.blm.generation.slots.ask_fills`.

    Attributes:
        rejected: how many of its words were passed over, by reason; once for each sentence.
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
            otherwise: what proposes the last fills of a slot for which the model has too few, as
                one with a small vocabulary has; `rejected` counts these. None: they are missing.

        Raises:
            KasuError: none that can be loaded, or one without a mask token.
        """
        self.otherwise = otherwise
        self.lexicon, self.device, self.tokens = lexicon, device, tokens_per_batch
        parts = load_parts(folder, MASKED, device)
        self.tokenizer, self.network, self.longest = parts.tokenizer, parts.network, parts.longest
        if self.tokenizer.mask_token_id is None:
            raise KasuError(folder, "a tokenizer without a mask", "a masked language model")
        self.rejected: Counter[str] = Counter()
        self._free, self._glued = self._pieces()

    def fills(self, requests: Sequence[Request], count: int) -> list[list[Pair]]:
        """For each request the `count` best pairs, best first; fewer where there are no more.

        Raises:
            KasuError: a sentence in which the tokenizer keeps no mask, or that is too long.
        """
        places = defaultdict(list)
        for at, request in enumerate(requests):
            places[request.before, request.after].append(at)
        texts = sorted(places)
        answers: list[list[Pair]] = [[] for _ in requests]
        for text, ranked in self._rank(texts):
            for at in places[text]:
                answers[at] = self._choose(requests[at], ranked, count)
        self._top_up(requests, answers, count)
        return answers

    def _top_up(
        self, requests: Sequence[Request], answers: Sequence[list[Pair]], count: int
    ) -> None:
        short = [at for at, pairs in enumerate(answers) if len(pairs) < count]
        if not short or self.otherwise is None:
            return
        # Twice as many, for some may be there already
        others = self.otherwise.fills([requests[at] for at in short], 2 * count)
        for at, offered in zip(short, others, strict=True):
            new = [pair for pair in offered if pair not in answers[at]][: count - len(answers[at])]
            answers[at] += new
            self.rejected["no fill of the model left: one of the lexicon"] += len(new)

    def _choose(self, request: Request, ranked: np.ndarray, count: int) -> list[Pair]:
        glued = request.before and not request.before[-1].isspace()
        words, kinds = self._glued if glued else self._free
        pairs: list[Pair] = []
        passed = -1
        for place in np.flatnonzero(kinds[ranked] == KNOWN).tolist():
            if len(pairs) == count:
                break
            passed = place
            verdict = judge(words[ranked[place]], request, self.lexicon)
            if isinstance(verdict, str):
                self.rejected[verdict] += 1
            elif verdict in pairs:
                self.rejected["already a better fill"] += 1
            else:
                pairs.append(verdict)
        seen = kinds[ranked[: passed + 1] if len(pairs) == count else ranked]
        for kind, reason in REASONS.items():
            if found := int((seen == kind).sum()):
                self.rejected[reason] += found
        return pairs

    def _pieces(self) -> tuple[tuple[list[str], np.ndarray], tuple[list[str], np.ndarray]]:
        """By token the word that it is, and of which kind: behind a blank, behind an apostrophe."""
        special = set(self.tokenizer.all_special_ids)
        pieces = self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer))))
        marked = any(piece.startswith(WORD_MARKS) for piece in pieces)
        free, glued = [""] * len(pieces), [""] * len(pieces)
        for number, piece in enumerate(pieces):
            if number in special or piece.startswith(CONTINUED):
                continue
            word = self.tokenizer.decode([number]).strip()
            # WordPiece cuts at apostrophes, and words look alike behind both
            if not marked or piece.startswith(WORD_MARKS):
                free[number] = word
            if not marked or not piece.startswith(WORD_MARKS):
                glued[number] = word
        return tuple(
            (words, np.array([self._kind(word) for word in words])) for words in (free, glued)
        )

    def _kind(self, word: str) -> int:
        if not word:
            return PART
        if not word.isalpha():
            return SIGNS
        return KNOWN if self.lexicon.find(word, *FILLED) else UNKNOWN

    def _rank(self, texts: Sequence[Text]) -> Iterator[tuple[Text, np.ndarray]]:
        """All tokens at the slot of each text, the likeliest first."""
        ids = [self._ids(*text) for text in texts]
        lengths = np.array([len(row) for row in ids])
        progress = Progress("fills", len(texts), "sentences")
        for rows, width in token_batches(lengths, self.tokens):
            # Always as many rows, so that no answer depends on what else is asked
            full = np.resize(rows, rows_of(width, self.tokens))
            full[len(rows) :] = rows[0]
            width = min(width, self.longest)
            matrix, mask = pad([ids[row] for row in full], width, self.tokenizer.pad_token_id)
            ranked = self._likeliest(matrix, mask)
            yield from ((texts[row], ranked[at]) for at, row in enumerate(rows))
            progress.add(len(rows))

    def _ids(self, before: str, after: str) -> list[int]:
        text = f"{before}{self.tokenizer.mask_token}{after}"
        ids = self.tokenizer(text, verbose=False)["input_ids"]
        if ids.count(self.tokenizer.mask_token_id) != 1:
            raise KasuError(repr(text), f"{ids.count(self.tokenizer.mask_token_id)} masks", "one")
        if len(ids) > self.longest:
            raise KasuError(repr(text), f"{len(ids)} tokens", f"at most {self.longest}")
        return ids

    @torch.inference_mode()
    def _likeliest(self, matrix: np.ndarray, mask: np.ndarray) -> np.ndarray:
        ids = torch.from_numpy(matrix).to(self.device)
        slots = torch.nonzero(ids == self.tokenizer.mask_token_id, as_tuple=True)
        # The head answers at the slots alone: everywhere it would fill gigabytes
        with cutting(Cut(self.network.base_model, below=True), *slots):
            logits = self.network(
                input_ids=ids, attention_mask=torch.from_numpy(mask).to(self.device).long()
            ).logits
        at_slot = logits[0, :, : len(self.tokenizer)]  # some networks have more rows than tokens
        return torch.sort(at_slot, dim=1, descending=True, stable=True).indices.cpu().numpy()
