"""Scores of random models of many architectures against an oracle that shares no code with Kasu.

The oracle takes ids, words and characters from `tokenizer.json` by the library tokenizers, and
computes in float64, one context at a time.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
import transformers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, processors
from tokenizers import pre_tokenizers as pre
from tokenizers.trainers import BpeTrainer, UnigramTrainer, WordPieceTrainer

from kasu.lm.models.language_model import LanguageModel, load_model
from kasu.lm.scoring.entries import encode_items
from kasu.lm.scoring.items import MASK, ItemText
from kasu.lm.scoring.score import score_rows

CPU = torch.device("cpu")
TOLERANCE = 1e-4  # nat a token
# From it the vocabularies are learnt
TEXT = """\
The dogs behind the new barn bark at night. The dog behind the new barn barks at night.
They can't say it's Ann's dog, and we shan't ask. You'd rather sing; she won't.
C'est l'heure d'aller à l'école. J'ai vu l'ami d'Élise aujourd'hui, n'est-ce pas ?
Gizonak etxea ikusi du, eta etxeak gizona. Neskek liburuak irakurri dituzte.
犬が庭で鳴いています。 猫は家の中で寝ました。 我们今天不去学校。 ბავშვი სახლში თამაშობს.
In 1984, 2,750 people walked 12.5 miles - or so (they say). "Really?" she asked.
""".splitlines()
SIZES = {
    "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 48,
    "initializer_range": 0.35,
}  # fmt: skip
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ROBERTA = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
BERT_NAMES = dict(zip(("pad", "unk", "cls", "sep", "mask"), BERT, strict=True))
ROBERTA_NAMES = {
    "bos": "<s>", "eos": "</s>", "cls": "<s>", "sep": "</s>", "unk": "<unk>", "pad": "<pad>",
    "mask": AddedToken("<mask>", lstrip=True, special=True, normalized=False),
}  # fmt: skip


def wordpiece(lower: bool = False, own: bool = False) -> Tokenizer:
    """As BERT's; `own`: NFKC in place of BERT's normaliser, and hyphens split off."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = (
        normalizers.NFKC() if own else normalizers.BertNormalizer(lowercase=lower)
    )
    tokenizer.pre_tokenizer = (
        pre.Sequence([pre.Split("'", "merged_with_next"), pre.Whitespace()])
        if own
        else pre.BertPreTokenizer()
    )
    trainer = WordPieceTrainer(vocab_size=400, special_tokens=BERT)
    return learn(tokenizer, trainer, "[CLS] $A [SEP]")


