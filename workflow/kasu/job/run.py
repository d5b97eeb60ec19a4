"""For every job: a log with progress, one line for an expected failure, ordered workers, seeds."""

import ctypes
import hashlib
import logging
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType
from typing import Any, TypeVar

from tqdm import tqdm

from kasu.base.errors import KasuError
from kasu.base.limits import (
    MOST_THREADS,
    expected_failure,
    heeding_cpu_time,
    hint,
    keeps_traceback,
)
from kasu.base.secrets import redact
from kasu.base.visible import visible
from kasu.files.locks import held
from kasu.files.seals import expect_sealed, seal, unseal
from kasu.job.inputs import expect_planned

log = logging.getLogger("kasu")


def _one_line(record: logging.LogRecord) -> bool:
    record.msg, record.args = visible(redact(record.getMessage())), ()
    return True


log.addFilter(_one_line)

# Before a line on a terminal, where a line that changes in place may stand
CLEAR = "\r\x1b[K"
# Before a line of a log that is no progress: what was left out, or means nothing
NOTE = "note: "

PR_SET_PDEATHSIG = 1  # Linux: linux/prctl.h
# How a process ends that the system kills for memory, that aborts, or whose mapped file is cut off
_OF_MEMORY = {signal.SIGKILL, signal.SIGABRT, signal.SIGBUS, signal.SIGSEGV}

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def job(
    log_file: str | Path,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    params: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[logging.Logger]:
    """Run a job: log to `log_file`; turn an expected failure into one line and exit status 1.

    Inputs that have changed since another job sealed them are such a failure; the outputs, files
    and folders, are sealed at the end. Outputs that an earlier run of the job left are inputs too.
    `params` are those of the rule; its `inputs`, the hashes that `kasu.job.inputs.Planned` found,
    must hold from the beginning to the end, and stand in the seals.

    Log lines of the level INFO, progress, go to the log alone. Those of the level WARNING (what was
    left out, or means nothing) also go to stderr, after the name of the log. A failure's line is
    the last one on both. Expected failures are a KasuError and those of `expected_failure`; any
    other exception but an interrupt (Ctrl-C) is a bug and keeps its traceback.

    The job is killed with the Snakemake that started it. It holds its log and its outputs: a job of
    an earlier run that is still alive, as on another host, is waited for, and so is any other
    process that writes them.
    """
    die_with_parent(os.getppid())
    planned = params.get("inputs", {})
    with ExitStack() as logging_to, ExitStack() as stack:
        try:
            logging_to.enter_context(_logging_to(log_file))
            stack.enter_context(heeding_cpu_time())
            for path in outputs:
                stack.enter_context(held(path))
            for path in (*inputs, *outputs):
                expect_sealed(path)
            expect_planned(planned)
            for path in outputs:
                unseal(path)
            yield log
            expect_planned(planned)
            for path in outputs:
                seal(path, planned)
        except KasuError as error:
            _fail(str(error))
        except KeyboardInterrupt:
            _fail("interrupted; expected the same command again")
        except (SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # a panic of a library is no Exception
            line = expected_failure(error)
            if keeps_traceback(error) or not line:
                log.exception("this is why" if line else "bug")  # in the log alone
            if line:
                _fail(str(line))
            raise
        finally:
            _signal_at_death_of_parent(0)


@contextmanager
def _logging_to(log_file: str | Path) -> Iterator[None]:
    """Log to a file, once no other job has it, and each warning to stderr once."""
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(logging.Formatter(f"{_clear()}[{Path(log_file).stem}] {NOTE}%(message)s"))
    shown.addFilter(_WarnedOnce().filter)
    log.setLevel(logging.INFO)
    log.addHandler(shown)
    try:
        with held(log_file):
            # A new file: what a link leads to is not Kasu's to write, and a pipe waits
            Path(log_file).unlink(missing_ok=True)
            kept = _Log(log_file, "w", encoding="utf-8")
            kept.setFormatter(logging.Formatter("%(asctime)s %(note)s%(message)s", "%H:%M:%S"))
            kept.addFilter(_mark)
            log.addHandler(kept)
            try:
                yield
            finally:
                log.removeHandler(kept)
                kept.close()
    finally:
        log.removeHandler(shown)


class _WarnedOnce:
    """A filter of warnings that have not been shown yet."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if record.levelno != logging.WARNING or message in self.seen:
            return False
        self.seen.add(message)
        return True


def _mark(record: logging.LogRecord) -> bool:
    record.note = NOTE if record.levelno == logging.WARNING else ""
    return True


def _clear() -> str:
    return CLEAR if sys.stderr.isatty() else ""


class _Log(logging.FileHandler):
    """A log that loses its lines while the disk is full."""

    def handleError(self, record: logging.LogRecord) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


def _fail(line: str) -> None:
    log.error("error: %s", line)
    print(f"{_clear()}error: {line}", file=sys.stderr, flush=True)
    sys.exit(1)


class Progress:
    """Log the progress of a long loop, at most every `every` seconds: done/total, rate, time left.

    Items done by an earlier run (`before`, `skip`) count towards the total but not the rate.
    """

    def __init__(
        self,
        what: str,
        total: int | None = None,
        unit: str = "it",
        every: float = 10,
        before: int = 0,
    ) -> None:
        self.what, self.total, self.unit, self.every = what, total, unit, every
        self.done = self.before = before
        self._start = self._last = time.monotonic()

    def add(self, count: int = 1) -> None:
        """Count `count` more items as done."""
        self.done += count
        if time.monotonic() - self._last >= self.every:
            self.report()

    def skip(self, count: int) -> None:
        """Count `count` items that an earlier run has done, or that need not be done."""
        self.done += count
        self.before += count

    def report(self) -> None:
        """Log the current state."""
        self._last = time.monotonic()
        meter = tqdm.format_meter(
            self.done,
            self.total or 0,  # 0: unknown
            max(self._last - self._start, 1e-9),
            unit=f" {self.unit}",
            ncols=0,
            initial=self.before,
        )
        log.info("%s: %s", self.what, meter.strip())


def run_each(steps: Mapping[str, Callable[[], object]]) -> None:
    """Run the steps of a job by name; one that fails in an expected way stops none of the others.

    Raises:
        KasuError: a step failed. The log has a line for each that did.
    """
    failed = {}
    for name, step in steps.items():
        try:
            step()
        except Exception as error:
            found = error if isinstance(error, KasuError) else expected_failure(error)
            if not found:
                raise
            failed[name] = str(found)
            log.error("%s: %s", name, found)
    if failed:
        name, first = next(iter(failed.items()))
        others = f" (so did {len(failed) - 1} more of {len(steps)})" if len(failed) > 1 else ""
        raise KasuError(f"{name} failed{others}", first)


def ordered_map(
    function: Callable[[T], R],
    items: Iterable[T],
    workers: int,
    initializer: Callable[..., None] | None = None,
    initargs: tuple = (),
) -> Iterator[R]:
    """Apply `function` in `workers` processes; yield the results in the order of `items`.

    At most two items per worker are in flight, so memory does not grow with the input.

    Raises:
        KasuError: a worker process was killed, or no more can be started.
    """
    # A ProcessPoolExecutor waits for ever if a worker is killed while it writes its answer: the
    # others keep the pipe open. So each has a pipe of its own here.
    # fork, since spawn needs an importable main module, which a script of Snakemake lacks
    context = multiprocessing.get_context("fork")
    processes: list[BaseProcess] = []
    idle = SimpleQueue[tuple[Connection, BaseProcess]]()

    def start() -> None:
        ours, theirs = context.Pipe()
        arguments = (theirs, function, os.getpid(), initializer, initargs)
        # A daemon, as a caller that fails may leave this generator open until Python exits
        process = context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        processes.append(process)
        theirs.close()  # so that a pipe ends with its process, even amid an answer
        idle.put((ours, process))

    def ask(item: T) -> R:
        connection, process = idle.get()
        try:
            connection.send(item)
            result, error = connection.recv()
        except (EOFError, OSError) as end:
            process.join()
            if process.exitcode == -signal.SIGINT:
                raise KeyboardInterrupt from end
            found = how_it_ended(process.exitcode)
            raise KasuError("worker process", found, "more memory, or fewer cores") from end
        finally:
            idle.put((connection, process))
        if error:
            raise error
        return result

    pending: deque[Future[R]] = deque()
    count = min(workers, MOST_THREADS)
    with ThreadPoolExecutor(count) as threads:
        try:
            with hint(change="fewer cores"):
                for _ in range(count):
                    start()
            for item in items:
                pending.append(threads.submit(ask, item))
                if len(pending) >= 2 * count:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            # First, since the threads wait for answers
            threads.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
                process.join()


def _work(
    connection: Connection,
    function: Callable[[T], R],
    parent: int,
    initializer: Callable[..., None] | None,
    initargs: tuple,
) -> None:
    """Answer each item with its result and None, or with None and an exception."""
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once, without a traceback
    begun = False
    while True:
        item = connection.recv()
        try:
            # Only once an item has come: then a failure is an answer that the parent reads
            if initializer and not begun:
                initializer(*initargs)
            begun = True
            answer: tuple[R | None, BaseException | None] = (function(item), None)
        except BaseException as error:  # a panic of a library is no Exception
            failure = expected_failure(error)
            if not failure and not isinstance(error, Exception):
                raise
            # Its own traceback stays in this process
            error.add_note(traceback.format_exc())
            answer = (None, failure or error)
        connection.send(answer)


def how_it_ended(status: int | None) -> str:
    """Say how a process ended, by its exit status or, below 0, the signal that killed it."""
    if status is None or status >= 0:
        return f"ended with status {status}"
    number = signal.Signals(-status)
    return f"killed by {number.name}" + (", perhaps for memory" if number in _OF_MEMORY else "")


def die_with_parent(parent: int) -> None:
    """Make this process end with the process `parent`, even if that is killed or already dead.

    An idle worker would otherwise wait for ever.
    """
    _signal_at_death_of_parent(signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def _signal_at_death_of_parent(number: int) -> None:
    with suppress(OSError, AttributeError):  # not on Linux
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def seed_of(*parts: object) -> int:
    """Return a 64-bit seed that depends only on the text of its parts, on any machine."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def cpu_count() -> int:
    """Return the number of processors that this process may use."""
    if sys.platform == "darwin":
        return os.cpu_count() or 1
    return len(os.sched_getaffinity(0))
