"""The command `kasu score`."""

import json
import shutil

import pyarrow.parquet as pq
import pytest
from safetensors.torch import load_file, save_file

from kasu.cli import main


def test_the_command(tmp_path, bert, capsys, monkeypatch):
    rows = [
        {"masked": f"{word} [MASK] da", "form_a": "etxe", "form_b": "etxea", "form_c": "gizonak"}
        for word in ("gizon", "otso")
    ]
    items = tmp_path / "items.jsonl"
    items.write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = ["score", str(bert), str(items), "--threads", "1"]
    asked += ["--device", "cpu", "--out", str(tmp_path / "s.parquet"), "--definition"]
    assert main([*asked, "word_paper_ideal"]) == 0
    assert pq.read_table(tmp_path / "s.parquet").num_rows == 6
    assert (tmp_path / "s.drops.tsv").exists()
    # Two runs whose outputs differ behind a dot do not share their files
    asked[asked.index("--out") + 1] = str(tmp_path / "run.1")
    assert main([*asked, "word_paper_ideal"]) == 0
    assert {path.name for path in tmp_path.glob("run*")} == {"run.1", "run.1.drops.tsv"}
    assert main([*asked, "causal"]) == 2
    assert "its answers change with what comes later" in capsys.readouterr().err


@pytest.mark.parametrize("taken", ["out.parquet", "out.drops.tsv"])
def test_an_output_that_is_a_folder_is_refused_before_the_model_is_read(tmp_path, capsys, taken):
    (tmp_path / taken).mkdir()
    (tmp_path / "i.jsonl").write_text('{"sen": "a", "wrong_sen": "b"}\n')
    out = ["--out", str(tmp_path / "out.parquet"), "--definition", "causal"]
    assert main(["score", "no-model", str(tmp_path / "i.jsonl"), *out]) == 2
    line = f"error: {tmp_path / taken}: a folder; expected a file to write\n"
    assert capsys.readouterr().err == line


@pytest.mark.parametrize("way", ["itself", "link", "hard link", "drops", "weights"])
def test_an_output_that_is_an_input_is_refused(tmp_path, capsys, way):
    items, folder, out = tmp_path / "i.drops.tsv", tmp_path / "model", tmp_path / "o.parquet"
    items.write_text("sen\twrong_sen\na\tb\n")
    folder.mkdir()
    read = items
    match way:
        case "itself":
            out = items
        case "link":
            out.symlink_to(items)
        case "hard link":
            out.hardlink_to(items)
        case "drops":  # written beside the scores
            out = tmp_path / "i.parquet"
        case "weights":
            read = folder / "model.safetensors"
            read.write_text("weights")
            out = tmp_path / "model/../model/model.safetensors"
    before = read.read_text()
    asked = ["score", str(folder), str(items), "--out", str(out), "--definition", "causal"]
    assert main(asked) == 2
    written = items if way == "drops" else out
    found = f"an input of this command ({read}); expected another output"
    assert capsys.readouterr().err == f"error: {written}: {found}\n"
    assert read.read_text() == before


@pytest.mark.parametrize(
    ("columns", "definition"),
    [(("sentence_good", "sentence_bad"), "pll_original"), (("sen", "wrong_sen"), "causal")],
)
def test_pairs_need_no_option(tmp_path, bert, gpt2, capsys, monkeypatch, columns, definition):
    monkeypatch.chdir(tmp_path)
    pairs = [("gizona da", "gizonak da"), ("gizonak dira", "gizona dira")]
    rows = [
        dict(zip(columns, pair, strict=True)) | {"phenomenon": kind}
        for pair, kind in zip(pairs, ("SV-P", "SV-#"), strict=True)
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["score", str(gpt2 if definition == "causal" else bert), "pairs.jsonl"]) == 0
    table = pq.read_table(tmp_path / "pairs.scores.parquet")
    assert table["definition"].unique().to_pylist() == [definition]
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == [
        "definition", "group", "items", "not_judged", "unknown", "ties", "accuracy", "low", "high",
    ]  # fmt: skip
    assert [line[:3] for line in lines[1:]] == [
        [definition, "all", "2"], [definition, "SV-P", "1"], [definition, "SV-#", "1"],
    ]  # fmt: skip


@pytest.mark.parametrize(("kind", "definition"), [("bert", "word_paper_ideal"), ("gpt2", "causal")])
def test_sets_are_scored_as_the_kind_of_model_can(tmp_path, request, capsys, kind, definition):
    rows = [{"masked": "etxe [MASK] da", "form_a": "ak", "form_b": "a", "grammatical": "a"}]
    score(tmp_path, request.getfixturevalue(kind), rows, capsys)
    scored = pq.read_table(tmp_path / "s.parquet")["definition"].unique().to_pylist()
    assert scored == [definition]


