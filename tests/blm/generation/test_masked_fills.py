"""Fills of a masked language model whose preferences are set by hand."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
from tokenizers import models, pre_tokenizers, processors
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.blm.generation.fills import LexiconFills, Request
from kasu.blm.generation.masked_fills import TIED, MaskedFills, SlotRanking, _rank
from kasu.blm.generation.substitutions import Entry, Lexicon, Pair
from kasu.lm.models.bucketing import pad

CPU = torch.device("cpu")
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# From the best to the worst; among them a capital, a word piece and a number
LIKED = ["chien", "Chat", "chats", "table", "42", "chat", "lion", "ami", "tigre", "ours", "s"]
LEXICON = Lexicon(
    [
        Entry("noun", "chien", "chiens", "m", "consonant", "animal"),
        Entry("noun", "chat", "chats", "m", "consonant", "animal"),
        Entry("noun", "table", "tables", "f", "consonant", "thing"),
        Entry("noun", "ami", "amis", "m", "vowel", "person"),
        Entry("noun", "tigre", "tigres", "m", "consonant", "animal"),
        Entry("noun", "ours", "ours", "m", "vowel", "animal"),
    ]
)


def request(before="Le ", after=" dort .", number="sg", onset="consonant", avoid=()) -> Request:
    """A request for another word than *chien*."""
    original = Pair("chien", "chiens")
    return Request(
        before, after, "subject", original[number == "pl"], original, "noun", number, "m", onset,
        "animal", frozenset(avoid),
    )  # fmt: skip


def save(folder: Path, tokenizer: tokenizers.Tokenizer, likes: list[str]) -> Path:
    """Save a network that prefers the same tokens at every position, in this order."""
    tokenizer.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=32, **dict(zip(names, SPECIAL, strict=True))
    )
    wrapped.save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(wrapped), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=32, initializer_range=0.5,
        tie_word_embeddings=False,
    )  # fmt: skip
    network = BertForMaskedLM(config)
    # Logits are the bias, and so little more that a text never changes their order
    torch.nn.init.normal_(network.cls.predictions.decoder.weight, std=0.003)
    bias = torch.full((len(wrapped),), -9.0)
    for rank, token in enumerate(likes):
        bias[wrapped.convert_tokens_to_ids(token)] = -0.1 * rank
    network.cls.predictions.decoder.bias.data.copy_(bias)
    network.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def wordpiece(tmp_path_factory) -> Path:
    """WordPiece: words look alike after a space and after an apostrophe; `##s` continues one."""
    likes = ["##s", *LIKED]
    known = [*SPECIAL, *likes, *"LledrtoiDnm.'", "Le", "dort"]
    known += [f"##{letter}" for letter in "abcdefghijklmnopqrtuvwxyz"]
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys(known))}
    tokenizer = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = tokenizers.decoders.WordPiece()
    return save(tmp_path_factory.mktemp("models") / "wordpiece", tokenizer, likes)


@pytest.fixture(scope="module")
def pieces(tmp_path_factory) -> Path:
    """SentencePiece: words are marked after a space, and unmarked after an apostrophe."""
    likes = [*LIKED[:3], "▁tigre", "▁chat", "ami", "▁ami"]
    known = [*SPECIAL, *likes, *"Lledrtoi▁.'"]
    scored = [(token, -1.0) for token in dict.fromkeys(known)]
    tokenizer = tokenizers.Tokenizer(models.Unigram(scored, unk_id=1))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = tokenizers.decoders.Metaspace()
    return save(tmp_path_factory.mktemp("models") / "pieces", tokenizer, likes)


def fills_of(folder: Path, *requests: Request, count: int = 5):
    source = MaskedFills(folder, LEXICON, CPU, 64)
    return source.fills(requests, count), source.rejected


def test_fills_come_in_order_of_probability_and_keep_number_and_gender(wordpiece):
    (pairs,), _ = fills_of(wordpiece, request())
    assert pairs == [Pair("chat", "chats"), Pair("tigre", "tigres")]


def test_skipped_words_are_counted_by_reason(wordpiece):
    _, rejected = fills_of(wordpiece, request(), count=2)
    assert rejected == Counter(
        {
            "part of a word": 1,  # ##s
            "equal to the original": 1,  # chien
            "no paired number form": 2,  # chats is plural, lion unknown
            "another gender": 1,  # table
            "not alphabetic": 1,  # 42
            "already a better fill": 1,  # chat, after Chat
            "elision broken": 1,  # ami
        }
    )


def test_no_more_fills_are_taken_than_requested(wordpiece):
    (pairs,), rejected = fills_of(wordpiece, request(), count=1)
    assert pairs == [Pair("chat", "chats")]
    assert sum(rejected.values()) == 2


def test_a_plural_slot_takes_plurals(wordpiece):
    (pairs,), _ = fills_of(wordpiece, request("Les ", " dorment .", "pl", ""))
    assert pairs == [Pair("chat", "chats")]


def test_an_elided_determiner_keeps_its_vowel(wordpiece):
    (pairs,), _ = fills_of(wordpiece, request("L'", onset="vowel"))
    assert pairs == [Pair("ami", "amis")]


def test_words_of_the_seed_are_avoided(wordpiece):
    (pairs,), rejected = fills_of(wordpiece, request(avoid={"chats"}))
    assert pairs == [Pair("tigre", "tigres")]
    assert rejected["elsewhere in the seed"] == 2


def test_after_a_space_only_pieces_that_begin_a_word_qualify(pieces):
    (pairs,), rejected = fills_of(pieces, request())
    assert pairs == [Pair("tigre", "tigres"), Pair("chat", "chats")]
    assert rejected["part of a word"] >= 3


def test_after_an_apostrophe_only_unmarked_pieces_qualify(pieces):
    (pairs,), rejected = fills_of(pieces, request("L'", onset="vowel"))
    assert pairs == [Pair("ami", "amis")]
    assert rejected["elision broken"] >= 1


def test_a_lexicon_adds_the_fills_that_the_model_lacks(wordpiece):
    lexicon = Lexicon([*LEXICON.entries, Entry("noun", "coq", "coqs", "m", "consonant", "animal")])
    source = MaskedFills(wordpiece, LEXICON, CPU, 64, LexiconFills(lexicon, 1))
    (pairs,) = source.fills([request()], 3)
    assert pairs == [Pair("chat", "chats"), Pair("tigre", "tigres"), Pair("coq", "coqs")]
    assert source.rejected["no fill of the model left: one of the lexicon"] == 1


def test_answers_do_not_depend_on_other_requests(wordpiece):
    asked = [request(), request("L'", onset="vowel"), request(after=" dort et dort ."), request()]
    together, _ = fills_of(wordpiece, *asked)
    assert together == [fills_of(wordpiece, each)[0][0] for each in asked]


@pytest.mark.parametrize("folder", ["wordpiece", "pieces"])
def test_the_head_runs_at_the_slots_only_with_the_same_ranking(folder, request):
    ranking = SlotRanking(request.getfixturevalue(folder), CPU, 64)
    torch.nn.init.normal_(ranking.network.cls.predictions.decoder.weight)
    ids = [ranking.ids("Le ", " dort ."), ranking.ids("L'", " dort .")]
    matrix, mask = pad(ids, 20, ranking.tokenizer.pad_token_id)
    rows, places = (matrix == ranking.tokenizer.mask_token_id).nonzero()
    inputs, shown = torch.from_numpy(matrix), torch.from_numpy(mask).long()
    plain = ranking.network(input_ids=inputs, attention_mask=shown).logits[rows, places]
    shapes = []
    ranking.network.cls.register_forward_hook(lambda *call: shapes.append(call[2].shape))
    ranked = ranking.likeliest(matrix, mask)
    assert shapes == [(1, 2, len(ranking.tokenizer))]
    best = plain.argsort(dim=1, descending=True, stable=True)
    assert [each.tokens[:3].tolist() for each in ranked] == best[:, :3].tolist()


def prefer(source: MaskedFills, **logits: float) -> None:
    """Give these words the same weights, and a bias of their own on top of 5."""
    head = source.ranking.network.cls.predictions.decoder
    for word, logit in logits.items():
        number = source.ranking.tokenizer.convert_tokens_to_ids(word)
        head.weight.data[number] = 0.3
        head.bias.data[number] = 5 + logit


@pytest.mark.parametrize(
    ("first", "tied"), [(1e-7, False), (1e-8, False), (2e-10, True), (1e-13, True), (0, True)]
)
def test_words_that_are_all_but_equally_likely_come_by_number(wordpiece, first, tied):
    source = MaskedFills(wordpiece, LEXICON, CPU, 64)
    prefer(source, tigre=first, chat=0)
    (pairs,) = source.fills([request()], 2)
    # `chat` has the smaller number
    assert [pair.singular for pair in pairs] == (["chat", "tigre"] if tied else ["tigre", "chat"])
    assert source.rejected[TIED] == tied


def test_a_tie_decides_which_fills_are_taken_too(wordpiece):
    source = MaskedFills(wordpiece, LEXICON, CPU, 64)
    prefer(source, tigre=1e-12, chat=0)
    assert source.fills([request()], 1) == [[Pair("chat", "chats")]]
    assert source.rejected[TIED] == 1


def test_ranks_of_near_and_infinite_logits():
    logits = np.array([0.0, 1.0, -np.inf, 1.0 + 1e-12, 2.0, -np.inf, 1.0 - 9e-10])
    ranking = _rank(logits)
    assert ranking.tokens.tolist() == [4, 1, 3, 6, 0, 2, 5]
    assert np.diff(ranking.groups).tolist() == [1, 0, 0, 1, 1, 0]


def test_no_requests_have_no_answers(wordpiece):
    assert fills_of(wordpiece)[0] == []


def test_a_sentence_too_long_is_one_line(wordpiece):
    with pytest.raises(KasuError, match=r"4\d tokens; expected at most 32"):
        fills_of(wordpiece, request(after=" dort ." * 20))


def test_a_token_that_the_network_lacks_is_one_line(wordpiece):
    ranking = SlotRanking(wordpiece, CPU, 64)
    ranking.tokenizer.add_tokens("Zut")
    with pytest.raises(KasuError, match=r"token 'Zut' has the number .*; expected one below"):
        ranking.ids("Zut ", " dort .")


def test_a_sentence_with_a_mask_of_its_own_is_one_line(wordpiece):
    with pytest.raises(KasuError, match="2 masks; expected one"):
        fills_of(wordpiece, request(after=" [MASK] ."))


def test_a_model_without_a_mask_is_one_line(wordpiece, tmp_path):
    tokenizer = PreTrainedTokenizerFast.from_pretrained(wordpiece)
    BertForMaskedLM.from_pretrained(wordpiece).save_pretrained(tmp_path)
    bare = PreTrainedTokenizerFast(tokenizer_object=tokenizer.backend_tokenizer)
    bare.save_pretrained(tmp_path)
    with pytest.raises(KasuError, match="a tokenizer without a mask"):
        MaskedFills(tmp_path, LEXICON, CPU, 64)
