"""A system over a pack of languages: a file a language, and none costs another its work."""

import shutil
import sys
from types import ModuleType

import pytest

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet
from kasu.inflection.data.triples import Triple, write_dataset
from kasu.inflection.packs import Task, inflect_pack

TRIPLES = [Triple("kasu", "kasua", "N;SG"), Triple("mutil", "mutilak", "N;PL")]


@pytest.fixture
def tasks(tmp_path):
    """Two languages, of which `second` has no training set of the setting."""
    found = []
    for language in ("first", "second"):
        folder = tmp_path / "datasets" / language
        splits = {"dev": TRIPLES, "test": TRIPLES, "low": TRIPLES if language == "first" else []}
        write_dataset(folder, splits, {}, language=language, sources=[])
        parts = (folder / f"{split}.parquet" for split in ("low", "dev", "test"))
        found.append(Task(language, *parts, tmp_path / "predictions" / f"{language}-low.parquet"))
    return found


@pytest.fixture
def system(monkeypatch):
    """A system that answers with the lemma, and fails where it is told to."""
    module = ModuleType("kasu.inflection.systems.copy")
    module.calls, module.failing = [], set()

    def inflect(train, dev, test, *, variants, seeds, settings):
        module.calls.append(train[0].lemma)
        if train[0].lemma in module.failing:
            raise KasuError("training", "no rule", "one")
        return {(None, None): [lemma for lemma, _ in test]}

    module.inflect = inflect
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def run(tasks, tmp_path, code="1"):
    inflect_pack(
        tasks, tmp_path / "work", system="copy", variants=[], seeds=[1], settings={}, code=code
    )


def test_one_file_a_language_and_an_empty_one_without_a_training_set(tasks, system, tmp_path):
    run(tasks, tmp_path)
    table = read_parquet(tasks[0].predictions).to_pydict()
    assert table["prediction"] == ["kasu", "mutil"]
    assert table["form"] == ["kasua", "mutilak"]
    assert read_parquet(tasks[1].predictions).num_rows == 0
    assert not (tmp_path / "work").exists()


def test_a_failing_language_is_named_and_loses_no_other(tasks, system, tmp_path):
    folder = tmp_path / "datasets" / "second"
    other = [triple._replace(lemma="zer") for triple in TRIPLES]
    write_dataset(folder, dict.fromkeys(("low", "dev", "test"), other), {}, language="second",
                  sources=[])  # fmt: skip
    system.failing = {"zer"}
    with pytest.raises(KasuError, match=r"copy: 1 of 2 languages failed: second \(training: no"):
        run(tasks, tmp_path)
    assert not tasks[0].predictions.exists()
    system.failing, system.calls[:] = set(), []
    run(tasks, tmp_path)
    assert system.calls == ["zer"]
    assert all(task.predictions.exists() for task in tasks)


def test_a_kill_between_two_outputs_costs_no_language_its_work(
    tasks, system, tmp_path, monkeypatch
):
    copy, copied = shutil.copyfile, []

    def die_at_the_second(source, target):
        if copied:
            raise KeyboardInterrupt
        copied.append(copy(source, target))

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(shutil, "copyfile", die_at_the_second)
        run(tasks, tmp_path)
    tasks[0].predictions.unlink()  # as Snakemake does
    system.calls.clear()
    run(tasks, tmp_path)
    assert system.calls == []
    assert all(task.predictions.exists() for task in tasks)
    assert not (tmp_path / "work").exists()


def test_what_other_code_did_is_not_taken(tasks, system, tmp_path):
    system.failing = {"kasu"}
    with pytest.raises(KasuError):
        run(tasks, tmp_path)
    system.failing = set()
    run(tasks, tmp_path, code="2")
    assert system.calls == ["kasu", "kasu"]
