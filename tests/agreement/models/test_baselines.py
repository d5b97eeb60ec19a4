import pyarrow.parquet as pq
import pytest

from kasu.agreement.models.baselines import predict_baseline
from kasu.agreement.models.predictions import PREDICTIONS, SUFFIX_PREDICTIONS
from kasu.base.errors import KasuError


def item(number, tokens, target, lemma, ergative):
    return {
        "item_id": str(number),
        "sentence_id": str(number),
        "cluster": "c",
        "tokens": tokens,
        "lemmas": [lemma] * len(tokens),
        "target": target,
        "ergative": ergative,
        "absolutive": "singular",
        "dative": "none",
    }


TRAIN = [
    item(1, ["x", "du"], 1, "ukan", "plural"),
    item(2, ["y", "du"], 1, "ukan", "singular"),
    item(3, ["y", "du"], 1, "ukan", "singular"),
    item(4, ["da"], 0, "izan", "none"),
    item(5, ["da"], 0, "izan", "none"),
    item(6, ["da"], 0, "izan", "none"),
]


def predict(train, test, out, *, task="verb_number", variants=("paper",), condition="base", **what):
    predict_baseline(train, test, out, task=task, variants=variants, condition=condition, **what)


def predictions(tmp_path, write_dataset, test, baseline, **options):
    train = write_dataset(tmp_path / "train.parquet", TRAIN)
    test = write_dataset(tmp_path / "test.parquet", test)
    predict(train, test, tmp_path / "p", baseline=baseline, **options)
    return pq.read_table(tmp_path / "p")


def ergatives(table):
    return [row["prediction"] for row in table.to_pylist() if row["slot"] == "ergative"]


def test_majority_predicts_the_most_frequent_label_of_each_slot(tmp_path, write_dataset):
    table = predictions(tmp_path, write_dataset, TRAIN[:1], "majority")
    assert table.schema.equals(PREDICTIONS)
    nothing = dict.fromkeys(["seed", "logp_none", "logp_singular", "logp_plural"])
    same = {"item_id": "1", "cluster": "c", "variant": "paper", **nothing}
    assert table.to_pylist() == [
        {**same, "slot": "ergative", "gold": "plural", "prediction": "none"},
        {**same, "slot": "absolutive", "gold": "singular", "prediction": "singular"},
        {**same, "slot": "dative", "gold": "none", "prediction": "none"},
    ]


@pytest.mark.parametrize(
    ("tokens", "target", "lemma", "expected"),
    [
        (["x", "?"], 1, "ukan", "plural"),  # previous word and lemma
        (["z", "?"], 1, "ukan", "singular"),  # lemma only
        (["z", "?"], 1, "egon", "none"),  # neither is known: majority
        (["?", "x"], 0, "izan", "none"),  # the first word of the sentence
    ],
)
def test_ngram_backs_off(tmp_path, write_dataset, tokens, target, lemma, expected):
    test = [item(1, tokens, target, lemma, "none")]
    assert ergatives(predictions(tmp_path, write_dataset, test, "ngram")) == [expected]


@pytest.mark.parametrize(("lemma", "expected"), [("ukan", "singular"), ("egon", "none")])
def test_the_lemma_alone_knows_no_other_word(tmp_path, write_dataset, lemma, expected):
    test = [item(1, ["x", "?"], 1, lemma, "none")]  # an n-gram would say plural after this word
    assert ergatives(predictions(tmp_path, write_dataset, test, "lemma")) == [expected]


def test_nothing_stands_before_the_first_word(tmp_path, write_dataset, monkeypatch):
    """The last word of the sentence is not the one before the first."""
    first = item(7, ["da", "x"], 0, "ukan", "none")
    monkeypatch.setattr(f"{__name__}.TRAIN", [*TRAIN, first, first])
    test = [item(1, ["?", "x"], 0, "ukan", "none"), item(2, ["x", "?"], 1, "ukan", "none")]
    assert ergatives(predictions(tmp_path, write_dataset, test, "ngram")) == ["none", "plural"]


def test_ngram_does_not_see_a_hidden_lemma(tmp_path, write_dataset):
    test = [item(1, ["z", "?"], 1, "ukan", "none")]
    table = predictions(tmp_path, write_dataset, test, "ngram", condition="no_verb_lemma")
    assert ergatives(table) == ["none"]


