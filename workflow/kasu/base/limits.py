"""Limits of the machine and of `ulimit`: which exceptions they raise, and the line for each.

Nothing here imports torch, whose exceptions exist only once something else has imported it.
"""

import errno
import re
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from kasu.base.errors import KasuError, as_printed
from kasu.base.visible import visible

# What a path of the config may lead to, as a folder of results that is read-only
OUT_OF_REACH = {
    getattr(errno, name)
    for name in ("EACCES", "EISDIR", "ELOOP", "ENAMETOOLONG", "ENOTDIR", "EPERM", "EROFS")
}
MOST_THREADS = 1024  # of a job; torch starts as many as it is told, until the machine fails
_HERE = "this process"
# Where, unless more is known; what was found; what to change
_MEMORY = (_HERE, "out of memory", "more memory (ulimit -v; mem_mb of a profile)")
_GPU_MEMORY = (_HERE, "out of GPU memory", "a GPU with more free memory")
_STARTS = (
    _HERE,
    "no more processes and threads can be started",
    "a higher limit (ulimit -u), or more memory (ulimit -v)",
)
_ASK_FOR_LESS = (_MEMORY, _GPU_MEMORY, _STARTS)
_FULL = ("output", "the disk is full; free some space and run again", "")
_LIMITS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: ("output", "larger than a file may be", "a higher limit (ulimit -f)"),
    errno.EMFILE: (_HERE, "too many files are open", "a higher limit (ulimit -n)"),
    errno.ENFILE: ("this machine", "too many files are open", "fewer programs at once"),
    errno.ENOMEM: _MEMORY,
    errno.EIO: ("a file", "input/output error", "a sound disk or connection to it; run again"),
    errno.ESTALE: ("a file", "replaced on its server meanwhile", "it to stay; run again"),
    errno.ETXTBSY: ("a program", "being written", "it to be finished; run again"),
}
_FORKS = {"subprocess", "multiprocessing.popen_fork"}  # where EAGAIN is a limit and no bug
# What torch's RuntimeErrors begin with or hold where memory is short; only CUDA's have a type
_ALLOCATIONS = re.compile(r"DefaultCPUAllocator: can't allocate memory|^std::bad_alloc$")
_TOO_LARGE = re.compile(r"^Storage size calculation overflowed|Overflow when unpacking long")
_GPU_ALLOCATIONS = re.compile(
    r"^(CUDA error|Triton Error \[CUDA\]): out of memory|^\w+ error: CU\w+_ALLOC(ATION)?_FAILED"
    r"|^NCCL error in: .*(Cuda failure (\d+ )?'out of memory'|Failed to CUDA [mc]alloc)",
    re.DOTALL,
)
# What other libraries of CUDA say then has any cause: cuDNN calls it INTERNAL_ERROR
_GPU_LIBRARIES = re.compile(r"^\w+ error: CU(BLAS|DNN|FFT|SOLVER|SPARSE)_")
_GPU_FULL = 128 << 20  # bytes that are free; none has been seen to need more than 70 MB to start
_ASKED = re.compile(r"(?:tried|unable) to allocate ([\d.]+ \w+)", re.IGNORECASE)
_RUST = re.compile(r"\(os error (\d+)\)")
_HINT = "kasu_hint"


class CPUTimeUsedUp(BaseException):
    """The limit of CPU time is nearly reached; `except Exception` does not catch this."""


@contextmanager
def hint(where: object = "", change: str = "") -> Iterator[None]:
    """Say what a block or function works on, and what to change if it runs out of memory.

    `expected_failure` quotes both, of nested hints the innermost that says so.
    """
    try:
        yield
    except BaseException as error:
        known = getattr(error, _HINT, ("", ""))
        with suppress(AttributeError):  # a few classes take no attribute
            setattr(error, _HINT, (known[0] or str(where), known[1] or change))
        raise


