"""A unigram subword tokenizer of Kasu's own, in the form that Hugging Face loads."""

import io
from collections.abc import Sequence

import sentencepiece
import tokenizers
from tokenizers import decoders, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from kasu.base.errors import KasuError

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")  # numbers 0 to 4
PAD, UNKNOWN, CLS, SEP, MASK = range(len(SPECIAL))
TOKENIZER_SENTENCES = 500_000  # the most that it is trained on, spread evenly


def train_tokenizer(
    sentences: Sequence[str], vocabulary: int, length: int
) -> PreTrainedTokenizerFast:
    """A unigram subword tokenizer (Kudo 2018), the same whenever it is trained on the same text.

    SentencePiece finds the pieces, on one thread, for the order of sums shows in them.

    Args:
        vocabulary: how many pieces at most, SPECIAL included.
        length: the most tokens of a sentence.

    Raises:
        KasuError: fewer pieces than the text has letters.
    """
    every = -(-len(sentences) // TOKENIZER_SENTENCES)
    trained = io.BytesIO()
    names = zip(("pad", "unk", "bos", "eos"), SPECIAL, strict=False)
    options = {f"{name}_piece": piece for name, piece in names}
    ids = {"pad_id": PAD, "unk_id": UNKNOWN, "bos_id": CLS, "eos_id": SEP}
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences[::every]),
            model_writer=trained,
            model_type="unigram",
            vocab_size=vocabulary,
            hard_vocab_limit=False,
            control_symbols=[SPECIAL[MASK]],
            normalization_rule_name="identity",
            num_threads=1,
            minloglevel=2,
            **options,
            **ids,
        )
    except RuntimeError as error:
        found = str(error).rpartition("] ")[2].strip() or "no pieces found"
        raise KasuError("tokenizer", found, "a larger vocabulary or a longer text") from error
    pieces = sentencepiece.SentencePieceProcessor(model_proto=trained.getvalue())
    scored = [
        (pieces.id_to_piece(number), pieces.get_score(number)) for number in range(len(pieces))
    ]
    return _wrap(scored, length)


def _wrap(scored: list[tuple[str, float]], length: int) -> PreTrainedTokenizerFast:
    tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram(scored, unk_id=UNKNOWN))
    blanks = normalizers.Replace(tokenizers.Regex(r"\s+"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), blanks])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    tokenizer.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", CLS), ("[SEP]", SEP)]
    )
    # The mask takes the blank before it along, as the piece of a word does
    mask = tokenizers.AddedToken(SPECIAL[MASK], lstrip=True, special=True)
    names = ("pad_token", "unk_token", "cls_token", "sep_token")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=length,
        mask_token=mask,
        **dict(zip(names, SPECIAL, strict=False)),
    )
