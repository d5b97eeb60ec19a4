"""Lines of a run, from records as Snakemake makes them."""

import io
import logging
from types import SimpleNamespace

import pytest

from kasu.job.run import CLEAR
from kasu.job.terminal import Terminal, duration

KILLED = "RuleException:\nCalledProcessError in file a.smk, line 3:\nCommand 'x' {}"


class Stream(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, is_terminal: bool = False) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


class Run:
    """A run's handler, and the records that it gets."""

    def __init__(self, is_terminal: bool = False) -> None:
        self.stream = Stream(is_terminal)
        self.handler = Terminal(logging.StreamHandler(self.stream))

    def say(self, event: str = "", message: str = "", level: int = logging.INFO, **facts) -> None:
        record = logging.LogRecord("snakemake", level, "", 0, message, (), None)
        named = {"event": SimpleNamespace(name=event)} if event else {}
        record.__dict__.update(facts | named)
        self.handler.handle(record)

    def plan(self, total: int) -> None:
        self.say("RUN_INFO", stats={"total": total, "inflect": total})

    def begin(self, number: int, rule: str, log: str = "", local: bool = True, **wildcards) -> None:
        facts = {"rule_name": rule, "wildcards": wildcards, "log": [log] if log else []}
        self.say("JOB_INFO", jobid=number, local=local, **facts)

    def finish(self, number: int) -> None:
        self.say("JOB_FINISHED", "Finished jobid", job_id=number)
        self.say("PROGRESS", done=1, total=2)

    def fail(self, number: int, log: str = "", said: str | None = None) -> None:
        facts = {"log": [log] if log else [], "rule_msg": said, "rule_name": "a"}
        self.say("JOB_ERROR", "Error in rule", logging.ERROR, jobid=number, **facts)

    def end(self) -> list[str]:
        self.handler.close()
        return self.stream.getvalue().splitlines()


@pytest.fixture
def run():
    run = Run()
    yield run
    run.handler.close()


def test_a_job_is_one_line_when_it_ends(run):
    run.say("WORKFLOW_STARTED", "SNAKEMAKE\n=========")
    run.plan(12)
    run.say(message="Select jobs to execute...")
    run.say("JOB_STARTED", "Execute 2 jobs...")
    run.begin(7, "train_agreement", corpus="demo", condition="base")
    run.begin(3, "all")
    run.finish(3)
    run.finish(7)
    assert run.end() == ["jobs: 12", "[ 1/12] all  0 s", "[ 2/12] train_agreement demo base  0 s"]


def test_what_is_not_about_progress_is_printed_as_by_snakemake(run):
    run.say(message="Nothing to be done (all requested files are present and up to date).")
    run.say(message="Trying to restart job 3.")
    run.say(message="Select jobs to execute...", level=logging.WARNING)
    run.say("GROUP_ERROR", "Error in group 4", logging.ERROR)
    assert run.end() == [
        "Nothing to be done (all requested files are present and up to date).",
        "Trying to restart job 3.",
        "Select jobs to execute...",
        "Error in group 4",
    ]


@pytest.mark.parametrize(
    "message",
    [
        "Job 3 has been submitted with SLURM jobid 71 (log: a/71.log).",
        "Submitted job 3 with external jobid '71'.",
        "Submitted group job 3 with external jobid '71'.",
        "Removing temporary output results/a.",
    ],
)
def test_lines_of_each_job_of_a_cluster_are_left_out(run, message):
    run.say(message=message)
    assert run.end() == []


def test_outputs_of_a_job_that_failed_at_first_are_left_out(run):
    run.say(message="Cannot restore results/a.tsv: no backup found.", level=logging.WARNING)
    run.say(message="Cannot restore results/a.tsv: disk full.", level=logging.WARNING)
    assert run.end() == ["Cannot restore results/a.tsv: disk full."]


