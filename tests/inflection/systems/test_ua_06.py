"""ua-06: what text says of an output, and what it brings."""

import random

import pytest

from kasu.inflection.systems import ua_03, ua_06
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session

LM, LISTS, CHUNKS = Run("lm"), Run("lists"), Run("many_to_many")


@pytest.mark.parametrize(
    ("mean", "features"),
    [
        # The examples of the specification
        (-0.29, 20), (-0.30, 19), (-1.65, 1),
        (0.0, 20), (-0.374, 19), (-0.375, 18), (-1.649, 2), (-9.0, 1),
    ],
)  # fmt: skip
def test_bins_of_probable_outputs(mean, features):
    assert len(range(ua_06.bin_of(mean), len(ua_06.BINS) + 1)) == features


def fired(text, output, *, finished, lists=False):
    """The names of features and the numbers of the first and last bin that fire."""
    found = [*ua_06.Fluency(text, lists=lists)(output, finished)]
    kinds = dict.fromkeys(kind for kind, _ in found)
    bins = {kind: [each for name, each in found if name == kind] for kind in kinds}
    return {kind: (each[0], each[-1], len(each)) for kind, each in bins.items()}


def test_an_output_counts_by_character_and_its_end_as_one():
    # Of one word, each symbol after its history has (1 + p) / 2
    text = ["aaaaaaaaab"] * 3
    first, last, count = fired(text, "aaa", finished=False)["lm"]
    assert (last, count) == (19, 20 - first)
    ended, *_ = fired(text, "aaa", finished=True)["lm"]
    assert ended > first
    assert fired(text, "", finished=False) == {}
    assert fired(text, "", finished=True).keys() == {"lm"}
    # In lower case, and a symbol that no word has
    assert fired(text, "AAA", finished=False)["lm"][0] == first
    assert fired(text, "xx", finished=False)["lm"][0] > ended


@pytest.mark.parametrize(
    ("times", "word"),
    [(0, (14, 14, 1)), (1, (12, 14, 3)), (4, (12, 14, 3)), (5, (11, 14, 4)), (60, (9, 14, 6))],
)
def test_bins_of_frequent_words(times, word):
    text = ["ab"] * times + ["c"]
    assert fired(text, "Ab", finished=True, lists=True)["word"] == word
    assert "word" not in fired(text, "Ab", finished=False, lists=True)
    assert "word" not in fired(text, "Ab", finished=True)


LEMMAS = ["".join((a, b, c)) for c in "lnr" for b in "ae" for a in "bdk"]
ITEMS = [
    Item(lemma, tags, lemma + end)
    for lemma in LEMMAS
    for tags, end in ((("N", "SG"), "a"), (("N", "PL"), "ak"))
]
ASKED = [item._replace(target=None) for item in ITEMS[30:]]
TEXT = [item.target for item in ITEMS]
DATA = Data("toy", "low", ITEMS[:30], ITEMS[30:33], ASKED, text=TEXT)


def share_right(answers):
    pairs = zip(answers.test, ITEMS[30:], strict=True)
    return sum(each.forms[0] == item.target for each, item in pairs) / len(ASKED)


def test_a_member_learns_a_suffix(tmp_path, caplog):
    with caplog.at_level("INFO", "kasu"):
        found = ua_06.FAMILY.train(DATA, [LM, LISTS, CHUNKS], {"chosen_on": 2}, Session(tmp_path))
    assert "no alignment" not in caplog.text
    assert [share_right(found[run]) for run in found] == [1, 1, 1]
    first = found[LM].test[0]
    assert len(first.forms) == len(first.scores) > 1
    assert [*first.scores] == sorted(first.scores, reverse=True)


def test_who_yields_an_ending():
    # The last letter by the precise alignment, a tag by that of ua-03
    pairs = [ua_03.pair_of(item, before=True) for item in ITEMS]
    yields = {
        name: [step for step in variant.align(pairs)[1] if step[1][-2:] == "ak"]
        for name, variant in ua_06.VARIANTS.items()
    }
    precise = [(("l",), "lak")]
    assert yields == {"lm": precise, "lists": precise, "many_to_many": [(("<PL>",), "ak")]}


def test_text_decides_where_training_does_not(tmp_path):
    # Which of two endings a stem has is known by the text alone
    draw = random.Random(2)
    stems = [a + b for a in "bdfgkp" for b in "lnrms"]
    draw.shuffle(stems)
    items = [Item(stem, ("N",), stem + draw.choice("ou")) for stem in stems]
    data = Data("toy", "low", items[:20], [], items[20:])
    counts = []
    for text in ([item.target for item in items], ["x"]):
        found = ua_06.FAMILY.train(data._replace(text=text), [LM], {}, Session(tmp_path))[LM]
        pairs = zip(found.test, items[20:], strict=True)
        counts.append(sum(each.forms[0] == item.target for each, item in pairs))
    assert counts[0] == 10 > counts[1]


def test_without_text_ua_03_answers_without_scores(tmp_path):
    data = DATA._replace(text=[], train=ITEMS[:4], test=ASKED[:2])
    found = ua_06.FAMILY.train(data, [LM], {}, Session(tmp_path))[LM]
    plain = ua_03.FAMILY.train(data, [Run("both")], {}, Session(tmp_path))[Run("both")]
    assert [each.forms for each in found.test] == [each.forms for each in plain.test]
    assert {len(each.scores) for each in (*found.dev, *found.test)} == {0}


@pytest.mark.parametrize("train", [ITEMS[:1], [Item("a", ("N",), "x" * 200)]])
def test_little_or_odd_training(tmp_path, train):
    data = DATA._replace(train=train, dev=[], test=ASKED[:2])
    found = ua_06.FAMILY.train(data, [LM], {}, Session(tmp_path))[LM]
    assert (len(found.dev), len(found.test)) == (0, 2)
