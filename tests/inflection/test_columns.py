"""`kasu inflect` and the columns of its files: which order, how many, and what they hold."""

import pytest

from kasu.base.errors import KasuError
from kasu.cli import main
from kasu.inflection.data.triples import Triple
from kasu.inflection.predicting import read_asked

TRIPLES = [
    Triple(a + b + "l", a + b + "l" + end, tags)
    for a in "bdkmtz"
    for b in "aeiou"
    for tags, end in (("N;SG", ""), ("N;PL", "ak"))
]
TOY = "own.tsv"
SMALL = ["--set", "hidden=8", "--set", "embedding=8", "--set", "epochs=1"]


SWAPPED = "".join(f"{lemma}\t{features}\t{form}\n" for lemma, form, features in TRIPLES)
ORDER = "features in the second column (N;SG), as in the 2023 shared task"


def test_columns_of_another_order_train_nothing(paradigms, tmp_path, capsys, train):
    swapped = tmp_path / "swapped"
    swapped.write_text(SWAPPED)
    for files in ((swapped,), (paradigms, "--dev", swapped)):
        assert train(files[0], tmp_path / "m", *map(str, files[1:])) == 2
        assert f"swapped:1: {ORDER}" in capsys.readouterr().err
        assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SWAPPED, ORDER),
        ("N;SG\tbal\nN;PL\tbal\n", "features in the first column (N;SG)"),
        ("bal\tN;SG\tbal\tbal\n", ORDER),
    ],
)
def test_columns_of_another_order_are_not_inflected(tmp_path, capsys, text, found):
    (tmp_path / "items").write_text(text)
    assert main(["inflect", "predict", str(tmp_path), str(tmp_path / "items")]) == 2
    assert f"items:1: {found}" in capsys.readouterr().err


OWN = {"N;SG": "n.sg", "N;PL": "n.pl"}


def test_features_of_a_schema_of_ones_own_are_learnt(paradigms, tmp_path, capsys, train):
    paradigms.write_text("".join(f"{a}\t{b}\t{OWN[c]}\n" for a, b, c in TRIPLES))
    assert train(paradigms, tmp_path / "m") == 0
    assert f"{paradigms}: features of no known schema, taken as they are" in capsys.readouterr().err
    items = tmp_path / "items"
    items.write_text("bal\tn.pl\nkel\tn.sg\n")
    assert main(["inflect", "predict", str(tmp_path / "m"), str(items)]) == 0
    assert "bal\t" in capsys.readouterr().out


def test_features_of_ones_own_in_another_column_train_nothing(paradigms, tmp_path, capsys, train):
    paradigms.write_text("".join(f"{a}\t{OWN[c]}\t{b}\n" for a, b, c in TRIPLES))
    assert train(paradigms, tmp_path / "m") == 2
    assert "toy.tsv: 30 lemmata, 2 forms and 60 features" in capsys.readouterr().err


def test_features_of_ones_own_are_asked_for_without_forms(tmp_path):
    items = tmp_path / "items"
    items.write_text("".join(f"{lemma}\t_\t{OWN[tags]}\n" for lemma, _, tags in TRIPLES))
    assert len(list(read_asked(str(items)))) == 60


def test_lines_without_a_form_are_left_out_of_training(paradigms, tmp_path, capsys, train):
    paradigms.write_text(paradigms.read_text() + "bala\t—\tN;DU\nbale\t-\tN;DU\n")
    assert train(paradigms, tmp_path / "m") == 0
    assert "toy.tsv: lines left out: 2 of no form" in capsys.readouterr().err


def test_a_fourth_column_is_not_read_and_a_bar_separates_features(tmp_path, train):
    items = tmp_path / "items"
    items.write_text("bal \tx\tN;PL\tba|l\nbal\t N|PL\n")
    assert [asked[1:] for asked in read_asked(str(items))] == [
        ("bal", "x", "N;PL"),
        ("bal", "", "N|PL"),
    ]
    four = tmp_path / "four"
    four.write_text("".join(f"{a}\t{b}\t{c.replace(';', '|')}\t{a}|\n" for a, b, c in TRIPLES))
    assert train(four, tmp_path / "m") == 0
    assert main(["inflect", "predict", str(tmp_path / "m"), str(items)]) == 0


def test_a_folder_that_training_empties_holds_no_paradigms(paradigms, tmp_path, capsys, train):
    inside = tmp_path / "m" / "work" / "toy.tsv"
    inside.parent.mkdir(parents=True)
    paradigms.rename(inside)
    assert train(inside, tmp_path / "m") == 2
    found = f"a file in {inside.parent}, which training empties; expected another folder"
    assert capsys.readouterr().err == f"error: {inside}: {found}\n"
    assert inside.exists()


@pytest.mark.parametrize("name", ["1.safetensors", "model.json", ".sha256"])
@pytest.mark.parametrize("option", ["PARADIGMS", "--dev"])
def test_a_file_of_the_model_is_no_input(paradigms, tmp_path, capsys, train, name, option):
    (tmp_path / "m").mkdir()
    taken = paradigms.rename(tmp_path / "m" / name)
    other = tmp_path / "other"
    other.symlink_to(taken)
    files = [other] if option == "PARADIGMS" else [TOY, "--dev", str(other)]
    (tmp_path / TOY).write_text("".join("\t".join(triple) + "\n" for triple in TRIPLES))
    assert train(tmp_path / files[0], tmp_path / "m", *files[1:]) == 2
    found = f"an input of this command ({other}); expected another output"
    assert capsys.readouterr().err == f"error: {taken}: {found}\n"
    assert taken.read_text().startswith("bal\tbal\tN;SG\n")


def test_training_keeps_what_others_have_in_its_folder_of_states(paradigms, tmp_path, train):
    work = tmp_path / "m" / "work"
    (work / "0123456789abcdef").mkdir(parents=True)  # states of other data
    (work / "thesis").mkdir()
    (work / "thesis" / "all.tex").write_text("years of work")
    assert train(paradigms, tmp_path / "m") == 0
    assert (work / "thesis" / "all.tex").read_text() == "years of work"
    assert [path.name for path in work.iterdir()] == ["thesis"]
    assert train(paradigms, tmp_path / "n") == 0
    assert not (tmp_path / "n" / "work").exists()


def test_a_line_without_its_lemma_is_not_read_one_column_to_the_left(tmp_path):
    items = tmp_path / "items"
    items.write_text("bal\tbalak\tN;PL\n\tbelak\tN;PL\n")
    with pytest.raises(KasuError, match="items:2: an empty lemma; expected lemma and features"):
        list(read_asked(str(items)))


@pytest.mark.parametrize("header", ["lemma\tform\tfeatures", "Lemma\ttags"])
def test_a_header_is_no_word_to_inflect(tmp_path, header):
    items = tmp_path / "items"
    items.write_text(f"{header}\nbal\tbalak\tN;PL\n")
    assert [asked.lemma for asked in read_asked(str(items))] == ["bal"]
