"""The command `kasu`: subcommands for use without Snakemake.

A subcommand is a line of SUBCOMMANDS: its name, its module, which has `configure(parser)` and
`run(arguments)` with the exit status, and its help. Only the module that is called is imported.
"""

import argparse
import importlib
import io
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from kasu.base.limits import heeding_cpu_time, line_of
from kasu.base.package import kasu_version
from kasu.base.visible import visible
from kasu.job.run import log

SUBCOMMANDS = {
    "audit": ("kasu.audits.command", "say what a benchmark's form and nulls give away"),
    "config": ("kasu.config_command", "check config files, or print what a config may say"),
    "compare": ("kasu.compare.command", "compare two result folders by value"),
    "export": ("kasu.exports.command", "write a dataset in the form that another program reads"),
    "inflect": (
        "kasu.inflection.command",
        "train a system on the paradigms of a language, and inflect words with it",
    ),
    "page": ("kasu.page_command", "build the page of a folder of results"),
    "query": ("kasu.queries.command", "search treebanks with a Grew request"),
    "record": ("kasu.records.command", "print what is on record of the papers' figures"),
    "score": ("kasu.lm.scoring.command", "score minimal pairs or sets with a language model"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; one line on stderr for an error, exit status 2, and for Ctrl-C, 130."""
    if sys.stdout is None:  # what is printed would be lost, or land in the next file opened
        print("error: standard output: closed; expected an open one", file=sys.stderr)
        return 2
    if argv is None:
        # Let `kasu … | head` end in silence, as other filters do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        _start_in_utf8()
        argv = sys.argv[1:]
    _stream_in_utf8()
    if sys.stdout.isatty():
        sys.stdout = _Terminal(sys.stdout.buffer, encoding="utf-8", line_buffering=True)
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(logging.Formatter("%(message)s"))
    log.addHandler(shown)
    log.setLevel(logging.INFO)
    try:
        with heeding_cpu_time():
            # Within the limits, too: it imports much
            parser = _parser(argv)
            if not argv:
                parser.print_help(sys.stderr)
                return 2
            arguments = parser.parse_args(argv)
            return arguments.run(arguments)
    except SystemExit:
        raise
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BaseException as error:  # a panic of a library is no Exception
        line = line_of(error)
        if line is None:
            raise
        print(f"error: {line}", file=sys.stderr)
        return 2
    finally:
        log.removeHandler(shown)


def _start_in_utf8() -> None:
    """Start again in Python's UTF-8 mode where the locale has another encoding.

    Python has decoded the arguments by then, and would read the names of files by the locale, too.
    What it decoded by EUC-JP cannot always be encoded again, so the arguments are read as bytes.
    """
    if sys.getfilesystemencoding() != "utf-8" and "utf8" not in sys._xoptions:
        arguments = Path("/proc/self/cmdline").read_bytes().split(b"\0")[1:-1]
        command: list[str | bytes] = [sys.executable, "-X", "utf8", *arguments]
        os.execv(sys.executable, command)  # noqa: S606


def _stream_in_utf8() -> None:
    """Read and write UTF-8, whatever the locale or PYTHONIOENCODING says."""
    for stream, errors in (
        (sys.stdin, "strict"), (sys.stdout, "strict"), (sys.stderr, "backslashreplace"),
    ):  # fmt: skip
        if isinstance(stream, io.TextIOWrapper):  # tests and notebooks have others
            stream.reconfigure(encoding="utf-8", errors=errors)


class _Terminal(io.TextIOWrapper):
    """Standard output for the eye; what a file or a pipe gets stays as it is."""

    def write(self, text: str) -> int:
        return super().write(visible(text, kept="\t\n"))


class _ArgumentParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = _ArgumentParser("kasu", description="Tools of Kasu.", formatter_class=form)
    version = f"kasu {kasu_version()}"
    parser.add_argument("--version", action="version", version=version, help="print the version")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module, says) in SUBCOMMANDS.items():
        under = commands.add_parser(name, help=says, formatter_class=form)
        if name in argv:
            command = importlib.import_module(module)
            command.configure(under)
            under.set_defaults(run=command.run)
    return parser
