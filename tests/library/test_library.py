"""What a notebook sees is what the commands write; nothing else is written, printed or imported."""

import io
import json
import logging
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

import kasu
from kasu.cli import main
from kasu.records import lines
from kasu.records.reading import read_record

KASU = Path(kasu.__file__).parent
TREEBANK = "resources/demo/georgian/ka_demo-ud.conllu"
DATIVE = "pattern { V [upos=VERB]; e: V -[nsubj]-> S; S [Case=Dat] }"
PARADIGMS = "resources/demo/inflection/harmonic.paradigms.tsv"
PAIRS = [
    {"item_id": "a", "sentence_good": "the cat sleeps", "sentence_bad": "the cat sleep"},
    {"item_id": "b", "sentence_good": "cats sleep", "sentence_bad": "cats sleeps"},
]

pytestmark = pytest.mark.usefixtures("here")
read_record_once = cache(read_record)


@pytest.fixture(autouse=True)
def _one_record(monkeypatch):
    monkeypatch.setattr(lines, "read_record", read_record_once)


@pytest.fixture
def pairs() -> str:
    """A file of two minimal pairs."""
    Path("pairs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in PAIRS))
    return "pairs.jsonl"


def printed(capsys, *arguments: str) -> str:
    """What a command prints."""
    capsys.readouterr()
    assert main(arguments) == 0
    return capsys.readouterr().out


def table(text: str) -> pd.DataFrame:
    return read(io.StringIO(text))


def read(file: str | io.StringIO) -> pd.DataFrame:
    return pd.read_csv(file, sep="\t", quoting=3, keep_default_na=False, na_values=[""])


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """A file has one kind of empty cell, and fewer types."""
    assert len(one)
    one, other = (each.astype(object).where(each.notna(), "") for each in (one, other))
    pd.testing.assert_frame_equal(one, other)


def test_an_import_brings_nothing_that_takes_long():
    code = (
        "import sys, kasu; [getattr(kasu, name) for name in dir(kasu)]; "
        "print(sorted({'numpy', 'pandas', 'pyarrow', 'torch', 'transformers'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_names_are_those_of_the_commands_and_hide_no_folder():
    assert dir(kasu) == [
        "KasuError", "audit", "build_set", "export", "inflect", "query", "record", "score",
    ]  # fmt: skip
    assert [name for name in dir(kasu) if (KASU / name).exists()] == []
    with pytest.raises(AttributeError, match="module 'kasu' has no attribute 'querry'"):
        kasu.querry


def test_a_query_is_the_table_that_is_printed(capsys):
    found = kasu.query(DATIVE, TREEBANK)
    assert list(found) == ["sentence_id", "match", "V", "S", "e", "text"]
    assert len(found) == 74
    same(found, table(printed(capsys, "query", DATIVE, TREEBANK)))


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--by", "S.Case", "--by", "V.Tense"], {"by": ["S.Case", "V.Tense"]}),
        (["--by", "e.label"], {"by": "e.label"}),
        (["--context", "S", "--sample", "5", "--seed", "7"],
         {"context": "S", "sample": 5, "seed": 7}),
        (["--count"], {"count": True}),
    ],
)  # fmt: skip
def test_a_query_counts_and_shows_as_the_command_does(capsys, options, arguments):
    rows = printed(capsys, "query", DATIVE, TREEBANK, TREEBANK, *options, "--json").splitlines()
    found = kasu.query(DATIVE, [TREEBANK, Path(TREEBANK)], **arguments)
    same(found, pd.DataFrame(map(json.loads, rows)))


def test_scores_are_those_of_the_file(capsys, model, pairs):
    printed(capsys, "score", str(model), pairs, "--threads", "1", "--out", "s.parquet")
    found = kasu.score(model, pairs, threads=1)
    assert found.attrs == {"drops": {}, "ties": {}, "unknown": {}}
    same(found, pd.read_parquet("s.parquet"))
    same(kasu.score(model, pd.DataFrame(PAIRS), threads=1), found)


