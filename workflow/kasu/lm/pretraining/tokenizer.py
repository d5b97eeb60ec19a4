"""Train a unigram subword tokenizer and write it in Hugging Face form."""

import io
import json
import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any
from unicodedata import category

import numpy as np
import regex
import sentencepiece
import tokenizers
from tokenizers import decoders, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.base.limits import hint, reraise_limit
from kasu.corpora.texts.sentences import UNSPACED
from kasu.files.parts import landing_folder
from kasu.files.tables import file_hash, write_text
from kasu.job.run import log
from kasu.lm.pretraining.texts import CorpusPart, read_texts

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # numbers 0 to 4
PAD, UNKNOWN, CLS, SEP, MASK = range(len(SPECIAL))
_UNSPACED = regex.compile(rf"(?V1){UNSPACED}")
BLANK = "▁"  # stands for the blank before a piece
PIECES = "pieces.json"
TOKENIZER_SENTENCES = 500_000  # the most to train on, spread evenly over the corpus
# Bytes of a sentence. SentencePiece silently skips longer ones, by default those over 4,192.
LONGEST = 1 << 30
_NEEDED = re.compile(r"required_chars\. \d+ vs (\d+)")  # as SentencePiece says it
# For training and for encoding. The blank before a mask must stay, so only the right end is
# stripped; a blank at the left end makes no difference.
NORMALIZER = normalizers.Sequence(
    [
        normalizers.NFC(),
        normalizers.Replace(tokenizers.Regex(r"\s+"), " "),
        normalizers.Strip(left=False, right=True),
    ]
)
# Special tokens are pieces of the model, so text that spells one is split after its bracket
SPELT_OUT = pre_tokenizers.Split(
    tokenizers.Regex(r"\[(?=(PAD|UNK|CLS|SEP|MASK)\])"), behavior="isolated"
)


