"""The official scorer: its counts by hand, and the command."""

import subprocess
import sys
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.inflection.evaluation.scorer import Result, main, score_files

GOLD = "kasu\tkasua\tN;SG\nkasu\tkasuak\tN;PL\nmutil\tmutila\tN;SG\nmutil\tmutilak\tN;PL\n"


def score(folder: Path, guess: str, gold: str = GOLD) -> Result:
    (folder / "gold").write_text(gold, encoding="utf-8")
    (folder / "guess").write_text(guess, encoding="utf-8")
    return score_files(folder / "gold", folder / "guess")


def test_accuracy_and_distance_by_hand(tmp_path):
    guess = GOLD.replace("kasuak", "kasak").replace("mutila\t", "mutilea\t")
    assert score(tmp_path, guess) == Result(4, 0.5, 0.5, missing=0, extra=0)


def test_a_missing_guess_is_wrong_at_the_length_of_the_form(tmp_path):
    three = "".join(GOLD.splitlines(keepends=True)[:3])
    assert score(tmp_path, three) == Result(4, 0.75, 7 / 4, missing=1, extra=0)


def test_guesses_for_other_items_are_ignored(tmp_path):
    guess = GOLD + "etxe\tetxea\tN;SG\nkasu\tkasuei\tN;PL;DAT\n"
    assert score(tmp_path, guess) == Result(4, 1.0, 0.0, missing=0, extra=2)


def test_a_later_line_overwrites_an_earlier_one_in_both_files(tmp_path):
    assert score(tmp_path, "kasu\tx\tN;SG\n" + GOLD).accuracy == 1.0
    assert score(tmp_path, GOLD + "kasu\tx\tN;SG\n").accuracy == 0.75
    again = GOLD + "kasu\tkasuaa\tN;SG\n"
    assert score(tmp_path, GOLD, again) == Result(4, 0.75, 0.25, missing=0, extra=0)


def test_order_and_blank_lines_do_not_matter(tmp_path):
    guess = "\n\n".join(reversed(GOLD.splitlines())) + "\n\n"
    assert score(tmp_path, guess).accuracy == 1.0


def test_case_counts_and_nothing_is_normalised(tmp_path):
    gold = "é\té\tN\n"
    assert score(tmp_path, "é\tÉ\tN\n", gold).levenshtein == 1.0
    # e and a combining accent are two code points
    assert score(tmp_path, "é\te\u0301\tN\n", gold) == Result(1, 0.0, 2.0, missing=0, extra=0)


def test_an_empty_form_is_a_guess(tmp_path):
    assert score(tmp_path, "kasu\t\tN;SG\n", "kasu\tkasua\tN;SG\n").missing == 0


PREDICTED = """\
lemma	form	features	rank	score
kasu	kasua	N ; SG	1	-0.1
kasu	kasu	N ; SG	2	-2.3
kasu	kasak	N;PL	1	-0.2
mutil		N;SG	1	-0.3
"""


def test_of_the_table_of_kasu_inflect_predict_the_first_form_of_each_item_counts(tmp_path):
    # Wrong: one letter in kasak, all six of mutila, all seven of the missing mutilak
    assert score(tmp_path, PREDICTED) == Result(4, 0.25, 14 / 4, missing=1, extra=0)


def test_a_broken_line_of_that_table_is_one_line(tmp_path):
    message = "guess:6: 3 columns; expected lemma, form, features, rank, score"
    with pytest.raises(KasuError, match=message):
        score(tmp_path, PREDICTED + "mutil\tmutilak\tN;PL\n")


@pytest.mark.parametrize(
    ("guess", "message"),
    [
        ("kasu\tkasua\n", r"guess:1: 2 columns; expected lemma, form, features"),
        (GOLD + "a\tb\tc\td\te\n", r"guess:5: 5 columns; expected lemma, form, features"),
        ("", "guess: no triple"),
    ],
)
def test_bad_guesses_are_one_line(tmp_path, guess, message):
    with pytest.raises(KasuError, match=message):
        score(tmp_path, guess)


# The command


def test_command_prints_the_score(tmp_path, capsys):
    score(tmp_path, GOLD.replace("kasuak", "kasak") + "etxe\tetxea\tN;SG\n")
    assert main([str(tmp_path / "gold"), str(tmp_path / "guess")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "items\t4",
        "accuracy\t75.00 %",
        "Levenshtein\t0.2500",
        "missing\t0",
        "extra\t1",
    ]


def test_command_fails_in_one_line(tmp_path, capsys):
    assert main([str(tmp_path / "gold"), str(tmp_path / "none")]) == 1
    expected = f"error: {tmp_path / 'gold'}: No such file or directory; expected a file\n"
    assert capsys.readouterr() == ("", expected)


def test_module_is_a_command():
    command = [sys.executable, "-m", "kasu.inflection.evaluation.scorer", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "GOLD" in shown.upper() and "lemma, form and features" in shown
