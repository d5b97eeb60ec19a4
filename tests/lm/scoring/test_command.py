"""The command `kasu score`."""

import json

import pyarrow.parquet as pq
import pytest

from kasu.cli import SUBCOMMANDS, main


def test_the_command(tmp_path, bert, capsys, monkeypatch):
    monkeypatch.setitem(SUBCOMMANDS, "score", "kasu.lm.scoring.command")
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


@pytest.mark.parametrize(
    ("columns", "definition"),
    [(("sentence_good", "sentence_bad"), "pll_original"), (("sen", "wrong_sen"), "causal")],
)
def test_pairs_need_no_option(tmp_path, bert, gpt2, capsys, monkeypatch, columns, definition):
    monkeypatch.setitem(SUBCOMMANDS, "score", "kasu.lm.scoring.command")
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
    assert lines[0] == ["definition", "group", "items", "accuracy", "low", "high"]
    assert [line[:3] for line in lines[1:]] == [
        [definition, "all", "2"], [definition, "SV-P", "1"], [definition, "SV-#", "1"],
    ]  # fmt: skip
