"""What a run says of its folders and of local files."""

import os
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.paths import ROOT
from kasu.files.seals import seal
from kasu.lm.plan import Models
from kasu.sources.registry import Entry, Source, mirror_folders
from kasu.sources.workspace import (
    OWN_LICENCE,
    Workspace,
    describe,
    expect_apart,
    expect_folder,
    expect_unwritten,
)


@pytest.mark.parametrize("folder", ["", f"{ROOT}/"])
def test_a_file_of_kasu_has_one_name_wherever_it_runs(folder):
    entry = Entry("a", Path(f"{folder}resources/demo/cloze/low.tsv"), None)
    assert describe(entry)["name"] == "resources/demo/cloze/low.tsv"


def test_another_file_is_named_by_its_path():
    assert describe(Entry("a", Path("/data/a.tsv"), None))["name"] == "/data/a.tsv"


def test_a_folder_in_a_file_is_one_line(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(KasuError) as error:
        expect_folder(f"{tmp_path}/file/a", "config results", "a folder")
    assert str(error.value) == f"config results: {tmp_path}/file is a file; expected a folder"


def test_an_entry_is_found_once_for_each_licence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").touch()
    workspace = Workspace("results", {}, Path("downloads"))
    entry = workspace.resolve("a.txt", "config a")
    with pytest.raises(KasuError, match=r"^config b: b\.txt: no such source"):
        workspace.resolve("b.txt", "config b")
    Path("a.txt").rename("b.txt")
    assert workspace.resolve("a.txt", "config c") is entry
    assert workspace.resolve("b.txt", "config b", "MIT").licence == "MIT"
    assert workspace.resolve("b.txt", "config b").licence == ""


@pytest.mark.parametrize("again", ["a.conllu", "./a.conllu", "link.conllu"])
def test_a_file_twice_among_those_read_as_one_is_one_line(tmp_path, monkeypatch, again):
    monkeypatch.chdir(tmp_path)
    for name in ("a.conllu", "b.conllu"):
        Path(name).touch()
    Path("link.conllu").symlink_to("a.conllu")
    workspace = Workspace("results", {}, Path("downloads"))
    with pytest.raises(KasuError) as error:
        workspace.resolve_each(["a.conllu", "b.conllu", again], "config treebanks a")
    found = f"{again}: in the list already, as a.conllu"
    assert str(error.value) == f"config treebanks a: {found}; expected each file once"
    entries = workspace.resolve_each(["b.conllu", "a.conllu"], "config treebanks a", "MIT")
    assert [(str(entry.file), entry.licence) for entry in entries] == [
        ("b.conllu", "MIT"), ("a.conllu", "MIT"),
    ]  # fmt: skip


@pytest.mark.parametrize("mirror", ["~//a/", ["~/a"]])
def test_a_mirror_may_lie_at_home(monkeypatch, mirror):
    """Jobs read the config as it was written."""
    monkeypatch.setenv("HOME", "/home/me")
    assert mirror_folders({"mirror": mirror}) == [Path("/home/me/a")]


@pytest.mark.parametrize(
    ("path", "stated", "licence"),
    [
        ("resources/demo/cloze/low.tsv", "", "CC0-1.0"),
        ("resources/demo/pairs.jsonl", "", "CC0-1.0"),
        ("resources/demo/pairs.jsonl", "MIT", "MIT"),
        ("resources/demolition.tsv", "", "local file"),
        ("resources/seeds/fra.tsv", "", "CC0-1.0"),
        ("resources/queries/kat/nom_dat.req", "", "local file"),
        ("/data/resources/demo/low.tsv", "", "local file"),
    ],
)
def test_the_demo_has_a_licence(path, stated, licence):
    entry = Entry("a", ROOT / path, None, own_licence=stated)
    assert describe(entry)["licence"] == licence


def test_the_demo_of_another_folder_is_the_users_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert describe(Entry("a", Path("resources/demo/low.tsv"), None))["licence"] == "local file"
    monkeypatch.chdir(ROOT)
    assert describe(Entry("a", Path("resources/demo/low.tsv"), None))["licence"] == "CC0-1.0"


def test_the_licence_of_our_own_data_is_that_of_their_pages():
    page = (ROOT / "resources/demo/README.md").read_text(encoding="utf-8")
    assert page.partition("## Licence\n\n")[2].startswith(f"{OWN_LICENCE}: ")
    table = (ROOT / "LICENSES-DATA.md").read_text(encoding="utf-8")
    assert f"(`resources/demo`, `resources/seeds`) | {OWN_LICENCE} |" in table


@pytest.mark.parametrize(
    ("results", "found"),
    [
        ("a" * 300, f"{'a' * 100}: File name too long"),
        (f"a/{'ა' * 90}/b", f"a/{'ა' * 90}/b"[:100] + ": File name too long"),
        ("a/" * 2200, f"{'a/' * 50}: File name too long"),
        ("loop", "loop: Too many levels of symbolic links"),
        ("loop/a/b", "loop/a/b: Too many levels of symbolic links"),
        ("gone", "gone is a link to nothing"),
        ("gone/a", "DIR/gone is a link to nothing"),
        ("pipe", "pipe is a file"),
        ("to_null/a", "DIR/to_null is a file"),
    ],
)
@pytest.mark.parametrize("to_write", [True, False])
def test_a_path_that_can_be_no_folder_is_one_line(tmp_path, monkeypatch, results, found, to_write):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    for name, target in (("loop", "loop"), ("gone", "nowhere"), ("to_null", "/dev/null")):
        Path(name).symlink_to(target)
    with pytest.raises(KasuError) as error:
        expect_folder(results, "config results", "a folder", to_write=to_write)
    said = str(error.value).replace(str(tmp_path), "DIR")
    assert said == f"config results: {found}; expected a folder"


def test_a_folder_may_have_a_long_path_of_short_names(tmp_path):
    expect_folder(str(tmp_path / ("a" * 200) / "b" / ("ა" * 80)), "config results", "a folder")


@pytest.fixture
def at(tmp_path, monkeypatch):
    """Make a workspace with results somewhere, in a working directory with links."""
    (tmp_path / "cwd" / "mirror").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "cwd")
    Path("kasu").symlink_to(ROOT)
    Path("here").symlink_to(".")

    def make(results, *mirrors):
        downloads = Path("resources/downloads")
        return Workspace(results, {}, downloads, list(map(Path, mirrors)))

    return make


