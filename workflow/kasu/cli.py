"""The command `kasu`: subcommands for use without Snakemake.

A subcommand is a line of SUBCOMMANDS, its name and its module, which has HELP, `configure(parser)`
and `run(arguments)` with the exit status. Only the module that is called is imported.
"""

import argparse
import importlib
import logging
import signal
import sys
from collections.abc import Sequence

from kasu.base.errors import KasuError
from kasu.base.run import log

SUBCOMMANDS = {
    "config": "kasu.config_command",
    "compare": "kasu.base.compare_command",
    "inflect": "kasu.inflection.command",
    "query": "kasu.query.command",
    "score": "kasu.lm.scoring.command",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; exit status 2, and one line on stderr, for an error."""
    if argv is None:
        # Let `kasu … | head` end in silence, as other filters do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        argv = sys.argv[1:]
    parser = _parser(argv)
    if not argv:
        parser.print_help(sys.stderr)
        return 2
    arguments = parser.parse_args(argv)
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(logging.Formatter("%(message)s"))
    log.addHandler(shown)
    log.setLevel(logging.INFO)
    try:
        return arguments.run(arguments)
    except KasuError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        line = (
            f"{error.filename}: {error.strerror}" if error.filename else str(error) or repr(error)
        )
        print(f"error: {line}", file=sys.stderr)
        return 2
    finally:
        log.removeHandler(shown)


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("kasu", description="Tools of Kasu.", formatter_class=form)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    # Alone, or with what is no name, `kasu` shows the help of all
    called = argv[0] if argv and argv[0] in SUBCOMMANDS else None
    for name, module in SUBCOMMANDS.items():
        if called in (None, name):
            command = importlib.import_module(module)
            under = commands.add_parser(name, help=command.HELP, formatter_class=form)
            command.configure(under)
            under.set_defaults(run=command.run)
    return parser
