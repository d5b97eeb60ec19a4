"""Trained members as a folder: what is kept, and read again; the command's tests show the rest."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest
from safetensors.torch import load_file, save_file

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.config.settings import Section
from kasu.files.seals import seal
from kasu.files.tables import write_parquet
from kasu.inflection import models
from kasu.inflection.data.triples import TRIPLES
from kasu.inflection.families import trainable
from kasu.inflection.models import Model, train_folder
from kasu.transduction.items import Answer, read_item
from kasu.transduction.members.families import Data, Run, Session
from kasu.transduction.members.networks import NetworkFamily

ITEMS = [read_item(lemma, "N;PL", lemma + "ak") for lemma in ("bal", "dan", "kel", "ner")]
DATA = Data("toy", "low", ITEMS, ITEMS[:1], [])
OPTIONS = {"hidden": 4, "embedding": 4, "epochs": 1}
RUNS = [Run("released", seed) for seed in (1, 2, 3)]


@pytest.fixture
def diverging(monkeypatch):
    """Seeds whose training diverges."""
    seeds = set()
    train = NetworkFamily.learn

    def train_or_diverge(family, data, runs, options, session):
        error = KasuError("training", "loss nan", "a finite loss")
        networks = train(family, data, runs, options, session)
        return {run: error if run.seed in seeds else networks[run] for run in runs}

    monkeypatch.setattr(NetworkFamily, "learn", train_or_diverge)
    return seeds


def test_a_member_that_diverges_is_left_out(diverging, tmp_path, caplog):
    caplog.set_level("INFO", "kasu")
    diverging.add(2)
    train_folder(tmp_path, "iitbhu", DATA, RUNS, OPTIONS, "cpu")
    assert json.loads((tmp_path / "model.json").read_text())["members"] == [1, 3]
    assert "member 2: left out: training: loss nan; expected a finite loss" in caplog.messages
    assert len(Model(tmp_path).members) == 2


def test_if_all_diverge_there_is_no_model(diverging, tmp_path):
    diverging.update((1, 2, 3))
    with pytest.raises(KasuError, match="training of iitbhu: all members diverge; expected"):
        train_folder(tmp_path, "iitbhu", DATA, RUNS, OPTIONS, "cpu")
    assert not (tmp_path / "model.json").exists()


def test_a_form_that_was_found_twice_is_given_once():
    answer = Answer(["a", "b", "a", "c"], [-1.0, -2.0, -3.0, -4.0])
    assert models._first(answer, 3) == Answer(["a", "b", "c"], [-1.0, -2.0, -4.0])
    assert models._first(answer, 1) == Answer(["a"], [-1.0])


def test_what_was_learned_is_read_again(tmp_path):
    train_folder(tmp_path, "iitbhu", DATA, RUNS[:1], OPTIONS, "cpu")
    one, two = Model(tmp_path), Model(tmp_path)
    for network, other in zip(one.members, two.members, strict=True):
        weights, others = network.state_dict(), other.state_dict()
        assert all((weights[name] == others[name]).all() for name in weights)
    assert one.answer(ITEMS) == two.answer(ITEMS)


def test_damaged_weights_are_refused(tmp_path):
    train_folder(tmp_path, "iitbhu", DATA, RUNS[:1], OPTIONS, "cpu")
    weights = tmp_path / "1.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    with pytest.raises(KasuError, match="changed since it was written"):
        Model(tmp_path)


LEMMATA = ("bal", "dan", "kel", "ner", "bel", "den", "kal", "nar", "lan", "rab")
MORE = [
    read_item(lemma, tags, lemma + end)
    for lemma in LEMMATA
    for tags, end in (("N;SG", "a"), ("N;PL", "ak"))
]
SMALL = {
    "hidden": 6, "embedding": 6, "feature": 3, "widest": 6, "draws": 1,
    "epochs": 1, "model_epochs": 1,
    "configurations": str(Path(__file__).parent / "systems" / "configurations.tsv"),
}  # fmt: skip
VARIANTS = {
    "axsemantics_01": ["whole", "network", "forest"],
    "waseda": ["chosen", "holistic", "augmented", "incomplete"],
}
MANY = [
    (name, variant)
    for name, family in trainable().items()
    for variant in VARIANTS.get(name, [family.default])
]


def small(name):
    """The settings of a system, as small as they can be."""
    kind = trainable()[name].settings or Section
    stated = {key: value for key, value in SMALL.items() if key in kind.model_fields}
    return read_settings(stated, kind).dump()


def learn(folder, name, variant, setting="low"):
    """Train a member on a few items, and write it; return its run."""
    (run,) = trainable()[name].list_members(setting, [variant] if variant else [], 1)
    train_folder(
        folder, name, Data("toy", setting, MORE[:14], MORE[14:17], []), [run], small(name), "cpu"
    )
    return run


@pytest.mark.parametrize(("name", "variant"), MANY)
def test_what_is_saved_answers_as_in_the_workflow(tmp_path, name, variant):
    family = trainable()[name]
    asked = [item._replace(target=None) for item in MORE[13:]]
    run = learn(tmp_path / "model", name, variant)
    data = Data("toy", "low", MORE[:14], MORE[14:17], asked)
    trained = family.train(data, [run], small(name), Session(tmp_path / "work", "cpu"))[run]
    found = Model(tmp_path / "model").answer(asked, family.width)
    assert found == [models._first(answer, family.width) for answer in trained.test]


@pytest.fixture(scope="module")
def analogies(tmp_path_factory):
    """A folder of one member whose part is analogies."""
    folder = tmp_path_factory.mktemp("models") / "analogies"
    learn(folder, "waseda", "holistic")
    return folder


def test_the_part_that_was_chosen_answers(tmp_path):
    """Analogies alone know this form."""
    train, dev = read_item("aslama", "N", "muslim"), read_item("arsala", "N", "mursil")
    data = Data("toy", "low", [train] * 4, [dev], [])
    train_folder(tmp_path, "waseda", data, [Run("chosen", 1)], small("waseda"), "cpu")
    assert Model(tmp_path).members[0].part == "holistic"
    assert Model(tmp_path).answer([dev]) == [Answer(["mursil"])]


def test_triples_are_kept_where_members_answer_from_them(analogies):
    assert json.loads((analogies / "model.json").read_text()) == {
        "family": "waseda", "language": "toy", "setting": "low", "variant": "holistic",
        "options": small("waseda"), "characters": [], "tags": [], "members": [1], "bundles": [],
    }  # fmt: skip
    model = Model(analogies)
    ordered, notes = model.read(read_item("zal", "PL;N"))
    assert ordered.tags == ("N", "PL")
    assert notes == [
        "features put in the order of training", "training lacks the characters 'z'"
    ]  # fmt: skip
    assert model.answer([ordered], 3) == [Answer(["zalak"])]


def damaged(folder, path, change):
    """A copy of a folder in which a file is another, sealed again."""
    for each in path.iterdir():
        (folder / each.name).write_bytes(each.read_bytes())
    change(folder)
    seal(folder)
    return folder


def describe(**facts):
    def change(folder):
        path = folder / "model.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | facts))

    return change


def weights(state, metadata=None):
    return lambda folder: save_file(state, folder / "1.safetensors", metadata)


def triples(columns, schema=None):
    table = pa.table(columns, schema)
    return lambda folder: write_parquet(folder / "train.parquet", table, table.schema)


def texts(text):
    return weights({}, {"texts": text})


def test_a_network_that_drops_answers_drops_them_when_it_is_loaded(tmp_path):
    learn(tmp_path / "whole", "waseda", "seq2seq")
    (tmp_path / "drops").mkdir()
    folder = damaged(tmp_path / "drops", tmp_path / "whole", describe(variant="incomplete"))
    asked = MORE + MORE[:1]
    expected = Model(tmp_path / "whole").answer(asked)
    assert Model(folder).answer(asked) == [*expected[:20], Answer([""])]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (describe(family="nobody"), "model.json: unknown system 'nobody'; expected one of axsem"),
        (describe(family="tuebingen_oslo_01"), "model.json: unknown system 'tuebingen_oslo_01'"),
        (describe(family="../../etc"), "model.json: unknown system '../../etc'"),
        (describe(family=3), "model.json: damaged; expected as"),
        (describe(variant="x"), "model.json: no variant 'x' of waseda; expected one of chosen"),
        (describe(members=[]), "model.json: damaged"),
        (describe(members=["../1"]), "model.json: damaged"),
        (describe(members=[2]), "2.safetensors: No such file or directory; expected as"),
        (describe(further=1), "model.json: damaged"),
        (describe(characters=3), "model.json: damaged"),
        (describe(options=[]), "model.json: damaged"),
        (describe(options={"hidden": 0}), "config hidden: found 0; expected a whole number"),
        (describe(options={"hiden": 1}), "config: unknown key 'hiden'; expected 'hidden'"),
        (describe(family="bme", variant="recorded", options={}), "model.json: damaged"),
        (describe(family="iitbhu", variant="released", options={}), "1.safetensors: not what its"),
        (lambda folder: (folder / "model.json").write_text("[" * 9999), "model.json: damaged"),
        (lambda folder: (folder / "model.json").write_bytes(b"\xff"), "model.json: damaged"),
        (lambda folder: (folder / "1.safetensors").unlink(), "1.safetensors: No such file"),
        (lambda folder: (folder / "1.safetensors").write_bytes(b"x" * 99), "tensors: missing or d"),
        (lambda folder: (folder / "train.parquet").unlink(), "train.parquet: No such file"),
        (lambda folder: (folder / "train.parquet").write_bytes(b"x"), "train.parquet: unreadable"),
        (triples({"lemma": ["a"]}), "train.parquet: no column 'form'"),
        (triples({key: [1] for key in TRIPLES.names}), "train.parquet: damaged; expected as"),
        (triples({key: [None] for key in TRIPLES.names}, TRIPLES), "train.parquet: damaged"),
        (texts('{"part": "seq2seq"}'), "1.safetensors: not what its system has learnt"),
        (texts('{"part": 1}'), "1.safetensors: missing or damaged"),
        (texts("{"), "1.safetensors: missing or damaged"),
        (texts("[]"), "1.safetensors: missing or damaged"),
        (texts("[" * 9999), "1.safetensors: missing or damaged"),
        (weights({}), "1.safetensors: not what its system has learnt; expected as `kasu inflect"),
    ],
)
def test_a_folder_that_was_not_written_here_is_one_line(analogies, tmp_path, change, line):
    with pytest.raises(KasuError) as error:
        Model(damaged(tmp_path, analogies, change))
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_a_pipe_in_place_of_the_triples_is_one_line(analogies, tmp_path):
    folder = damaged(tmp_path, analogies, lambda folder: (folder / "train.parquet").unlink())
    os.mkfifo(folder / "train.parquet")
    with pytest.raises(KasuError, match=r"train\.parquet: a pipe or device; expected as"):
        Model(folder)


@pytest.fixture(scope="module")
def two_models(tmp_path_factory):
    """A folder of one member with two language models."""
    folder = tmp_path_factory.mktemp("models") / "two"
    learn(folder, "msu_02", None)
    return folder


def without(name):
    return lambda state: {each: value for each, value in state.items() if name not in each}


@pytest.mark.parametrize(
    "change",
    [
        without("backward"),
        without("backward.dense.bias"),
        lambda state: state | {"forward.more": state["forward.dense.bias"].clone()},
        lambda state: state | {"forward.dense.bias": state["forward.dense.bias"][:-1].clone()},
    ],
)
def test_weights_of_another_shape_are_one_line(two_models, tmp_path, change):
    state = change(load_file(two_models / "1.safetensors"))
    folder = damaged(tmp_path, two_models, weights(state))
    with pytest.raises(
        KasuError, match=r"1\.safetensors: not what its system has learnt; expected"
    ):
        Model(folder)


def test_a_file_of_several_names_for_a_weight_is_read(tmp_path):
    """As earlier versions and others write it; here each weight is written once."""
    train_folder(tmp_path, "iitbhu", DATA, RUNS[:1], OPTIONS, "cpu")
    state = load_file(tmp_path / "1.safetensors")
    assert "lemma.table.weight" in state
    shared = "decoder.table.weight"
    assert shared not in state
    expected = Model(tmp_path).answer(ITEMS)
    table = state["lemma.table.weight"]
    for further in ({shared: table.clone()}, {}):
        weights(state | further)(tmp_path)
        seal(tmp_path)
        assert Model(tmp_path).answer(ITEMS) == expected
    del state["lemma.table.weight"]
    weights(state)(tmp_path)
    seal(tmp_path)
    with pytest.raises(KasuError, match="not what its system has learnt"):
        Model(tmp_path)


def test_a_wider_beam_changes_no_first_form(analogies):
    model = Model(analogies)
    beams = {1: Answer(["ak"], [-2.0]), 2: Answer(["al", "ak"], [-1.0, -2.0])}
    beams[3] = Answer(["al", "am", "ak"], [-1.0, -1.5, -2.0])
    model.members = [SimpleNamespace(answer=lambda items, width: [beams[width]])]
    assert [model.answer(ITEMS[:1], best) for best in (1, 2, 3)] == [
        [Answer(["ak"], [-2.0])],
        [Answer(["ak", "al"], [-2.0, -1.0])],
        [Answer(["ak", "al", "am"], [-2.0, -1.0, -1.5])],
    ]
