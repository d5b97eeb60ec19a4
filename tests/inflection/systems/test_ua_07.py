"""ua-07: words to copy before ua-04 learns."""

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.inflection.systems import ua_04, ua_07
from kasu.neural.stopping import Patience
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Answers, Data, Run, Session

ITEMS = [Item("a", ("N",), "ab"), Item("b", ("N",), "bb")]
DATA = Data("toy", "low", ITEMS, ITEMS, ITEMS[:1], text=["cab", "ab", "cab", "bad"])
SMALL = {"hidden": 6, "embedding": 6, "epochs": 2, "refined": 1, "copying": 2}


def test_words_are_distinct_forms_in_their_order_without_features():
    assert ua_07.draw_words(DATA, ua_07.Settings(), 1) == [
        Item("cab", (), "cab"),
        Item("ab", (), "ab"),
        Item("bad", (), "bad"),
    ]


def test_fewer_words_are_drawn_by_the_seed():
    data, settings = DATA._replace(text=[*"abcdefghij"]), ua_07.Settings(words=4)
    one, other = (["".join(w.source) for w in ua_07.draw_words(data, settings, s)] for s in (1, 2))
    assert one == sorted(one)
    assert (len({*one}), one == other) == (4, False)
    assert len(ua_07.draw_words(data, ua_07.Settings(words=10), 1)) == 10


def test_words_may_have_the_features_of_training_items():
    items = [Item("ab", (tag,), "abc") for tag in ("N", "V")]
    data = DATA._replace(train=items, text=[a + b for a in "abcd" for b in "abcd"])
    settings = ua_07.Settings(features=True)
    one, other = (ua_07.draw_words(data, settings, seed) for seed in (1, 2))
    assert [word._replace(tags=()) for word in one] == ua_07.draw_words(data, ua_07.Settings(), 1)
    assert {word.tags for word in one} == {("N",), ("V",)}
    assert one != other
    assert one == ua_07.draw_words(data, settings, 1)
    # Without an item there is none to draw
    assert {word.tags for word in ua_07.draw_words(data._replace(train=[]), settings, 1)} == {()}


def test_words_come_first_and_then_the_items_alone():
    words = ua_07.draw_words(DATA, ua_07.Settings(), 1)
    copying = ua_07.recipe(words, DATA, ua_07.Settings(), "")
    assert (copying.batch_size, copying.epochs, copying.stop) == (64, 50, Patience(50, 50))
    assert (copying.validated, copying.made) == ((), words)
    draw = np.random.default_rng(1)
    assert sorted(copying.order(draw)) == [2, 3, 4]
    plain = ua_04.recipe(DATA, ua_07.Settings(), "refined")
    assert (copying.then.batch_size, copying.then.stop) == (plain.batch_size, plain.stop)
    assert copying.then.then.teacher == plain.then.teacher
    assert sorted(copying.then.order(draw)) == sorted(copying.then.then.order(draw)) == [0, 1]


def test_characters_of_words_are_known():
    characters, tags = ua_07.symbols([Item("xyz", (), "xyz")], ITEMS)
    assert (characters.symbols, tags.symbols) == (["a", "b", "x", "y", "z"], ["N"])


def test_three_trainings_follow_each_other(tmp_path):
    found = ua_07.train(DATA, [Run("copying", 1)], SMALL, Session(tmp_path, "cpu"))
    assert [*found] == [Run("copying", 1)]
    assert {path.name for path in tmp_path.glob("*.pt")} == {
        "ua_07-toy-low-1.pt",
        "ua_07-toy-low-1-then.pt",
        "ua_07-toy-low-1-then-then.pt",
    }


def test_both_variants_share_a_training_and_ua_04_is_the_landed_one(tmp_path):
    chosen, copying = Run("chosen", 1), Run("copying", 1)
    found = ua_07.train(DATA, [chosen, copying], SMALL, Session(tmp_path, "cpu"))
    assert [*found] == [chosen, copying]
    assert len([*tmp_path.glob("ua_07*.pt")]) == 3
    options = {name: SMALL[name] for name in SMALL if name != "copying"}
    run = Run("refined", 1)
    alone = ua_04.FAMILY.train(DATA, [run], options, Session(tmp_path / "other", "cpu"))[run]
    assert found[chosen] in (found[copying], alone)


def answers(*forms):
    given = [Answer([form]) for form in forms]
    return Answers(given, given[:1])


@pytest.mark.parametrize(
    ("parts", "best"),
    [
        ({"refined": answers("ab", "x"), "copying": answers("ab", "bb")}, "copying"),
        ({"refined": answers("ab", "x"), "copying": answers("x", "bb")}, "copying"),
        ({"refined": answers("ab", "x"), "copying": answers("x", "x")}, "refined"),
        ({"refined": answers("x", "x"), "copying": KasuError("toy", "loss nan", "a number")},
         "refined"),
    ],
)  # fmt: skip
def test_the_better_one_on_dev_answers(parts, best):
    assert ua_07.choose(parts, DATA) == parts[best]


def test_without_words_ua_04_answers(tmp_path):
    data = DATA._replace(text=[])
    runs = [Run("chosen", 1), Run("copying", 1)]
    found = ua_07.train(data, runs, SMALL, Session(tmp_path, "cpu"))
    assert isinstance(found[runs[0]], Answers)
    assert str(found[runs[1]]) == "toy, low: no words to copy; expected a high training set"
    assert [*tmp_path.glob("ua_07*.pt")] == []


def test_two_that_diverge_are_one_error():
    error = KasuError("toy", "loss nan", "a number")
    assert ua_07.choose({"refined": error, "copying": error}, DATA) is error
