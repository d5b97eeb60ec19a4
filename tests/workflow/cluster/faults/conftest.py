"""A finished demo of which one job is run again, and the faults that strike it."""

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import psutil
import pytest

from kasu.compare.folders import Options, compare_folders

ROOT = Path(__file__).resolve().parents[4]
RESULTS = "results/demo"
TEXT = "https://kasu.invalid/texts/own.txt"  # in the config of the demo
# Neither the text of our own server, nor a state that Snakemake keeps for the next checkpoint
COMPARED = Options(ignore=["corpora/texts/127.0.0.1*", "*/state.safetensors"])
PATIENCE = 120  # seconds that a struck run has to end
PAGE = 4096  # bytes, the unit in which a disk of memory fills
# Signals to the job, to Snakemake, or to both and all their children; `workers` are the children
SIGNALS = {
    "kill-job": signal.SIGKILL,
    "terminate-job": signal.SIGTERM,
    "kill-group": signal.SIGKILL,
    "interrupt-group": signal.SIGINT,
    "kill-workers": signal.SIGKILL,
    "kill-snakemake": signal.SIGKILL,
    "terminate-snakemake": signal.SIGTERM,
    "interrupt-snakemake": signal.SIGINT,
}


class Trial:
    """A copy of a finished demo in which a point's job is to run again, and its first run."""

    def __init__(self, point, copy) -> None:
        self.point, self.copy = point, copy
        self.results = copy.folder / RESULTS
        self.target = f"{RESULTS}/{point.job.target}"
        self.bytes = 0  # of the job's files, in full pages
        self.running = ""  # what the job was doing

    def fill(self, demo) -> None:
        """Copy what the demo made, but the job's files."""
        for part in (RESULTS, ".snakemake/metadata", "resources/downloads"):
            shutil.copytree(demo.folder / part, self.copy.folder / part, dirs_exist_ok=True)
        for path in [path for each in self.point.job.deleted for path in self.results.glob(each)]:
            files = (
                [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
            )
            self.bytes += sum(-(-file.stat().st_size // PAGE) * PAGE for file in files)
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    @contextmanager
    def started(self, **environment: str) -> Iterator[subprocess.Popen]:
        """Snakemake in a process group of its own, ended at the end."""
        with (self.copy.folder / "run.log").open("w") as log:
            run = subprocess.Popen(
                self.copy.command(self.target),
                cwd=self.copy.folder,
                env=self.copy.environment | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                # A shell ignores it on behalf of what runs in the background
                preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
            )
        try:
            yield run
        finally:
            # Also one that hangs: Snakemake may, if it is terminated while it chooses jobs
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()

    def wait_for(self, ready: Callable[[], object], run: subprocess.Popen) -> None:
        end = time.monotonic() + 5 * PATIENCE
        while not ready():
            said = (self.copy.folder / "run.log").read_text
            assert run.poll() is None, f"the run ended before the fault:\n{said()}"
            assert time.monotonic() < end, f"nothing to strike:\n{said()}"
            time.sleep(0.005)

    def processes(self) -> list[psutil.Process]:
        """The job's processes that run here, its own first."""
        found = []
        for process in psutil.process_iter(["cmdline", "cwd", "ppid"]):
            script = any(
                f".{self.point.job.rule}.py" in word for word in process.info["cmdline"] or ()
            )
            if script and process.info["cwd"] == str(self.copy.folder):
                found.append(process)
        numbers = [process.pid for process in found]
        return sorted(found, key=lambda process: process.info["ppid"] in numbers)

    def workers(self) -> list[psutil.Process]:
        children, found = [], []
        for process in self.processes()[:1]:
            with suppress(psutil.NoSuchProcess):
                children = process.children(recursive=True)
        for each in children:
            with suppress(psutil.NoSuchProcess):  # it ends as its name is asked for
                if each.name().startswith(self.point.job.workers):
                    found.append(each)
        return found

    def wait_for_moment(self, run: subprocess.Popen) -> None:
        """Wait until the job is where the fault strikes it; note what it is doing."""
        begin = time.time()
        self.wait_for(self.processes, run)
        if self.point.resumes:
            self.wait_for(lambda: any(self.results.glob(self.point.job.work)), run)
        time.sleep(self.point.seconds)
        if "workers" in self.point.fault:
            self.wait_for(self.workers, run)
        assert self.processes(), "the job ended before the fault"
        logs = (self.results / "logs").rglob("*.log")
        lines = [line for log in logs if log.stat().st_ctime > begin for line in log.open()]
        self.running = lines[-1].strip() if lines else "no line in the log yet"

    def send(self, run: subprocess.Popen) -> None:
        """Send the signal of the fault to those it names."""
        number = SIGNALS[self.point.fault]
        to = self.point.fault.partition("-")[2]
        if to == "group":
            os.killpg(run.pid, number)
        elif to == "snakemake":
            run.send_signal(number)
        else:
            for process in self.workers() if to == "workers" else self.processes()[:1]:
                process.send_signal(number)

    def ends(self, run: subprocess.Popen) -> int:
        """The exit status of the run that was struck; its processes are gone, too."""
        with suppress(subprocess.TimeoutExpired):
            run.wait(PATIENCE)
        _, alive = psutil.wait_procs(self.processes(), timeout=10)
        assert not alive, "orphans"
        return run.returncode

    def recovers(self, demo) -> dict[str, object]:
        """Run again as a user would; compare all files with the demo's."""
        start = time.monotonic()
        done = self.copy.run(self.target)
        seconds = time.monotonic() - start
        assert done.returncode == 0, done.stderr
        found = list(compare_folders(demo.folder / RESULTS, self.results, COMPARED))
        assert [each for each in found if each.state != "equal"] == []
        assert list((self.copy.folder / "results").rglob("*.part")) == []
        assert list((self.copy.folder / "resources").rglob("*.part*")) == []
        assert not self.point.job.work or list(self.results.glob(self.point.job.work)) == []
        return {"running": self.running, "seconds": round(seconds), "files": len(found)}


@contextmanager
def signalled(trial: Trial, *_: object) -> Iterator[None]:
    """Signals to processes."""
    with trial.started() as run:
        trial.wait_for_moment(run)
        trial.send(run)
        ended = trial.ends(run)
    # Told to end, Snakemake waits for its job, which may be the last one
    assert ended != 0 or trial.point.fault in ("terminate-snakemake", "interrupt-snakemake")
    yield


@contextmanager
def full(trial: Trial, *_: object) -> Iterator[None]:
    """A disk that takes only a share of what the job writes, until some space is freed."""
    disk = trial.copy.folder / "results"
    missing = shutil.disk_usage(disk).free - int(trial.point.share * trial.bytes / PAGE) * PAGE
    with (disk / "filler").open("wb") as filler:
        os.posix_fallocate(filler.fileno(), 0, missing)
    with trial.started() as run:
        assert run.wait(5 * PATIENCE) != 0
    said = (trial.copy.folder / "run.log").read_text()
    assert "the disk is full; free some space and run again" in said, said
    assert "Traceback" not in said, said
    trial.running = next(line for line in said.splitlines() if "disk is full" in line)
    (disk / "filler").unlink()
    yield


@contextmanager
def set_back(trial: Trial, need, *_: object) -> Iterator[None]:
    """A clock that was ahead of time, and is set right while the job runs."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    need(found, "no libfaketime (install faketime: make setup-cluster)")
    ahead = 3600 * trial.point.hours
    clock = trial.copy.folder / "clock"
    clock.write_text(f"+{ahead}")
    for file in trial.results.rglob("*"):
        date = file.stat().st_mtime + ahead
        os.utime(file, (date, date))
    known = trial.copy.environment["PYTHONPATH"]
    environment = {
        "LD_PRELOAD": str(found[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
        "PYTHONPATH": f"{_other_sleep(trial.copy.folder / 'python')}:{known}",
    }
    with trial.started(**environment) as run:
        trial.wait_for_moment(run)
        clock.write_text("+0")
        run.wait(5 * PATIENCE)
    yield


def _other_sleep(folder: Path) -> Path:
    """A folder for PYTHONPATH whose `time.sleep` works under libfaketime.

    Python sleeps until a time of the monotonic clock, and libfaketime (0.9.10) shifts that time
    although it leaves this clock alone: a machine that has been up for less than the shift gets
    "Invalid argument".
    """
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import select, time\n\ntime.sleep = lambda seconds: select.select((), (), (), seconds)\n"
    )
    return folder


@contextmanager
def cut_off(trial: Trial, need, request) -> Iterator[None]:
    """A server that sends only a share then hangs up, or waits until the run is killed."""
    server = request.getfixturevalue("server")
    body = (b"Gizonak etxea ikusi du. " * 8 + b"\n") * 20_000
    sent = int(len(body) * trial.point.share)
    silent = threading.Event()

    def send(handler: BaseHTTPRequestHandler, until: int | None = None) -> None:
        start = int(handler.headers.get("Range", "bytes=0-")[6:-1])
        handler.send_response(206 if start else 200)
        handler.send_header("ETag", '"1"')
        handler.send_header("Content-Length", str(len(body) - start))
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        handler.end_headers()
        handler.wfile.write(body[start:until])

    def send_part(handler: BaseHTTPRequestHandler) -> None:
        send(handler, sent)
        if trial.point.fault != "cut-connection":
            silent.wait()

    server.answers["/own.txt"] = [send_part, lambda handler: handler.connection.close()]
    trial.copy.edit("small.yaml", lambda text: text.replace(TEXT, server.url("/own.txt")))
    port = server.server_port
    trial.target = f"{RESULTS}/corpora/texts/127.0.0.1-{port}.own/sentences.parquet"
    whole = trial.copy.folder / f"resources/downloads/url/127.0.0.1_{port}/own.txt"
    part = whole.with_name("own.txt.part")
    with trial.started() as run:
        if trial.point.fault == "cut-connection":
            assert run.wait(5 * PATIENCE) != 0
        else:
            trial.wait_for(lambda: part.exists() and part.stat().st_size, run)
            os.killpg(run.pid, signal.SIGKILL)
            trial.ends(run)
    silent.set()
    kept = part.stat().st_size  # a kill loses the last piece
    trial.running = f"{kept} of {len(body)} bytes there"
    server.answers["/own.txt"] = [send]
    yield
    assert server.ranges()[-1] == f"bytes={kept}-"
    assert whole.read_bytes() == body


@contextmanager
def through_slurm(trial: Trial, need, request) -> Iterator[None]:
    """A daemon of Slurm that stops for a while, or a kill of Snakemake while Slurm runs a job."""
    started = request.getfixturevalue("started")
    cluster = request.getfixturevalue("cluster")
    daemon = trial.point.fault.partition("-")[2]
    with started(trial.copy, trial.copy.command(trial.target)) as run:
        trial.wait_for_moment(run)
        if daemon == "snakemake":
            run.kill()
        else:
            cluster.stop(daemon)
            time.sleep(10)
            cluster.start(daemon)
        run.wait(5 * PATIENCE)
    yield


FAULTS = {"full-disk": full, "clock-back": set_back}
PLACES = {"download": cut_off, "slurm": through_slurm}


@contextmanager
def memory_disk(folder: Path, need) -> Iterator[None]:
    """A small file system in memory at `folder`."""
    folder.mkdir()
    command = ("mount", "-t", "tmpfs", "-o", "size=400m", "kasu", str(folder))
    mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    need(mounted, "no tmpfs can be mounted (that needs root)")
    try:
        yield
    finally:
        subprocess.run(("umount", "--lazy", str(folder)), check=True)


def note(point, outcome: dict[str, object]) -> None:
    """Append a row to results/faults.tsv."""
    table = ROOT / "results" / "faults.tsv"
    table.parent.mkdir(exist_ok=True)
    row = {"seed": point.seed, "stage": point.stage, "job": point.job.rule, "fault": point.fault}
    row |= {"when": point.when, **outcome}
    with table.open("a", encoding="utf-8") as file:
        if not file.tell():
            file.write("\t".join(row) + "\n")
        file.write("\t".join(map(str, row.values())) + "\n")


@pytest.fixture
def survive(need, demo, copy_workflow, request) -> Callable:
    """Inflict the fault of a point, run again, and note what happened."""

    def run(point) -> None:
        trial = Trial(point, copy_workflow())
        inflicted = PLACES.get(point.stage) or FAULTS.get(point.fault, signalled)
        with ExitStack() as stack:
            if point.fault == "full-disk":
                stack.enter_context(memory_disk(trial.copy.folder / "results", need))
            trial.fill(demo)
            stack.enter_context(inflicted(trial, need, request))
            note(point, trial.recovers(demo))
        shutil.rmtree(trial.copy.folder)

    return run