def write_tokenizer(
    corpus: str | Path,
    folder: str | Path,
    *,
    vocabulary: int,
    length: int,
    part: CorpusPart | None = None,
    fewer: bool = True,
) -> None:
    """Train a tokenizer on a corpus; write its folder, with the counts in `pieces.json` (BL2MP-4).

    Args:
        corpus: what `read_texts` accepts.
        vocabulary: the number of pieces asked for, with SPECIAL; the text may yield fewer.
        length: the most tokens of a sentence.
        fewer: whether fewer pieces than asked for are acceptable.

    Raises:
        KasuError: no text; fewer pieces asked for than the text has letters; fewer pieces obtained
            than asked for, unless `fewer`.
    """
    sentences = sum(1 for _ in read_texts(corpus, part))
    every = -(-sentences // TOKENIZER_SENTENCES)
    sample = list(islice(read_texts(corpus, part), 0, None, every))
    tokenizer = train_tokenizer(sample, vocabulary, length)
    if len(tokenizer) < vocabulary and not fewer:
        raise KasuError(
            corpus, f"yields {len(tokenizer)} pieces of {vocabulary} asked for",
            "a smaller vocabulary or a longer text",
        )  # fmt: skip
    log.info("tokenizer: %d pieces obtained, %d asked for", len(tokenizer), vocabulary)
    facts = {
        "pieces_asked": vocabulary, "pieces_obtained": len(tokenizer), "sentences": sentences,
        "sentences_used": len(sample), "corpus": file_hash(corpus),
    }  # fmt: skip
    with landing_folder(folder) as written:
        tokenizer.save_pretrained(written)
        write_text(written / PIECES, json.dumps(facts, indent=1, sort_keys=True) + "\n")


def read_tokenizer(folder: str | Path) -> PreTrainedTokenizerFast:
    """Load a tokenizer that `write_tokenizer` wrote.

    Raises:
        KasuError: the folder holds none, or another's, whose special tokens have other ids.
    """
    if not Path(folder, "tokenizer.json").is_file():
        raise KasuError(folder, "no tokenizer.json", "the folder of a tokenizer")
    try:
        with hint(folder):
            tokenizer = PreTrainedTokenizerFast.from_pretrained(
                str(Path(folder).resolve()), local_files_only=True
            )
    except Exception as error:  # every reader of the library has exceptions of its own
        reraise_limit(error)
        raise KasuError(folder, f"not a tokenizer ({error})") from error
    if tokenizer.convert_ids_to_tokens(list(range(len(SPECIAL)))) != list(SPECIAL):
        raise KasuError(folder, "another's tokenizer", f"tokens 0 to 4 to be {' '.join(SPECIAL)}")
    return tokenizer


def count_pieces(folder: str | Path) -> dict[str, int]:
    """Return how many pieces were asked for and obtained, from the folder of `write_tokenizer`."""
    facts = json.loads(Path(folder, PIECES).read_text(encoding="utf-8"))
    return {key: facts[key] for key in ("pieces_asked", "pieces_obtained")}


def word_starts(tokenizer: PreTrainedTokenizerFast) -> np.ndarray:
    """Return whether each token begins a word: (vocabulary), bool.

    A word begins after a blank, with every punctuation mark or other symbol, and with every piece
    of a script without blanks between words: else a sentence would be masked as one word.
    """
    pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    begins = [
        piece in SPECIAL
        or piece.startswith(BLANK)
        or category(piece[0])[0] in "PS"
        or _UNSPACED.match(piece)
        for piece in pieces
    ]
    return np.array(begins, bool)


def train_tokenizer(
    sentences: Iterable[str], vocabulary: int, length: int
) -> PreTrainedTokenizerFast:
    """Train a unigram subword tokenizer (Kudo 2018); the same text always gives the same one.

    SentencePiece finds the pieces on one thread, because the order of sums affects them.

    Args:
        vocabulary: the maximal number of pieces, with SPECIAL.
        length: the most tokens of a sentence.

    Raises:
        KasuError: no text, or fewer pieces asked for than it has letters.
    """
    trained = io.BytesIO()
    options: dict[str, Any] = {}
    for token, name in ((PAD, "pad"), (UNKNOWN, "unk"), (CLS, "bos"), (SEP, "eos")):
        options |= {f"{name}_piece": SPECIAL[token], f"{name}_id": token}
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=map(NORMALIZER.normalize_str, sentences),
            model_writer=trained,
            model_type="unigram",
            vocab_size=max(vocabulary, len(SPECIAL)),  # with fewer it does not say how many
            hard_vocab_limit=False,
            control_symbols=[SPECIAL[MASK]],
            normalization_rule_name="identity",
            num_threads=1,
            minloglevel=2,
            max_sentence_length=LONGEST,
            **options,
        )
    except RuntimeError as error:
        reraise_limit(error)
        if needed := _NEEDED.search(str(error)):
            expected = f"at least {needed[1]}: the letters of the text, and special pieces"
            raise KasuError("tokenizer", f"{vocabulary} pieces", expected) from error
        found = str(error).rpartition("] ")[2].strip() or "no pieces found"
        raise KasuError("tokenizer", found, "a longer text") from error
    pieces = sentencepiece.SentencePieceProcessor(model_proto=trained.getvalue())
    scored = [
        (pieces.id_to_piece(number), pieces.get_score(number)) for number in range(len(pieces))
    ]
    return _wrap(scored, length)


def _wrap(scored: list[tuple[str, float]], length: int) -> PreTrainedTokenizerFast:
    """Make a Hugging Face tokenizer of pieces and their log probabilities."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram(scored, unk_id=UNKNOWN))
    tokenizer.normalizer = NORMALIZER
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(prepend_scheme="first"), SPELT_OUT]
    )
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    tokenizer.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", CLS), ("[SEP]", SEP)]
    )
    # The mask includes the blank before it, as the first piece of a word does
    mask = tokenizers.AddedToken(SPECIAL[MASK], lstrip=True, special=True)
    names = ("pad_token", "unk_token", "cls_token", "sep_token")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=length,
        mask_token=mask,
        **dict(zip(names, SPECIAL, strict=False)),
    )