@pytest.mark.parametrize(
    ("results", "found"),
    [
        ("here", "here is or holds DIR"),
        ("../..", "../.. is or holds DIR"),
        ("kasu", f"kasu is or holds {ROOT}"),
        ("resources", "resources is or holds resources/downloads"),
        ("here/resources", "here/resources is or holds resources/downloads"),
        ("resources/downloads/a", "resources/downloads/a lies in resources/downloads"),
        (".snakemake/results", ".snakemake/results lies in .snakemake"),
        ("kasu/workflow", f"kasu/workflow is or holds {ROOT}/workflow"),
        ("kasu/resources", f"kasu/resources is or holds {ROOT}/resources"),
        ("kasu/resources/demo", f"kasu/resources/demo is or holds {ROOT}/resources/demo"),
        ("kasu/resources/demo/a", f"kasu/resources/demo/a lies in {ROOT}/resources/demo"),
        ("here/mirror", "here/mirror is the mirror mirror"),
    ],
)
def test_results_that_mix_with_something_else_are_one_line(at, results, found):
    with pytest.raises(KasuError) as error:
        expect_apart(at(results, "mirror"))
    found = found.replace("DIR", str(Path.cwd()))
    assert str(error.value) == f"config results: {found}; expected a folder of its own"


@pytest.mark.parametrize(
    "results",
    ["results", "results/x", "resources/mine", "mirror/results", "config", "kasu/results/x",
     "../other", "workflow2", "kasu/resources/own", "kasu/config/mine/results",
     "kasu/resources/tagsets/a"],
)  # fmt: skip
def test_results_may_lie_elsewhere(at, results):
    expect_apart(at(results, "mirror"))


def test_downloads_are_no_mirror(at):
    """Snakemake deletes what a rule makes before it is made, and so what was to be copied."""
    with pytest.raises(KasuError) as error:
        expect_apart(at("results", "here/resources/downloads"))
    found = "here/resources/downloads is where downloads land; expected another folder"
    assert str(error.value) == f"config mirror: {found}"
    expect_apart(at("results", "resources", "resources/downloads/url"))


def test_results_in_the_folder_of_a_model_are_one_line(at, model_folder):
    model_folder("cwd/bert/deep")
    models = Models([], at("here/bert/results"))
    with pytest.raises(KasuError) as error:
        models.folder("bert", "config blm")
    found = "here/bert/results lies in the model bert; expected a folder of its own"
    assert str(error.value) == f"config results: {found}"
    assert models.folder("bert/deep", "config blm") == "bert/deep"


WRITTEN = ("r/own/counts.tsv", "r/model")


@pytest.mark.parametrize(
    ("named", "written"),
    [
        ("r/own/counts.tsv", "r/own/counts.tsv"),
        ("link", "r/own/counts.tsv"),
        ("again/own/counts.tsv", "r/own/counts.tsv"),
        ("r/model/deep/weights", "r/model"),
        ("r/model", "r/model"),
    ],
)
def test_no_rule_writes_over_an_input(tmp_path, monkeypatch, named, written):
    monkeypatch.chdir(tmp_path)
    for file in ("r/own/counts.tsv", "r/model/deep/weights", "r/mine.txt"):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text("years of work")
    Path("link").symlink_to("r/own/counts.tsv")
    Path("again").symlink_to("r")
    config = {"a": 1, "b": [{"c": named, "d": True}], "e": ("r/mine.txt", "r/none", "a\0b")}
    with pytest.raises(KasuError) as error:
        expect_unwritten(config, "r", WRITTEN.__contains__)
    found = f"{written} is written by a rule, and {named} is an input"
    assert str(error.value) == f"config results: {found}; expected an input elsewhere"
    # What a rule wrote itself may be read by another
    seal(written)
    expect_unwritten(config, "r", WRITTEN.__contains__)
    expect_unwritten(config, "elsewhere", WRITTEN.__contains__)
    # Nor is anything lost where nothing is yet
    expect_unwritten({"a": "r/later"}, "r", ["r/later"].__contains__)


def test_a_source_of_a_licence_that_is_not_admitted_is_one_line():
    source = Source("ud/x", "ud/x.conllu", licence="CC BY-NC 4.0")
    workspace = Workspace("results", {"ud/x": source}, Path("downloads"), licences=["CC BY"])
    with pytest.raises(KasuError) as error:
        workspace.source_at("ud/x.conllu")
    assert str(error.value) == (
        "source ud/x: licence 'CC BY-NC 4.0'; expected one of `licences` in the config: CC BY"
    )
    every = Workspace("results", {"ud/x": source}, Path("downloads"))
    assert every.source_at("ud/x.conllu") is source