def expected_failure(error: BaseException) -> KasuError | None:
    """Return the line for a limit, a full disk or a file out of reach; None for a bug.

    Limits are those of files, memory, processes, threads and CPU time, however Python, NumPy,
    pyarrow, torch and libraries in Rust report them. A panic of such a library, as over a damaged
    tokenizer, has a line too.
    """
    where, change = getattr(error, _HINT, ("", ""))
    if type(error).__name__ == "PanicException":  # pyo3 gives each library a class of its own
        found = f"a library panicked ({_first_line(error)})"
        return KasuError(where or "tokenizer", found, "a sound tokenizer.json")
    if isinstance(error, CPUTimeUsedUp):
        return KasuError("CPU time", f"its {error} s are used up", "a higher limit (ulimit -t)")
    code = code_of(error)
    if code in OUT_OF_REACH and isinstance(error, OSError) and error.filename:
        return KasuError(error.filename, str(error.strerror))
    limit = _limit(error, code)
    if isinstance(error, RuntimeError | TypeError) and _TOO_LARGE.search(str(error)):
        limit = _MEMORY  # no memory ever had so many bytes
    if not limit:
        return None
    named, found, expected = limit
    if limit in _ASK_FOR_LESS:
        if asked := _ASKED.search(str(error)):
            found += f" ({asked[1]} asked for)"
        expected = f"{change}, or {expected}" if change else expected
    return KasuError(getattr(error, "filename", None) or where or named, found, expected)


def line_of(error: BaseException) -> str | None:
    """Return the line that a command prints for an error; None for a bug."""
    if isinstance(error, KasuError):
        return str(error)
    if isinstance(error, UnicodeEncodeError):  # a name of a file may be any bytes
        return str(KasuError(error.object[:200].strip(), "no text in UTF-8"))
    if failure := expected_failure(error):
        return str(failure)
    if isinstance(error, OSError):
        named = f"{error.filename}: {error.strerror}"
        return visible(named if error.filename else str(error) or repr(error))
    return None


@contextmanager
def in_one_line() -> Iterator[None]:
    """Raise the errors for which a command prints a line as a KasuError with that line."""
    try:
        yield
    except BaseException as error:  # a panic of a library is no Exception
        line = line_of(error)
        if isinstance(error, KasuError) or line is None:
            raise
        raise as_printed(line) from error


def reraise_limit(error: Exception) -> None:
    """Raise an error again if it reports a limit: what was read when it came is not at fault."""
    if _limit(error, code_of(error)):
        raise error


def keeps_traceback(error: BaseException) -> bool:
    """Return whether an expected failure may still be a bug, which only its traceback shows."""
    return not isinstance(error, KasuError | OSError)


def _limit(error: BaseException, code: int | None) -> tuple[str, str, str] | None:
    """Return the limit that an exception reports, or None."""
    if code == errno.EAGAIN and _innermost_module(error) in _FORKS:
        return _STARTS
    if code in _LIMITS:
        return _LIMITS[code]
    if isinstance(error, MemoryError):  # NumPy's and pyarrow's are MemoryErrors, too
        return _MEMORY
    if isinstance(error, ImportError) and "failed to map segment" in str(error):  # ld.so
        return _MEMORY
    torch = sys.modules.get("torch")
    if torch and isinstance(error, torch.OutOfMemoryError):
        return _GPU_MEMORY
    if isinstance(error, RuntimeError):
        if str(error) == "can't start new thread":
            return _STARTS
        if _ALLOCATIONS.search(str(error)):
            return _MEMORY
        if _GPU_ALLOCATIONS.search(str(error)):
            return _GPU_MEMORY
        if torch and _GPU_LIBRARIES.search(str(error)) and _gpu_is_full(torch):
            return _GPU_MEMORY
    return None


def _gpu_is_full(torch: Any) -> bool:
    with suppress(RuntimeError):  # after some faults CUDA answers no more
        return torch.cuda.mem_get_info()[0] < _GPU_FULL
    return False


def code_of(error: BaseException) -> int | None:
    """Return the number of a system error; libraries in Rust have it in their text alone."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    in_rust = type(error) is Exception or type(error).__name__ == "SafetensorError"
    found = _RUST.search(str(error)) if in_rust or isinstance(error, OSError) else None
    return int(found[1]) if found else None


def _innermost_module(error: BaseException) -> str | None:
    """Return the name of the module that raised an exception."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return trace.tb_frame.f_globals.get("__name__") if trace else None


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)[:200]


@contextmanager
def heeding_cpu_time() -> Iterator[None]:
    """Raise CPUTimeUsedUp when the limit of CPU time (`ulimit -t`) is nearly reached.

    Forked processes, whose time counts from 0, do so as well.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if soft == resource.RLIM_INFINITY:
        yield
        return

    def end(*_: object) -> None:
        raise CPUTimeUsedUp(soft)

    before = signal.signal(signal.SIGXCPU, end)
    if soft == hard:  # at the hard limit the system kills without a signal to heed
        resource.setrlimit(resource.RLIMIT_CPU, (max(soft - 1, 1), hard))
    try:
        yield
    finally:
        signal.signal(signal.SIGXCPU, before)
