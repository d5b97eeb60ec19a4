"""What each process of torchrun runs: `pretrain_checkpoint` with the arguments of a JSON file."""

import json
import logging
import os
import sys
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.run import die_with_parent, log
from kasu.base.tables import write_text
from kasu.lm.pretraining.pretrain import pretrain_checkpoint


def main(arguments: str, failed: str) -> None:
    """Run it; an expected failure is written to `failed`, a line to raise elsewhere.

    The first process logs to stdout; stderr is left to what goes wrong.
    """
    log.setLevel(logging.INFO if os.environ.get("RANK", "0") == "0" else logging.ERROR)
    log.addHandler(logging.StreamHandler(sys.stdout))
    try:
        pretrain_checkpoint(**json.loads(Path(arguments).read_text(encoding="utf-8")))
    except KasuError as error:
        where, _, found = str(error).partition(": ")
        write_text(failed, json.dumps([where, found]))
        sys.exit(1)


if __name__ == "__main__":
    die_with_parent(os.getppid())
    main(*sys.argv[1:])
