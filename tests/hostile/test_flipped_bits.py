"""One flipped bit in any kind of file that one job writes and another reads ends the reader."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch
from safetensors.torch import save_file

from kasu.files.tables import write_parquet, write_text, write_tsv
from kasu.job.run import job

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = torch.arange(500, dtype=torch.float32)
SCHEMA = pa.schema([("item_id", pa.string()), ("value", pa.float64())])
ROWS = [{"item_id": f"item {number}", "value": number / 7} for number in range(500)]


def folder(path):
    """A trained tokenizer or model: a table of pieces, settings, weights."""
    path.mkdir()
    write_text(path / "config.json", json.dumps({"hidden_size": 32}))
    save_file({"weight": NUMBERS}, path / "model.safetensors")


# What a rule writes, by its suffix
KINDS = {
    ".parquet": lambda path: write_parquet(path, ROWS, SCHEMA),
    ".tsv": lambda path: write_tsv(path, ROWS, SCHEMA.names),
    ".json": lambda path: write_text(path, json.dumps(["etxe", "mendi", "ñ"])),
    ".safetensors": lambda path: save_file({"weight": NUMBERS}, path, {"kasu": "{}"}),
    ".npy": lambda path: np.save(path, NUMBERS.numpy().astype(np.uint16)),
    "": folder,
    ".md": lambda path: write_text(path, "# Dataset\n\nLicence: CC0\n"),
    ".svg": lambda path: write_text(path, "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ".pdf": lambda path: write_text(path, "%PDF-1.4\n%%EOF\n"),
    ".html": lambda path: write_text(path, "<!doctype html><title>Kasu</title>"),
    ".lock": lambda path: write_text(path, json.dumps({"sha256": "0" * 64, "verified": "no"})),
}


def flip(path, draw):
    """Flip a bit of a file, or of one file in a folder."""
    if path.is_dir():
        path = draw.choice(sorted(path.glob("[a-z]*")))
    content = bytearray(path.read_bytes())
    bit = draw.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", KINDS)
def test_the_next_job_refuses_it(tmp_path, capsys, kind, seed):
    path = tmp_path / f"a{kind}"
    with job(tmp_path / "first.log", outputs=[str(path)]):
        KINDS[kind](path)
    with job(tmp_path / "next.log", [str(path)]):
        pass
    flip(path, random.Random(seed))
    with pytest.raises(SystemExit), job(tmp_path / "next.log", [str(path)]):
        pytest.fail("the job began")
    line = capsys.readouterr().err
    assert line.startswith(f"error: {path}: changed since it was written; expected the sha256 in ")
    assert line.count("\n") == 1


def test_a_job_that_updates_its_output_refuses_a_damaged_one(tmp_path):
    path = tmp_path / "a.tsv"
    for _ in range(2):  # the second run updates what the first has written
        with job(tmp_path / "log", outputs=[str(path)]):
            path.write_text(f"{path.exists()}\n")
    flip(path, random.Random(1))
    with pytest.raises(SystemExit), job(tmp_path / "log", outputs=[str(path)]):
        pytest.fail("the job began")


def test_a_job_that_fails_leaves_no_seal(tmp_path):
    path = tmp_path / "a.tsv"
    with job(tmp_path / "log", outputs=[str(path)]):
        path.touch()
    with pytest.raises(ZeroDivisionError), job(tmp_path / "log", outputs=[str(path)]):
        path.write_text("half")
        1 / 0
    with job(tmp_path / "next.log", [str(path)]):
        pass


SCRIPT = "with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):\n"
DOWNLOADS = {
    "fetch_source": "with job(snakemake.log[0], outputs=snakemake.output.locks):\n",
    "fetch_model": "with job(snakemake.log[0], outputs=[snakemake.output.lock]):\n",
}


def test_every_script_hands_its_inputs_and_outputs_to_its_job():
    for script in (ROOT / "workflow" / "scripts").glob("*.py"):
        assert DOWNLOADS.get(script.stem, SCRIPT) in script.read_text(), script.name


def outputs_of_rules():
    """The block of outputs of every rule that has one."""
    for file in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        for rule in re.split(r"^(?=(?:use )?rule )", file.read_text(), flags=re.MULTILINE)[1:]:
            if block := re.search(r"^    output:\n((?:     .*\n)+)", rule, re.MULTILINE):
                yield rule, block[1]


def test_every_rule_with_an_output_has_a_script():
    rules = [rule for rule, _ in outputs_of_rules()]
    assert len(rules) > 50
    wrong = [rule for rule in rules if "\n    script:" not in rule and not rule.startswith("use ")]
    assert [rule.splitlines()[0] for rule in wrong] == []


def test_no_rule_writes_a_kind_that_is_not_tested():
    texts = [text for _, block in outputs_of_rules() for text in re.findall(r'"(\S+/\S+)"', block)]
    # What stands in braces may hold dots; a caption is no output
    names = [re.sub(r"{+[^{}]+}+", "x", text) for text in texts if not text.endswith(".rst")]
    kinds = {Path(name).suffix for name in names}
    assert kinds == set(KINDS)
