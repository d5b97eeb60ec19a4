import itertools

import pytest
import sentencepiece

from kasu.base.errors import KasuError
from kasu.lm.tokenizer import train_tokenizer

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


def test_a_text_without_the_letters_for_a_vocabulary_is_one_line():
    with pytest.raises(KasuError, match=r"tokenizer: .*expected a larger vocabulary"):
        train_tokenizer(TEXTS, 8, 16)
