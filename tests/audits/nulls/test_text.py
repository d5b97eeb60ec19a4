"""Nulls that learn from a text, by an independent computation; a tokenizer's pieces."""

import math
import random
from collections import Counter
from functools import cache

import pytest

from kasu.audits.audit import Beside, audit_benchmark
from kasu.audits.data.findings import NULL
from kasu.audits.data.items import read_benchmark
from kasu.audits.nulls.text import mean_frequency
from kasu.base.errors import KasuError


def whole(path, **beside):
    audit = audit_benchmark(read_benchmark(path), Beside(**beside))
    return {each.name: each for each in audit.findings if each.check == NULL and not each.group}


def kneser_ney(text, rare=2):
    """Interpolated Kneser-Ney by definition, with dictionaries."""
    words = Counter(word for sentence in text for word in sentence)
    known = {word for word, count in words.items() if count >= rare}
    framed = [["B", "B", *(w if w in known else "?" for w in s), "E"] for s in text]
    tri = Counter(tuple(s[at - 2 : at + 1]) for s in framed for at in range(2, len(s)))
    bi = Counter(gram[1:] for gram in tri)
    uni = Counter(gram[1:] for gram in bi)

    @cache
    def p(gram):
        if not gram:
            return 1 / (len(known) + 2)
        counts = (None, uni, bi, tri)[len(gram)]
        once, twice = ([*counts.values()].count(n) for n in (1, 2))
        d = once / (once + 2 * twice) if once and twice else 0.5
        after = [count for other, count in counts.items() if other[:-1] == gram[:-1]]
        lower = p(gram[1:])
        if not after:
            return lower
        return (max(counts[gram] - d, 0) + d * len(after) * lower) / sum(after)

    def score(sentence):
        frame = ["B", "B", *(w if w in known else "?" for w in sentence), "E"]
        return sum(math.log(p(tuple(frame[at - 2 : at + 1]))) for at in range(2, len(frame)))

    return score


def test_shares_equal_independent_ones(benchmark, tmp_path):
    draw = random.Random(3)
    text = [draw.choices("abcdefg", [9, 7, 5, 3, 2, 1, 1], k=5) for _ in range(40)]
    (tmp_path / "t.txt").write_text("".join(" ".join(words) + "\n" for words in text))
    pairs = [[draw.choices("abcdefgh", k=4) for _ in range(2)] for _ in range(40)]
    rows = [dict(zip(("sen", "wrong_sen"), map(" ".join, pair), strict=True)) for pair in pairs]
    found = whole(benchmark(rows), text=tmp_path / "t.txt", scratch=tmp_path / "s")
    score, counts = kneser_ney(text), Counter(word for words in text for word in words)

    def share(value):
        differences = [round(value(good) - value(bad), 9) for good, bad in pairs]
        return sum((d > 0) + (d == 0) / 2 for d in differences) / len(pairs)

    assert found["word trigram"].share == share(score)
    assert found["more frequent words"].share == share(
        lambda words: sum(math.log(1 + counts[word]) for word in words) / len(words)
    )
    assert not [*tmp_path.glob(".s*")]


def test_mean_frequency():
    assert mean_frequency(["a", "b"], Counter(a=3)) == pytest.approx(math.log(4) / 2)
    assert mean_frequency([], Counter(a=3)) == 0.0


def test_pieces_and_training(benchmark, tmp_path):
    from tokenizers import Tokenizer, models, pre_tokenizers

    letters = {piece: at for at, piece in enumerate(["?", "ab", "a", "b", "c"])}
    tokenizer = Tokenizer(models.WordPiece(letters | {"##b": 9, "##c": 8}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    # As a file may state it for the model: here each piece of a text counts, and nothing else
    tokenizer.enable_truncation(1)
    tokenizer.enable_padding(length=8)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    # ac is two pieces, ab one
    items = benchmark([{"sen": "ab", "wrong_sen": "ac"}] * 3 + [{"sen": "ac", "wrong_sen": "ab"}])
    training = benchmark([{"sen": "ac", "wrong_sen": "ab"}], "train.jsonl")
    found = whole(items, tokenizer=tmp_path / "tokenizer.json", training=training)
    assert (found["more pieces"].share, found["fewer pieces"].share) == (0.25, 0.75)
    assert found["most often right in training"].share == 0.25


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"model": 3}', "\xff"])
def test_a_tokenizer_that_cannot_be_loaded_is_one_line(benchmark, tmp_path, content):
    (tmp_path / "tokenizer.json").write_bytes(content.encode("latin-1"))
    with pytest.raises(KasuError, match=r"tokenizer.json: no tokenizer .*; expected a") as error:
        whole(benchmark([{"sen": "a", "wrong_sen": "b"}]), tokenizer=tmp_path / "tokenizer.json")
    assert "\n" not in str(error.value)


def test_a_folder_without_a_tokenizer_is_one_line(benchmark, tmp_path):
    (tmp_path / "model").mkdir()
    with pytest.raises(KasuError, match=r"model: no config\.json"):
        whole(benchmark([{"sen": "a", "wrong_sen": "b"}]), tokenizer=tmp_path / "model")


def test_training_items_of_another_form_are_one_line(benchmark):
    training = benchmark([{"candidates": ["a", "b"], "label": 0}], "train.jsonl")
    expected = "train.jsonl: multiple choice; expected minimal pairs, as .*items.jsonl"
    with pytest.raises(KasuError, match=expected):
        whole(benchmark([{"sen": "a", "wrong_sen": "b"}]), training=training)
