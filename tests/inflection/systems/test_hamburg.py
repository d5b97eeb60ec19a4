"""Hamburg: its parts, the choice among them, and the items that are made."""

import pytest

from kasu.base.errors import KasuError
from kasu.inflection.systems import hamburg
from kasu.inflection.systems.hamburg import PARTS, VARIANTS, Part, Settings
from kasu.neural.stopping import Patience
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.members.networks import Drawing

CHARACTERS, TAGS = Alphabet("aäbkoö"), Alphabet(["N", "PL"])
TOY = [Item(f"{root}o", ("N", "PL"), f"{root}öb") for root in "abk"]
PLAIN = [Item(f"{root}o", ("N", "PL"), f"{root}ob") for root in "abk"]
DRAWING = Drawing(Settings(), 1)


def recipe(variant, setting="low", settings=DRAWING, items=TOY):
    return hamburg.recipe(Data("toy", setting, items, TOY[:1], []), settings, variant)


@pytest.mark.parametrize(
    ("part", "size", "patches"),
    [("plain", 64, 0), ("patches", 64, 2), ("wide", 128, 0), ("wide_patches", 128, 2)],
)
def test_the_networks_of_the_four_parts(part, size, patches):
    made = hamburg.network(CHARACTERS, TAGS, "low", DRAWING, part)
    assert (made.encoder.size, made.cell.size) == (size, size)
    assert made.symbols.embedding_dim == made.actions.embedding_dim == 16
    assert len(made.patches) == patches
    # Four reserved ids, six characters, COPY, MOVE and the patches
    assert len(made.alphabet) == 12 + patches
    assert PARTS[part + "_made_five"] == PARTS[part]._replace(made=5)


def test_what_variants_choose_from():
    four = ("plain", "patches", "wide", "wide_patches")
    made = tuple(f"{name}_made" for name in four)
    assert VARIANTS["chosen"] == four
    assert VARIANTS["enhanced"] == (*four, *made)
    assert VARIANTS["enhanced_five"] == (*four, *made, *(f"{name}_five" for name in made))
    assert all(VARIANTS[part] == (part,) for part in PARTS)
    assert PARTS["wide_patches_made"] == Part(wide=True, patches=True, made=1)
    assert (hamburg.FAMILY.default, len(VARIANTS)) == ("chosen", 15)


@pytest.mark.parametrize(("setting", "epochs"), [("low", 200), ("medium", 100), ("high", 50)])
def test_the_recipe(setting, epochs):
    given = recipe("plain", setting)
    assert (given.batch_size, given.stop) == (1, Patience(10, epochs))
    assert given.validated == TOY[:1]
    made = hamburg.network(CHARACTERS, TAGS, setting, DRAWING, "plain")
    (optimizer,) = given.optimizers(made)
    (group,) = optimizer.param_groups
    assert [group[key] for key in ("lr", "betas", "eps", "weight_decay")] == [
        0.005, (0.9, 0.999), 1e-8, 0.001,
    ]  # fmt: skip
    assert recipe("plain", settings=Drawing(Settings(epochs=3), 1)).stop == Patience(10, 3)


def test_items_are_made_of_each_two_of_the_same_features():
    assert recipe("wide").made == []
    made = recipe("plain_made").made
    assert len(made) == 3
    for item in made:
        # The first letter differs, and is the same in lemma and form
        first = item.source[0]
        assert first in "abkoö"
        assert item == Item(f"{first}o", ("N", "PL"), f"{first}öb")
    assert len(recipe("plain_made_five").made) == 15
    assert recipe("wide_made").made == made
    others = [recipe("plain_made", settings=Drawing(Settings(), seed)).made for seed in (2, 3, 4)]
    assert others != [made] * 3


def trained(folder, variants, items):
    data = Data("toy", "low", items, items, items)
    options = {"hidden": 4, "embedding": 3, "epochs": 1}
    runs = [Run(variant, 1) for variant in variants]
    found = hamburg.FAMILY.train(data, runs, options, Session(folder, "cpu"))
    assert [*found] == runs
    states = {path.name.split(".")[0] for path in folder.glob("hamburg-*")}
    return [found[run] for run in runs], {name.split("-")[3] for name in states}


def test_each_part_is_trained_once_and_no_other(tmp_path):
    _, parts = trained(tmp_path / "one", ["wide"], TOY)
    assert parts == {"wide"}
    found, parts = trained(tmp_path / "both", ["chosen", "patches"], TOY)
    assert parts == {"plain", "patches", "wide", "wide_patches"}
    assert found[0] is not None and len(found[1].test) == 3


def test_in_a_language_without_patches_parts_with_them_are_those_without(tmp_path):
    found, parts = trained(tmp_path, ["chosen", "plain", "patches"], PLAIN)
    assert parts == {"plain", "wide"}
    assert found[1] == found[2]


def test_letters_that_the_font_lacks_are_counted(tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    trained(tmp_path, ["plain"], [*TOY, Item("가o", ("N",), "가a")])
    expected = "hamburg, toy, low: patches 1, pairs of letters 1, letters that the font lacks 1"
    assert expected in caplog.messages


def test_without_training_items_there_is_one_line(tmp_path):
    with pytest.raises(KasuError, match="toy, low: no training items; expected one or more"):
        trained(tmp_path, ["chosen"], [])


def test_a_member_learns_a_toy_language(share_right):
    assert share_right("hamburg", {"hidden": 24, "epochs": 5}, "patches") >= 0.9


def test_a_patch_is_learnt_by_one_letter_and_done_to_another(tmp_path):
    """A form with ü, which training lacks, is right."""
    lemmas = [f"{start}o{end}" for start in "bdk" for end in "lnr"]
    items = [
        Item(lemma, tags, lemma if tags == ("SG",) else lemma.replace("o", "ö"))
        for lemma in lemmas
        for tags in (("SG",), ("PL",))
    ]
    known = [Item(lemma.replace("o", "u"), ("SG",), lemma.replace("o", "u")) for lemma in lemmas]
    asked = [item._replace(tags=("PL",), target=None) for item in known]
    data = Data("toy", "low", [*items, *known], [], asked)
    run = Run("patches", 1)
    options = {"hidden": 24, "embedding": 8, "epochs": 12}
    found = hamburg.FAMILY.train(data, [run], options, Session(tmp_path, "cpu"))[run]
    right = [
        answer.forms[0] == "".join(item.source).replace("u", "ü")
        for answer, item in zip(found.test, asked, strict=True)
    ]
    assert sum(right) >= 8
