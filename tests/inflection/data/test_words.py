"""Whether a list of word counts is one of the language, by hand and on real lists."""

import pytest

from kasu.base.errors import KasuError
from kasu.inflection.data.triples import SETTINGS, read_triples
from kasu.inflection.data.words import count_forms, match_words

FORMS = [f"f{i}" for i in range(200)] + ["to f0", "to f1"]


def write(folder, words: list[str]):
    path = folder / "list"
    path.write_text("".join(f"{word} 1\n" for word in words), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "enough", "share"),
    [
        (["f0", "other"], False, "1 of 200 forms of one word (0.50 %)"),
        (["f0", "f1", "other"], True, "2 of 200 forms of one word (1.00 %)"),
        (["other"], False, "0 of 200 forms of one word (0.00 %)"),
    ],
)
def test_forms_of_one_word_must_be_found(tmp_path, words, enough, share):
    matched = match_words(write(tmp_path, words), FORMS)
    assert (matched.enough, matched.share) == (enough, share)


def test_forms_of_several_words_alone_fit_no_list(tmp_path):
    assert not match_words(write(tmp_path, ["to"]), ["to f0"]).enough


def test_counts_cover_every_form(tmp_path):
    words = write(tmp_path, ["f0", "f1"])
    assert match_words(words, FORMS).counts(["F0", "f5"]) == {"F0": 1, "f5": 0}
    assert count_forms(words, FORMS, "tiny").counts == {"f0": 1, "f1": 1}


def test_a_list_that_does_not_fit_is_one_line(tmp_path):
    words = write(tmp_path, ["f0"])
    with pytest.raises(KasuError) as raised:
        count_forms(words, FORMS, "tiny")
    assert str(raised.value) == (
        f"{words}: tiny: 1 of 200 forms of one word (0.50 %); "
        "expected 1 % or more, as in a list of the same language"
    )


@pytest.mark.real
@pytest.mark.parametrize(
    ("language", "words", "share"),
    [
        # The fewest of a right list; another language; another script
        ("slovene", "sl", "102 of 9,012 forms of one word (1.13 %)"),
        ("hungarian", "hu", "153 of 11,934 forms of one word (1.28 %)"),
        ("french", "de", "32 of 11,526 forms of one word (0.28 %)"),
        ("serbo-croatian", "sr", "44 of 9,477 forms of one word (0.46 %)"),
        ("swahili", "eu", "2 of 6,454 forms of one word (0.03 %)"),
    ],
)
def test_the_least_share_divides_right_lists_from_wrong_ones(mirror, language, words, share):
    folder = mirror / "sigmorphon2018" / "task1"
    parts = [*(f"train-{setting}" for setting in SETTINGS), "dev", "test"]
    files = [path for part in parts for path in folder.glob(f"*/{language}-{part}")]
    forms = {triple.form for file in files for triple in read_triples(file)}
    matched = match_words(mirror / "wikipedia" / "freq_unilex" / f"{words}.txt.xz", forms)
    assert matched.share == share
    assert matched.enough == (words in ("sl", "hu"))
