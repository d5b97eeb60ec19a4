"""Peers that cannot share our environment: each has its own, made by `pip` on demand."""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kasu.base.errors import KasuError
from kasu.job.run import how_it_ended

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parent / "results" / "peers"
DYNET = ("dyNET38==2.2", "rapidfuzz==3.*")
"""DyNet, and what modules of Kasu need beside it."""


def ask(script: str, given: Mapping[str, object], *requirements: str) -> Any:
    """Run a script of this folder on one thread, in an environment with the requirements.

    It reads `given` as JSON, and may import modules of Kasu that need no more than these.

    Returns:
        What it prints, JSON in the last line; None where the requirements cannot be installed,
        which a line on stderr says.

    Raises:
        KasuError: the script fails; it has printed why.
    """
    if not (python := _python_with(*requirements)):
        return None
    run = subprocess.run(
        [python, HERE / script],
        input=json.dumps(given),
        env={**os.environ, "PYTHONPATH": str(HERE.parent / "workflow"), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    if run.returncode:
        raise KasuError(script, how_it_ended(run.returncode), "figures of the peer")
    return json.loads(run.stdout.splitlines()[-1])


def _share_packages(python: Path) -> None:
    """Let an environment use the packages of this one, after its own: torch is gigabytes."""
    (folder,) = python.parent.parent.glob("lib/python*/site-packages")
    (folder / "shared.pth").write_text(sysconfig.get_path("purelib") + "\n")


def _python_with(*requirements: str) -> Path | None:
    """The interpreter of the environment that is named after the first requirement."""
    folder = ENVIRONMENTS / requirements[0]
    python, stamp = folder / "bin/python", folder / "requirements"
    listed = "\n".join(requirements)
    if not stamp.exists() or stamp.read_text() != listed:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        if f"torch=={version('torch').split('+')[0]}" in requirements:
            _share_packages(python)
        install = [
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-warn-conflicts",
            *requirements,
        ]
        run = subprocess.run(install, stderr=subprocess.PIPE, text=True)
        if run.returncode:
            why = next(iter(run.stderr.strip().splitlines()[-1:]), "no word why")
            print(f"error: {requirements[0]}: not installed ({why})", file=sys.stderr, flush=True)
            return None
        stamp.write_text(listed)
    return python
