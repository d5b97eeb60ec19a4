"""Word counts from several kinds of lists and from a corpus; which spellings count as one word."""

import lzma
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.frequencies import count_asked, count_words, read_frequencies
from kasu.corpora.texts.sentences import SENTENCES
from kasu.files.tables import write_parquet

UNILEX = "Form\tFrequency\n\n# SPDX-License-Identifier: X\n# Corpus-Size: 2000\n\n"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def corpus(path: Path, *texts: str) -> Path:
    rows = [
        {"sentence_id": str(i), "source": "s", "article": None, "text": text}
        for i, text in enumerate(texts)
    ]
    write_parquet(path, rows, SENTENCES)
    return path


def test_words_and_counts_separated_by_a_blank(tmp_path):
    found = read_frequencies(write(tmp_path / "x", "ya 30\nna 20\n# 5\n"), ["na", "ba"])
    assert (found.counts, found.tokens, found.cased) == ({"na": 20}, 55, False)


def test_a_tab_a_header_and_comments(tmp_path):
    text = "word\tcount\n# made up\nna\t20\nsa sa\t2\n"
    assert read_frequencies(write(tmp_path / "x", text), ["sa sa"]).counts == {"sa sa": 2}


@pytest.mark.parametrize("text", ["# made up\nya 30\n# 5\n", "# made up\nya\t30\n#\t5\n"])
def test_a_comment_may_come_first_and_the_sign_be_a_word(tmp_path, text):
    found = read_frequencies(write(tmp_path / "x", text), ["ya", "#"])
    assert (found.counts, found.tokens) == ({"ya": 30, "#": 5}, 35)


def test_counts_scaled_to_a_corpus_size_become_tokens(tmp_path):
    found = read_frequencies(write(tmp_path / "x", f"{UNILEX}na\t1000000\nya\t1499999\n"), ["ya"])
    assert (found.counts, found.tokens) == ({"ya": 3}, 5)


def test_a_list_with_capitals_is_cased(tmp_path):
    path = write(tmp_path / "x", "Pole 3\npole 2\n")
    found = read_frequencies(path, ["pole", "Pole"])
    assert (found.counts, found.cased, found.key("Pole")) == ({"pole": 2, "Pole": 3}, True, "Pole")


def test_a_lower_cased_list_has_one_count_for_both(tmp_path):
    found = read_frequencies(write(tmp_path / "x", "pole 5\n"), ["pole", "Pole"])
    assert (found.counts, found.key("Pole"), found.key("pole")) == ({"pole": 5}, "pole", "pole")


@pytest.mark.parametrize(
    ("language", "counts"),
    [("tr", {"ısı": 4, "iki": 6}), ("tur", {"ısı": 4, "iki": 6}), ("", {"iki": 1, "ısı": 1})],
)
def test_a_lower_cased_list_has_the_case_of_its_language(tmp_path, language, counts):
    text = "".join(f"w{i} 1\n" for i in range(2000)) + "ısı 1\nISI 3\niki 1\nİki 5\n"
    found = read_frequencies(write(tmp_path / "x", text), ["ısı", "iki"], language)
    assert (found.cased, found.counts) == (False, counts)
    assert found.key("İKİ") == ("iki" if language else "i\u0307ki\u0307")


def test_a_stray_capital_does_not_make_a_list_cased(tmp_path):
    text = "".join(f"w{i} 1\n" for i in range(1000)) + "İ 1\n"
    assert read_frequencies(write(tmp_path / "x", text), ["W3"]).counts == {"w3": 1}


def test_words_are_compared_in_nfc_with_one_apostrophe(tmp_path):
    path = write(tmp_path / "x", "c’hoar 2\nc'hoar 1\ne\u0301 4\n")
    found = read_frequencies(path, ["cʼhoar", "é"])
    assert found.counts == {"c'hoar": 3, "é": 4}
    assert found.counts[found.key("e\u0301")] == 4


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "x: no word; expected lines of a word and its count"),
        ("na 2\nya\n", "x:2: 'ya'; expected a word and a whole number"),
        ("na 2\nya -3\n", "x:2: 'ya -3'; expected a word and a whole number"),
        ("na\t2\nya\t1.5\n", r"x:2: 'ya\t1.5'; expected a word and a whole number"),
        ("word count\nna 2\n", "x:1: 'word count'; expected a word and a whole number"),
    ],
)
def test_other_lists_are_refused(tmp_path, text, error):
    with pytest.raises(KasuError) as raised:
        read_frequencies(write(tmp_path / "x", text), ["na"])
    assert str(raised.value) == f"{tmp_path}/{error}"


def test_words_of_a_corpus(tmp_path):
    path = corpus(tmp_path / "s.parquet", "Etxe bat, etxe bi.", "Etxe-etxe.")
    found = count_words(path, ["etxe", "Etxe", "etxe bat", "hiru"])
    assert (found.counts, found.tokens, found.cased) == ({"etxe": 2, "Etxe": 2}, 6, True)


def test_a_parquet_file_is_a_corpus(tmp_path):
    path = corpus(tmp_path / "s.parquet", "bat bi")
    assert count_asked(path, ["bi"]).counts == {"bi": 1}


def test_an_unreadable_corpus_is_refused(tmp_path):
    with pytest.raises(KasuError, match="unreadable parquet"):
        count_words(write(tmp_path / "s.parquet", "no parquet"), ["a"])


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "word", "count", "tokens", "cased"),
    [
        ("freq_wikipedia/swwiki-2024-02-20", "katika", 150993, 7139221, False),
        ("freq_unilex/sw", "katika", None, 8567484, True),
        ("freq_opensubtitles2018/eu_full", "EZ", 146296, 3899030, False),
        ("freq_unilex/uz", "абад", 10, 119233, True),
    ],
)
def test_real_lists(mirror, name, word, count, tokens, cased):
    found = read_frequencies(mirror / "wikipedia" / f"{name}.txt.xz", [word])
    assert (found.tokens, found.cased) == (tokens, cased)
    assert count in (None, found.counts[found.key(word)])


@pytest.mark.real
def test_unilex_lists_sum_to_their_corpus_size(mirror):
    for language in ("ba", "cy", "eu", "kn", "mt"):
        path = mirror / "wikipedia" / "freq_unilex" / f"{language}.txt.xz"
        head = lzma.decompress(path.read_bytes())[:400].decode(errors="ignore")
        size = int(head.split("Corpus-Size:")[1].split()[0])
        assert read_frequencies(path, []).tokens == pytest.approx(size, rel=1e-4)
