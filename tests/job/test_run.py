"""Jobs that fail with one line, ordered workers that die with their parent, seeds, progress."""

import itertools
import logging
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.locks import held
from kasu.files.seals import expect_sealed
from kasu.job.run import Progress, how_it_ended, job, log, ordered_map, run_each, seed_of

BOUND = 20  # seconds a test waits for an event at most


def test_expected_failure_is_one_line_on_stderr_and_the_last_of_the_log(tmp_path, capsys):
    with pytest.raises(SystemExit) as end, job(tmp_path / "logs" / "a.log") as logged:
        logged.info("started")
        raise KasuError("corpus.txt:3", "invalid UTF-8", "UTF-8")
    line = "error: corpus.txt:3: invalid UTF-8; expected UTF-8"
    assert end.value.code == 1
    shown = capsys.readouterr().err.splitlines()
    assert [text for text in shown if "error" in text] == shown[-1:] == [line]
    first, last = (tmp_path / "logs" / "a.log").read_text().splitlines()
    assert first.endswith(" started")
    assert last.endswith(f" {line}")


def test_error_without_an_expectation_ends_with_what_was_found():
    assert str(KasuError("a.txt", "empty")) == "a.txt: empty"


def test_bug_keeps_its_traceback(tmp_path):
    with pytest.raises(ZeroDivisionError), job(tmp_path / "a.log"):
        1 / 0
    text = (tmp_path / "a.log").read_text()
    assert "Traceback" in text
    assert text.endswith("ZeroDivisionError: division by zero\n")


def test_bug_of_a_job_ends_in_failure_with_a_traceback_on_stderr(tmp_path):
    code = "from kasu.job.run import job\nwith job('a.log'):\n    1 / 0"
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True)
    assert ended.returncode == 1
    assert ended.stderr.startswith(b"Traceback")


def test_other_errors_of_the_system_are_bugs(tmp_path):
    with pytest.raises(FileNotFoundError), job(tmp_path / "a.log"):
        (tmp_path / "none").read_text()


def test_a_job_that_exits_is_not_a_bug(tmp_path):
    with pytest.raises(SystemExit), job(tmp_path / "a.log"):
        raise SystemExit
    assert (tmp_path / "a.log").read_text() == ""


INTERRUPTED = """
import os, time
from kasu.job.run import job, ordered_map

def work(seconds):
    os.write(1, b"at work\\n")  # whole, beside the other worker
    time.sleep(seconds)

with job("a.log"):
    list(ordered_map(work, [600] * 5, 2))
"""


def test_an_interrupted_job_ends_at_once_in_one_line_with_its_workers(tmp_path):
    options = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(command, **options, start_new_session=True) as running:
        assert [running.stdout.readline() for _ in range(2)] == ["at work\n"] * 2
        os.killpg(running.pid, signal.SIGINT)  # as Ctrl-C does
        said = running.communicate(timeout=BOUND)[1]
    line = "error: interrupted; expected the same command again\n"
    assert (running.returncode, said) == (1, line)
    assert (tmp_path / "a.log").read_text().endswith(f" {line}")


def test_a_job_closes_its_log(tmp_path):
    with job(tmp_path / "a.log"):
        pass
    log.info("after")
    assert (tmp_path / "a.log").read_text() == ""


def test_a_step_that_fails_stops_no_other_and_is_named(tmp_path, capsys):
    done = []

    def fail():
        raise KasuError("model.safetensors", "empty")

    steps = {"a": fail, "b": lambda: done.append("b"), "c": fail}
    with pytest.raises(SystemExit), job(tmp_path / "log"):
        run_each(steps)
    assert done == ["b"]
    said = "error: a failed (so did 1 more of 3): model.safetensors: empty"
    assert capsys.readouterr().err.splitlines() == [said]
    lines = [line[9:] for line in (tmp_path / "log").read_text().splitlines()]
    assert lines == ["a: model.safetensors: empty", "c: model.safetensors: empty", said]


def test_a_bug_in_a_step_stops_at_once():
    done = []
    with pytest.raises(ZeroDivisionError):
        run_each({"a": lambda: 1 / 0, "b": lambda: done.append("b")})
    assert done == []


def double_slowly(number: int) -> int:
    # The first item finishes last
    time.sleep(0.2 if number == 0 else 0)
    return 2 * number


WAITING = """
import os, sys, time
from kasu.job.run import job
with job("a.log") as log:
    log.info("one")
    print(os.getpid(), flush=True)
    time.sleep(float(sys.argv[1]))
    log.info("two")
"""


