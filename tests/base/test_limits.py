"""Limits of the machine: which exceptions have a line, and what each line says."""

import errno
import fcntl
import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pyarrow as pa
import pytest
import tokenizers
import torch

from kasu.base.errors import KasuError
from kasu.base.limits import code_of, expected_failure, hint, in_one_line, reraise_limit
from kasu.corpora.texts.compressed import pieces
from kasu.files.reading import file_hash, read_text
from kasu.files.tables import read_parquet

MORE = "more memory (ulimit -v; mem_mb of a profile)"
PANICS = (
    '{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer":'
    ' {"type": "Precompiled", "precompiled_charsmap": ""}, "pre_tokenizer": null,'
    ' "post_processor": null, "decoder": null, "model": {"type": "WordLevel", "vocab": {"a": 0},'
    ' "unk_token": "a"}}'
)


def raised(function, *arguments):
    """What a function raises."""
    with pytest.raises(BaseException) as caught:
        function(*arguments)
    return caught.value


def fail(error):
    raise error


@pytest.mark.parametrize(
    ("function", "arguments", "asked"),
    [
        (torch.empty, (10**15,), " (4000000000000000 bytes asked for)"),
        (torch.empty, (10**10, 10**10), ""),
        (torch.empty, (10**20,), ""),
        (np.empty, (10**16,), " (71.1 PiB asked for)"),
        (pa.allocate_buffer, (10**16,), ""),
        (bytearray, (1 << 60,), ""),
        (fail, (RuntimeError("std::bad_alloc"),), ""),
        (fail, (OSError(errno.ENOMEM, "Cannot allocate memory"),), ""),
        (fail, (ImportError("a.so: failed to map segment from shared object"),), ""),
    ],
)
def test_memory_that_is_used_up(function, arguments, asked):
    found = expected_failure(raised(function, *arguments))
    assert str(found) == f"this process: out of memory{asked}; expected {MORE}"


@pytest.mark.parametrize(
    ("error", "asked"),
    [
        (
            torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has"),
            " (2.00 GiB asked for)",
        ),
        (torch.cuda.OutOfMemoryError("CUDA out of memory."), ""),
        (RuntimeError("CUDA error: out of memory\nCUDA kernel errors might be"), ""),
        (
            RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(h)`"),
            "",
        ),
        (torch.AcceleratorError("CUDA error: out of memory\nSearch for `cudaErrorMemory"), ""),
        (RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"), ""),
        (RuntimeError("cuFFT error: CUFFT_ALLOC_FAILED"), ""),
        (RuntimeError("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"), ""),
        (RuntimeError("Triton Error [CUDA]: out of memory"), ""),
        (RuntimeError("NCCL error in: a:93, unhandled\nCuda failure 'out of memory'"), ""),
        (RuntimeError("NCCL error in: a:93, unhandled\nFailed to CUDA calloc async 24 bytes"), ""),
    ],
)
def test_memory_of_a_gpu_that_is_used_up(error, asked):
    with pytest.raises(type(error)), hint(change="a smaller tokens_per_batch"):
        raise error
    expected = "a smaller tokens_per_batch, or a GPU with more free memory"
    line = f"this process: out of GPU memory{asked}; expected {expected}"
    assert str(expected_failure(error)) == line


@pytest.mark.parametrize(
    ("free", "found"),
    [
        (2 << 20, "this process: out of GPU memory; expected a GPU with more free memory"),
        (1 << 30, None),
        (None, None),  # CUDA answers no more
    ],
)
@pytest.mark.parametrize(
    "said",
    [
        "cuDNN error: CUDNN_STATUS_INTERNAL_ERROR",
        "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
        "cusolver error: CUSOLVER_STATUS_INTERNAL_ERROR, when calling `cusolverDnCreate(handle)`",
        "cuFFT error: CUFFT_INTERNAL_ERROR",
    ],
)
def test_a_library_that_cannot_start_on_a_full_gpu(monkeypatch, said, free, found):
    """As an H200 said it, of which other processes held all but 3 MB."""

    def answer():
        if free is None:
            raise RuntimeError("CUDA error: an illegal memory access was encountered")
        return free, 80 << 30

    monkeypatch.setattr(torch.cuda, "mem_get_info", answer)
    line = expected_failure(RuntimeError(said))
    assert (line and str(line)) == found


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(errno.EFBIG, "", "a"), "a: larger than a file may be; expected a higher limit"),
        (OSError(errno.EMFILE, "", "a"), "a: too many files are open; expected a higher limit"),
        (OSError(errno.ENFILE, "", "a"), "a: too many files are open; expected fewer programs"),
        (OSError(errno.EDQUOT, "", "a"), "a: the disk is full; free some space and run again"),
        (OSError(errno.EIO, ""), "a file: input/output error; expected a sound disk"),
        (OSError(errno.ESTALE, "", "a"), "a: replaced on its server meanwhile; expected it to"),
        (OSError(errno.ETXTBSY, "", "lt-proc"), "lt-proc: being written; expected it to be"),
        (OSError(errno.EACCES, "Permission denied", "a"), "a: Permission denied"),
        (RuntimeError("can't start new thread"), "this process: no more processes and threads"),
        # As tokenizers and other libraries in Rust say it
        (Exception("Too many open files (os error 24)"), "this process: too many files are open"),
    ],
)
def test_other_limits(error, line):
    assert str(expected_failure(error)).startswith(line)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("a bug"),
        RuntimeError("can't start new thread pool"),
        RuntimeError("std::bad_alloc is caught"),
        RuntimeError("the loss is out of memory"),
        RuntimeError("CUDA error: an illegal memory access was encountered"),
        RuntimeError("CUDA error: device-side assert triggered"),
        RuntimeError("NCCL error in: a:93, remote process exited or there was a network error"),
        RecursionError("maximum recursion depth exceeded"),
        ValueError("Too many open files (os error 24)"),
        FileNotFoundError(errno.ENOENT, "No such file or directory", "a"),
        PermissionError(errno.EACCES, "Permission denied"),
        TypeError("empty(): argument 'size' must be tuple of ints"),
        ImportError("no module"),
        KeyError("a"),
    ],
)
def test_bugs_have_no_line(error):
    assert expected_failure(error) is None