def test_ties_are_broken_by_the_order_of_labels(tmp_path, write_dataset, monkeypatch):
    monkeypatch.setattr(f"{__name__}.TRAIN", TRAIN[:2])
    table = predictions(tmp_path, write_dataset, [item(1, ["z"], 0, "ukan", "none")], "ngram")
    assert ergatives(table) == ["singular"]


def test_variants_are_written_in_order(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", TRAIN)
    variants = ["released", "paper"]
    predict(path, path, tmp_path / "p", baseline="majority", variants=variants)
    column = pq.read_table(tmp_path / "p")["variant"].to_pylist()
    assert column == ["paper"] * 18 + ["released"] * 18


def test_a_missing_variant_writes_no_file(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", TRAIN, ["paper"])
    with pytest.raises(KasuError, match="no sentence of variant 'released'"):
        predict(path, path, tmp_path / "p", baseline="ngram", variants=["released"])
    assert not (tmp_path / "p").exists()


# Suffix prediction


def words(number, *pairs):
    """A sentence of stems and their suffixes; the lemma is the stem in small letters."""
    stems, suffixes = zip(*pairs, strict=True)
    tokens = [stem + suffix.strip("-").replace("none", "") for stem, suffix in pairs]
    row = item(number, tokens, 0, "", "none")
    return {
        **row,
        "stems": list(stems),
        "suffixes": list(suffixes),
        "lemmas": [stem.lower() for stem in stems],
    }


KNOWN = [
    words(1, ("gizon", "-ak"), ("etxe", "none"), ("gaur", "none")),
    words(2, ("gizon", "-ak"), ("Etxe", "-a"), ("gizon", "-ek")),
]


def suffixes(tmp_path, write_dataset, test, baseline):
    train = write_dataset(tmp_path / "train.parquet", KNOWN)
    test = write_dataset(tmp_path / "test.parquet", test)
    predict(train, test, tmp_path / "p", task="suffix", baseline=baseline)
    return pq.read_table(tmp_path / "p")


def test_lexicon_knows_words_and_no_sentence(tmp_path, write_dataset):
    test = [words(1, ("Etxe", "-ek"), ("ETXE", "-ek"), ("gizon", "-a"), ("mendi", "masked"))]
    table = suffixes(tmp_path, write_dataset, test, "lexicon")
    assert table.schema.equals(SUFFIX_PREDICTIONS)
    same = {"item_id": "1", "cluster": "c", "variant": "paper", "seed": None}
    assert table.to_pylist() == [
        {**same, "position": 0, "gold": "-ek", "prediction": "-a"},  # the stem as it is written
        {**same, "position": 1, "gold": "-ek", "prediction": "none"},  # the lemma: a tie
        {**same, "position": 2, "gold": "-a", "prediction": "-ak"},
    ]


def test_lexicon_backs_off_to_all_words(tmp_path, write_dataset):
    (row,) = suffixes(tmp_path, write_dataset, [words(1, ("ibai", "-a"))], "lexicon").to_pylist()
    assert row["prediction"] == "none"


def test_prior_draws_suffixes_as_often_as_training_has_them(tmp_path, write_dataset):
    test = [words(number, *[("x", "none")] * 10) for number in range(300)]
    drawn = suffixes(tmp_path, write_dataset, test, "prior")["prediction"].to_pylist()
    assert drawn.count("-ak") / 3000 == pytest.approx(2 / 6, abs=0.03)
    assert drawn.count("-ei") == 0
    again = suffixes(tmp_path, write_dataset, test, "prior")["prediction"].to_pylist()
    assert again == drawn


def test_equally_frequent_labels_are_counted_in_the_log(tmp_path, write_dataset, caplog):
    caplog.set_level("INFO", logger="kasu")
    rare = [item(7, ["x", "dio"], 1, "edun", "singular"), item(8, ["x", "dio"], 1, "edun", "none")]
    train = write_dataset(tmp_path / "train.parquet", [*TRAIN, *rare])
    test = write_dataset(tmp_path / "test.parquet", [*rare, TRAIN[0]])
    predict(train, test, tmp_path / "p", baseline="lemma")
    assert ergatives(pq.read_table(tmp_path / "p")) == ["none", "none", "singular"]
    # Two items of three, each in one of its three slots
    assert [record.getMessage() for record in caplog.records] == [
        "lemma, paper: 2 of 9 answers tie, and the first of the most frequent labels is predicted"
    ]
