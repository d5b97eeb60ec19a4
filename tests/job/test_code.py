"""The hash of a script and of the code that it imports."""

import json
import os
from pathlib import Path

import pytest

from kasu.job import code
from kasu.job.code import Code, code_hash

FILES = {
    "kasu/__init__.py": "",
    "kasu/base/__init__.py": "",
    "kasu/job/__init__.py": "",
    "kasu/job/run.py": "JOB = 1",
    "kasu/base/errors.py": "ERROR = 1",
    "kasu/base/unused.py": "UNUSED = 1",
    "kasu/study/__init__.py": "",
    "kasu/study/data.py": "from kasu.job.run import JOB\n",
    "kasu/study/late.py": "import kasu.base.errors\n",
    "kasu/report/__init__.py": "",
    "kasu/report/page.py": "PAGE = 1",
    "kasu/report/page.html.j2": "<html>",
    "direct.py": "from kasu.study.data import JOB\n",
    "inside.py": "import json\ndef late():\n    from kasu.study import late\n",
    "page.py": "import kasu.report.page as page\n",
}


@pytest.fixture
def tree(tmp_path, monkeypatch) -> Path:
    """A small package next to three scripts."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(code, "PACKAGE", tmp_path / "kasu")
    return tmp_path


def modules(tree: Path, script: str) -> list[str]:
    found = (str(path.relative_to(tree / "kasu")) for path in Code().modules(tree / script))
    return sorted(name for name in found if not name.endswith("__init__.py"))


def changes(tree: Path, script: str, file: str, text: str) -> bool:
    before = code_hash(tree / script)
    (tree / file).write_text(text)
    return code_hash(tree / script) != before


def test_direct_and_indirect_imports(tree):
    assert modules(tree, "direct.py") == ["job/run.py", "study/data.py"]


def test_what_only_a_type_checker_imports_does_not_count(tree):
    (tree / "direct.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from kasu.report import page\n"
        "else:\n    from kasu.base import errors\n"
    )
    assert modules(tree, "direct.py") == ["base/errors.py"]


def test_parent_packages_count(tree):
    found = Code().modules(tree / "direct.py")
    assert tree / "kasu" / "__init__.py" in found
    assert tree / "kasu" / "job" / "__init__.py" in found


def test_imports_inside_functions_and_of_modules_as_names(tree):
    assert modules(tree, "inside.py") == ["base/errors.py", "study/late.py"]


def test_change_of_an_indirect_import_changes_the_hash(tree):
    assert changes(tree, "direct.py", "kasu/job/run.py", "JOB = 2")


def test_change_of_the_script_changes_the_hash(tree):
    assert not changes(tree, "direct.py", "direct.py", FILES["direct.py"] + "# a comment\n")
    assert changes(tree, "direct.py", "direct.py", FILES["direct.py"] + "print(JOB)\n")


def test_change_of_an_unrelated_module_does_not(tree):
    assert not changes(tree, "direct.py", "kasu/base/unused.py", "UNUSED = 2")


def test_a_module_imported_by_name_counts_with_all_it_imports(tree):
    found = Code().modules(tree / "direct.py", "kasu.study.late")
    assert {path.name for path in found} == {
        "__init__.py", "data.py", "errors.py", "late.py", "run.py"
    }  # fmt: skip
    assert code_hash(tree / "direct.py") != code_hash(tree / "direct.py", "kasu.study.late")


def test_comments_and_layout_do_not_matter(tree):
    assert not changes(tree, "direct.py", "kasu/job/run.py", "# why\n\nJOB  =  1  # one\n")


def test_docstrings_do_not_matter(tree):
    text = '"""What."""\nJOB = 1\n'
    assert not changes(tree, "direct.py", "kasu/job/run.py", text)
    (tree / "kasu/job/run.py").write_text('def run():\n    """One."""\n')
    assert not changes(tree, "direct.py", "kasu/job/run.py", 'def run():\n    """Two."""\n')
    assert changes(tree, "direct.py", "kasu/job/run.py", 'def run():\n    return """Two."""\n')


def test_data_next_to_an_imported_module_matters(tree):
    assert changes(tree, "page.py", "kasu/report/page.html.j2", "<html lang='en'>")


def test_data_next_to_other_modules_does_not(tree):
    assert not changes(tree, "direct.py", "kasu/report/page.html.j2", "<html lang='en'>")


def test_compiled_files_do_not_matter(tree):
    assert not changes(tree, "page.py", "kasu/report/page.pyc", "compiled")


@pytest.mark.parametrize("name", [".page.py.swp", "page.html.j2~", ".#page.html.j2", "4913"])
def test_files_of_an_editor_do_not_matter(tree, name):
    assert not changes(tree, "page.py", f"kasu/report/{name}", "swapped")


def test_module_moved_changes_the_hash(tree):
    before = code_hash(tree / "direct.py")
    (tree / "kasu/job/run.py").rename(tree / "kasu/base/job.py")
    (tree / "kasu/study/data.py").write_text("from kasu.base.job import JOB\n")
    assert code_hash(tree / "direct.py") != before


@pytest.fixture
def parsed(monkeypatch) -> list[bytes]:
    """The contents of the files that are parsed from now on."""
    contents = []
    parse = code._parse
    monkeypatch.setattr(code, "_parse", lambda given: contents.append(given) or parse(given))
    return contents


def test_one_reader_reads_each_file_once(tree, parsed):
    reader = Code()
    assert reader.hash(tree / "direct.py") == code_hash(tree / "direct.py")
    parsed.clear()
    reader.hash(tree / "direct.py")
    assert parsed == []


def test_a_cache_hands_on_what_was_found_in_unchanged_files(tree, parsed):
    cache = tree / "cache.json"
    first = Code(cache)
    found = first.hash(tree / "direct.py")
    first.write(cache)
    parsed.clear()
    assert Code(cache).hash(tree / "direct.py") == found
    assert parsed == []
    (tree / "kasu/job/run.py").write_text("JOB = 2")
    # The contents count, whatever the date
    os.utime(tree / "kasu/job/run.py", (1, 1))
    assert Code(cache).hash(tree / "direct.py") == code_hash(tree / "direct.py") != found
    assert parsed[0] == b"JOB = 2"


def test_a_name_that_is_a_module_now_counts_in_spite_of_the_cache(tree):
    cache = tree / "cache.json"
    first = Code(cache)
    found = first.hash(tree / "inside.py")
    first.write(cache)
    (tree / "kasu/study/late").mkdir()
    (tree / "kasu/study/late/__init__.py").write_text("NEW = 1\n")
    assert Code(cache).hash(tree / "inside.py") == code_hash(tree / "inside.py") != found


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-9],
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text.replace('"files": {', '"files": {"x": 3, '),
        lambda text: text.replace('"files": {', '"files": {"x": ["no digest", []], '),
        lambda text: text.replace('"files": {', '"files": {"x": ["00", [1]], '),
        lambda text: text.replace('"parser": "3', '"parser": "2'),
    ],
)
def test_a_damaged_cache_is_not_read(tree, parsed, damage):
    cache = tree / "cache.json"
    first = Code(cache)
    found = first.hash(tree / "direct.py")
    first.write(cache)
    cache.write_text(damage(cache.read_text()))
    parsed.clear()
    second = Code(cache)
    assert second.hash(tree / "direct.py") == found
    assert parsed
    second.write(cache)
    assert Code(cache).hash(tree / "direct.py") == found


def test_a_cache_keeps_no_file_that_is_gone_once_it_is_full(tree, monkeypatch):
    monkeypatch.setattr(code, "MOST", 3)
    cache = tree / "cache.json"
    for script in ("direct.py", "inside.py"):
        reader = Code(cache)
        reader.hash(tree / script)
        reader.write(cache)
    kept = json.loads(cache.read_text())["files"]
    assert len(kept) == 4  # the script, two modules, and packages of equal contents


def test_where_a_cache_cannot_be_written_nothing_is_lost(tree):
    reader = Code(tree / "none" / "cache.json")
    reader.hash(tree / "direct.py")
    (tree / "none").write_text("a file")
    reader.write(tree / "none" / "cache.json")
