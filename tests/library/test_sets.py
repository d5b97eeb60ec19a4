"""Minimal sets and pairs of agreement from a treebank, in one call."""

from pathlib import Path

import pandas as pd
import pytest

import kasu
from kasu.files.tables import read_tsv
from kasu.minimal_sets.data.columns import schema
from kasu.minimal_sets.pairs.columns import SCHEMA
from kasu.sources.cards import read_card

NOUN, VERB = "Case={}|Number=Sing", "Number={}|Person=3|Tense=Pres|VerbForm=Fin"
ROW = "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t_"
SENTENCES = {
    "a": [("mak", "ma", "NOUN", NOUN.format("Erg"), 2, "nsubj"),
          ("dabil", "ibil", "VERB", VERB.format("Sing"), 0, "root")],
    "b": [("mari", "ma", "NOUN", NOUN.format("Dat"), 2, "iobj"),
          ("dabiltza", "ibil", "VERB", VERB.format("Plur"), 0, "root")],
    "c": [("tok", "to", "NOUN", NOUN.format("Erg"), 2, "nsubj"),
          ("doa", "joan", "VERB", VERB.format("Sing"), 0, "root")],
}  # fmt: skip
ERGATIVE = "pattern { V [upos=VERB]; S [Case=Erg]; V -[nsubj]-> S }"
CASES = {"language": "eu", "target": "S", "feature": "Case", "values": ["Erg", "Dat"]}

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def treebank() -> str:
    """Three sentences of two words; `to` has no dative."""
    blocks = [
        f"# sent_id = {name}\n# text = {words[0][0]} {words[1][0]}\n"
        + "".join(ROW.format(at, *word) + "\n" for at, word in enumerate(words, 1))
        for name, words in SENTENCES.items()
    ]
    Path("mine.conllu").write_text("\n".join(blocks) + "\n")
    return "mine.conllu"


def test_a_set_of_forms(treebank):
    items = kasu.build_set(treebank, ERGATIVE, **CASES)
    assert list(items) == schema(["Erg", "Dat"]).names
    shown = ["item_id", "masked", "grammatical", "form_erg", "form_dat", "licence"]
    assert items[shown].to_numpy().tolist() == [
        ["mine:a:1", "[MASK] dabil", "erg", "mak", "mari", "local file"]
    ]
    assert items.attrs == {
        "counts": {
            "sentences": 3, "sentences with a match": 2, "matches": 2, "valid items": 1, "items": 1,
        },
        "drops": {"no candidate form": 1},
    }  # fmt: skip


def test_the_folder_is_a_dataset(treebank):
    Path("erg.req").write_text(ERGATIVE)
    items = kasu.build_set(
        [treebank], Path("erg.req"), **CASES, licence="CC BY-SA 4.0", name="erg", out="out"
    )
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "README.md", "counts.tsv", "drops.tsv", "items.parquet",
    ]  # fmt: skip
    pd.testing.assert_frame_equal(pd.read_parquet("out/items.parquet"), items, check_dtype=False)
    assert read_card(Path("out/README.md")).sources == [
        {"name": "mine.conllu", "licence": "CC BY-SA 4.0", "citation": ""}
    ]
    assert kasu.export("out", "blimp", "blimp") == Path("blimp")
    with pytest.raises(kasu.KasuError, match=r"^out: a folder that is not empty; expected a new"):
        kasu.build_set(treebank, ERGATIVE, **CASES, out="out")


def test_pairs_of_agreement(treebank):
    pairs = kasu.build_set(treebank, sets="agreement", language="eu", out="pairs")
    assert list(pairs) == SCHEMA.names
    assert pairs[["item_id", "sen", "wrong_sen"]].to_numpy().tolist() == [
        ["mine-kasu:mine:a:2:SV-#:Plur:1", "mak dabil", "mak dabiltza"],
    ]
    assert [row["agree"] for row in read_tsv("pairs/agreement.tsv")] == ["2"]


