"""The cloze set of the demo: made from the Georgian treebank, and nothing else in it."""

import importlib.util
from pathlib import Path

import pytest

from kasu.cloze.data.datasets import count
from kasu.cloze.data.sentences import read_training, read_uncovered, targets

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo" / "cloze"


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("cloze_generate", ROOT / "tools/demo/cloze.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generator_writes_the_tracked_files_byte_for_byte(generator, tmp_path, monkeypatch):
    monkeypatch.setattr(generator, "FOLDER", tmp_path)
    generator.main()
    tracked = {path.name: path.read_bytes() for path in DEMO.glob("*.tsv")}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == tracked
    assert len(tracked) == 4


def test_sizes():
    low = count(read_training(DEMO / "low.tsv"))
    dev, test = (count(read_uncovered(DEMO / f"{split}.tsv")) for split in ("dev", "test"))
    assert (low["sentences"], low["tokens"], low["targets"]) == (200, 1000, 658)
    assert (dev["sentences"], dev["targets"]) == (50, 93)
    assert (test["sentences"], test["targets"], test["sentences without a target"]) == (70, 68, 2)


def test_every_form_of_a_target_is_in_the_paradigms():
    table = {tuple(line.split("\t")[:2]) for line in (DEMO / "paradigms.tsv").open()}
    for split in ("dev", "test"):
        for word in targets(read_uncovered(DEMO / f"{split}.tsv")):
            assert {(word.lemma, form) for form in word.plausible} <= table


def test_features_are_converted(generator):
    noun = generator.convert("NOUN", "Animacy=Anim|Case=Nom|Number=Plur")
    verb = generator.convert("VERB", "Aspect=Imp|Mood=Ind|Number[subj]=Sing|Person[subj]=3|"
                             "Tense=Imp|VerbForm=Fin|Voice=Act")  # fmt: skip
    assert (noun, verb) == ("N;NOM;PL", "V;IND;PST;IPFV;3;SG")
    assert generator.convert("PUNCT", "PunctType=Peri") == "PUNCT"
