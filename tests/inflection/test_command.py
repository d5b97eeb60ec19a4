"""`kasu inflect`: a paradigm file in, forms with scores out."""

import io
import json
from pathlib import Path

import pytest
import torch

from kasu.cli import main
from kasu.files.seals import seal
from kasu.inflection import models
from kasu.inflection.data.triples import Triple
from kasu.inflection.evaluation.scorer import score_files
from kasu.inflection.families import trainable
from kasu.inflection.settings import SYSTEMS
from kasu.inflection.systems.bme import read_configurations
from kasu.inflection.training import hold_out

HERE = Path(__file__).parent
TRIPLES = [
    Triple(a + b + c, a + b + c + end, tags)
    for a in "bdk"
    for b in "ae"
    for c in "lnr"
    for tags, end in (("N;SG", ""), ("N;PL", "ak"))
]
SMALL = ["--set", "hidden=8", "--set", "embedding=8", "--set", "epochs=2"]


def predict(folder, text, monkeypatch, capsys, *more):
    """The lines that `predict` prints."""
    return asked(folder, text, monkeypatch, capsys, *more)[0]


def asked(folder, text, monkeypatch, capsys, *more):
    """The lines that `predict` prints, and those that it says on stderr."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    capsys.readouterr()
    assert main(["inflect", "predict", str(folder), *more]) == 0
    printed = capsys.readouterr()
    return printed.out.splitlines(), printed.err.splitlines()


def misspell(description):
    description.write_text(description.read_text().replace("iitbhu", "iitbhw"))


def test_what_can_be_trained_here():
    # One network for all languages has nothing to learn from one, and votes learn nothing. Others
    # read text; what ua-03 has learnt is not saved yet
    votes, readers = {"ua_05", "ua_08"}, {"ua_06", "ua_07"}
    assert {*SYSTEMS} - {*trainable()} == {"tuebingen_oslo_01"} | votes | readers


def test_a_tenth_is_held_out_whatever_the_order():
    train, dev = hold_out(TRIPLES)
    assert (len(train), len(dev)) == (33, 3)
    turned = hold_out(TRIPLES[::-1])
    assert (set(turned[0]), set(turned[1])) == (set(train), set(dev))
    assert [triple for triple in TRIPLES if triple in train] == train
    assert hold_out(TRIPLES[:9]) == (TRIPLES[:9], [])
    assert hold_out(TRIPLES[:1] * 10) == (TRIPLES[:1] * 10, [])


def test_canonically_equal_triples_are_held_out_together():
    composed = [Triple(f"\u00e9{n}", f"\u00e9{n}s", "N;PL") for n in range(40)]
    decomposed = [Triple(f"e\u0301{n}", f"e\u0301{n}s", "N;PL") for n in range(40)]
    train, dev = hold_out(composed + decomposed)
    assert (len(train), len(dev)) == (72, 8)
    assert [each.canonical() for each in dev[4:]] == dev[:4]


def test_paradigms_in_forms_with_scores_out(paradigms, tmp_path, monkeypatch, capsys, train):
    assert train(paradigms, tmp_path / "model") == 0
    told = capsys.readouterr().err
    assert "triples: 33 to train on, 3 of dev; setting low" in told
    files = sorted(path.name for path in (tmp_path / "model").iterdir())
    assert files == [".sha256", "1.safetensors", "model.json"]
    described = json.loads((tmp_path / "model/model.json").read_text())
    assert described == {
        "family": "iitbhu", "language": "toy", "setting": "low", "variant": "released",
        "options": {"hidden": 8, "embedding": 8, "epochs": 2},
        "characters": list("abdeklnr"), "tags": ["N", "PL", "SG"], "members": [1],
        "bundles": ["N;SG", "N;PL"],
    }  # fmt: skip
    lines = predict(tmp_path / "model", "bal\tN;PL\nzul\tx\tN;SG\n", monkeypatch, capsys)
    header, *rows = (line.split("\t") for line in lines)
    assert header == ["lemma", "form", "features", "rank", "score"]
    assert [(row[0], *row[2:4]) for row in rows] == [("bal", "N;PL", "1"), ("zul", "N;SG", "1")]
    assert all(float(row[4]) <= 0 for row in rows)


def test_the_best_forms_come_from_a_beam(paradigms, tmp_path, monkeypatch, capsys, train):
    train(paradigms, tmp_path / "model")
    (line,) = predict(
        tmp_path / "model", "bal\tN;PL\n", monkeypatch, capsys, "--best", "3", "--json"
    )
    found = json.loads(line)
    assert (found["lemma"], found["features"]) == ("bal", "N;PL")
    scores = [each["score"] for each in found["forms"]]
    assert len(scores) == 3
    assert scores[1:] == sorted(scores[1:], reverse=True)


def test_a_model_answers_wherever_it_stands(paradigms, tmp_path, monkeypatch, capsys):
    """The configurations of bme are read from a file, which the folder has a copy of."""
    table = tmp_path / "configurations.tsv"
    table.write_text((HERE / "systems" / "configurations.tsv").read_text())
    options = ["--set", f"configurations={table}", "--set", "epochs=1", "--setting", "low"]
    assert main(["inflect", "train", "bme", str(paradigms), str(tmp_path / "m"), *options]) == 0
    table.unlink()
    read_configurations.cache_clear()
    assert len(predict(tmp_path / "m", "bal\tN;PL\n", monkeypatch, capsys)) == 2


def test_several_members_vote(paradigms, tmp_path, monkeypatch, capsys, train):
    train(paradigms, tmp_path / "model", "--members", "3")
    lines = predict(tmp_path / "model", "bal\tN;PL\n", monkeypatch, capsys, "--best", "3")
    shares = [float(line.split("\t")[4]) for line in lines[1:]]
    assert sum(shares) == pytest.approx(1, abs=0.001)
    assert {round(3 * share, 2) for share in shares} <= {1, 2, 3}


def test_after_a_kill_the_same_command_gives_the_same_bytes(
    paradigms, tmp_path, monkeypatch, train
):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    train(paradigms, whole, "--members", "3")
    save = models.write_state

    def die(path, state):
        if path.name == "2.safetensors":
            raise KeyboardInterrupt
        save(path, state)

    with monkeypatch.context() as patch:
        patch.setattr(models, "write_state", die)
        assert train(paradigms, killed, "--members", "3") == 130
    assert not (killed / "model.json").exists()
    assert train(paradigms, killed, "--members", "3") == 0
    for path in whole.iterdir():
        assert (killed / path.name).read_bytes() == path.read_bytes()
    assert not (killed / "work").exists()


@pytest.mark.parametrize(("code", "epochs"), [("1", 0), ("2", 2)])
def test_states_of_other_code_are_not_taken_up(
    paradigms, tmp_path, monkeypatch, caplog, code, epochs, train
):
    def die(path, state):
        raise KeyboardInterrupt

    monkeypatch.setattr(models, "code_hash", lambda *_: "1")
    with monkeypatch.context() as patch:
        patch.setattr(models, "write_state", die)
        assert train(paradigms, tmp_path / "model") == 130
    caplog.clear()
    monkeypatch.setattr(models, "code_hash", lambda *_: code)
    train(paradigms, tmp_path / "model")
    assert sum(": epoch " in line for line in caplog.messages) == epochs


def test_a_stated_dev_file_is_not_held_out(paradigms, tmp_path, capsys, train):
    train(paradigms, tmp_path / "model", "--dev", str(paradigms), "--setting", "medium")
    told = capsys.readouterr().err
    assert "triples: 36 to train on, 36 of dev; setting medium" in told
    assert f"{paradigms}: triples that are also trained on: 36 of 36" in told


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["--variant", "x"],
            "error: --variant: no variant 'x' of iitbhu; expected one of released",
        ),
        (["--set", "hidden"], "error: --set: 'hidden'; expected KEY=VALUE"),
        (["--set", "hidden=["], "error: --set: 'hidden=['; expected KEY=VALUE, the value in YAML"),
        (["--set", "hidden=@x"], "error: --set: 'hidden=@x'; expected KEY=VALUE, the value in"),
        (["--set", "hidden=2020-13-01"], "error: --set: 'hidden=2020-13-01'; expected KEY=VALUE,"),
        (["--set", "hidden=" + 2000 * "["], "[[['; expected KEY=VALUE, the value in YAML"),
        (["--set", "hiden=3"], "error: config: unknown key 'hiden'; expected 'hidden'"),
        (["--set", "hidden=0"], "error: config hidden: found 0; expected a whole number of 1 or"),
    ],
)
def test_a_mistake_is_one_line(paradigms, tmp_path, capsys, arguments, line, train):
    assert train(paradigms, tmp_path / "model", *arguments) == 2
    assert line in capsys.readouterr().err
    assert not (tmp_path / "model").exists()


def test_a_variant_of_a_system_without_any_is_refused(paradigms, tmp_path, capsys):
    table = HERE / "systems" / "configurations.tsv"
    options = ["--variant", "foo", "--set", f"configurations={table}", "--set", "epochs=1"]
    command = ["inflect", "train", "bme_02", str(paradigms), str(tmp_path / "model"), *options]
    assert main(command) == 2
    line = "error: --variant: no variant 'foo' of bme_02; expected none"
    assert line in capsys.readouterr().err


def test_a_model_is_not_written_over(paradigms, tmp_path, capsys, train):
    train(paradigms, tmp_path / "model")
    assert train(paradigms, tmp_path / "model") == 2
    assert "holds a model already; expected another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda folder: (folder / "model.json").unlink(), "no model.json; expected a folder of"),
        (lambda folder: (folder / "model.json").write_text("{"), "model.json: damaged; expected"),
        (lambda folder: (folder / "model.json").write_text('{"x": 1}'), "model.json: damaged; ex"),
        (lambda folder: (folder / "1.safetensors").unlink(), "model: changed since it was written"),
        (lambda folder: (folder / "1.safetensors").write_bytes(b"x" * 99), "model: changed since"),
        # A flipped bit: a family that there is not
        (lambda folder: misspell(folder / "model.json"), "model: changed since it was written"),
    ],
)
def test_a_damaged_model_is_one_line(paradigms, tmp_path, capsys, damage, line, train):
    train(paradigms, tmp_path / "model")
    damage(tmp_path / "model")
    assert main(["inflect", "predict", str(tmp_path / "model"), str(paradigms)]) == 2
    assert line in capsys.readouterr().err


def test_the_number_of_cores_does_not_matter(paradigms, tmp_path, monkeypatch, capsys, train):
    """It would decide the order of sums."""
    torch.set_num_threads(2)
    train(paradigms, tmp_path / "model")
    assert torch.get_num_threads() == 1
    torch.set_num_threads(2)
    predict(tmp_path / "model", "bal\tN;PL\n", monkeypatch, capsys)
    assert torch.get_num_threads() == 1


def test_lines_are_read_as_those_to_train_on(paradigms, tmp_path, monkeypatch, capsys, train):
    train(paradigms, tmp_path / "model")
    plain = predict(tmp_path / "model", "bal\tN;PL\n", monkeypatch, capsys)
    odd = "\ufeffbal\tN;PL \r\n \n"
    assert predict(tmp_path / "model", odd, monkeypatch, capsys) == plain


def test_a_line_without_features_is_one_line(paradigms, tmp_path, capsys, train):
    train(paradigms, tmp_path / "model")
    (tmp_path / "asked.tsv").write_text("bal\tN;PL\n\nbal\n")
    assert main(["inflect", "predict", str(tmp_path / "model"), str(tmp_path / "asked.tsv")]) == 2
    line = "asked.tsv:3: 1 columns; expected lemma and features, separated by a tab"
    assert line in capsys.readouterr().err


@pytest.mark.parametrize("from_file", [True, False])
def test_what_is_not_utf8_is_one_line(paradigms, tmp_path, monkeypatch, capsys, from_file, train):
    train(paradigms, tmp_path / "model")
    items = tmp_path / "latin.tsv"
    items.write_bytes("bal\tN\nbål\tN\n".encode("latin-1"))
    monkeypatch.setattr("sys.stdin", items.open(encoding="utf-8"))
    asked = [str(items)] if from_file else []
    assert main(["inflect", "predict", str(tmp_path / "model"), *asked]) == 2
    line = (
        f"error: {items if from_file else 'standard input'}:2: invalid UTF-8 at byte 2 of the line"
    )
    assert line in capsys.readouterr().err.splitlines()


@pytest.mark.parametrize("text", [b"bal\tN;SG\rbal\tN;PL\n", b"bal\tN;SG\rbal\tN;PL\r"])
def test_a_row_that_ends_in_a_carriage_return_is_not_lost(model, tmp_path, capsys, text):
    items = tmp_path / "mac.tsv"
    items.write_bytes(text)
    assert main(["inflect", "predict", str(model), str(items)]) == 2
    line = f"error: {items}:1: a carriage return inside the line; expected lines that end in LF or "
    assert line in capsys.readouterr().err


@pytest.fixture
def model(paradigms, tmp_path, train):
    train(paradigms, tmp_path / "model")
    return tmp_path / "model"


def test_features_that_training_knows_give_one_form_in_any_order(model, monkeypatch, capsys):
    text = "bal\tN;PL\nbal\tPL;N\nbal\tN ; PL\nbal\tPL ; N;\n"
    lines, told = asked(model, text, monkeypatch, capsys)
    answers = {(form, score) for _, form, _, _, score in (line.split("\t") for line in lines[1:])}
    assert len(answers) == 1
    assert [line.split("\t")[2] for line in lines[1:]] == ["N;PL", "PL;N", "N ; PL", "PL ; N;"]
    assert told == [
        "standard input:2: bal, PL;N: features put in the order of training",
        "standard input:4: bal, PL ; N;: features put in the order of training",
        "items: 4; features of 2 put in the order of training; training lacks features of 0, "
        "bundles of 0 and characters of 0",
    ]


def test_what_training_lacks_is_named(model, monkeypatch, capsys):
    text = "bal\tN;SG\nbal\tn;PL;DU\nbal\tSG;PL\nzul\tN;SG\n"
    lines, told = asked(model, text, monkeypatch, capsys, "--json")
    assert [json.loads(line)["notes"] for line in lines] == [
        [],
        ["training lacks the features 'n', 'DU'"],
        ["training lacks these features together, in this order"],
        ["training lacks the characters 'z', 'u'"],
    ]
    assert told == [
        "standard input:2: bal, n;PL;DU: training lacks the features 'n', 'DU'",
        "standard input:3: bal, SG;PL: training lacks these features together, in this order",
        "standard input:4: zul, N;SG: training lacks the characters 'z', 'u'",
        "items: 4; features of 0 put in the order of training; training lacks features of 1, "
        "bundles of 1 and characters of 1",
    ]


def test_items_that_training_knows_need_no_word(model, monkeypatch, capsys):
    assert asked(model, "bal\tN;PL\n", monkeypatch, capsys)[1] == []
    assert asked(model, "", monkeypatch, capsys) == (["lemma\tform\tfeatures\trank\tscore"], [])


def test_forms_that_are_given_are_scored_as_by_the_official_scorer(
    model, tmp_path, monkeypatch, capsys
):
    lines, _ = asked(model, "bal\tN;PL\nbel\tN;PL\n", monkeypatch, capsys)
    first, second = (line.split("\t")[1] for line in lines[1:])
    # A dash is no form, and a line without one is not judged; of two forms the later one counts;
    # blanks around a form do not
    gold = f"bal\tx\tN;PL\nbal\t{first}\tN ; PL\nbel\t{second}zz\tN;PL\n"
    blanks = gold.replace(f"\t{first}\t", f"\t {first}\u00a0\t")
    text = f"{blanks}del\t-\tN;SG\ndel\tN;PL\n"
    printed, told = asked(model, text, monkeypatch, capsys)
    assert told == [
        "lines with an earlier form of the same item, not judged: 1",
        "lines without a form, not judged: 2",
        "items whose right form is given: 2; accuracy 50.00 %, mean Levenshtein distance 1.0000",
    ]
    (tmp_path / "gold").write_text(gold, encoding="utf-8")
    (tmp_path / "guess").write_text("\n".join(printed) + "\n", encoding="utf-8")
    result = score_files(tmp_path / "gold", tmp_path / "guess")
    assert (result.items, result.accuracy, result.levenshtein) == (2, 0.5, 1.0)


def test_a_folder_of_an_earlier_version_is_read(model, monkeypatch, capsys):
    path = model / "model.json"
    described = json.loads(path.read_text(encoding="utf-8"))
    del described["bundles"]
    path.write_text(json.dumps(described), encoding="utf-8")
    seal(model)
    lines, told = asked(model, "bal\tPL;N\nbal\tX\n", monkeypatch, capsys)
    assert len(lines) == 3
    assert told == [
        f"{path} does not tell the order of features",
        "standard input:2: bal, X: training lacks the features 'X'",
        "items: 2; features of 0 put in the order of training; training lacks features of 1, "
        "bundles of 0 and characters of 0",
    ]


def test_paradigms_are_learned_in_one_order(tmp_path, paradigms, capsys, train):
    """The same weights from a file with blanks, and with some bundles in another order."""
    mixed = tmp_path / "mixed" / "toy.tsv"
    mixed.parent.mkdir()
    triples = [triple._replace(features=triple.features.replace(";", " ; ")) for triple in TRIPLES]
    triples[4] = triples[4]._replace(features="SG;N")
    mixed.write_text("".join("\t".join(triple) + "\n" for triple in triples), encoding="utf-8")
    train(paradigms, tmp_path / "model")
    capsys.readouterr()
    train(mixed, tmp_path / "again")
    said = f"{mixed}: features put in the order that most have: of 1 triples"
    assert said in capsys.readouterr().err.splitlines()
    for path in (tmp_path / "model").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_orders_that_tell_forms_apart_are_told_of_a_file_of_which_a_part_is_held_out(
    tmp_path, monkeypatch, capsys, train
):
    """One lemma has both orders, but one of its cells is held out."""
    lemmata = [a + b + c for a in "bdk" for b in "ae" for c in "lnr"]
    triples = [Triple(lemma, lemma + "ak", "N;DEF;FOC") for lemma in lemmata[:12]]
    triples += [Triple(lemma, lemma + "ek", "N;FOC;DEF") for lemma in ["ben", *lemmata[12:]]]
    kept = hold_out(triples)[0]
    assert len({triple.lemma for triple in kept}) == len(kept)
    path = tmp_path / "told.tsv"
    path.write_text("".join("\t".join(triple) + "\n" for triple in triples))
    train(path, tmp_path / "model")
    described = json.loads((tmp_path / "model/model.json").read_text())
    assert described["bundles"] == ["N;DEF;FOC", "N;FOC;DEF"]
    assert asked(tmp_path / "model", "kal\tN;FOC;DEF\n", monkeypatch, capsys)[1] == []


def test_dev_is_read_in_the_order_of_training_and_what_it_has_besides_is_counted(
    tmp_path, paradigms, capsys, train
):
    dev = tmp_path / "dev.tsv"
    dev.write_text("bal\tbalak\tPL;N\nbal\tbalu\tN;DU\nzal\tzalak\tN;PL\nbal\tx\tN\n")
    train(paradigms, tmp_path / "model", "--dev", str(dev))
    told = capsys.readouterr().err.splitlines()
    assert f"{dev}: features put in the order that most have: of 1 triples" in told
    line = (
        "toy, low: of 4 dev items, training lacks features of 1, bundles of 1 and characters of 1"
    )
    assert line in told


def test_a_closed_standard_input_is_one_line(model, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)
    capsys.readouterr()
    assert main(["inflect", "predict", str(model)]) == 2
    line = "error: standard input: closed; expected lines of lemma and features\n"
    assert capsys.readouterr().err == line