def test_pairs_of_values_that_do_not_agree_are_kept_if_asked_for(treebank):
    """One of three singular subjects agrees: at most 0.79, by Wilson."""
    blocks = Path(treebank).read_text().split("\n\n")
    plural = (
        blocks[0]
        .replace(SENTENCES["a"][1][0] + "\t", "dabiltza\t")
        .replace(f"\t{VERB.format('Sing')}\t", f"\t{VERB.format('Plur')}\t")
    )
    more = [plural.replace("sent_id = a", f"sent_id = {name}") for name in "xy"]
    Path(treebank).write_text("\n\n".join([*more, *blocks]))
    arguments = {"sets": "agreement", "language": "eu"}
    assert kasu.build_set(treebank, **arguments).empty
    assert len(kasu.build_set(treebank, **arguments, agrees=None)) == 1


def test_a_lexicon_and_paradigms_give_forms(treebank):
    Path("more.conllu").write_text("# sent_id = x\n# text = tori\n" + ROW.format(
        1, "tori", "to", "NOUN", NOUN.format("Dat"), 0, "root") + "\n\n"
    )  # fmt: skip
    assert len(kasu.build_set(treebank, ERGATIVE, **CASES, lexicon="more.conllu")) == 2
    for name, form, tag in (("one", "tori", "DAT"), ("two", "tok", "ERG")):
        Path(name).write_text(f"to\t{form}\tN;{tag};SG\n")
    items = kasu.build_set(treebank, ERGATIVE, **CASES, paradigms=["two", "one"])
    assert list(items.form_dat) == ["mari", "tori"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"request": ERGATIVE} | CASES | {"values": ["Erg"]},
         "config minimal_sets.collections[0].values: found ['Erg']; expected a list of two values"
         " or more"),
        ({"request": ERGATIVE} | CASES | {"language": "Basque"},
         "config treebanks[0].language: found 'Basque'; expected an ISO 639 code"),
        ({"request": ERGATIVE} | CASES | {"target": None},
         "config minimal_sets.collections[0].sets[0]: no key 'target'; expected name, request and"
         " target"),
        ({"request": ERGATIVE} | CASES | {"target": "X"},
         f"{ERGATIVE}: no node 'X' in the request; expected V, S"),
        ({"request": ERGATIVE} | CASES | {"feature": "Kasu"},
         "mine.conllu: no word has the feature Kasu; expected Case"),
        ({"request": "none.req"} | CASES, "none.req: No such file or directory; expected a file"),
        ({"request": ERGATIVE, "sets": "agreement"} | CASES,
         "request, sets: both; expected a request, or sets='agreement'"),
        ({"language": "eu"}, "request, sets: neither; expected a request, or sets='agreement'"),
        ({"sets": "agreement", "language": "eu", "target": "S"},
         "target: without a request; expected both"),
        ({"sets": "agreement", "language": "eu", "rules": "theirs"},
         "config minimal_sets.rules[0]: found 'theirs'; expected one of kasu, multiblimp"),
        ({"sets": "agreement", "language": "eu", "lexicon": "mine.conllu"},
         "config minimal_sets.collections, mine: lexicon beside sets: agreement"),
        ({"sets": "agreement", "language": "eu", "out": "."}, ".: would be emptied, and"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_one_line(treebank, arguments, line):
    with pytest.raises(kasu.KasuError) as error:
        kasu.build_set(treebank, **arguments)
    assert str(error.value).startswith(line)
    assert not Path("out").exists()


def test_two_files_of_one_name_are_refused(treebank):
    Path("more").mkdir()
    Path("more/mine.conllu").write_text(Path(treebank).read_text())
    with pytest.raises(kasu.KasuError, match=r"would be written to 'mine', like .* a name of its"):
        kasu.build_set([treebank, "more/mine.conllu"], sets="agreement", language="eu")


def test_a_missing_treebank_is_one_line():
    with pytest.raises(kasu.KasuError) as error:
        kasu.build_set("none.conllu", sets="agreement", language="eu")
    assert str(error.value) == ("none.conllu: No such file or directory; expected a CoNLL-U file")


def test_an_empty_set_says_why(treebank, caplog):
    items = kasu.build_set(treebank, "pattern { S [Case=Abl] }", **CASES)
    assert items.empty
    assert caplog.messages[-1].startswith("mine: no item: no match of pattern { S [Case=Abl] }")