def test_items_left_out_are_counted(model):
    long = {"item_id": "c", "sentence_good": "a" * 200, "sentence_bad": "b b"}
    found = kasu.score(model, pd.DataFrame([*PAIRS, long]), threads=1, too_long="drop")
    assert found.attrs["drops"] == {"causal: longer than the model": 1}
    assert list(found.item_id) == ["a", "a", "b", "b"]


def test_what_scores_hide_is_a_warning(model, caplog):
    tie = {"item_id": "c", "sentence_good": "a é", "sentence_bad": "a é"}
    long = {"item_id": "d", "sentence_good": "a" * 200, "sentence_bad": "b b"}
    found = kasu.score(model, pd.DataFrame([*PAIRS, tie, long]), threads=1, too_long="drop")
    assert (found.attrs["ties"], found.attrs["unknown"]) == ({"causal": 1}, {"causal": 1})
    assert [each.getMessage() for each in caplog.records if each.levelname == "WARNING"][-3:] == [
        "causal: 1 of 4 items not judged: left out of the scores",
        "causal: ties: 1 of 3 items; each counts one divided by the number of equals",
        "causal: 1 of 4 items have unknown tokens",
    ]


def test_an_audit_is_the_table_that_is_written(capsys, model, pairs):
    Path("text.txt").write_text("the cat sleeps\n")
    scores = kasu.score(model, pairs, threads=1)
    scores.to_parquet("scores_1.parquet")
    beside = ["--text", "text.txt", "--train", pairs, "--scores", "scores_1.parquet"]
    printed(capsys, "audit", pairs, *beside, "--out", "audit")
    found = kasu.audit(pairs, text="text.txt", train=pairs, scores=["scores_1.parquet"])
    same(found, read("audit/audit.tsv"))
    frame = pd.DataFrame(PAIRS)
    same(kasu.audit(frame, text=Path("text.txt"), train=frame, scores=[scores]), found)
    assert {"form", "null", "model", "leak", "power"} == set(found.check)


def test_the_record_is_the_table_that_is_printed(capsys):
    same(kasu.record(), table(printed(capsys, "record")))
    of_system = kasu.record(paper="cloze", system="uzh")
    shown = printed(capsys, "record", "--paper", "cloze", "--system", "uzh")
    assert of_system.to_csv(sep="\t", index=False, quoting=3) == shown
    assert list(kasu.record("blm").printed) == [72, 4, 5, 36, 72]


def test_words_are_inflected_as_by_the_command(capsys, caplog):
    triples = pd.read_csv(PARADIGMS, sep="\t", names=["lemma", "form", "features"])
    assert kasu.inflect.train("baseline", PARADIGMS, "ours") == Path("ours")
    printed(capsys, "inflect", "train", "baseline", PARADIGMS, "theirs")
    trained = sorted(path.name for path in Path("theirs").iterdir())
    assert [path.name for path in sorted(Path("ours").iterdir())] == trained
    for name in trained:
        assert Path("ours", name).read_bytes() == Path("theirs", name).read_bytes()
    kasu.inflect.train("baseline", triples, "from-frame")
    asked = triples.head(3)[["lemma", "features"]]
    asked.to_csv("words.tsv", sep="\t", index=False, header=False)
    found = kasu.inflect.predict("ours", "words.tsv")
    assert list(found) == ["lemma", "form", "features", "rank", "score"]
    same(found, table(printed(capsys, "inflect", "predict", "theirs", "words.tsv")))
    same(kasu.inflect.predict("from-frame", asked), found)
    caplog.clear()
    kasu.inflect.predict("ours", asked.replace(asked.lemma[0], "qux"))
    assert caplog.messages[0].startswith("items:1: qux, ")


def test_an_export_is_the_same_folder(capsys, pairs):
    licence = ["--licence", "CC0-1.0"]
    printed(capsys, "export", pairs, "--to", "croissant", "--out", "theirs", *licence)
    assert kasu.export(pairs, "croissant", "ours", licence="CC0-1.0") == Path("ours")
    files = sorted(path.name for path in Path("theirs").iterdir())
    assert files == ["LICENSE.md", "README.md", "croissant.json", "test.parquet"]
    assert sorted(path.name for path in Path("ours").iterdir()) == files
    for name in files:
        assert Path("ours", name).read_bytes() == Path("theirs", name).read_bytes()


