"""For every job: a log with progress, one line for an expected failure, ordered workers, seeds."""

import ctypes
import errno
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
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType
from typing import Any, TypeVar

from tqdm import tqdm

from kasu.base.errors import KasuError
from kasu.base.inputs import expect_planned
from kasu.base.locks import held
from kasu.base.seals import expect_sealed, seal, unseal
from kasu.base.secrets import redact

log = logging.getLogger("kasu")

PR_SET_PDEATHSIG = 1  # Linux: linux/prctl.h

# What a path of the config may lead to, as a folder of results that is read-only
OUT_OF_REACH = {
    getattr(errno, name)
    for name in ("EACCES", "EISDIR", "ELOOP", "ENAMETOOLONG", "ENOTDIR", "EPERM", "EROFS")
}

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
    `params` are those of the rule; its `inputs`, the hashes that `kasu.base.inputs.Planned` found,
    must hold from the beginning to the end, and stand in the seals.

    Log lines, mostly progress, also go to stderr, after the name of the log. A failure's line is
    the last one on both. Expected failures are a KasuError, a full disk and a file OUT_OF_REACH;
    any other exception is a bug and keeps its traceback.

    The job is killed with the Snakemake that started it. It holds its log and its outputs: a job of
    an earlier run that is still alive, as on another host, is waited for, and so is any other
    process that writes them.
    """
    die_with_parent(os.getppid())
    planned = params.get("inputs", {})
    with _logging_to(log_file):
        try:
            with ExitStack() as stack:
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
        except OSError as error:
            if line := expected_failure(error):
                _fail(str(line))
            log.exception("bug")
            raise
        except Exception:
            log.exception("bug")
            raise
        finally:
            _signal_at_death_of_parent(0)


@contextmanager
def _logging_to(log_file: str | Path) -> Iterator[None]:
    """Log to stderr and, once no other job has it, to a file."""
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(logging.Formatter(f"[{Path(log_file).stem}] %(message)s"))
    shown.addFilter(lambda record: record.levelno < logging.ERROR)
    log.setLevel(logging.INFO)
    log.addHandler(shown)
    log.addFilter(_redact)
    try:
        with held(log_file):
            kept = _Log(log_file, "w", encoding="utf-8")
            kept.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
            log.addHandler(kept)
            try:
                yield
            finally:
                log.removeHandler(kept)
                kept.close()
    finally:
        log.removeHandler(shown)


def expected_failure(error: OSError) -> KasuError | None:
    """The line for a full disk or a file out of reach; None for an error that is a bug."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        found = "the disk is full; free some space and run again"
        return KasuError(error.filename or "output", found)
    if error.errno in OUT_OF_REACH and error.filename:
        return KasuError(error.filename, str(error.strerror))
    return None


class _Log(logging.FileHandler):
    """A log that loses its lines, which are on stderr too, while the disk is full."""

    def handleError(self, record: logging.LogRecord) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


def _redact(record: logging.LogRecord) -> bool:
    record.msg, record.args = redact(record.getMessage()), ()
    return True


def _fail(line: str) -> None:
    log.error("error: %s", line)
    print(f"error: {line}", file=sys.stderr, flush=True)
    sys.exit(1)


class Progress:
    """Log the progress of a long loop, at most every `every` seconds: done/total, rate, time left.

    Items done by an earlier run (`before`) count towards the total but not the rate.
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
        KasuError: a worker process was killed.
    """
    # A ProcessPoolExecutor waits for ever if a worker is killed while it writes its answer: the
    # others keep the pipe open. So each has a pipe of its own here.
    # fork, since spawn needs an importable main module, which a script of Snakemake lacks
    context = multiprocessing.get_context("fork")
    processes, idle = [], SimpleQueue[Connection]()
    for _ in range(workers):
        ours, theirs = context.Pipe()
        arguments = (theirs, function, os.getpid(), initializer, initargs)
        # A daemon, as a caller that fails may leave this generator open until Python exits
        processes.append(context.Process(target=_work, args=arguments, daemon=True))
        processes[-1].start()
        theirs.close()  # so that a pipe ends with its process, even amid an answer
        idle.put(ours)

    def ask(item: T) -> R:
        connection = idle.get()
        try:
            connection.send(item)
            result, error = connection.recv()
        except (EOFError, OSError) as end:
            raise KasuError("worker process", "killed (out of memory?)", "it to finish") from end
        finally:
            idle.put(connection)
        if error:
            raise error
        return result

    pending: deque[Future[R]] = deque()
    try:
        with ThreadPoolExecutor(workers) as threads:
            for item in items:
                pending.append(threads.submit(ask, item))
                if len(pending) >= 2 * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
    finally:
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
    """Answer each item that comes with its result and None, or with None and an exception."""
    die_with_parent(parent)
    if initializer:
        initializer(*initargs)
    while True:
        item = connection.recv()
        try:
            answer: tuple[R | None, Exception | None] = (function(item), None)
        except Exception as error:
            # Its own traceback stays in this process
            error.add_note(traceback.format_exc())
            answer = (None, error)
        connection.send(answer)


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
    """A 64-bit seed that depends only on the text of its parts, on any machine."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def cpu_count() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0))
