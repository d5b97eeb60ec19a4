"""Run Snakemake and its scripts from a process that has imported what they need.

A third of a dry run is imports, and so is most of a small job. Each line of the input is a run as
JSON: `argv`, `folder`, `environment`, and the files `stdout` and `stderr`. For each, a child runs
`python -m snakemake` with them, and further ones the scripts of its jobs; a line of the output is
the exit status. Only packages are imported before; what the copies of the workflow hold, each
child reads.
"""

import gc
import importlib
import json
import os
import random
import runpy
import signal
import socket
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import snakemake.cli
from snakemake.benchmark import benchmarked
from snakemake.script import PythonScript

IMPORTED = (
    *("conllu", "docutils.writers.html5_polyglot", "jsonschema", "nbformat", "rapidfuzz.process"),
    *("matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg", "pyarrow.dataset"),
    *("pyarrow.parquet", "requests", "scipy.optimize", "scipy.stats", "smart_open", "torch"),
    *("transformers.models.bert.modeling_bert", "transformers.models.gpt2.modeling_gpt2"),
)


def become(environment: dict[str, str], paths: list[str], argv: list[str]) -> None:
    """Take the environment and arguments of a program; `paths` go before those of packages."""
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = [*paths, *filter(None, environment.get("PYTHONPATH", "").split(":")), *PACKAGES]
    sys.argv[:] = argv
    random.seed()


def run(asked: dict) -> None:
    """Become `python -m snakemake` in another folder and environment."""
    os.chdir(asked["folder"])
    for name, number in (("stdout", 1), ("stderr", 2)):
        file = os.open(asked[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    become(asked["environment"], [asked["folder"]], ["snakemake", *asked["argv"]])
    signal.alarm(1800)  # the end of a run that hangs
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if not (scripts := os.fork()):
        here.close()
        run_scripts(there)
        os._exit(0)
    there.close()
    lock = threading.Lock()

    def execute(script: PythonScript, *_: object, fname: str, **__: object) -> None:
        """Run a job's script as Snakemake does, which starts a Python."""
        asked = {"script": str(Path(fname).resolve()), "folder": str(Path.cwd())}
        asked["environment"] = os.environ | {"OMP_NUM_THREADS": str(script.threads)}
        read, write = os.pipe()
        with lock:
            socket.send_fds(here, [json.dumps(asked).encode()], [write])
        os.close(write)
        with open(read) as answers, ExitStack() as stack:
            process = int(answers.readline())
            if script.bench_record is not None:
                stack.enter_context(benchmarked(process, script.bench_record))
            status = int(answers.readline())
        if status:
            # With the exit status of a shell's child, and an error of Snakemake's own
            start(script, f"exit {status if status > 0 else 128 - status}")

    start, PythonScript._execute_cmd = PythonScript._execute_cmd, execute
    try:
        runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
    finally:
        here.close()
        os.waitpid(scripts, 0)


def run_scripts(asking: socket.socket) -> None:
    """Run each script that is asked for in a child; answer its process id, then its exit status."""
    waiting = []
    while received := socket.recv_fds(asking, 1 << 20, 1):
        message, (*answers,), *_ = received
        if not message:
            break
        if not (child := os.fork()):
            if not (script := os.fork()):
                asking.close()
                asked = json.loads(message)
                os.chdir(asked["folder"])
                folder = str(Path(asked["script"]).parent)
                become(asked["environment"], [folder], [asked["script"]])
                runpy.run_path(asked["script"], run_name="__main__")
                sys.exit()
            os.write(answers[0], f"{script}\n".encode())
            status = os.waitstatus_to_exitcode(os.waitpid(script, 0)[1])
            os.write(answers[0], f"{status}\n".encode())
            os._exit(0)
        os.close(answers[0])
        waiting.append(child)
    for child in waiting:
        os.waitpid(child, 0)


# What stands before is the folder of this file
OWN = os.environ.get("PYTHONPATH", "").split(":")
PACKAGES = [path for path in sys.path[1:] if path not in OWN]
# Read when they are imported; kasu.lm sets the first
os.environ |= {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
for name in IMPORTED:
    importlib.import_module(name)
snakemake.cli.get_argument_parser()  # imports plugins
assert "kasu" not in sys.modules
gc.freeze()  # children do not copy what was imported when they look for memory to free
for line in sys.stdin:
    if not (child := os.fork()):
        run(json.loads(line))
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