def test_failures_come_again_at_the_end_with_their_logs(run, tmp_path):
    log = tmp_path / "a.log"
    log.write_text("12:00:01 epoch 1\n12:00:02 error: a.txt: empty; expected words\n")
    run.plan(4)
    run.begin(1, "read_treebank", str(log), name="bad")
    run.say("ERROR", KILLED.format("returned non-zero exit status 1."), logging.ERROR)
    run.fail(1, str(log))
    run.begin(2, "all")
    run.finish(2)
    assert run.end() == [
        "jobs: 4",
        "failed: read_treebank bad  0 s",
        "[1/4] all  0 s",
        "jobs: 1 done, 1 failed or stopped, 2 not run",
        "read_treebank bad: error: a.txt: empty; expected words",
        f"    log: {log}",
    ]


def test_a_job_that_was_killed_shows_how_and_the_last_line_of_its_log(run, tmp_path):
    log = tmp_path / "a.log"
    log.write_text("12:00:01 epoch 1\n")
    killed = KILLED.format("died with <Signals.SIGKILL: 9>.")
    run.plan(1)
    run.begin(1, "inflect", str(log))
    run.say("ERROR", killed, logging.ERROR)
    run.fail(1, str(log))
    shown = run.end()
    assert shown[1:4] == killed.splitlines()
    assert shown[-2:] == ["inflect: epoch 1", f"    log: {log}"]


def test_a_job_that_stops_without_an_event_is_named(run):
    run.plan(2)
    run.begin(1, "inflect", "none.log")
    assert run.end()[-3:] == [
        "jobs: 0 done, 1 failed or stopped, 1 not run",
        "inflect: stopped before it logged a line",
        "    log: none.log",
    ]


def test_a_job_that_succeeds_on_a_second_try_has_not_failed(run):
    run.plan(1)
    run.begin(1, "inflect")
    run.fail(1)
    run.begin(1, "inflect")
    run.finish(1)
    assert run.end() == ["jobs: 1", "failed: inflect  0 s", "[1/1] inflect  0 s"]


def test_notes_and_errors_of_another_machine_are_read_from_the_log(run, tmp_path):
    log = tmp_path / "a.log"
    log.write_text("12:00:01 note: 3 words unknown\n12:00:02 epoch 1\n12:00:03 error: \x1b[2J\n")
    run.plan(2)
    run.begin(1, "inflect", str(log), local=False)
    run.finish(1)
    run.begin(2, "submit", str(log), local=False)
    run.fail(2, str(log), "SLURM status: OUT_OF_MEMORY")
    assert run.end()[1:5] == [
        "[1/2] inflect  0 s",
        "    note: 3 words unknown",
        "failed: submit  0 s",
        "    error: \\x1b[2J",
    ]
    assert "    SLURM status: OUT_OF_MEMORY" in run.end()


def test_a_terminal_shows_the_longest_job_in_place_and_clears_it(tmp_path):
    log = tmp_path / "a.log"
    log.write_text("12:00:01 epoch 1\n12:00:02 epoch 2: 45%\n")
    run = Run(is_terminal=True)
    run.plan(2)
    run.begin(1, "inflect", str(log))
    run.begin(2, "submit")
    for _ in range(2):
        run.handler._show(run.handler.running[1])
    assert run.stream.getvalue().endswith(2 * f"{CLEAR}0/2, 2 running: inflect  0 s  epoch 2: 45%")
    run.finish(1)
    assert run.stream.getvalue().endswith(f"{CLEAR}[1/2] inflect  0 s\n")
    run.finish(2)
    run.end()


def test_a_line_in_place_fits_the_terminal(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "20")
    run = Run(is_terminal=True)
    run.begin(1, "inflect", language="prefixal")
    run.handler._show(run.handler.running[1])
    assert run.stream.getvalue().split(CLEAR)[-1] == "0/0, 1 running: inf"
    run.finish(1)
    run.end()


def test_a_pipe_gets_whole_lines(run):
    run.plan(2)
    run.begin(1, "inflect")
    run.handler._show(run.handler.running[1])
    run.finish(1)
    assert run.end()[1:] == ["0/2, 1 running: inflect  0 s", "[1/2] inflect  0 s"]


def test_a_fault_of_the_handler_does_not_end_the_run(run, capsys):
    run.finish(99)
    assert "KeyError: 99" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "0 s"), (34, "34 s"), (59.6, "1 min 0 s"), (310, "5 min 10 s"), (7500, "2 h 5 min")],
)
def test_durations(seconds, said):
    assert duration(seconds) == said