def test_an_exported_frame_has_the_name_of_its_folder():
    kasu.export(pd.DataFrame(PAIRS), "hub", "out/mine", licence="MIT")
    assert list(pd.read_parquet("out/mine/test.parquet").attribution) == ["mine", "mine"]
    card, licence = (Path("out/mine", name).read_text() for name in ("README.md", "LICENSE.md"))
    assert "\n# mine\n\nItems of mine.\n" in card
    assert "mine: **MIT**" in licence
    assert "items.parquet" not in card + licence


NO_SET = {"a": ["x", "y"]}


@pytest.mark.parametrize(
    ("call", "command"),
    [
        (lambda model: kasu.query("pattern { N [upos=NOUN }", TREEBANK),
         ["query", "pattern { N [upos=NOUN }", TREEBANK]),
        (lambda model: kasu.query(DATIVE, "none.conllu"), ["query", DATIVE, "none.conllu"]),
        (lambda model: kasu.query(DATIVE, "resources"), ["query", DATIVE, "resources"]),
        (lambda model: kasu.query(DATIVE, TREEBANK, by="X.Case"),
         ["query", DATIVE, TREEBANK, "--by", "X.Case"]),
        (lambda model: kasu.query(DATIVE, TREEBANK, context="X"),
         ["query", DATIVE, TREEBANK, "--context", "X"]),
        (lambda model: kasu.score("none", "pairs.jsonl"), ["score", "none", "pairs.jsonl"]),
        (lambda model: kasu.score(model, "pairs.jsonl", definition="pll_original"),
         ["score", "MODEL", "pairs.jsonl", "--definition", "pll_original"]),
        (lambda model: kasu.score(model, "twice.jsonl"), ["score", "MODEL", "twice.jsonl"]),
        (lambda model: kasu.score(model, TREEBANK), ["score", "MODEL", TREEBANK]),
        (lambda model: kasu.audit("set.tsv"), ["audit", "set.tsv"]),
        (lambda model: kasu.audit("pairs.jsonl", by="kind"),
         ["audit", "pairs.jsonl", "--by", "kind"]),
        (lambda model: kasu.audit("pairs.jsonl", text="resources"),
         ["audit", "pairs.jsonl", "--text", "resources"]),
        (lambda model: kasu.record("basque2019"), ["record", "--paper", "basque2019"]),
        (lambda model: kasu.inflect.train("iitbhu", PARADIGMS, "m", settings={"layer": 2}),
         ["inflect", "train", "iitbhu", PARADIGMS, "m", "--set", "layer=2"]),
        (lambda model: kasu.inflect.train("baseline", "set.tsv", "m", members=5),
         ["inflect", "train", "baseline", "set.tsv", "m", "--members", "5"]),
        (lambda model: kasu.inflect.train("baseline", "set.tsv", "m"),
         ["inflect", "train", "baseline", "set.tsv", "m"]),
        (lambda model: kasu.inflect.predict("none", "set.tsv"),
         ["inflect", "predict", "none", "set.tsv"]),
        (lambda model: kasu.export("pairs.jsonl", "hub", "out"),
         ["export", "pairs.jsonl", "--to", "hub", "--out", "out"]),
        (lambda model: kasu.export("pairs.jsonl", "hub", ".", licence="MIT"),
         ["export", "pairs.jsonl", "--to", "hub", "--out", ".", "--licence", "MIT"]),
    ],
)  # fmt: skip
def test_an_error_is_the_line_of_the_command(capsys, model, pairs, call, command):
    Path("twice.jsonl").write_text(Path(pairs).read_text() * 2)
    Path("set.tsv").write_text("a\nx\n")
    with pytest.raises(kasu.KasuError) as error:
        call(model)
    capsys.readouterr()
    assert main([str(model) if word == "MODEL" else word for word in command]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"error: {error.value}"


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda model: kasu.audit(pd.DataFrame({"a": ["x"]})), "items: columns a; expected "),
        (lambda model: kasu.audit([{"a": "x"}]),
         "items: a list; expected a text, a path or a frame of pandas"),
        (lambda model: kasu.audit(pd.DataFrame(PAIRS), train=pd.DataFrame({"a": [1, "x"]})),
         "train, a: "),
        (lambda model: kasu.audit(pd.DataFrame([*PAIRS, PAIRS[0]])),
         "items: item a: another item has this item_id; expected one item each"),
        (lambda model: kasu.score(model, pd.DataFrame({"sen": ["a", None], "wrong_sen": "b"})),
         "items: item 2, sen: None; expected a text"),
        (lambda model: kasu.score(model, pd.DataFrame(PAIRS), dtype="float8"),
         "dtype: 'float8'; expected float32 or bfloat16"),
        (lambda model: kasu.inflect.train("iitbhw", PARADIGMS, "m"),
         "SYSTEM: 'iitbhw'; expected one of "),
        (lambda model: kasu.inflect.train("iitbhu", PARADIGMS, "m", setting="small"),
         "--setting: 'small'; expected one of low, medium, high"),
        (lambda model: kasu.inflect.train("iitbhu", pd.DataFrame({"lemma": ["a"]}), "m"),
         "paradigms: no column 'form'; expected lemma, form, features"),
        (lambda model: kasu.inflect.train(
            "iitbhu", pd.DataFrame({"lemma": ["a\tb"], "form": "c", "features": "N"}), "m"),
         "paradigms:1, lemma: a cell 'a\\tb'; expected one line, no tab"),
        (lambda model: kasu.query(DATIVE, TREEBANK, by="S.Case", count=True),
         "by, context, count: several of them; expected one; sample with by or context"),
        (lambda model: kasu.export(pd.DataFrame(PAIRS), "csv", "out"),
         "--to: 'csv'; expected one of blimp, multiblimp, lm-eval, hub, croissant"),
    ],
)  # fmt: skip
def test_what_no_command_takes_is_one_line_too(model, call, line):
    with pytest.raises(kasu.KasuError) as error:
        call(model)
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value) and "/tmp" not in str(error.value)


