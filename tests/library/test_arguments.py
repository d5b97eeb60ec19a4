"""Arguments as notebooks have them: generators, an Index, numbers of NumPy, and wrong ones."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kasu

TREEBANK = "resources/demo/georgian/ka_demo-ud.conllu"
DATIVE = "pattern { V [upos=VERB]; V -[nsubj]-> S; S [Case=Dat] }"
STATED = {
    "language": "ka", "target": "S", "verb": "V", "feature": "Case",
    "values": ["Nom", "Dat", "Erg"], "licence": "CC0-1.0",
}  # fmt: skip
PAIRS = pd.DataFrame({"sen": ["a b", "c d", "d e"], "wrong_sen": ["cba", "dd", "eab"]})
WORDS = pd.DataFrame({"lemma": ["ma", "mi"], "form": ["man", "min"], "features": "N;SG"})

pytestmark = pytest.mark.usefixtures("here")


def test_what_is_read_once_is_read_whole():
    sentences = Path(TREEBANK).read_text().strip().split("\n\n")
    for name, part in (("small", sentences[-100:]), ("big", sentences[:-100])):
        Path(f"{name}.conllu").write_text("\n\n".join(part) + "\n\n")
    of_lists, of_generators = (
        kasu.build_set(treebank, DATIVE, lexicon=lexicon, **STATED)
        for treebank, lexicon in (
            ("small.conllu", ["big.conllu"]),
            (Path().glob("small.conllu"), Path().glob("big.conllu")),
        )
    )
    assert len(of_lists) == 71
    assert of_generators.equals(of_lists)
    assert of_generators.attrs == of_lists.attrs


def test_numbers_of_numpy_are_numbers(model):
    assert len(kasu.build_set(TREEBANK, DATIVE, max_items=np.int64(5), **STATED)) == 5
    by_index = kasu.query(DATIVE, TREEBANK, by=pd.Index(["S.Case"]), sample=np.int64(3))
    assert by_index.to_numpy().tolist() == [["Dat", 3]]
    scores = kasu.score(model, PAIRS, threads=np.int64(1), tokens_per_batch=np.int64(64))
    assert len(scores) == 6


@pytest.mark.parametrize("levels", [["item_id"], ["item_id", "sen"]])
def test_a_named_index_is_a_column(model, levels):
    frame = PAIRS.assign(item_id=["x", "y", "z"])
    assert list(kasu.score(model, frame.set_index(levels)[::-1], threads=1).item_id) == [
        "z", "z", "y", "y", "x", "x",
    ]  # fmt: skip
    kasu.inflect.train("baseline", WORDS.set_index(["lemma", "form"]), "m")
    assert list(kasu.inflect.predict("m", WORDS.set_index("lemma")).lemma) == ["ma", "mi"]


def test_an_index_without_a_name_is_none(model):
    assert list(kasu.score(model, PAIRS[::-1], threads=1).item_id) == list("112233")


def test_scores_in_a_dict_have_its_names(model):
    scores = kasu.score(model, PAIRS, threads=1)
    scores.to_parquet("s.parquet")
    found = kasu.audit(PAIRS, scores={"org/gpt2": scores, "llama": "s.parquet"})
    shares = found[(found.check == "model") & ~found.name.str.contains("beyond|where")]
    assert list(shares.name) == ["org/gpt2, causal", "llama, causal"]
    line = r"^scores\['org/gpt2'\]: item 3: not scored; expected scores of all options; take items"
    with pytest.raises(kasu.KasuError, match=line):
        kasu.audit(PAIRS, scores={"org/gpt2": scores[:-2]})


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: kasu.query(DATIVE, Path().glob("none/*")),
         "treebanks: none; expected a CoNLL-U file or several"),
        (lambda: kasu.query(DATIVE, TREEBANK, sample=0),
         "sample: 0; expected a whole number of 1 or more"),
        (lambda: kasu.query(None, TREEBANK), "request: None; expected a text or a path"),
        (lambda: kasu.query(DATIVE, 5), "treebanks: 5; expected a text, a path or a list"),
        (lambda: kasu.inflect.predict("m", "i.tsv", best=0),
         "best: 0; expected a whole number of 1 or more"),
        (lambda: kasu.score(None, PAIRS), "model: None; expected a text or a path"),
        (lambda: kasu.score(["m", "n"], PAIRS), "model: a list; expected a text or a path"),
        (lambda: kasu.score("m", 5),
         "items: 5; expected a text, a path or a frame of pandas"),
        (lambda: kasu.score("m", PAIRS, tokens_per_batch="64"),
         "tokens_per_batch: '64'; expected a whole number of 1 or more"),
        *(
            (lambda wrong=wrong: kasu.score("m", PAIRS, threads=wrong),
             f"threads: {wrong!r}; expected a whole number from 1 to 1,024")
            for wrong in ("2", 1.0, True, -1)
        ),
        (lambda: kasu.score("m", PAIRS, untrained="no"),
         "untrained: 'no'; expected True or False"),
        (lambda: kasu.audit(PAIRS, scores=5),
         "scores: 5; expected a text, a path, a frame of pandas, a list or a dict"),
        (lambda: kasu.audit(PAIRS, scores=[5]),
         "scores: a list; expected a text, a path, a frame of pandas, a list or a dict"),
        (lambda: kasu.score("m", PAIRS.rename_axis("sen")),
         "items: 'sen' names two columns; expected a name for each"),
        (lambda: kasu.record(5), "paper: 5; expected a text"),
        (lambda: kasu.build_set(TREEBANK, DATIVE, **STATED | {"values": {"Nom", "Dat"}}),
         "values: a set; expected a text or a list"),
        (lambda: kasu.export(PAIRS, "hub", 5), "out: 5; expected a text or a path"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_one_line(call, line):
    with pytest.raises(kasu.KasuError) as raised:
        call()
    assert str(raised.value) == line
