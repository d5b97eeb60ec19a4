"""Sentences with targets: the released files, what each track shows, datasets."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.data.sentences import (
    Seen,
    Word,
    check_shown,
    has_plausible,
    read_rows,
    read_training,
    read_uncovered,
    see,
    targets,
)
from kasu.results.published import read_published

# Figures 1 and 2 of the overview
TRAINING = "The\tthe\tDT\ndogs\tdog\tN;PL\nare\tbe\tAUX;PRES;3PL\nbarking\tbark\tV;V.PTCP\n"
UNCOVERED = "The\tthe\tDT\ndogs/dog\tdog\t_\nare\tbe\tAUX;PRES;3PL\n\nYes\tyes\tINTJ\n\n"
COVERED = UNCOVERED.replace("dogs/dog", "_")
COVERED_2 = "The\t_\t_\n_\tdog\t_\nare\t_\t_\n\nYes\t_\t_\n\n"
TRAINING_2 = "The\t_\t_\ndogs\tdog\t_\nare\t_\t_\nbarking\tbark\t_\n"


@pytest.mark.parametrize(
    ("features", "asked"),
    [("V.PTCP;PST", True), ("N.X", True), ("ADJ", True), ("NUM", False), ("VX;PST", False),
     ("DT;N", False)],
)  # fmt: skip
def test_a_class_within_those_learnt_is_learnt(written, features, asked):
    text = f"{TRAINING}gone\tgo\t{features}\n"
    [words] = read_training(written(low=text)["low"])
    assert words[-1] == Word("gone", "go", features, ("gone",) if asked else ())


def test_a_training_set_asks_for_nouns_verbs_and_adjectives(written):
    [words] = read_training(written(low=TRAINING)["low"])
    assert words == [
        Word("The", "the", "DT"),
        Word("dogs", "dog", "N;PL", ("dogs",)),
        Word("are", "be", "AUX;PRES;3PL"),
        Word("barking", "bark", "V;V.PTCP", ("barking",)),
    ]


def test_both_tracks_train_on_the_same_words(written):
    paths = written(one=TRAINING, two=TRAINING_2)
    one, two = (targets(read_training(path)) for path in paths.values())
    assert [word[:2] for word in one] == [word[:2] for word in two]
    assert {word.features for word in two} == {None}


def test_a_target_has_all_forms_that_fit(written):
    words, other = read_uncovered(written(test=UNCOVERED)["test"])
    assert words[1] == Word("dogs", "dog", None, ("dogs", "dog"))
    assert [word.target for word in words] == [False, True, False]
    assert not any(word.target for word in other)
    assert has_plausible([words])
    assert not has_plausible([[Word("dogs", "dog", None, ("dogs",))], other])


def test_a_slash_outside_of_targets_is_a_slash(written):
    text = "km/h\tkm/h\tN;SG\ndogs\tdog\t_\n"
    [words] = read_uncovered(written(test=text)["test"])
    assert words[0] == Word("km/h", "km/h", "N;SG")
    [words] = read_training(written(low=text)["low"])
    assert words[0].plausible == ("km/h",)


def test_an_unannotated_file_marks_targets_by_their_lemmata(written):
    [words] = read_uncovered(written(test="The\t_\t_\ndogs\tdog\t_\n")["test"])
    assert words == [Word("The", None, None), Word("dogs", "dog", None, ("dogs",))]


@pytest.mark.parametrize(
    ("read", "plain", "blanks"),
    [
        (read_training, TRAINING, TRAINING.replace("\t", "\u00a0\t ")),
        (read_training, TRAINING_2, TRAINING_2.replace("_", " _ ")),
        (read_uncovered, UNCOVERED, UNCOVERED.replace("_", "_ ").replace("/", " / ")),
    ],
)
def test_blanks_around_columns_and_forms_do_not_count(written, read, plain, blanks):
    paths = written(plain=plain, blanks=blanks)
    assert read(paths["blanks"]) == read(paths["plain"])


@pytest.mark.parametrize(
    ("word", "track", "covered", "seen"),
    [
        (Word("The", "the", "DT"), "track1", True, Seen("The", "the", "DT")),
        (Word("The", "the", "DT"), "track2", True, Seen("The", None, None)),
        (Word("The", "the", "DT"), "track2", False, Seen("The", None, None)),
        (Word("dogs", "dog", None, ("dogs",)), "track1", True, Seen(None, "dog", None)),
        (Word("dogs", "dog", None, ("dogs",)), "track2", True, Seen(None, "dog", None)),
        (Word("dogs", "dog", "N;PL", ("dogs",)), "track1", False, Seen("dogs", "dog", "N;PL")),
        (Word("dogs", "dog", "N;PL", ("dogs",)), "track2", False, Seen("dogs", "dog", None)),
    ],
)
def test_what_a_track_shows(word, track, covered, seen):
    assert see(word, track, covered=covered) == seen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "test: no sentence; expected lines of form, lemma, features"),
        ("\n\n", "no sentence"),
        ("dogs\tdog\n", "test:1: 2 columns; expected form, lemma, features, separated by tabs"),
        ("The\tthe\tDT\n\tdog\t_\n", "test:2: an empty form or features; expected both"),
        ("The\tthe\tDT\n", "test: no target; expected one or more"),
        (
            "The\tthe\tDT\ndogs\t_\t_\n",
            "test:2: a target without a lemma; expected its lemma, "
            "or features if it is not asked for$",
        ),
        ("dogs\t\t_\n", "test:1: a target without a lemma; expected its lemma$"),
        ("dogs/\tdog\t_\n", "test:1: the target 'dogs/'; expected forms separated by slashes"),
        ("/\tdog\t_\n", "test:1: the target '/'; expected"),
    ],
)
def test_bad_sentences_are_one_line(written, text, message):
    with pytest.raises(KasuError, match=message):
        read_uncovered(written(test=text)["test"])


def test_a_noun_without_a_lemma_is_no_training_example(written):
    with pytest.raises(KasuError, match="low:1: a target without a lemma"):
        read_training(written(low="dogs\t_\tN;PL\n")["low"])


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        (COVERED.partition("\n\n")[0], "shown: 1 sentences; expected 2, as in the whole file"),
        (COVERED.replace("are\tbe\tAUX;PRES;3PL\n", ""),
         "shown:1: a sentence of 2 tokens; expected 3, as in the whole file"),
        (COVERED.replace("are", "is"),
         "shown:3: 'is be AUX;PRES;3PL'; expected 'are be AUX;PRES;3PL'"),
        (COVERED.replace("_\tdog", "dogs\tdog"), "shown:2: 'dogs dog _'; expected '_ dog _'"),
        (COVERED.replace("dog", "cat"), "shown:2: '_ cat _'; expected '_ dog _'"),
    ],
)  # fmt: skip
def test_covered_and_uncovered_files_must_agree(written, shown, message):
    paths = written(test=UNCOVERED, shown=shown)
    with pytest.raises(KasuError, match=message):
        check_shown(read_uncovered(paths["test"]), paths["shown"], "track1", covered=True)


# The released files

PUBLISHED = Path(__file__).resolve().parents[3] / "resources/published"
LANGUAGES = ("de", "en", "es", "fi", "fr", "ru", "sv")


@pytest.mark.real
@pytest.mark.parametrize("language", LANGUAGES)
def test_released_sizes_are_those_of_tables_4_and_5(mirror, language):
    task = mirror / "sigmorphon2018/task2"
    printed = {
        (figure.condition, figure.metric): figure.value
        for figure in read_published(PUBLISHED)
        if figure.system == language and figure.table in ("Table 4", "Table 5")
    }
    found = {}
    for size in ("low", "medium", "high"):
        sentences = read_training(task / f"trainsets/{language}-track1-{size}")
        found[f"train_{size}", "tokens"] = sum(map(len, sentences))
        shown = task / f"trainsets/{language}-track2-{size}"
        check_shown(sentences, shown, "track2", covered=False)
    for split in ("dev", "test"):
        sentences = read_uncovered(task / f"{split}sets/{language}-uncovered")
        found[split, "tokens"] = sum(map(len, sentences))
        found[split, "target_lemmata"] = len(targets(sentences))
        for track in ("track1", "track2"):
            shown = task / f"{split}sets/{language}-{track}-covered"
            check_shown(sentences, shown, track, covered=True)
    assert found == printed
    assert has_plausible(sentences) == (language != "fr")


def test_rows_may_have_empty_columns(written):
    [[row]] = read_rows(written(guess="\tdog\t_\n")["guess"])
    assert row == (1, "", "dog", "_")