def test_a_job_is_killed_with_the_process_that_started_it(tmp_path):
    # As Snakemake does: a child whose parent waits for it
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1], '600'])"
    command = [sys.executable, "-c", code, WAITING]
    parent = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE)
    started = int(parent.stdout.readline())
    assert alive(started)
    parent.kill()
    parent.wait(BOUND)
    parent.stdout.close()
    end = time.monotonic() + BOUND
    while alive(started) and time.monotonic() < end:
        time.sleep(0.02)
    assert not alive(started)


def test_a_process_outlives_its_parent_once_its_job_is_done(tmp_path):
    code = """
import ctypes
from kasu.job.run import job
with job("a.log"):
    pass
number = ctypes.c_int(-1)
ctypes.CDLL(None).prctl(2, ctypes.byref(number))  # PR_GET_PDEATHSIG
print(number.value)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True)
    assert done.stdout == b"0\n"


def test_a_job_waits_for_the_same_job_of_an_earlier_run(tmp_path):
    options = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    first = subprocess.Popen([sys.executable, "-c", WAITING, "1"], **options)
    number = first.stdout.readline().strip()
    with subprocess.Popen([sys.executable, "-c", WAITING, "0"], **options) as second:
        said = second.communicate(timeout=BOUND)[1].splitlines()
    assert first.wait(BOUND) == 0
    first.communicate()
    waiting = f"a.log: process {number} on {socket.gethostname()} is writing it: waiting"
    assert said == [f"[a] note: {waiting}"]
    lines = (tmp_path / "a.log").read_text().splitlines()
    assert [line.split()[1] for line in lines] == ["one", "two"]


def test_a_job_waits_for_another_process_that_writes_its_output(tmp_path, at_once, capsys):
    out = tmp_path / "a.tsv"

    def write_slowly():
        with held(out):
            out.write_text("another's")
            time.sleep(0.5)
            out.write_text("another's, whole")

    at_once(write_slowly)
    while not out.exists():
        time.sleep(0.01)
    with job(tmp_path / "a.log", outputs=[str(out)]):
        assert out.read_text() == "another's, whole"
        out.write_text("ours")
    expect_sealed(out)
    assert " is writing it: waiting" in capsys.readouterr().err
    assert {path.name for path in tmp_path.glob("*a.*")} == {"a.log", "a.tsv", ".a.tsv.sha256"}


@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="no /dev/full")
def test_a_log_on_a_full_disk_loses_its_lines(tmp_path, capsys):
    (tmp_path / "a.log").symlink_to("/dev/full")
    with job(tmp_path / "a.log") as logged:
        logged.warning("three words unknown")
    assert capsys.readouterr().err == "[a] note: three words unknown\n"


def test_progress_goes_to_the_log_alone_and_notes_to_stderr_too(tmp_path, capsys):
    with job(tmp_path / "a.log") as logged:
        logged.info("epoch 1")
        logged.warning("three words unknown")
    assert capsys.readouterr().err == "[a] note: three words unknown\n"
    lines = (tmp_path / "a.log").read_text().splitlines()
    assert [line[9:] for line in lines] == ["epoch 1", "note: three words unknown"]


def test_a_note_is_shown_once_and_logged_each_time(tmp_path, capsys):
    with job(tmp_path / "a.log") as logged:
        logged.info("2 words unknown")
        for words in (2, 2, 3):
            logged.warning("%d words unknown", words)
    assert capsys.readouterr().err == "[a] note: 2 words unknown\n[a] note: 3 words unknown\n"
    assert (tmp_path / "a.log").read_text().count("note: 2 words unknown") == 2


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_order_of_the_items(workers):
    assert list(ordered_map(double_slowly, range(8), workers)) == [0, 2, 4, 6, 8, 10, 12, 14]


def test_no_items_no_results():
    assert list(ordered_map(abs, [], 2)) == []


def test_at_most_two_items_per_worker_are_in_flight():
    taken = itertools.count()
    results = ordered_map(abs, (next(taken) for _ in iter(int, 1)), workers=2)
    for _ in range(5):
        next(results)
    results.close()
    assert next(taken) == 8  # 5 yielded, 3 more in flight


def fail_at_three(number: int) -> int:
    if number == 3:
        raise KasuError("item 3", "odd", "even")
    return number


def test_expected_failure_of_a_worker_keeps_its_line():
    with pytest.raises(KasuError) as error:
        list(ordered_map(fail_at_three, range(9), 2))
    assert str(error.value) == "item 3: odd; expected even"


LINE = "worker process: killed by SIGKILL, perhaps for memory; expected more memory, or fewer cores"


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (0, "ended with status 0"),
        (-signal.SIGXCPU, "killed by SIGXCPU"),
        (-signal.SIGTERM, "killed by SIGTERM"),
        (-signal.SIGABRT, "killed by SIGABRT, perhaps for memory"),
    ],
)
def test_how_a_process_ended(status, said):
    assert how_it_ended(status) == said


def kill_itself(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_killed_worker_is_an_expected_failure():
    with pytest.raises(KasuError, match=LINE):
        list(ordered_map(kill_itself, range(4), 2))


def test_a_worker_killed_amid_its_answer_is_no_hang():
    code = textwrap.dedent(
        """
        import os, signal
        from multiprocessing.connection import Connection
        from kasu.job.run import ordered_map

        def write_and_die(connection, answer):
            os.write(connection.fileno(), bytes(answer)[:3])
            os.kill(os.getpid(), signal.SIGKILL)

        def answer(number):
            if number == 3:
                Connection._send = write_and_die
            return number

        for result in ordered_map(answer, range(9), 2):
            print(result)
        """
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=BOUND)
    assert ended.stdout.split() == [b"0", b"1", b"2"]
    assert LINE.encode() in ended.stderr


def test_a_caller_that_fails_with_answers_to_come_ends(tmp_path):
    code = textwrap.dedent(
        """
        from kasu.base.errors import KasuError
        from kasu.job.run import job, ordered_map

        results = ordered_map(abs, range(9), 2)
        with job("a.log"):
            next(results)
            raise KasuError("item 0", "odd", "even")
        """
    )
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=BOUND)
    assert ended.returncode == 1
    assert ended.stderr == b"error: item 0: odd; expected even\n"


started: list[int] = []


def started_with(_: int) -> list[int]:
    return started


def test_every_worker_starts_with_the_initializer():
    assert list(ordered_map(started_with, range(2), 1, started.append, (7,))) == [[7], [7]]
    assert started == []


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False
    return "State:\tZ" not in status


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_workers_die_when_their_parent_is_killed():
    code = textwrap.dedent(
        """
        import os, time
        from kasu.job.run import ordered_map

        def name_and_wait(_):
            return os.getpid() if _ < 2 else time.sleep(600)

        for pid in ordered_map(name_and_wait, range(9), 2):
            print(pid, flush=True)
        """
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    workers = {int(parent.stdout.readline()) for _ in range(2)}
    assert all(map(alive, workers))
    parent.kill()
    parent.wait(BOUND)
    parent.stdout.close()
    end = time.monotonic() + BOUND
    while any(map(alive, workers)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(alive, workers))


def test_a_worker_ends_if_its_parent_died_before_it_started():
    program = f"from kasu.job.run import die_with_parent; die_with_parent({os.getpid()} + 1)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == -signal.SIGKILL


def test_seed_depends_only_on_the_text_of_its_parts():
    assert seed_of("split", 1, "etxe") == 14849670618470876715
    assert seed_of("split", "1", "etxe") == seed_of("split", 1, "etxe")
    assert seed_of("split", 2, "etxe") != seed_of("split", 1, "etxe")
    assert seed_of("ab", "c") != seed_of("a", "bc")


def test_progress_logs_done_total_and_unit(caplog):
    with caplog.at_level(logging.INFO, "kasu"):
        progress = Progress("analysis", 4, "sentences", every=0)
        progress.add(3)
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("analysis: ")
    assert "3/4" in caplog.messages[0]
    assert "sentences" in caplog.messages[0]


def test_progress_counts_what_is_skipped_towards_the_total_but_not_the_rate(caplog):
    with caplog.at_level(logging.INFO, "kasu"):
        progress = Progress("networks", 1000, "steps", every=0)
        progress.skip(900)
        progress._start -= 100  # seconds
        progress.add(50)
    assert "95%" in caplog.messages[0]
    assert "950/1000" in caplog.messages[0]
    assert "2.00s/ steps" in caplog.messages[0]


def test_progress_is_silent_between_two_reports(caplog):
    with caplog.at_level(logging.INFO, "kasu"):
        progress = Progress("analysis", every=3600)
        for _ in range(100):
            progress.add()
    assert progress.done == 100
    assert caplog.messages == []
