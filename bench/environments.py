"""Peers that cannot share our environment: each has its own, made by `pip` on demand."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parent / "results" / "peers"
DYNET = ("dyNET38==2.2", "rapidfuzz==3.*")
"""DyNet, and what modules of Kasu need beside it."""


def ask(script: str, given: Mapping[str, object], *requirements: str) -> Any:
    """Run a script of this folder on one thread, in an environment with the requirements.

    It reads `given` as JSON, and may import modules of Kasu that need no more than these.

    Returns:
        What it prints, JSON in the last line; None where `pip` cannot install the requirements,
        which says why itself.

    Raises:
        subprocess.CalledProcessError: the script fails.
    """
    if not (python := _python_with(*requirements)):
        return None
    run = subprocess.run(
        [python, HERE / script],
        input=json.dumps(given),
        env={**os.environ, "PYTHONPATH": str(HERE.parent / "workflow"), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(run.stdout.splitlines()[-1])


def _python_with(*requirements: str) -> Path | None:
    """The interpreter of the environment that is named after the first requirement."""
    folder = ENVIRONMENTS / requirements[0]
    python, stamp = folder / "bin/python", folder / "requirements"
    listed = "\n".join(requirements)
    if not stamp.exists() or stamp.read_text() != listed:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        install = [python, "-m", "pip", "install", "--quiet", *requirements]
        if subprocess.run(install).returncode:
            return None
        stamp.write_text(listed)
    return python
