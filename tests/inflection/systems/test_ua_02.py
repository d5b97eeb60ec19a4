"""ua-02: the transducer of Zurich, taught by alignments."""

from kasu.inflection.systems import ua_02
from kasu.transduction.alignments.crp_alignment import align_by_crp
from kasu.transduction.edits.actions import COPY, DELETE, END
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session

ITEMS = [
    Item(stem + "en", ("V", "PST"), stem + "te") for stem in ("kauf", "leb", "lach", "mach", "tanz")
]


def test_the_teacher_knows_an_alignment_of_each_item():
    settings = ua_02.FAMILY.settle(ua_02.FAMILY.settings(), "toy", "low", 1)
    recipe = ua_02.recipe(Data("toy", "low", ITEMS, [], []), settings, "")
    expected = [*[COPY] * 4, DELETE, DELETE, "t", "e", END]
    found = recipe.teacher.actions
    assert set(found) == set(ITEMS)
    assert found[ITEMS[0]] in (expected, [*[COPY] * 4, "t", COPY, DELETE, END])


def test_each_member_draws_its_own_alignment(monkeypatch):
    seeds = []

    def align(pairs, *, seed):
        seeds.append(seed)
        return align_by_crp(pairs, seed=seed)

    monkeypatch.setattr("kasu.transduction.alignments.crp_alignment.align_by_crp", align)
    for member in (1, 1, 2):
        settings = ua_02.FAMILY.settle(ua_02.FAMILY.settings(), "toy", "low", member)
        ua_02.recipe(Data("toy", "low", ITEMS, [], []), settings, "")
    assert seeds[0] == seeds[1] != seeds[2]


def test_trains_and_answers(tmp_path):
    run, test = Run(None, 1), [Item("lernen", ("V", "PST"))]
    options = {"hidden": 16, "embedding": 12, "feature": 3, "epochs": 2}
    data = Data("toy", "low", ITEMS, ITEMS, test)
    answers = ua_02.FAMILY.train(data, [run], options, Session(tmp_path, "cpu"))[run]
    assert [len(each) for each in answers] == [5, 1]
