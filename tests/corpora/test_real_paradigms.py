"""Real paradigm files and splits: cells, rows and drops are those of a reader of its own."""

import gzip
import lzma
import re
import unicodedata
from collections import Counter

import pytest

from kasu.corpora.paradigms.unimorph import read_listed, read_paradigms

pytestmark = pytest.mark.real

NO_FORM = re.compile("[-‐-―−?*_/ ]+")
ODD = re.compile(r"[{/+](?=[;}/+]|$)|(?:^|[;{])[/+]")


def rows(path):
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\r\n") for line in file]


def thinned(path, folder):
    """A file, or of a large one every fifth line."""
    lines = rows(path)
    if len(lines) < 5000:
        return path
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(folder / path.name, "wt", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines[::5])
    return folder / path.name


def features_of(text):
    return ";".join(part.strip() for part in text.replace("|", ";").split(";"))


def fault_of(columns):
    if not any(columns):
        return "blank line"
    if len(columns) == 1 and columns[0][0] == "#":
        return "comment"
    if len(columns) not in (3, 4):
        return "not three columns"
    if not all(columns[:3]):
        return "empty lemma, form or features"
    if columns[:3] == ["lemma", "form", "features"]:
        return "header"
    if ODD.search(columns[2]) or columns[2].count("{") != columns[2].count("}"):
        return "features that cannot be read"
    return "no form" if NO_FORM.fullmatch(columns[1]) and columns[0] != columns[1] else None


def cells_of(path, features_second):
    cells, drops = {}, Counter()
    for line in rows(path):
        columns = [column.strip() for column in line.split("\t")]
        if features_second and len(columns) > 2:
            columns[1:3] = columns[2:0:-1]
        if fault := fault_of(columns):
            drops[fault] += 1
            continue
        cell = (*columns[:2], features_of(columns[2]))
        same = tuple(unicodedata.normalize("NFC", part) for part in cell)
        drops["the same line again"] += same in cells
        cells.setdefault(same, cell)
    return list(cells.values()), +drops


def test_every_paradigm_file(mirror, tmp_path):
    second = sorted(mirror.glob("unimorph-2023/*"))
    files = [*sorted(mirror.glob("unimorph/*/*")), *second]
    for path in (path for path in files if path.is_file()):
        lines = thinned(path, tmp_path)
        found, drops = read_paradigms(lines, features_second=path in second)
        assert (found, drops) == cells_of(lines, path in second), path
    assert len(files) > 50


def test_every_split(mirror, tmp_path):
    names = r".*-(train-(low|medium|high)|dev|test)"
    year = mirror / "sigmorphon2018/task1"
    files = [path for path in sorted(year.glob("*/*")) if re.fullmatch(names, path.name)]
    files += [path for path in sorted(mirror.glob("sigmorphon2017/task1/*")) if path.is_file()]
    for path in (path for path in files if path.stat().st_size):
        if path.name.endswith("-covered") or path.name.endswith("-covered-test"):
            continue
        lines = thinned(path, tmp_path)
        listed = [line.strip().split("\t") for line in rows(lines) if line.strip()]
        expected = [(lemma, form, features_of(text)) for lemma, form, text in listed]
        assert read_listed(lines, released=True)[0] == expected, path
    assert len(files) > 400
