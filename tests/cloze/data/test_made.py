"""Datasets made from a treebank: splits, targets, plausible forms, drops, determinism."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.data.annotations import SHEET, read_cell
from kasu.cloze.data.datasets import read_dataset
from kasu.cloze.data.made import build_dataset
from kasu.cloze.data.names import MADE
from kasu.cloze.data.sentences import Word, targets
from kasu.files.tables import read_tsv, write_tsv

TABLE = Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "ud_unimorph.tsv"
SETTINGS = {
    "language": "en", "features_second": False, "variant": "paper", "lemmata": [], "least": 0.05,
}  # fmt: skip
NOUNS = "".join(f"{noun}\t{noun}\tN;SG\n{noun}\t{noun}s\tN;PL\n" for noun in ("dog", "cat", "bird"))
DOGS = ["The the DET Definite=Def", "dogs dog NOUN Number=Plur", "bark bark VERB VerbForm=Inf"]
CATS = ["Cats cat NOUN Number=Plur", "like like VERB VerbForm=Inf", "a/b a/b NOUN Number=Sing"]
BIRD = ["bird bird NOUN Number=Sing", "dogs dog NOUN Number=Plur"]
NONE = ["Yes yes INTJ Odd=Yes"]


@pytest.fixture
def build(conllu, written, tmp_path):
    """Build a dataset; give its folder."""

    def run(out="out", paradigms=NOUNS, splits=("train", "dev", "test"), seed=1, **more):
        files = {
            "train": conllu("train.conllu", DOGS, NONE, CATS),
            "dev": conllu("dev.conllu", CATS, NONE, BIRD),
            "test": conllu("test.conllu", DOGS, CATS, BIRD, NONE),
        }
        inputs = {split: str(files[split]) for split in splits}
        inputs |= {"paradigms": [str(written(nouns=paradigms)["nouns"])], "conversion": str(TABLE)}
        changed = {key: more.pop(key) for key in list(more) if key in SETTINGS}
        build_dataset(
            inputs | more, tmp_path / out, name="toy", settings=SETTINGS | changed, seed=seed,
            sources=[],
        )  # fmt: skip
        return tmp_path / out

    return run


def split(folder: Path, name: str) -> list[list[Word]]:
    return read_dataset(folder / f"{name}.parquet")


def test_training_learns_from_all_nouns_verbs_and_adjectives_of_candidates(build):
    folder = build()
    for size in ("low", "medium", "high"):
        found = split(folder, size)
        assert sorted(len(words) for words in found) == [3, 3]
        asked = {word.form: word.plausible for word in targets(found)}
        assert set(asked) == {"dogs", "bark", "Cats", "like", "a/b"}
        assert asked["dogs"] == ("dogs",)


def test_training_sets_that_a_treebank_is_too_small_for_are_told(build, monkeypatch, caplog):
    monkeypatch.setattr("kasu.cloze.data.made.BUDGETS", {"low": 5, "medium": 10, "high": 100})
    build()
    assert [line for line in caplog.messages if "all candidates" in line] == [
        "toy: medium: 6 of 10 tokens, all candidates of the treebank",
        "toy: high: 6 of 100 tokens, all candidates of the treebank",
    ]


def test_dev_asks_for_every_word_that_the_paradigms_have(build):
    found = split(build(), "dev")
    assert [[word.form for word in words if word.target] for words in found] == [
        ["Cats"],
        ["bird", "dogs"],
    ]
    assert found[0][0] == Word("Cats", "cat", "N;PL", ("Cats",))


def test_test_asks_for_one_word_of_a_sentence(build):
    found = split(build(), "test")
    assert sorted(len([w for w in words if w.target]) for words in found) == [1, 1, 1]
    assert {word.form for word in targets(found)} - {"bird", "dogs"} == {"Cats"}


def test_counts_and_drops(build):
    folder = build()
    counts = {row["step"]: int(row["count"]) for row in read_tsv(folder / "counts.tsv")}
    assert counts["train: sentences of the treebank"] == 3
    assert counts["train: candidate sentences"] == 2
    assert counts["dev: words that may be asked for"] == 3
    assert counts["dev: targets"] == 3
    assert counts["inflected words"] == counts["inflected words that the paradigms have"] == 7
    assert counts["items in the sheet"] == 3
    assert {row["reason"]: int(row["count"]) for row in read_tsv(folder / "drops.tsv")} == {
        "dev: sentence without a word that may be asked for": 1,
        "test: sentence without a word that may be asked for": 1,
        "train: sentence without a word that may be asked for": 1,
        "noun, verb or adjective with a slash in its form": 3,
        "token with an unknown feature or class": 3,
    }
    assert {path.name for path in folder.iterdir()} >= set(MADE.values())
    assert read_tsv(folder / "recovered.tsv") == read_tsv(folder / "agreement.tsv") == []


def test_without_a_training_set_there_are_dev_and_test(build):
    folder = build(splits=("dev", "test"))
    assert split(folder, "low") == []
    assert len(split(folder, "test")) == 3


def test_equal_bytes_again_and_another_draw_with_another_seed(build):
    first, again = build("one"), build("two")
    for path in first.iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes(), path.name
    assert any(
        (build(f"seed{seed}", seed=seed) / "test.parquet").read_bytes()
        != (first / "test.parquet").read_bytes()
        for seed in (2, 3, 4)
    )


def annotate(folder: Path, path: Path, *further: str) -> str:
    """A sheet returned in which these forms fit, too."""
    rows = [
        row | {"fits": "x" if "x" in row["original"] or read_cell(row["form"]) in further else ""}
        for row in read_tsv(folder / "sheet.tsv")
    ]
    write_tsv(path, rows, SHEET)
    return str(path)


def test_annotations_come_back_as_plausible_forms_with_agreement(build, tmp_path):
    folder = build()
    sheets = [
        annotate(folder, tmp_path / "anna.tsv", "dog", "cat"),
        annotate(folder, tmp_path / "ben.tsv", "dog"),
    ]
    found = split(build("annotated", annotations=sheets), "test")
    forms = {word.form: word.plausible for word in targets(found)}
    assert forms["Cats"] == ("Cats",)
    assert {"dogs": ("dogs", "dog"), "bird": ("bird",)}.items() >= {
        form: fit for form, fit in forms.items() if form != "Cats"
    }.items()
    (row,) = read_tsv(tmp_path / "annotated" / "agreement.tsv")
    assert [row["a"], row["b"], row["items"]] == ["anna", "ben", "3"]
    # The draw does not depend on what annotators say
    assert (tmp_path / "annotated/sheet.tsv").read_bytes() == (folder / "sheet.tsv").read_bytes()


def test_a_target_that_more_than_five_forms_fit_is_left_out(build, tmp_path):
    further = [f"dog{n}" for n in range(5)]
    many = NOUNS + "".join(f"dog\t{form}\tN;X\n" for form in further)
    folder = build(paradigms=many)
    before = [word.lemma for word in targets(split(folder, "test"))]
    sheet = annotate(folder, tmp_path / "anna.tsv", *further)
    out = build("annotated", paradigms=many, annotations=[sheet])
    assert [word.lemma for word in targets(split(out, "test"))] == [
        lemma for lemma in before if lemma != "dog"
    ]
    drops = {row["reason"]: int(row["count"]) for row in read_tsv(out / "drops.tsv")}
    assert drops["test: target with more than 5 forms that fit"] == before.count("dog") > 0
    four = annotate(folder, tmp_path / "ben.tsv", *further[:4])
    out = build("four", paradigms=many, annotations=[four])
    assert [word.lemma for word in targets(split(out, "test"))] == before


def test_released_sentences_are_found_again(build, written):
    released = written(
        high="The\tthe\tDET\ndogs\tdog\tN;PL\nbark\tbark\tV\n\nNo\tno\tINTJ\ncats\tcat\tN;PL\n",
        dev="Cats\tcat\t_\nlike\tlike\t_\na/b\ta/b\t_\n",
    )
    folder = build(released_high=str(released["high"]), released_dev=str(released["dev"]))
    rows = [list(row.values()) for row in read_tsv(folder / "recovered.tsv")]
    assert rows[0] == ["high", "2", "1", "1", "", "", ""]
    # A target with a slash is written as two forms, so the sentence reads otherwise
    assert rows[1] == ["dev", "1", "0", "0", "3", "0", "0"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"paradigms": "chien\tchiens\tN;PL\n"}, "nouns: 0 of 7 inflected words (0.00 %)"),
        ({"paradigms": "dog\tdogs\tV;3;SG;PRS\n"}, "train.conllu: no candidate for toy (paper)"),
        ({"splits": ("train",), "paradigms": "dog\tN;PL\tdogs\n"}, "features in the second column"),
    ],
)
def test_what_cannot_be_a_dataset_is_one_line(build, changed, message):
    with pytest.raises(KasuError) as raised:
        build(**changed)
    assert message in str(raised.value)


def test_two_annotators_of_one_name_are_refused(build, tmp_path):
    folder = build()
    (tmp_path / "more").mkdir()
    sheets = [annotate(folder, tmp_path / each / "anna.tsv") for each in ("", "more")]
    with pytest.raises(KasuError, match="a second 'anna'; expected a file name for each annotator"):
        build("annotated", annotations=sheets)


def test_the_test_budget_counts_targets(build, monkeypatch):
    monkeypatch.setattr("kasu.cloze.data.made.TEST_TARGETS", 2)
    folder = build()
    assert len(split(folder, "test")) == 2
    drops = {row["reason"]: row["count"] for row in read_tsv(folder / "drops.tsv")}
    assert drops["test: candidate sentence beyond the budget"] == "1"


def test_the_card_has_the_code_of_the_language(build):
    assert "language:\n- en\n" in (build() / "README.md").read_text(encoding="utf-8")


def test_words_are_compared_by_the_case_of_the_language_and_in_nfc(build, conllu):
    paradigms = "iz\tiz\tN;SG\ni\u0301z\ti\u0301zler\tN;PL\n\u00fc\tu\u0308ler\tN;PL\n"
    treebank = str(
        conllu(
            "tr.conllu",
            ["İz iz NOUN Number=Sing"],
            ["u\u0308LER \u00fc NOUN Number=Plur"],
            ["ız ız NOUN Number=Sing"],
        )
    )
    folder = build(paradigms=paradigms, language="tr", splits=(), dev=treebank, test=treebank)
    asked = {word.form for word in targets(split(folder, "dev"))}
    assert asked == {"İz", "u\u0308LER"}


def test_cells_that_say_nothing_are_counted(build):
    folder = build(paradigms=NOUNS + "dog\t–\tN;DU\ncat\tcats\tN;{PL/\n")
    drops = {row["reason"]: row["count"] for row in read_tsv(folder / "drops.tsv")}
    assert drops["paradigms: no form"] == "1"
    assert drops["paradigms: features that cannot be read"] == "1"
