"""What a folder of results says of its studies, so that the page can be built without a run.

A run leaves a file for each study that it builds, `report/<study>.json`. A folder of an older Kasu
has none: its tables and figures then speak for themselves.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter

from kasu.base.errors import KasuError
from kasu.base.paths import lies_in, own
from kasu.files.reading import read_text
from kasu.files.seals import expect_sealed, sealed_hash
from kasu.files.tables import COUNTS, DROPS, read_tsv, write_text
from kasu.report.examples import show_examples
from kasu.report.markup import inline_svg
from kasu.results.comparison import TABLE, read_comparison
from kasu.results.paths import PATHS, RESULTS, Paths
from kasu.results.scores import CLAIMS
from kasu.results.study import Data, StudyReport
from kasu.results.warnings.table import read_warnings

FOLDER = "report"
CAPTIONS = "workflow/report"


@dataclass(frozen=True)
class Described:
    """A study of a folder of results, and the run that it is of.

    Attributes:
        report: the parts of the page on the study.
        sources: as `kasu.report.provenance.describe_source` takes them.
        config: as used.
        versions: by name of a package or tool.
        files: what the seals of the study's files state, by path in the folder; none before the
            run has ended.
    """

    report: StudyReport
    sources: Sequence[Mapping[str, str]] = ()
    config: Mapping[str, object] | None = None
    versions: Mapping[str, str] | None = None
    files: Mapping[str, str] = field(default_factory=dict)


def write_described(study: Described, results: str, *, ended: bool = True) -> None:
    """Write what a folder of results says of a study.

    Figures that are there when a run begins may be of another config. Their description then
    stays until the run has ended: it has the hashes of their files, and one made anew ends it. One
    without hashes, of a run that has not ended, is deleted.

    Args:
        results: the folder; paths in it are written as relative to it, so it may be moved.
        ended: whether the run has ended well.
    """
    path = Path(results, FOLDER, f"{study.report.name}.json")
    scores = Paths(PATHS, results, study.report.name)("scores")
    if ended:
        study = replace(study, files=_stated(study.report, results))
    elif Path(scores).exists():
        try:
            older = _read(path, results)
        except KasuError:  # none, or it describes other figures
            return
        if _text(replace(older, files={}), results) != _text(study, results):
            if not older.files:
                path.unlink()
            return
    write_text(path, _text(study, results))


def _text(study: Described, results: str) -> str:
    report = _renamed(study.report.dump(), f"{results}/", f"{RESULTS}/")
    return json.dumps({**vars(study), "report": report}, ensure_ascii=False, indent=1) + "\n"


def _stated(report: StudyReport, results: str) -> dict[str, str]:
    """Return the hashes that the seals of a study's files state, by path in the folder."""
    found = {path: sealed_hash(path) for path in report.files(results)}
    return {path.removeprefix(f"{results}/"): each for path, each in found.items() if each}


def read_described(results: str) -> tuple[list[Described], list[str]]:
    """Return the studies of a folder of results by name, and a line for each file left out.

    Raises:
        KasuError: a file cannot be read.
    """
    tables = _within(results, Path(results).glob("*/tables/*.tsv"))
    found = {path.parent.parent.name for path in tables} - {FOLDER}
    files = {path.stem: path for path in Path(results, FOLDER).glob("*.json")}
    studies, faults = [], []
    for name in sorted(found | files.keys()):
        try:
            studies.append(_read(files[name], results) if name in files else derive(results, name))
        except KasuError as error:
            faults.append(f"left out: {error}")
            if name in found:
                studies.append(derive(results, name))
    return studies, faults


def _read(path: Path, results: str) -> Described:
    """Read a study; its paths must lie in the folder, and its captions be Kasu's.

    Raises:
        KasuError: they do not, the file is none of Kasu's, or it describes older figures.
    """
    expected = "a file that a run of Kasu left"
    try:
        plain = _renamed(json.loads(read_text(path)), f"{RESULTS}/", f"{results}/")
        study = TypeAdapter(Described).validate_python(plain)
    except (ValueError, RecursionError) as error:
        raise KasuError(path, f"unreadable ({str(error).splitlines()[0]})", expected) from error
    report = study.report
    if report.name != path.stem:
        raise KasuError(path, f"the study {report.name!r}", expected)
    if not all({"lock", "path"} & source.keys() for source in study.sources):
        raise KasuError(path, "a source without a file", expected)
    captions = [*report.captions.values()]
    for each in report.files(results):
        if not lies_in(each, own(CAPTIONS) if each in captions else results):
            raise KasuError(path, f"{each} lies elsewhere", expected)
    for file, stated in _stated(report, results).items():
        if study.files.get(file, stated) != stated:
            raise KasuError(path, f"{file} was made anew since", "a run that has ended")
    return study


