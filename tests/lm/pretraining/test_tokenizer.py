import itertools
import json

import pytest
import sentencepiece
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.files.seals import folder_hash
from kasu.lm.pretraining import tokenizer as module
from kasu.lm.pretraining.tokenizer import (
    SPECIAL,
    read_tokenizer,
    train_tokenizer,
    word_starts,
    write_tokenizer,
)

TEXTS = [
    f"{article} {first}{end} de {second} {verb}."
    for first, second, (article, end, verb) in itertools.product(
        ("chat", "voisin", "livre", "jardin", "train", "pont"),
        ("Paris", "Lyon", "Jean", "Marie"),
        (("Le", "", "dort"), ("Les", "s", "dorment"), ("L'autre", "", "rit")),
    )
]


def test_pieces_are_those_of_sentencepiece(tmp_path):
    tokenizer = train_tokenizer(TEXTS, 70, 16)
    scored = tokenizer.backend_tokenizer.to_str()
    again = train_tokenizer(TEXTS, 70, 16).backend_tokenizer.to_str()
    assert scored == again
    trainer = {"model_type": "unigram", "normalization_rule_name": "identity", "minloglevel": 2}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS), model_prefix=str(tmp_path / "m"), vocab_size=70,
        hard_vocab_limit=False, pad_id=0, unk_id=1, bos_id=2, eos_id=3, num_threads=1,
        control_symbols=["[MASK]"], **trainer,
    )  # fmt: skip
    peer = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "m.model"))
    for text in TEXTS[:20]:
        assert tokenizer(text)["input_ids"][1:-1] == peer.encode(text)


@pytest.mark.parametrize("vocabulary", [1, 15])
def test_a_vocabulary_without_room_for_the_letters_of_a_text_is_one_line(vocabulary):
    with pytest.raises(KasuError) as error:
        train_tokenizer(["Le chat dort ."], vocabulary, 16)
    assert str(error.value) == (
        f"tokenizer: {vocabulary} pieces; expected at least 16: the letters of the text, and "
        "special pieces"
    )
    assert len(train_tokenizer(["Le chat dort ."], 16, 16)) == 16


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(TEXTS))
    return path


def test_two_runs_give_one_hash_and_state_both_numbers(corpus, tmp_path):
    for name in ("one", "two"):
        write_tokenizer(corpus, tmp_path / name, vocabulary=70, length=16)
    assert folder_hash(tmp_path / "one") == folder_hash(tmp_path / "two")
    facts = json.loads((tmp_path / "one" / "pieces.json").read_text())
    obtained = len(read_tokenizer(tmp_path / "one"))
    assert (facts["pieces_asked"], facts["pieces_obtained"]) == (70, obtained)
    assert facts["sentences"] == facts["sentences_used"] == 72


def test_a_vocabulary_larger_than_the_corpus_allows(corpus, tmp_path):
    write_tokenizer(corpus, tmp_path / "fewer", vocabulary=5000, length=16)
    with pytest.raises(KasuError, match=r"corpus\.txt: yields \d+ pieces of 5000 asked for"):
        write_tokenizer(corpus, tmp_path / "all", vocabulary=5000, length=16, fewer=False)
    assert not (tmp_path / "all").exists()


def test_words_begin_after_blanks_and_with_punctuation():
    tokenizer = train_tokenizer(TEXTS, 70, 16)
    begins = word_starts(tokenizer)
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    begun = {piece for piece, begin in zip(pieces, begins, strict=True) if begin}
    assert {*SPECIAL, ".", "'"} <= begun
    assert all(piece[0] in "▁.'[" for piece in begun)
    assert not {piece for piece in pieces if piece.isalnum()} & begun


def test_no_text_is_one_line():
    with pytest.raises(KasuError, match=r"^tokenizer: no pieces found; expected a longer text$"):
        train_tokenizer([], 70, 16)


def test_a_long_sentence_counts():
    pieces = train_tokenizer([*TEXTS, "œ" * 2500], 70, 16).get_vocab()
    assert any("œ" in piece for piece in pieces)


def test_pieces_come_from_normalised_text():
    composed, apart = (train_tokenizer([f"{e}t{e} {text}" for text in TEXTS], 70, 16)
                       for e in ("\u00e9", "e\u0301"))  # fmt: skip
    assert composed.get_vocab() == apart.get_vocab()
    assert "\u0301" not in "".join(apart.get_vocab())


def test_blanks_at_the_ends_are_not_pieces():
    tokenizer = train_tokenizer(TEXTS, 70, 16)
    assert tokenizer(" Le chat dort. ")["input_ids"] == tokenizer("Le chat dort.")["input_ids"]


def test_what_spells_a_special_token_is_one_unless_it_is_declared_text():
    tokenizer = train_tokenizer(TEXTS, 70, 16)
    assert tokenizer("[SEP]")["input_ids"] == [2, 3, 3]
    assert tokenizer("[SEP]", split_special_tokens=True)["input_ids"].count(3) == 1  # the end


def test_special_tokens_with_other_ids_are_one_line(tmp_path):
    pieces = {piece: number for number, piece in enumerate(("le", *SPECIAL))}
    backend = Tokenizer(models.WordLevel(pieces, "[UNK]"))
    PreTrainedTokenizerFast(tokenizer_object=backend).save_pretrained(tmp_path)
    message = r"another's tokenizer; expected tokens 0 to 4 to be \[PAD\] \[UNK\]"
    with pytest.raises(KasuError, match=message):
        read_tokenizer(tmp_path)


def test_a_folder_without_tokenizer_is_one_line(tmp_path):
    with pytest.raises(KasuError, match=r"no tokenizer\.json"):
        read_tokenizer(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(KasuError, match="not a tokenizer"):
        read_tokenizer(tmp_path)


@pytest.mark.parametrize(("most", "used"), [(72, 72), (71, 36), (10, 9)])
def test_a_large_corpus_is_sampled_evenly(corpus, tmp_path, monkeypatch, most, used):
    monkeypatch.setattr(module, "TOKENIZER_SENTENCES", most)
    write_tokenizer(corpus, tmp_path / "t", vocabulary=70, length=16)
    facts = json.loads((tmp_path / "t" / "pieces.json").read_text())
    assert (facts["sentences"], facts["sentences_used"]) == (72, used)


def test_every_piece_of_a_script_without_blanks_begins_a_word():
    sentences = [f"{a}{b}{c}。" for a in "他她我你" for b in "看买卖" for c in "书纸鱼"] * 3
    tokenizer = train_tokenizer(sentences, 24, 32)
    ids = tokenizer("他看书。", add_special_tokens=False)["input_ids"]
    assert word_starts(tokenizer)[ids].all()