def score(folder, model, rows, capsys, *options):
    """Score rows as a file; the lines of stdout, and those of stderr without progress."""
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = ["score", str(model), str(folder / "items.jsonl"), "--out", str(folder / "s.parquet")]
    assert main([*asked, "--threads", "1", "--device", "cpu", *options]) == 0
    printed = capsys.readouterr()
    return printed.out.splitlines(), [
        line for line in printed.err.splitlines() if "token/s" not in line
    ]


def test_an_output_that_cannot_be_written_is_refused_before_anything_is_scored(
    tmp_path, bert, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    items = tmp_path / "caf\udce9.jsonl"  # Latin-1, as Python reads it
    items.write_text(json.dumps({"sen": "gizona da", "wrong_sen": "gizonak da"}) + "\n")
    assert main(["score", str(bert), str(items), "--device", "cpu"]) == 2
    line = "error: caf\\udce9.scores.parquet: no text in UTF-8\n"
    assert capsys.readouterr().err == line
    assert [*tmp_path.iterdir()] == [items]
    assert main(["score", str(bert), str(items), "--device", "cpu", "--out", "s.parquet"]) == 0


TIES = [
    {"sentence_good": "Ѭ da", "sentence_bad": "Ꮳ da"},
    {"sentence_good": "gizona da", "sentence_bad": "gizona da"},
]


def test_pairs_that_the_tokenizer_cannot_tell_apart_are_ties(tmp_path, bert, capsys, monkeypatch):
    out, err = score(tmp_path, bert, TIES, capsys)
    assert out[1] == "pll_original\tall\t2\t0\t1\t2\t50.0\t9.5\t90.5"
    assert err[1:] == [
        "pll_original: ties: 2 of 2 items; each counts one divided by the number of equals",
        "pll_original: 1 of 2 items have unknown tokens",
    ]


def test_json_has_one_object_per_line(tmp_path, bert, capsys, monkeypatch):
    rows = [row | {"phenomenon": str(n)} for n, row in enumerate(TIES)]
    out, _ = score(tmp_path, bert, rows, capsys, "--json")
    found = map(json.loads, out)
    assert [(row["group"], row["ties"], row["accuracy"]) for row in found] == [
        (None, 2, 0.5), ("0", 1, 0.5), ("1", 1, 0.5),
    ]  # fmt: skip


def test_a_file_without_an_accuracy_says_so(tmp_path, bert, capsys, monkeypatch):
    _, err = score(tmp_path, bert, TIES, capsys, "--columns", "sentence_bad")
    assert err[0].endswith("items.jsonl: scoring sentence_bad; not sentence_good")
    assert err[1] == "pll_original: no accuracy: only sentence_bad was scored"
    long = [{"sentence_good": "gizona " * 900, "sentence_bad": "da"}]
    out, err = score(tmp_path, bert, long, capsys, "--too-long", "drop")
    assert (out, err[1:]) == ([], ["no accuracy: every item was left out"])


def test_an_untrained_model_says_so_in_every_row(tmp_path, bert, capsys, monkeypatch):
    weights = load_file(shutil.copytree(bert, tmp_path / "bare") / "model.safetensors")
    kept = {name: each for name, each in weights.items() if not name.startswith("cls.")}
    save_file(kept, tmp_path / "bare" / "model.safetensors", {"format": "pt"})
    rows = [{"sentence_good": "gizona da", "sentence_bad": "gizonak da"}]
    out, err = score(tmp_path, tmp_path / "bare", rows, capsys, "--untrained")
    assert [line.split("\t")[0] for line in out] == ["definition", "pll_original (untrained)"]
    assert "untrained: the checkpoint lacks 6 weights, now random" in err[1]
    assert pq.read_table(tmp_path / "s.parquet")["untrained"].to_pylist() == [True, True]
    out, _ = score(tmp_path, tmp_path / "bare", rows, capsys, "--untrained", "--json")
    assert json.loads(out[0])["definition"] == "pll_original (untrained)"


@pytest.fixture
def asked(bert, tmp_path, monkeypatch):
    """The command on a copy of a model, `m.work`, and on items, in the working directory."""
    shutil.copytree(bert, tmp_path / "m.work")
    (tmp_path / "i.jsonl").write_text('{"sen": "etxe a", "wrong_sen": "a etxe"}\n')
    monkeypatch.chdir(tmp_path)
    return ["score", "m.work", "i.jsonl", "--device", "cpu", "--out"]


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("way", ["the model", "a link", "items", "another's", "a file"])
def test_a_folder_of_states_takes_nobody_s_files(tmp_path, capsys, asked, way):
    """It is beside the scores, and emptied where it is of another run."""
    work = tmp_path / "o.work"
    line = "o.work: would be emptied, and i.jsonl is an input; expected another output"
    match way:
        case "the model":
            line = "m.work: in a folder that this command reads (m.work); expected another one"
        case "a link":
            work.symlink_to("m.work")
            line = "o.work: in a folder that this command reads (m.work); expected another one"
        case "items":
            work.symlink_to(".")
        case "another's":
            work.mkdir()
            (work / "thesis.tex").write_text("years of work")
            line = "o.work/thesis.tex: in a folder for states of a run; expected only states there"
        case "a file":
            work.write_text("years of work")
            line = "o.work: no folder; expected a folder of states, or none"
    before = contents(tmp_path)
    assert main([*asked, "m.parquet" if way == "the model" else "o.parquet"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"error: {line}"
    assert before.items() <= contents(tmp_path).items()


def test_states_that_a_killed_run_left_are_taken_or_discarded(tmp_path, asked):
    """Their facts may be gone already, where the run was killed as it deleted them."""
    (tmp_path / "o.work").mkdir()
    (tmp_path / "o.work" / "pll_original-000000.pt").write_bytes(b"torn")
    assert main([*asked, "o.parquet"]) == 0
    assert not (tmp_path / "o.work").exists()


PAIRS = [
    ("gizona da", "gizonak da"), ("gizonak dira", "gizona dira"), ("etxe a du", "etxe du a"),
    ("ikusi du", "du ikusi"), ("gizon ak du", "gizon a du"), ("etxe du", "etxe ak du"),
]  # fmt: skip


@pytest.fixture
def pairs(tmp_path, monkeypatch):
    """The file of PAIRS, in the working directory."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {"sentence_good": good, "sentence_bad": bad, "phenomenon": f"p{at % 2}"}
        for at, (good, bad) in enumerate(PAIRS)
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "pairs.jsonl"


def copy(folder, to):
    shutil.copytree(folder, to)
    return str(to)


def test_models_are_compared(tmp_path, pairs, bert, gpt2, capsys):
    models = [copy(bert, tmp_path / "bert"), copy(gpt2, tmp_path / "gpt")]
    asked = ["--device", "cpu", "--threads", "1", "--out", "out", "--latex", "t.tex"]
    definitions = ["--definition", "pll_original", "pll_within_word_l2r", "causal"]
    command = ["score", *asked, "--bibtex", "s.bib", *definitions, "--", *models, "pairs.jsonl"]
    assert main(command) == 0
    printed = capsys.readouterr().out.split("\n")
    accuracies, comparisons = printed[: printed.index("")], printed[printed.index("") + 1 : -1]
    assert [line.split("\t")[:4] for line in accuracies] == [
        ["model", "definition", "group", "items"],
        *([model, definition, group, count]
          for model, definition in (("bert", "pll_original"), ("bert", "pll_within_word_l2r"),
                                    ("gpt", "causal"))
          for group, count in (("all", "6"), ("p0", "3"), ("p1", "3"))),
    ]  # fmt: skip
    assert [line.split("\t")[:6] for line in comparisons[:3]] == [
        ["model_a", "definition_a", "model_b", "definition_b", "group", "items"],
        ["bert", "pll_original", "bert", "pll_within_word_l2r", "all", "6"],
        ["bert", "pll_original", "gpt", "causal", "all", "6"],
    ]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "pairs.bert.scores.parquet", "pairs.bert.scores.drops.tsv", "pairs.gpt.scores.parquet",
        "pairs.gpt.scores.drops.tsv", "pairs.accuracies.tsv", "pairs.comparisons.tsv",
        "pairs.flips.tsv",
    }  # fmt: skip
    # What flips is what the scores say
    verdicts = []
    for model, definition in (("bert", "pll_original"), ("bert", "pll_within_word_l2r"),
                              ("gpt", "causal")):  # fmt: skip
        rows = pq.read_table(tmp_path / f"out/pairs.{model}.scores.parquet").to_pylist()
        scores = {(row["item_id"], row["column"]): row["log_probability"] for row in rows
                  if row["definition"] == definition}  # fmt: skip
        verdicts.append(
            [float(scores[f"{item}", "sentence_good"] > scores[f"{item}", "sentence_bad"])
             for item in range(1, 7)]
        )  # fmt: skip
    flipped = [f"{item}" for item, each in enumerate(zip(*verdicts, strict=True), 1)
               if len(set(each)) > 1]  # fmt: skip
    table = [
        line.split("\t") for line in (tmp_path / "out/pairs.flips.tsv").read_text().split("\n")
    ]
    assert table[0] == [
        "item_id", "group", "bert, pll_original", "bert, pll_within_word_l2r", "gpt, causal",
    ]  # fmt: skip
    assert [row[0] for row in table[1:-1]] == flipped
    assert flipped
    assert "bert, pll\\_original & bert, pll\\_within" in (tmp_path / "t.tex").read_text()
    assert "salazar-etal-2020-masked" in (tmp_path / "s.bib").read_text()


def test_what_items_share_is_said(tmp_path, pairs, gpt2, capsys):
    rows = [json.loads(line) for line in pairs.read_text().splitlines()]
    lines = (json.dumps(row | {"the_verb": f"v{at // 3}"}) for at, row in enumerate(rows))
    pairs.write_text("\n".join(lines))
    models = [copy(gpt2, tmp_path / name) for name in ("one", "two")]
    asked = ["score", *models, "pairs.jsonl", "--device", "cpu", "--latex", "t.tex"]
    assert main([*asked, "--cluster", "the_verb"]) == 0
    printed = capsys.readouterr()
    says = "are a cluster: intervals and tests are of clusters, not of items\n"
    assert f"items of one the_verb {says}" in printed.err
    table = (tmp_path / "t.tex").read_text()
    assert table.startswith(f"% \\usepackage{{booktabs}}\n% items of one the\\_verb {says}\\begin")
    accuracies, comparisons = printed.out.split("\n\n")
    for shown, name in ((accuracies, "accuracies"), (comparisons, "comparisons")):
        for text in (shown, (tmp_path / f"pairs.{name}.tsv").read_text()):
            header, whole, *_ = (line.split("\t")[-2:] for line in text.splitlines())
            assert (header, whole) == (["cluster", "clusters"], ["the_verb", "2"])
    assert main([*asked, "--cluster", "verb"]) == 2
    found = "pairs.jsonl: no column 'verb' (--cluster); expected one of"
    assert found in capsys.readouterr().err


def test_json_of_several_models(tmp_path, pairs, gpt2, capsys):
    models = [copy(gpt2, tmp_path / name) for name in ("one", "two")]
    assert main(["score", *models, "pairs.jsonl", "--device", "cpu", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row.get("model") for row in rows] == ["one"] * 3 + ["two"] * 3 + [None] * 3
    # The same model twice: nothing flips
    assert [(row["group"], row["difference"], row["p"]) for row in rows[6:]] == [
        (None, 0.0, 1.0), ("p0", 0.0, 1.0), ("p1", 0.0, 1.0),
    ]  # fmt: skip
    assert (tmp_path / "pairs.flips.tsv").read_text().count("\n") == 1


def test_models_of_one_name_are_one_line(tmp_path, pairs, model_folder, capsys):
    models = [model_folder(f"{name}/gpt") for name in "ab"]
    assert main(["score", *models, "pairs.jsonl"]) == 2
    found = f"called 'gpt', like {models[0]}; expected models in folders of different names"
    assert capsys.readouterr().err == f"error: {models[1]}: {found}\n"


@pytest.mark.parametrize("option", ["--latex", "--bibtex"])
def test_a_table_that_is_an_input_is_refused(pairs, model_folder, capsys, option):
    model = model_folder("gpt")
    before = pairs.read_text()
    for out in ("pairs.jsonl", f"{model}/config.json"):
        assert main(["score", model, "pairs.jsonl", option, out]) == 2
        assert f"error: {out}: an input of this command" in capsys.readouterr().err
    assert pairs.read_text() == before


def test_a_table_of_several_models_that_is_an_input_is_refused(pairs, model_folder, capsys):
    models = [model_folder(name) for name in ("one", "two")]
    items = pairs.with_name("x.accuracies.tsv")
    items.write_text("sen\twrong_sen\na\tb\n")
    pairs.with_name("x.accuracies.accuracies.tsv").symlink_to(items)
    assert main(["score", *models, "x.accuracies.tsv"]) == 2
    assert "an input of this command (x.accuracies.tsv)" in capsys.readouterr().err


def test_a_file_where_a_folder_is_to_be_written_is_one_line(pairs, model_folder, capsys):
    models = [model_folder(name) for name in ("one", "two")]
    assert main(["score", *models, "pairs.jsonl", "--out", "pairs.jsonl"]) == 2
    line = "error: pairs.jsonl: a file; expected a folder to write in\n"
    assert capsys.readouterr().err == line
