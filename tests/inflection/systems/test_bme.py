from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv, write_tsv
from kasu.inflection.systems import bme
from kasu.neural.stopping import Window
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session

CHARACTERS, TAGS = Alphabet("abc"), Alphabet(["N", "PL"])
SETTINGS = bme.Settings()
PUBLISHED = Path(__file__).resolve().parents[3] / "resources/published"
SMALL = str(Path(__file__).parent / "configurations.tsv")


def test_the_record_has_a_configuration_for_each_cell():
    cells = bme.read_configurations(SETTINGS.configurations)
    assert len(cells) == 291
    assert len(set(cells.values())) == 15
    parts = ((20, 512, 2), (20, 128, 4), (20, 256, 1))
    assert cells["adyghe", "medium"] == bme.Configuration(parts, 0.1, 128, 200)


def test_sizes_are_those_on_record():
    settings = bme.settle(SETTINGS, "adyghe", "medium", 1)
    made = bme.network(CHARACTERS, TAGS, "medium", settings, "recorded")
    assert [table.embedding_dim for table in made.tables] == [20, 20, 20]
    assert [(each.size, len(each.layers)) for each in made.encoders] == [(512, 2), (128, 4)]
    assert (made.decoder.cell.size, made.layers, made.dropout) == (256, 1, 0.1)


def test_a_language_without_a_record_has_the_usual_configuration():
    settings = bme.settle(SETTINGS, "basque-dialect", "low", 1)
    assert settings.parts == ((30, 512, 2), (10, 128, 1), (50, 512, 2))


def test_kurmanji_has_batches_of_16():
    assert bme.settle(SETTINGS, "kurmanji", "low", 1).batch == 16


@pytest.mark.parametrize(("variant", "together"), [("recorded", 128), ("by_sixteen", 16)])
def test_variants_differ_in_how_many_items_are_answered_together(variant, together):
    settings = bme.settle(SETTINGS, "adyghe", "medium", 1)
    assert bme.network(CHARACTERS, TAGS, "medium", settings, variant).together == together


def test_the_second_submission_is_shown_as_submitted_and_as_the_paper_says():
    family, runs = bme.FAMILY, (Run("recorded", 1), Run("by_sixteen", 1))
    assert [family.variant_of(name) for name in family.submissions] == ["recorded", "recorded"]
    made = {name: [family.makes(name, run) for run in runs] for name in family.submissions}
    assert made == {"bme-01": [True, False], "bme-03": [True, True]}


@pytest.mark.parametrize(
    ("tables", "same", "languages"), [("13-14", 52, 86), ("15-16", 66, 102), ("17-19", 89, 103)]
)
def test_the_published_figures_of_both_submissions_are_mostly_equal(tables, same, languages):
    rows = read_tsv(PUBLISHED / f"sigmorphon2018_tables{tables}.tsv")
    first, third = (
        {(row["condition"], row["metric"]): row["value"] for row in rows if row["system"] == name}
        for name in ("bme-01", "bme-03")
    )
    differing = {
        condition
        for condition, metric in first
        if first[condition, metric] != third[condition, metric]
    }
    assert (len({condition for condition, _ in first}), len(differing)) == (
        languages,
        languages - same,
    )


def test_training_ends_when_the_loss_on_dev_rises():
    settings = bme.settle(SETTINGS, "adyghe", "medium", 1)
    given = bme.recipe(Data("adyghe", "medium", [], [], []), settings, "recorded")
    assert (given.stop, given.batch_size, given.shuffled) == (Window(5, 20, 200), 128, False)
    assert given.measure == "loss"


def test_a_wrong_value_is_one_line(tmp_path):
    path = tmp_path / "wrong.tsv"
    path.write_text(Path(SMALL).read_text().replace("\t64\t", "\tmany\t"))
    with pytest.raises(KasuError, match=r"wrong\.tsv:2: .*'many'; expected sizes as numbers"):
        bme.read_configurations(str(path))


@pytest.mark.parametrize(
    ("column", "value", "line"),
    [
        ("tag_embedding_size", "0", "tag_embedding_size 0; expected 1 or more"),
        ("lemma_num_layers", "0", "lemma_num_layers 0; expected 1 or more"),
        ("batch_size", "0", "batch_size 0; expected 1 or more"),
        ("epochs", "-1", "epochs -1; expected 1 or more"),
        ("dropout", "1", "dropout 1.0; expected 0 or more, below 1"),
        ("dropout", "-0.1", "dropout -0.1; expected 0 or more, below 1"),
        ("dropout", "nan", "dropout nan; expected 0 or more, below 1"),
        (
            "inflected_num_layers",
            "3",
            "inflected_num_layers 3; expected 2 or less, twice the layers of either encoder",
        ),
    ],
)
def test_a_value_out_of_range_is_one_line(tmp_path, column, value, line):
    path = tmp_path / "wrong.tsv"
    rows = read_tsv(SMALL)
    rows[1][column] = value
    write_tsv(path, rows, list(rows[0]))
    with pytest.raises(KasuError) as raised:
        bme.read_configurations(str(path))
    assert str(raised.value) == f"{path}:3: {line}"


def test_a_decoder_has_up_to_twice_the_layers_of_the_smaller_encoder(tmp_path):
    (row, *_) = read_tsv(SMALL)
    row |= {"lemma_num_layers": "1", "tag_num_layers": "2", "inflected_num_layers": "2"}
    write_tsv(tmp_path / "two.tsv", [row], list(row))
    items = [Item("ab", ("N",), "aba")]
    options = {"configurations": str(tmp_path / "two.tsv"), "epochs": 1}
    data, run = Data("toy", "low", items, items, items), Run("recorded", 1)
    work = Session(tmp_path / "work")
    assert len(bme.FAMILY.train(data, [run], options, work)[run].test) == 1


def test_both_variants_are_one_network(tmp_path):
    items = [Item(lemma, ("N",), lemma + "a") for lemma in ("ab", "b", "ccca")]
    data = Data("toy", "low", items, items, [item._replace(target=None) for item in items])
    runs = [Run("recorded", 1), Run("by_sixteen", 1)]
    options = {"configurations": SMALL, "epochs": 2}
    found = bme.FAMILY.train(data, runs, options, Session(tmp_path))
    # Three items are one batch in either case
    assert found[runs[0]] == found[runs[1]]
    assert [path.name for path in tmp_path.glob("*.pt")] == ["bme-toy-low-recorded-1.pt"]


def test_a_member_learns_a_suffix(share_right):
    assert share_right("bme", {"configurations": SMALL, "epochs": 80}, "recorded") > 0.9
