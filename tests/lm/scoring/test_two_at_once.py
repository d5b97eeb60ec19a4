"""Runs of `kasu score` at the same moment: each gives what it gives alone."""

import itertools
import json
import os
import signal
import time
from contextlib import redirect_stdout
from functools import partial
from io import StringIO

import pytest

from kasu.cli import main
from kasu.files.locks import hold
from kasu.files.tables import read_parquet
from kasu.lm.scoring import score
from kasu.lm.scoring.score import Scoring, score_file

WORDS = ("etxe", "gizon", "ikusi", "du", "etxea")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder of the runs, with pairs.jsonl."""
    monkeypatch.chdir(write_pairs(tmp_path))
    return tmp_path


def write_pairs(folder):
    pairs = itertools.permutations(itertools.product(WORDS, repeat=2), 2)
    rows = [{"sen": " ".join(a), "wrong_sen": " ".join(b)} for a, b in itertools.islice(pairs, 24)]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def command(model, *more):
    # A state after each sentence or two
    threads = ("--threads", "1", "--device", "cpu", "--tokens-per-batch", "1")
    return partial(main, ["score", str(model), "pairs.jsonl", *threads, *more])


def job(model, kind, out, work):
    """What a job of the workflow does."""
    scoring = Scoring([kind], tokens_per_batch=1, device="cpu")
    score_file(model, "pairs.jsonl", out, f"{out}.tsv", work, scoring)


def end(processes):
    for process in processes:
        process.join(60)
    return [process.exitcode for process in processes]


@pytest.fixture(scope="module")
def alone(tmp_path_factory, bert, gpt2):
    """What each model's run prints and writes when no other runs."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(write_pairs(tmp_path_factory.mktemp("alone")))
        for model in (bert, gpt2):
            with redirect_stdout(StringIO()) as printed:
                assert command(model)() == 0
            found[model] = printed.getvalue(), read_parquet("pairs.scores.parquet")
    (one, scores), (other, other_scores) = found.values()
    assert one.splitlines()[1].split()[3:] != other.splitlines()[1].split()[3:]
    assert not scores.equals(other_scores)
    return found


def test_of_two_with_one_output_one_is_right_and_the_other_ends(here, at_once, bert, gpt2, alone):
    met = 0
    for _ in range(2):
        ended = end(at_once(command(bert), command(gpt2)))
        # The second may also start when the first has ended, but hardly twice
        assert sorted(ended) in ([0, 2], [0, 0])
        met += 2 in ended
        written = []
        for number, model in enumerate((bert, gpt2)):
            printed, scores = alone[model]
            if ended[number]:
                (line,) = (here / f"err-{number}").read_text().splitlines()
                assert line.startswith("error: pairs.scores.parquet: ")
                assert line.endswith(" is writing it; expected an --out of its own")
            else:
                assert (here / f"out-{number}").read_text() == printed
                written.append(scores)
        assert any(read_parquet("pairs.scores.parquet").equals(each) for each in written)
        assert {path.name for path in here.glob("pairs*")} == {
            "pairs.jsonl", "pairs.scores.parquet", "pairs.scores.drops.tsv",
        }  # fmt: skip
    assert met


def test_two_with_outputs_of_their_own_are_right(here, at_once, bert, gpt2, alone):
    for _ in range(2):
        models = {"a": bert, "b": gpt2}
        runs = [command(model, "--out", name) for name, model in models.items()]
        assert end(at_once(*runs)) == [0, 0]
        for number, (name, model) in enumerate(models.items()):
            assert (here / f"out-{number}").read_text() == alone[model][0]
            assert read_parquet(name).equals(alone[model][1])


@pytest.mark.parametrize("taken", ["a.parquet", "a.drops.tsv"])
def test_what_another_process_writes_is_refused_before_the_model_is_read(
    here, at_once, taken, capsys
):
    (here / "no-model").mkdir()
    (here / "no-model" / "config.json").write_text('{"architectures": ["BertForMaskedLM"]}')
    (other,) = at_once(partial(hold_and_sleep, taken))
    while not (here / f".{taken}.held").exists():
        assert other.is_alive()
    time.sleep(0.1)  # until it has written its name
    assert command("no-model", "--out", "a.parquet")() == 2
    other.kill()
    assert f"error: {taken}: process {other.pid} on " in capsys.readouterr().err


def hold_and_sleep(path):
    hold(path)
    time.sleep(60)


def test_a_command_and_a_job_in_one_folder_of_states_are_right(here, at_once, bert, gpt2, alone):
    for _ in range(2):
        run = command(bert, "--out", "a.parquet")
        assert end(at_once(run, partial(job, gpt2, "causal", "b.parquet", "a.work"))) == [0, 0]
        assert (here / "out-0").read_text() == alone[bert][0]
        assert read_parquet("a.parquet").equals(alone[bert][1])
        assert read_parquet("b.parquet").equals(alone[gpt2][1])
        assert not (here / "a.work").exists()


def test_after_a_kill_the_other_model_starts_anew(here, at_once, bert, gpt2, alone):
    for first, second in ((bert, gpt2), (gpt2, bert)):
        (process,) = at_once(command(first))
        until = time.monotonic() + 60
        while len([*here.glob("pairs.scores.work/*.pt")]) < 2:
            assert time.monotonic() < until
        os.kill(process.pid, signal.SIGKILL)
        process.join(60)
        assert end(at_once(command(second))) == [0]
        assert (here / "out-0").read_text() == alone[second][0]
        assert read_parquet("pairs.scores.parquet").equals(alone[second][1])


def test_an_accuracy_is_of_the_run_s_own_scores(here, bert, gpt2, alone, capsys, monkeypatch):
    written = score.write_parquet

    def replaced(path, _, schema):
        written(path, alone[gpt2][1], schema)

    monkeypatch.setattr(score, "write_parquet", replaced)
    assert command(bert)() == 0
    assert capsys.readouterr().out == alone[bert][0]


def test_items_that_change_while_they_are_scored_are_an_error(here, bert, capsys, monkeypatch):
    loaded = score.load_model

    def load_and_edit(*arguments, **options):
        (here / "pairs.jsonl").write_text('{"sen": "du", "wrong_sen": "etxe"}\n')
        return loaded(*arguments, **options)

    monkeypatch.setattr(score, "load_model", load_and_edit)
    assert command(bert)() == 2
    assert "pairs.jsonl: changed while it was scored; expected" in capsys.readouterr().err
    assert not (here / "pairs.scores.parquet").exists()