def _renamed(value: object, old: str, new: str) -> object:
    """Return plain values with another beginning of all texts that begin as paths do."""
    if isinstance(value, str):
        return new + value.removeprefix(old) if value.startswith(old) else value
    if isinstance(value, Mapping):
        return {key: _renamed(each, old, new) for key, each in value.items()}
    return [_renamed(each, old, new) for each in value] if isinstance(value, list) else value


def derive(results: str, name: str) -> Described:
    """Describe a study of which the folder has tables and figures, but no description."""
    folder = Path(results, name)
    printed, details = {}, {}
    for path in _within(results, folder.glob("tables/*.tsv")):
        if _header(path) == TABLE:
            printed[path.stem] = path.stem
        elif path.stem != "claims" or _header(path) == CLAIMS:
            details[_heading(path.stem)] = str(path)
    captions = {slug: f"{CAPTIONS}/{name}_{slug}.rst" for slug in printed}
    single = {path.stem: str(path) for path in _within(results, folder.glob("*.tsv"))}
    stems = [Path(path).stem for path in details.values()]
    drawn = {path.stem: str(path) for path in _within(results, folder.glob("figures/*.svg"))}
    counted = _within(results, folder.rglob("*.tsv"))
    report = StudyReport(
        name=name,
        title=_heading(name),
        citation="",
        paper="",
        printed=printed,
        captions={slug: path for slug, path in captions.items() if own(path).is_file()},
        figures={slug: drawn[slug] for slug in (*printed, *stems) if slug in drawn},
        counts=_counted(folder, counted, "counts", COUNTS),
        drops=_counted(folder, counted, "drops", DROPS),
        details=details,
        examples=single.get("examples", ""),
        warnings=single.get("warnings", ""),
        data=Data.UNKNOWN,
    )
    return Described(report)


def _within(results: str, paths: Iterable[Path]) -> list[Path]:
    """Return the files, in order, without links that lead out of the folder of results."""
    return sorted(path for path in paths if path.is_file() and lies_in(path, results))


def _header(path: Path) -> tuple[str, ...]:
    with path.open(encoding="utf-8", errors="replace") as file:
        return tuple(file.readline().rstrip("\n").split("\t"))


def _heading(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _counted(
    folder: Path, tables: Iterable[Path], kind: str, header: Sequence[str]
) -> dict[str, str]:
    """Return the tables that are counts or drops of a study, by their paths in its folder."""
    return {
        re.sub(rf"[/._]?{kind}\.tsv$", "", str(path.relative_to(folder))): str(path)
        for path in tables
        if path.name.endswith(f"{kind}.tsv") and _header(path) == tuple(header)
    }


def present(report: StudyReport, results: str) -> tuple[StudyReport, list[str], list[str]]:
    """Return what a folder has of a study, the files that are missing, and lines on damaged ones.

    Args:
        report: the study.
        results: the folder.
    """
    missing: list[str] = []
    faults: list[str] = []

    def kept(paths: Mapping[str, str], read: Callable[[Path], object]) -> dict[str, str]:
        return {key: path for key, path in paths.items() if is_there(path, read)}

    def is_there(path: str, read: Callable[[Path], object]) -> bool:
        if not Path(path).is_file():
            missing.append(path)
            return False
        try:
            expect_sealed(path)
            read(Path(path))
        except KasuError as error:
            faults.append(f"left out: {error}")
            return False
        return True

    def kept_or_none(path: str, read: Callable[[Path], object]) -> str:
        return path if path and is_there(path, read) else ""

    tables = kept(report.tables(results), read_comparison)
    shown = replace(
        report,
        printed={slug: name for slug, name in report.printed.items() if slug in tables},
        # Kasu's own; an older one may have had others
        captions={slug: path for slug, path in report.captions.items() if Path(path).is_file()},
        figures=kept(report.figures, lambda path: inline_svg(path, "a")),
        counts=kept(report.counts, read_tsv),
        drops=kept(report.drops, read_tsv),
        details=kept(report.details, _read_detail),
        examples=kept_or_none(report.examples, show_examples),
        warnings=kept_or_none(report.warnings, read_warnings),
        readers=[path for path in report.readers if Path(path).is_file()],
    )
    return shown, missing, faults


def _read_detail(path: Path) -> None:
    read_tsv(path, ["about", "result"] if path.name == "claims.tsv" else ())