def test_the_library_raises_a_limit_as_its_line_and_a_bug_as_it_is():
    with pytest.raises(KasuError) as error, in_one_line():
        fail(MemoryError())
    assert str(error.value) == str(expected_failure(MemoryError()))
    with pytest.raises(ZeroDivisionError), in_one_line():
        fail(ZeroDivisionError())


def test_a_lock_that_another_has_is_no_limit_of_processes(tmp_path):
    (tmp_path / "a").touch()
    with open(tmp_path / "a") as one, open(tmp_path / "a") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        error = raised(fcntl.flock, other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert error.errno == errno.EAGAIN
    assert expected_failure(error) is None


def test_a_panic_is_a_line_that_names_the_model():
    with pytest.raises(BaseException, match="Cannot parse") as caught, hint("models/a"):
        tokenizers.Tokenizer.from_str(PANICS)
    assert not isinstance(caught.value, Exception)
    said = 'Precompiled: Error("Cannot parse precompiled_charsmap", line: 0, column: 0)'
    line = f"models/a: a library panicked ({said}); expected a sound tokenizer.json"
    assert str(expected_failure(caught.value)) == line


@pytest.mark.skipif(not pathlib.Path("/proc/self/mem").exists(), reason="needs /proc")
@pytest.mark.parametrize("read", [read_text, file_hash, lambda path: list(pieces(path))])
def test_a_file_that_a_fault_keeps_from_being_read_is_named(read):
    path = "/proc/self/mem"  # a regular file whose first bytes cannot be read
    line = f"{path}: input/output error; expected a sound disk or connection to it; run again"
    assert str(expected_failure(raised(read, path))) == line


def test_of_nested_hints_the_innermost_that_says_so_counts():
    outer, inner = hint("outer", "a smaller outer"), hint(change="a smaller inner")
    with pytest.raises(MemoryError) as caught, outer, inner:
        raise MemoryError
    found = expected_failure(caught.value)
    assert str(found) == f"outer: out of memory; expected a smaller inner, or {MORE}"


def test_only_limits_are_raised_again():
    reraise_limit(OSError(errno.ENOENT, "gone"))
    reraise_limit(RuntimeError("damaged"))
    with pytest.raises(MemoryError):
        reraise_limit(MemoryError())


def test_the_number_of_an_error_in_rust():
    assert code_of(OSError("Cannot allocate memory (os error 12)")) == errno.ENOMEM
    assert code_of(OSError(errno.EIO, "(os error 12)")) == errno.EIO
    assert code_of(RuntimeError("(os error 12)")) is None


def test_a_file_that_cannot_be_opened_for_a_limit_is_not_called_damaged(tmp_path):
    code = """
    import resource
    import pyarrow.dataset  # which pyarrow puts off to the first read
    from kasu.job.run import job
    from kasu.files.tables import read_parquet
    from pathlib import Path
    with job("a.log"):
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
        read_parquet("a.parquet")
    """
    (tmp_path / "a.parquet").write_bytes(b"no parquet")
    with pytest.raises(KasuError, match="unreadable parquet"):
        read_parquet(tmp_path / "a.parquet")
    status, said, _ = run(code, tmp_path)
    assert status == 1
    line = "a.parquet: too many files are open; expected a higher limit (ulimit -n)"
    assert said == [f"error: {line}"]


def run(code, folder):
    """Run a program; return its exit status, the lines that it says, and those of its log."""
    command = [sys.executable, "-c", textwrap.dedent(code)]
    # A survey of mutants traces child processes, too; under a limit it could not save what it saw
    environment = {key: os.environ[key] for key in os.environ if not key.startswith("COVERAGE_")}
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    log = folder / "a.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return ended.returncode, ended.stderr.splitlines(), lines


def test_a_job_out_of_memory_is_a_line_and_its_log_says_where(tmp_path):
    code = """
    from kasu.job.run import job
    from kasu.files.parts import write_text
    def ask():
        return bytearray(1 << 60)
    with job("a.log", outputs=["a.tsv"]):
        write_text("a.tsv", str(ask()))
    """
    status, said, log = run(code, tmp_path)
    line = f"error: this process: out of memory; expected {MORE}"
    assert (status, said) == (1, [line])
    assert any("in ask" in each for each in log)
    assert log[-1].endswith(line)
    assert not (tmp_path / "a.tsv").exists()


def test_a_job_that_may_take_no_more_memory_is_a_line(tmp_path):
    code = """
    import resource
    import numpy as np
    from kasu.base.limits import hint
    from kasu.job.run import job
    with job("a.log"), hint(change="a smaller batch_size"):
        pages = int(open("/proc/self/statm").read().split()[0])
        most = pages * resource.getpagesize() + (64 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        np.ones(1 << 25)
    """
    status, said, _ = run(code, tmp_path)
    asked = "out of memory (256. MiB asked for)"
    line = f"error: this process: {asked}; expected a smaller batch_size, or {MORE}"
    assert (status, said) == (1, [line])


def test_a_file_that_may_not_grow_is_named_and_nothing_lands(tmp_path):
    code = """
    import resource, torch
    from pathlib import Path
    from safetensors.torch import save_file
    from kasu.files.parts import landing
    from kasu.job.run import job
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
    with job("a.log"), landing("a.safetensors") as part:
        save_file({"a": torch.zeros(5000)}, part)
    """
    status, said, _ = run(code, tmp_path)
    line = "error: a.safetensors: larger than a file may be; expected a higher limit (ulimit -f)"
    assert (status, said) == (1, [line])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.log"]


START = """
import multiprocessing.popen_fork, os, resource, subprocess, threading
from kasu.job.run import job, ordered_map
def limit():
    if os.geteuid() == 0:  # whom the limit does not bind
        os.setuid(54321)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
with job("a.log"):
    {}
"""


@pytest.mark.parametrize(
    ("start", "change"),
    [
        ("limit(); subprocess.run(['true'])", ""),
        ("limit(); threading.Thread(target=print).start()", ""),
        ("limit(); list(ordered_map(abs, range(3), 2))", "fewer cores, or "),
        ("list(ordered_map(subprocess.run, [['true']], 1, limit))", ""),
    ],
)
def test_no_more_processes_or_threads(tmp_path, start, change):
    pathlib.Path(tmp_path).chmod(0o777)
    status, said, _ = run(START.format(start), tmp_path)
    line = "error: this process: no more processes and threads can be started; expected "
    assert (status, len(said)) == (1, 1)
    assert said[0].startswith(f"{line}{change}a higher limit (ulimit -u)")


@pytest.mark.parametrize(("soft", "hard"), [(1, 60), (2, 2)])
def test_cpu_time_that_is_used_up(tmp_path, soft, hard):
    code = f"""
    import resource
    from kasu.base.errors import KasuError
    from kasu.job.run import job
    resource.setrlimit(resource.RLIMIT_CPU, ({soft}, {hard}))
    with job("a.log"):
        while True:
            try:
                sum(range(10000))
            except (KasuError, OSError):
                pass
    """
    status, said, log = run(code, tmp_path)
    line = f"CPU time: its {soft} s are used up; expected a higher limit (ulimit -t)"
    assert (status, said) == (1, [f"error: {line}"])
    assert log[-1].endswith(line)


def test_cpu_time_that_a_worker_uses_up(tmp_path):
    code = """
    import resource
    from kasu.job.run import job, ordered_map
    def spin(number):
        while True:
            try:
                sum(range(10000))
            except Exception:
                pass
    resource.setrlimit(resource.RLIMIT_CPU, (5, 60))
    with job("a.log"):
        resource.setrlimit(resource.RLIMIT_CPU, (1, 60))
        list(ordered_map(spin, range(3), 2))
    """
    status, said, _ = run(code, tmp_path)
    line = "error: CPU time: its 5 s are used up; expected a higher limit (ulimit -t)"
    assert (status, said) == (1, [line])


def test_a_worker_whose_library_panics_says_so(tmp_path):
    code = f"""
    from tokenizers import Tokenizer
    from kasu.base.limits import hint
    from kasu.job.run import job, ordered_map
    def read(text):
        with hint("models/a"):
            Tokenizer.from_str(text)
    with job("a.log"):
        list(ordered_map(read, [{PANICS!r}], 2))
    """
    status, said, _ = run(code, tmp_path)
    assert (status, said[-1].partition(" (")[0]) == (1, "error: models/a: a library panicked")


def test_a_worker_that_cannot_begin_says_why(tmp_path):
    code = """
    import resource
    from kasu.job.run import job, ordered_map
    def begin():
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
        open("a.log")
    with job("a.log"):
        list(ordered_map(abs, range(3), 2, begin))
    """
    status, said, _ = run(code, tmp_path)
    line = "error: a.log: too many files are open; expected a higher limit (ulimit -n)"
    assert (status, said) == (1, [line])