def byte_level(special: list[str], ends: str, trim: bool | None = None) -> Tokenizer:
    """As GPT-2's, or with `trim` as RoBERTa's; true: a token's characters are without its blank."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre.ByteLevel.alphabet()
    trainer = BpeTrainer(vocab_size=500, special_tokens=special, initial_alphabet=alphabet)
    learn(tokenizer, trainer, ends)
    if trim is not None:
        tokenizer.post_processor = processors.RobertaProcessing(
            ("</s>", 2), ("<s>", 0), trim_offsets=trim, add_prefix_space=False
        )
    return tokenizer


def split_otherwise(special: list[str], ends: str) -> Tokenizer:
    """Byte pairs that are not split as GPT-2's are: apostrophes begin words, digits stand alone."""
    tokenizer = byte_level(special, ends)
    pattern = Regex(r" ?'?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+")
    tokenizer.pre_tokenizer = pre.Sequence(
        [pre.Split(pattern, "isolated"), pre.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    return tokenizer


def unigram(special: list[str], unknown: str, ends: str, blanks: bool = False) -> Tokenizer:
    """SentencePiece's: as XLM-R's, which divides at blanks first, or as DeBERTa's."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = (
        pre.Sequence([pre.WhitespaceSplit(), pre.Metaspace()]) if blanks else pre.Metaspace()
    )
    tokenizer.decoder = decoders.Metaspace()
    trainer = UnigramTrainer(vocab_size=300, special_tokens=special, unk_token=unknown)
    return learn(tokenizer, trainer, ends)


def byte_fallback() -> Tokenizer:
    """As Llama's: no division into words, and bytes for unknown letters."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback()])
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = BpeTrainer(vocab_size=600, special_tokens=special, max_token_length=8)
    return learn(tokenizer, trainer, "<s> $A")


def learn(tokenizer: Tokenizer, trainer: object, ends: str) -> Tokenizer:
    tokenizer.train_from_iterator(TEXT * 4, trainer)
    added = [(name, tokenizer.token_to_id(name)) for name in {*ends.split()} - {"$A"}]
    tokenizer.post_processor = processors.TemplateProcessing(ends, special_tokens=added)
    return tokenizer


class Architecture(NamedTuple):
    """A network and its tokenizer.

    claimed: the class of tokenizer that the configuration names.
    """

    kind: str
    network: str
    tokenizer: object
    names: dict
    more: dict | None = None
    claimed: str | None = None


GPT = {"bos": "<|end|>", "eos": "<|end|>"}
GPT2 = {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 80, "initializer_range": 0.35}
DEBERTA = {
    "relative_attention": True, "position_buckets": 8, "pos_att_type": ["p2c", "c2p"],
    "norm_rel_ebd": "layer_norm", "share_att_key": True, "position_biased_input": False,
    "type_vocab_size": 0,
}  # fmt: skip
XLM = {
    "emb_dim": 32, "n_layers": 3, "n_heads": 4, "pad_index": 0, "unk_index": 1, "mask_index": 4,
    "embed_init_std": 0.35, "init_std": 0.35,
}  # fmt: skip
ARCHITECTURES = {
    "bert": Architecture("masked", "Bert", wordpiece, BERT_NAMES),
    "bert, lower case": Architecture("masked", "Bert", lambda: wordpiece(lower=True), BERT_NAMES),
    "bert, own pipeline": Architecture(
        "masked", "Bert", lambda: wordpiece(own=True), BERT_NAMES, claimed="BertTokenizer"
    ),
    "electra": Architecture("masked", "Electra", wordpiece, BERT_NAMES, {"embedding_size": 16}),
    "albert": Architecture("masked", "Albert", wordpiece, BERT_NAMES, {"embedding_size": 16}),
    "distilbert": Architecture(
        "masked", "DistilBert", wordpiece, BERT_NAMES,
        {"dim": 32, "n_layers": 3, "n_heads": 4, "hidden_dim": 48},
    ),
    "bigbird": Architecture(
        "masked", "BigBird", wordpiece, BERT_NAMES,
        {"block_size": 2, "num_random_blocks": 1},
    ),
    "roberta": Architecture(
        "masked", "Roberta", lambda: byte_level(ROBERTA, "<s> $A </s>", trim=True), ROBERTA_NAMES,
        {"pad_token_id": 1},
    ),
    "roberta, blanks in tokens": Architecture(
        "masked", "Roberta", lambda: byte_level(ROBERTA, "<s> $A </s>", trim=False), ROBERTA_NAMES,
        {"pad_token_id": 1},
    ),
    "roberta, word pieces": Architecture(
        "masked", "Roberta", wordpiece, BERT_NAMES, {"pad_token_id": 0}, "RobertaTokenizer"
    ),
    "longformer": Architecture(
        "masked", "Longformer", lambda: byte_level(ROBERTA, "<s> $A </s>", trim=True),
        ROBERTA_NAMES, {"pad_token_id": 1, "attention_window": [8] * 3},
    ),
    "modernbert": Architecture(
        "masked", "ModernBert", lambda: byte_level(BERT, "[CLS] $A [SEP]"), BERT_NAMES,
        {"pad_token_id": 0, "cls_token_id": 2, "sep_token_id": 3, "local_attention": 8},
    ),
    "xlm-roberta": Architecture(
        "masked", "XLMRoberta",
        lambda: unigram(ROBERTA, "<unk>", "<s> $A </s>", blanks=True), ROBERTA_NAMES,
        {"pad_token_id": 1}, "XLMRobertaTokenizer",
    ),
    "deberta": Architecture(
        "masked", "DebertaV2", lambda: unigram(BERT, "[UNK]", "[CLS] $A [SEP]"), BERT_NAMES,
        DEBERTA,
    ),
    "xlm": Architecture("masked", "XLM", wordpiece, BERT_NAMES, XLM),
    "xlm, causal": Architecture("causal", "XLM", wordpiece, BERT_NAMES, {**XLM, "causal": True}),
    "bert, decoder": Architecture("causal", "Bert", wordpiece, BERT_NAMES, {"is_decoder": True}),
    "gpt2": Architecture("causal", "GPT2", lambda: byte_level(["<|end|>"], "$A"), GPT, GPT2),
    "gpt-neo": Architecture(
        "causal", "GPTNeo", lambda: byte_level(["<|end|>"], "$A"), GPT,
        {"num_layers": 2, "num_hidden_layers": 2, "attention_types": [[["global", "local"], 1]],
         "window_size": 4},
    ),
    "gpt-neox": Architecture("causal", "GPTNeoX", lambda: byte_level(["<|end|>"], "$A"), GPT),
    "llama": Architecture(
        "causal", "Llama", byte_fallback, {"bos": "<s>", "eos": "</s>", "unk": "<unk>"}
    ),
    "llama, byte level": Architecture(
        "causal", "Llama", lambda: split_otherwise(["<|end|>"], "$A"), GPT, claimed="GPT2Tokenizer"
    ),
    "mamba": Architecture("causal", "Mamba", lambda: byte_level(["<|end|>"], "$A"), GPT),
}  # fmt: skip
HEADS = {
    "GPT2": "LMHeadModel", "XLM": "WithLMHeadModel", ("Bert", "causal"): "LMHeadModel",
    "masked": "ForMaskedLM", "causal": "ForCausalLM",
}  # fmt: skip


class Oracle(NamedTuple):
    """A network in float64, and the tokenizer of the file."""

    model: LanguageModel
    kind: str
    tokenizer: Tokenizer
    network: torch.nn.Module
    mask: int | None
    first: int | None


@pytest.fixture(scope="module")
def oracle_of(tmp_path_factory):
    """Make a model of an architecture, and load it twice: by Kasu, and for the oracle."""

    @cache
    def make(name: str) -> Oracle:
        folder = save(tmp_path_factory.mktemp("model"), ARCHITECTURES[name])
        kind, names = ARCHITECTURES[name].kind, ARCHITECTURES[name].names
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.encode_special_tokens = True  # in a text, `[SEP]` is text
        auto = {"masked": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}[kind]
        network = getattr(transformers, auto).from_pretrained(
            folder, dtype=torch.float64, attn_implementation="eager"
        )
        mask, first = (
            tokenizer.token_to_id(str(names[each])) if each in names else None
            for each in ("mask", "bos")
        )
        model = load_model(folder, kind, device=CPU)
        return Oracle(model, kind, tokenizer, network.eval(), mask, first)

    return make


def save(folder: Path, architecture: Architecture) -> Path:
    """Save a random network, none of whose weights is 0 or 1, and its tokenizer."""
    kind, family, made, names, more, claimed = architecture
    tokenizer = made()
    config = getattr(transformers, f"{family}Config")
    head = HEADS.get((family, kind)) or HEADS.get(family) or HEADS[kind]
    torch.manual_seed(7)
    sizes = {"vocab_size": tokenizer.get_vocab_size(), "max_position_embeddings": 80}
    network = getattr(transformers, f"{family}{head}")(config(**(SIZES | sizes | (more or {}))))
    for weight in network.parameters():
        weight.data += 0.02 * torch.randn(weight.shape)
    network.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **{f"{name}_token": token for name, token in names.items()}
    ).save_pretrained(folder)
    if claimed:
        path = folder / "tokenizer_config.json"
        stated = json.loads(path.read_text()) | {"tokenizer_class": claimed}
        path.write_text(json.dumps(stated))
    return folder


@torch.no_grad()
def log_probabilities(network: torch.nn.Module, ids: list[int]) -> torch.Tensor:
    if hasattr(network.base_model, "set_attention_type"):  # an earlier text may have changed it
        network.base_model.set_attention_type("block_sparse")
    return network(input_ids=torch.tensor([ids])).logits[0].log_softmax(-1)


def score_sentence(oracle: Oracle, sentence: str, definition: str) -> tuple[float, int]:
    """The score of a sentence, and its number of tokens."""
    coded = oracle.tokenizer.encode(sentence)
    ids, own = coded.ids, [at for at, other in enumerate(coded.special_tokens_mask) if not other]
    if definition == "causal":
        shift = int(oracle.first is not None and ids[:1] != [oracle.first])
        ids, own = [oracle.first] * shift + ids, [at + shift for at in own]
        # One prefix at a time, so that nothing of what follows can be seen
        answers = [
            log_probabilities(oracle.network, ids[:at])[-1, ids[at]].item() for at in own if at
        ]
        return sum(answers), len(own)
    total = 0.0
    for at in own:
        hidden = {at}
        if definition == "pll_within_word_l2r":
            word = coded.word_ids[at]
            hidden |= {other for other in own if other > at and coded.word_ids[other] == word}
        shown = [oracle.mask if other in hidden else token for other, token in enumerate(ids)]
        total += log_probabilities(oracle.network, shown)[at, ids[at]].item()
    return total, len(own)


def score_form(oracle: Oracle, masked: str, form: str) -> tuple[float, int]:
    """The score of a form, and its number of tokens."""
    before, after = masked.split(MASK)
    coded = oracle.tokenizer.encode(f"{before}{form}{after}")
    characters = set(range(len(before), len(before) + len(form)))
    held = [at for at, span in enumerate(coded.offsets) if characters & set(range(*span))]
    # Where a word begins with its blank, that is a part of the form, be it a token of its own
    blank = held[0] - 1
    piece = "".join(masked[at] for at in range(*coded.offsets[blank]) if at < len(before))
    if coded.word_ids[blank] == coded.word_ids[held[0]] and not piece.strip():
        held.insert(0, blank)
    total = 0.0
    for number, at in enumerate(held):
        shown = [*coded.ids[:at], oracle.mask, *coded.ids[held[-1] + 1 :]]
        total += log_probabilities(oracle.network, shown)[at, coded.ids[at]].item()
        assert at == held[0] + number
    return total, len(held)


WORDS = st.sampled_from(
    ["dogs", "the", "barks", "l'ami", "d'Élise", "can't", "'tis", "2,750", "Gizonak", "etxea,",
     "犬が庭で鳴いています。", "我们今天", "ბავშვი", "☃", "naïve", "ZEBRA", "(say)", "-", "[SEP]",
     "x\u0301"]
)  # fmt: skip
BLANKS = st.sampled_from([" ", " ", " ", "", "  "])


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """Words of many scripts, blanks before, between and after them, or none."""
    words = draw(st.lists(WORDS, min_size=1, max_size=3))
    parts = [part for word in words for part in (word, draw(BLANKS))]
    return draw(st.sampled_from(["", "", " ", "  "])) + "".join(parts)


FORMS = st.lists(
    st.sampled_from(["dog", "dogs", "etxeak", "amis", "庭", "寝ました", "☃", "won't", "a b", "É"]),
    min_size=2, max_size=3, unique=True,
)  # fmt: skip
FRAMES = st.sampled_from(
    [f"The {MASK} behind the barn.", f"{MASK} bark", f"L'{MASK} d'Élise", f"犬が{MASK}で鳴いて",
     f"say \"{MASK}\", (or", f"a  {MASK}s", f"re{MASK} ", f"12{MASK}34", f" {MASK}"]
)  # fmt: skip
BATCHES = st.sampled_from([1, 24, 2048])
SOME = settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])


