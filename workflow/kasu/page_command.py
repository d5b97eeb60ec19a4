"""`kasu page`: the page of a folder of results, without a run."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kasu.base.errors import KasuError
from kasu.base.paths import expect_no_input
from kasu.base.visible import visible
from kasu.files.seals import unseal
from kasu.job.run import log
from kasu.records.reading import read_record
from kasu.records.tallies import on_record
from kasu.report.described import Described, present, read_described
from kasu.report.on_record import OnRecord
from kasu.report.page import build_page
from kasu.report.provenance import named_dictionaries
from kasu.results.study import StudyReport
from kasu.settings import STUDIES

EPILOG = """\
examples:
  kasu page results/mine
  kasu page results/mine --out page.html

The page shows what is there, also of a run that has not ended, and of an older Kasu: that did not
write down whose data it had, so its figures are not judged. One line says what is missing.

exit status: 0 the page is built, 1 the folder has no results, 2 error
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Build the page of a folder of results from what is there, without a run."
    parser.epilog = EPILOG
    parser.add_argument("results", metavar="RESULTS", help="the folder, such as results/demo")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="the page; by default RESULTS/report/index.html"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build the page; return the exit status, 1 if there is nothing to show.

    Raises:
        KasuError: the page would be written over a result.
    """
    results = str(Path(arguments.results))
    out = arguments.out or Path(results, "report", "index.html")
    described, notices = read_described(results)
    # Tables in a folder that no run has described and that is not called as a study are not Kasu's
    described = [study for study in described if study.config or study.report.name in STUDIES]
    described.sort(key=lambda study: [*STUDIES, study.report.name].index(study.report.name))
    found: list[Described] = []
    studies: list[StudyReport] = []
    missing: list[str] = []
    for study in described:
        shown, absent, faults = present(study.report, results)
        missing += absent
        notices += faults
        if shown.printed or shown.details or shown.examples:
            found.append(study)
            studies.append(shown)
    if not studies:
        there = "no table of a study" if Path(results).is_dir() else "no such folder"
        there += " yet, as the run has not ended" if missing else ""
        line = KasuError(results, there, "a folder of results")
        print(f"error: {line}", file=sys.stderr)
        return 1
    if missing:
        named = ", ".join(os.path.relpath(path, results) for path in missing[:3])
        named += ", ..." if len(missing) > 3 else ""
        files = "file" if len(missing) == 1 else "files"
        notices.append(f"Missing, as the run has not ended: {len(missing):,} {files} ({named})")
    for notice in notices:
        log.info("%s", notice)
    inputs = [path for study in studies for path in study.files(results) if Path(path).exists()]
    expect_no_input(out, *inputs)
    config = config_of(found, results)
    build_page(
        out,
        studies=studies,
        sources=_sources(found),
        inputs=inputs,
        config=config,
        versions=versions_of(found),
        dictionaries=named_dictionaries(config),
        record=_record(studies),
        notices=[visible(notice) for notice in notices],
        partial=True,
    )
    unseal(out)  # what a run wrote there is gone
    print(out)
    return 0


def config_of(studies: Sequence[Described], results: str) -> Mapping[str, Any]:
    """Return the config of the studies; if they have several, each under the study's name."""
    configs = {study.report.name: study.config for study in studies if study.config}
    first = next(iter(configs.values()), {})
    same = all(config == first for config in configs.values())
    return {"summary": "", **(first if same else configs), "results": results}


def versions_of(studies: Sequence[Described]) -> dict[str, str]:
    """Return the versions of packages; one that differs between studies stands once for each."""
    stated = {study.report.name: study.versions for study in studies if study.versions}
    found = {}
    for name, versions in stated.items():
        for package, version in versions.items():
            same = all(others.get(package) == version for others in stated.values())
            found[package if same else f"{package}, {name}"] = version
    return found


def _sources(studies: Sequence[Described]) -> list[Mapping[str, str]]:
    """Return the sources of all studies, each file once."""
    found = (source for study in studies for source in study.sources)
    return [*{source.get("lock") or source.get("path"): source for source in found}.values()]


def _record(studies: Sequence[StudyReport]) -> list[OnRecord]:
    try:
        return on_record(studies, read_record())
    except KasuError:  # a copy of `workflow` alone does not hold it
        return []