def test_torch_and_the_environment_are_left_as_they_were(model, pairs, monkeypatch):
    import torch

    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    environment = {**os.environ}
    threads, mode = torch.get_num_threads(), torch.get_deterministic_debug_mode()
    try:
        torch.set_num_threads(2)
        torch.set_deterministic_debug_mode("warn")
        kasu.score(model, pairs, threads=1)
        kasu.inflect.predict(kasu.inflect.train("baseline", PARADIGMS, "m"), PARADIGMS)
        assert (torch.get_num_threads(), torch.get_deterministic_debug_mode()) == (2, 1)
        assert {**os.environ} == environment
    finally:
        torch.set_num_threads(threads)
        torch.set_deterministic_debug_mode(mode)


def test_an_error_of_the_system_is_the_line_of_the_command(capsys, pairs):
    name = "caf\udce9.parquet"  # a byte that is no UTF-8
    with pytest.raises(kasu.KasuError) as error:
        kasu.score("none", pairs, definition="causal", out=name)
    assert main(["score", "none", pairs, "--definition", "causal", "--out", name]) == 2
    assert capsys.readouterr().err == f"error: {error.value}\n"
    Path("out").mkdir()
    with pytest.raises(kasu.KasuError, match=r"^out: a folder; expected a file to write$"):
        kasu.score("none", pairs, definition="causal", out="out")


def test_nothing_is_written_or_printed(capfd, model, pairs):
    before, handlers = sorted(Path().rglob("*")), [*logging.getLogger("kasu").handlers]
    kasu.query(DATIVE, TREEBANK)
    kasu.score(model, pairs, threads=1)
    kasu.audit(pd.DataFrame(PAIRS), text=TREEBANK)
    kasu.record()
    kasu.build_set(
        TREEBANK, DATIVE, language="ka", target="S", feature="Case", values=["Dat", "Erg"]
    )
    assert sorted(Path().rglob("*")) == before
    assert logging.getLogger("kasu").handlers == handlers
    assert capfd.readouterr() == ("", "")


def test_what_a_request_names_in_vain_is_a_warning(caplog):
    assert kasu.query("pattern { N [Cas=Erg] }", TREEBANK).empty
    assert caplog.messages == ["note: no word has feature Cas"]