def rows_of(oracle: Oracle, items: list[ItemText], definition: str, batch: int) -> list[dict]:
    """The rows of items; one more is scored with them, so that some word is known."""
    known = ItemText("0", "dog", "The dog", f"The {MASK}", "dog")
    entries = encode_items(oracle.model, [*items, known], definition, "error", Counter())
    return score_rows(oracle.model, entries, definition, batch)[:-1]


@pytest.mark.parametrize("name", ARCHITECTURES)
@SOME
@given(texts=st.lists(sentences(), min_size=1, max_size=2), batch=BATCHES)
def test_sentences(oracle_of, name, texts, batch):
    oracle = oracle_of(name)
    definitions = ("pll_original", "pll_within_word_l2r")
    items = [ItemText(str(number), "sentence", text) for number, text in enumerate(texts)]
    for definition in definitions if oracle.kind == "masked" else ("causal",):
        rows = rows_of(oracle, items, definition, batch)
        for text, row in zip(texts, rows, strict=True):
            expected, tokens = score_sentence(oracle, text, definition)
            assert row["tokens"] == tokens
            assert row["log_probability"] == pytest.approx(expected, abs=TOLERANCE * tokens)


MASKED = [name for name, each in ARCHITECTURES.items() if each.kind == "masked"]


@pytest.mark.parametrize("name", MASKED)
@SOME
@given(masked=FRAMES, forms=FORMS, batch=BATCHES)
def test_forms(oracle_of, name, masked, forms, batch):
    oracle = oracle_of(name)
    items = [ItemText("1", form, masked.replace(MASK, form), masked, form) for form in forms]
    for row in rows_of(oracle, items, "word_paper_ideal", batch):
        expected, tokens = score_form(oracle, masked, row["column"])
        assert row["tokens"] == tokens
        assert row["log_probability"] == pytest.approx(expected, abs=TOLERANCE * tokens)


LONG = "犬が庭で鳴いています " * 4


def test_a_short_text_does_not_change_how_long_ones_are_read(oracle_of):
    """BigBird turns to full attention for a short text, and would stay with it."""
    oracle = oracle_of("bigbird")
    fresh = load_model(oracle.model.name, "masked", device=CPU)
    for text in (LONG, "dogs", LONG):
        (row,) = rows_of(
            oracle._replace(model=fresh), [ItemText("1", "s", text)], "pll_original", 64
        )
        expected, tokens = score_sentence(oracle, text, "pll_original")
        assert row["log_probability"] == pytest.approx(expected, abs=TOLERANCE * tokens)
    assert tokens > fresh.network.bert.config.block_size * 7
