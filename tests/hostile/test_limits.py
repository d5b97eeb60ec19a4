"""Commands under limits of the system, settings that no machine can meet, tokenizers that panic."""

import json
import shlex
import subprocess
import sys

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from kasu.cli import main

MORE = "more memory (ulimit -v; mem_mb of a profile)"
LESS = f"smaller layers or batches (--set), or {MORE}"
WORDS = ("1\ta\ta\tNOUN\t_\t_\t0\troot\t_\t_\n", "2\tb\tb\tNOUN\t_\t_\t1\tdep\t_\t_\n")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with paradigms, a treebank, items and a masked model, to run commands in."""
    monkeypatch.chdir(tmp_path)
    forms = [(f"{a}{b}", f"{a}{b}{end}", tag) for a in "bdk" for b in "aeio"
             for end, tag in (("", "SG"), ("ak", "PL"))]  # fmt: skip
    lines = [f"{lemma}\t{form}\tN;{tag}\n" for lemma, form, tag in forms]
    (tmp_path / "p.tsv").write_text("".join(lines))
    (tmp_path / "t.conllu").write_text(("".join(WORDS) + "\n") * 200)
    (tmp_path / "i.tsv").write_text("sentence_good\tsentence_bad\na b\tb a\n")
    pieces = {token: at for at, token in enumerate(("[PAD]", "[UNK]", "[MASK]", "a", "b"))}
    words = Tokenizer(models.WordLevel(pieces, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words,
        pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]", model_max_length=16,
    )  # fmt: skip
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=5, hidden_size=8, num_hidden_layers=1, num_attention_heads=1,
        intermediate_size=8, max_position_embeddings=16, initializer_range=0.5,
    )  # fmt: skip
    BertForMaskedLM(config).save_pretrained(tmp_path / "m")
    tokenizer.save_pretrained(tmp_path / "m")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("iitbhu hidden=1000000000", f"(1600000000000 bytes asked for); expected {LESS}"),
        ("iitbhu hidden=1000000000000000000", f"out of memory; expected {LESS}"),
        ("iitbhu hidden=100000000000000000000", f"out of memory; expected {LESS}"),
        ("kucst embedding=1000000000000000", f"bytes asked for); expected {LESS}"),
    ],
)
def test_a_network_that_no_machine_can_hold(here, capsys, command, line):
    family, setting = command.split()
    asked = ["inflect", "train", family, "p.tsv", "out", "--set", setting, "--device", "cpu"]
    assert main(asked) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: this process: out of memory")
    assert last.endswith(line)
    assert not (here / "out" / "model.json").exists()


# What differs in tokenizer.json
PANICS = {
    "a table of characters that cannot be read": {
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": ""}
    },
    "pieces of no letters": {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
    "a template with a token that it lacks": {
        "post_processor": {
            "type": "TemplateProcessing", "pair": [], "special_tokens": {},
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}],
        }
    },
}  # fmt: skip


@pytest.mark.parametrize("case", PANICS)
def test_a_tokenizer_that_panics_is_a_line(here, capsys, case):
    file = here / "m" / "tokenizer.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | PANICS[case]))
    assert main(["score", "m", "i.tsv", "--device", "cpu", "--threads", "1"]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: m: a library panicked (")
    assert last.endswith("); expected a sound tokenizer.json")
    assert not (here / "i.scores.parquet").exists()


@pytest.mark.parametrize(
    ("limit", "command", "line"),
    [
        (
            "-f 1",
            "query 'pattern { N [] }' t.conllu",
            "output: larger than a file may be; expected a higher limit (ulimit -f)",
        ),
        (
            "-n 6",
            "inflect train iitbhu p.tsv out --set hidden=8 --set epochs=1 --device cpu",
            "too many files are open; expected a higher limit (ulimit -n)",
        ),
        (
            "-f 1",
            "score m i.tsv --device cpu --threads 1",
            "i.scores.work/pll_original-000000.pt: larger than a file may be;"
            " expected a higher limit (ulimit -f)",
        ),
    ],
)
def test_a_command_under_a_limit_is_a_line(here, limit, command, line):
    shell = f"ulimit {limit}; exec {shlex.quote(sys.executable)} -m kasu {command}"
    with (here / "printed").open("w") as printed:  # a file, which may be too large
        ended = subprocess.run(
            ["sh", "-c", shell], stdout=printed, stderr=subprocess.PIPE, text=True, timeout=100
        )
    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
    assert ended.stderr.splitlines()[-1].endswith(line)
    left = {path.name for path in here.rglob("*") if path.suffix == ".part"}
    assert left == set()
