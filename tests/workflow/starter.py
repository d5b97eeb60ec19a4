"""Run Snakemake many times from one process that has imported it: a third of a dry run is imports.

Each line of the input is a run as JSON: `argv`, `folder`, `environment`, and the files `stdout` and
`stderr`. For each, a child runs `python -m snakemake` with them; a line of the output is its exit
status. Only packages are imported before; what the copies of the workflow hold, each child reads.
"""

import json
import os
import random
import runpy
import signal
import sys

import jsonschema  # noqa: F401
import pyarrow.parquet  # noqa: F401
import requests  # noqa: F401
import smart_open  # noqa: F401
import snakemake.cli  # noqa: F401


def run(asked: dict) -> None:
    """Become `python -m snakemake` in another folder and environment."""
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path[0:1] = [asked["folder"], asked["environment"]["PYTHONPATH"]]
    for name, number in (("stdout", 1), ("stderr", 2)):
        file = os.open(asked[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv[1:] = asked["argv"]
    random.seed()
    signal.alarm(1800)  # the end of a run that hangs
    runpy.run_module("snakemake", run_name="__main__", alter_sys=True)


for line in sys.stdin:
    if not (child := os.fork()):
        run(json.loads(line))
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
