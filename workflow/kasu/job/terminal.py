"""What a run prints: a line for each job when it ends, and every failure at the end."""

import logging
import re
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kasu.base.visible import visible
from kasu.job.run import CLEAR, NOTE

# Events of which a line of a job says all, and messages that say nothing of what a run makes
_EVENTS = {"JOB_STARTED", "PROGRESS", "RESOURCES_INFO", "RULEGRAPH", "SHELLCMD", "WORKFLOW_STARTED"}
_NOISE = re.compile(
    "Select jobs to |Removing temporary output |Using shell: |Conda environments: ignored"
    r"|Auto-selected partition |Job \d+ has been submitted |Submitted (group )?job \d+ "
)
# Snakemake warns so for each output of a job that failed the first time it ran
_RESTORED = re.compile(r"Cannot restore .*: no backup found\.")
_TIME = re.compile(r"^\d\d:\d\d:\d\d ")
# A script that ended itself has said why on stderr; that of one that was killed is shown
_ENDED = re.compile(r"CalledProcessError in .*returned non-zero exit status 1\.\s*$", re.DOTALL)


@dataclass
class _Job:
    name: str
    logs: list[str]
    local: bool = True
    begun: float = field(default_factory=time.monotonic)
    message: str = ""

    @property
    def took(self) -> str:
        return duration(time.monotonic() - self.begun)

    def lines(self, last: int = 1 << 20) -> list[str]:
        """Return the lines in the last bytes of its logs, without their times."""
        found = []
        for log in filter(Path.is_file, map(Path, self.logs)):
            with suppress(OSError), log.open("rb") as file:
                file.seek(max(0, log.stat().st_size - last))
                text = file.read().decode("utf-8", "replace")
                found += [_TIME.sub("", visible(line)) for line in text.splitlines()]
        return found

    def why(self) -> str:
        """Return the line of its failure; without one, the last line that it left."""
        lines = self.lines()
        errors = [line for line in lines if line.startswith("error: ")]
        return (errors or lines[-1:] or [self.message or "stopped before it logged a line"])[-1]


def duration(seconds: float) -> str:
    """Return a duration in its two largest units: `34 s`, `5 min 10 s`, `2 h 5 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class Terminal(logging.Handler):
    """Print the records of Snakemake's logger in few lines.

    On a terminal the last line changes in place: the job that runs longest, and the last line of
    its log. Elsewhere such a line comes every ten minutes. What is not about the progress of jobs
    goes to Snakemake's own handler. The complete log, a file, has a handler of its own, and keeps
    everything.

    Args:
        own: Snakemake's handler of the stream.
    """

    def __init__(self, own: logging.StreamHandler) -> None:
        super().__init__()
        self.own, self.stream = own, own.stream
        self.in_place = self.stream.isatty()
        self.done = self.total = 0
        self.running: dict[int, _Job] = {}
        self.failed: dict[int, _Job] = {}
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Print what a record says of a job, or hand it to Snakemake's handler."""
        event = getattr(getattr(record, "event", None), "name", "")
        try:
            if said := getattr(self, f"_{event.lower()}", None):
                self._print(*said(record.__dict__))
            elif event not in _EVENTS and not _is_noise(record, event):
                self._print()
                self.own.handle(record)
        except BrokenPipeError:
            raise
        except Exception:
            self.handleError(record)

    def _run_info(self, facts: Mapping[str, Any]) -> Iterator[str]:
        self.total = facts["stats"]["total"]
        yield f"jobs: {self.total}"

    def _job_info(self, facts: Mapping[str, Any]) -> Iterator[str]:
        name = " ".join([facts["rule_name"], *map(str, facts["wildcards"].values())])
        self.running[facts["jobid"]] = _Job(visible(name), facts["log"], facts["local"])
        yield from ()

    def _job_finished(self, facts: Mapping[str, Any]) -> Iterator[str]:
        job = self.running.pop(facts["job_id"])
        self.failed.pop(facts["job_id"], None)  # of an earlier try
        self.done += 1
        yield f"[{self.done:>{len(str(self.total))}}/{self.total}] {job.name}  {job.took}"
        if not job.local:
            yield from (f"    {line}" for line in job.lines() if line.startswith(NOTE))

    def _job_error(self, facts: Mapping[str, Any]) -> Iterator[str]:
        job = self.failed[facts["jobid"]] = self.running.pop(facts["jobid"])
        job.logs, job.message = facts["log"], facts["rule_msg"] or ""
        yield f"failed: {job.name}  {job.took}"
        if not job.local:  # which has printed its line itself
            yield from (f"    {line}" for line in (job.why(), job.message))

    def _watch(self) -> None:
        """Say now and then what runs."""
        while not self._ended.wait(1 if self.in_place else 600):
            self.acquire()
            try:
                if self.running:
                    self._show(min(self.running.values(), key=lambda job: job.begun))
            finally:
                self.release()

    def _show(self, job: _Job) -> None:
        """Print what a job does."""
        count = f"{self.done}/{self.total}, {len(self.running)} running: {job.name}  {job.took}"
        line = "  ".join([count, *job.lines(last=1000)[-1:]])
        if self.in_place:
            self.stream.write(CLEAR + line[: shutil.get_terminal_size().columns - 1])
            self.stream.flush()
        else:
            self._print(line)

    def _print(self, *lines: str) -> None:
        self.stream.write((CLEAR if self.in_place else "") + "".join(f"{line}\n" for line in lines))
        self.stream.flush()

    def close(self) -> None:
        """Print every failure once more: the job, its line, its log."""
        self.acquire()
        try:
            if not self._ended.is_set():
                self._ended.set()
                self._print(*self._unfinished())
        finally:
            self.release()
        super().close()

    def _unfinished(self) -> Iterator[str]:
        # Snakemake stops a job also without an event, as on Ctrl-C or where an output is missing
        jobs = (self.failed | self.running).values()
        if jobs:
            left = self.total - self.done - len(jobs)
            yield f"jobs: {self.done} done, {len(jobs)} failed or stopped, {left} not run"
        for job in jobs:
            yield f"{job.name}: {job.why()}"
            yield from (f"    log: {log}" for log in job.logs)


def _is_noise(record: logging.LogRecord, event: str) -> bool:
    message = record.getMessage()
    if event == "ERROR":
        return bool(_ENDED.search(message))
    if record.levelno == logging.WARNING:
        return bool(_RESTORED.match(message))
    return record.levelno == logging.INFO and bool(_NOISE.match(message))
