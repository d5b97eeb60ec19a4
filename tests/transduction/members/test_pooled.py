"""Members that learn from all languages at once: answers by language, and what stands is kept."""

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv
from kasu.inflection.data.triples import Triple, read_items, write_dataset
from kasu.transduction.items import Answer, Item, named, unnamed
from kasu.transduction.members.families import Answers, CustomFamily, Data, Families, Run
from kasu.transduction.members.packs import Job, LanguageTask, PackFiles, Reader
from kasu.transduction.members.pooled import POOL, by_language, joined, train_pooled

ONE, TWO = Run(None, 1), Run(None, 2)


class Pool:
    """The files of a job over all languages."""

    def __init__(self, folder):
        self.folder, self.tasks = folder, []
        self.out = PackFiles(
            *(folder / f"{name}" for name in ("members.parquet", "failures.tsv", "s.tsv"))
        )

    def add(self, language, low=None, members=(ONE, TWO)):
        folder = self.folder / "datasets" / language
        triples = [Triple(f"{language}{n}", f"{language}{n}k", "N") for n in range(3)]
        splits = {"low": triples[:2] if low is None else low, "dev": triples[:1], "test": triples}
        write_dataset(folder, splits, {}, language=language, sources=[])
        parts = (folder / f"{split}.parquet" for split in ("low", "dev", "test"))
        self.tasks.append(LanguageTask(language, tuple(members), *parts))

    def run(self, code="1"):
        reader = Reader(lambda path, setting, split: read_items(path))
        job = Job(Families("systems").load("copy"), "low", {"key": [1]}, "cpu", code)
        train_pooled(reader, job, self.tasks, self.out, self.folder / "work")

    def answered(self):
        """What each language answers to its test items, by member."""
        found = {}
        for row in read_parquet(self.out.members).to_pylist():
            if row["split"] == "test":
                found.setdefault((row["language"], row["seed"]), []).append(row["prediction"])
        return found


@pytest.fixture
def pool(tmp_path):
    pool = Pool(tmp_path)
    pool.add("b")
    pool.add("a")
    return pool


@pytest.fixture
def family(monkeypatch):
    """A family that answers with the lemma and its seed; `calls` holds what it was given."""
    module = ModuleType("systems.copy")
    module.calls, module.diverging = [], {}

    def train(data, members, options, session):
        module.calls.append((data, members, options))
        (session.work / "state").write_text("half")
        if "raising" in vars(module):
            raise module.raising

        def answers(run, items):
            return [Answer([f"{item.source}-{run.seed}"]) for item in items]

        return {
            run: module.diverging.get(run)
            or Answers(answers(run, data.dev), answers(run, data.test))
            for run in members
        }

    module.FAMILY = CustomFamily(
        "systems.copy", members={"low": 2}, submissions={}, trained_by=train
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_a_family_gets_all_languages_as_one_and_each_item_names_its_own(pool, family):
    pool.run()
    ((data, members, options),) = family.calls
    assert (data.language, data.setting, members, options) == (
        "pool",
        "low",
        [ONE, TWO],
        {"key": [1]},
    )
    assert data.train == [
        Item(f"{name}{number}", ("N", f"language:{name}"), f"{name}{number}k")
        for name in "ab"
        for number in range(2)
    ]
    assert data.dev == [data.train[0], data.train[2]]
    assert {item.target for item in data.test} == {None}


def test_answers_are_kept_by_language(pool, family):
    pool.run()
    assert pool.answered() == {
        (name, seed): [f"{name}{number}-{seed}" for number in range(3)]
        for name in "ab"
        for seed in (1, 2)
    }
    assert read_tsv(pool.out.failures) == []
    assert not (pool.folder / "work").exists()


def test_what_stands_is_not_trained_again(pool, family):
    pool.run()
    before = pool.out.members.read_bytes()
    pool.run()
    assert len(family.calls) == 1
    assert pool.out.members.read_bytes() == before


def test_a_further_member_trains_no_other_again(pool, family):
    pool.run()
    pool.tasks = [
        LanguageTask(t.language, (*t.members, Run(None, 3)), t.train, t.dev, t.test)
        for t in pool.tasks
    ]
    pool.run()
    assert [members for _, members, _ in family.calls] == [[ONE, TWO], [Run(None, 3)]]
    assert set(pool.answered()) == {(name, seed) for name in "ab" for seed in (1, 2, 3)}


@pytest.mark.parametrize("change", ["language", "code"])
def test_a_further_language_or_other_code_trains_the_whole_pool_again(pool, family, change):
    pool.run()
    if change == "language":
        pool.add("c")
    pool.run(code="2" if change == "code" else "1")
    assert [members for _, members, _ in family.calls] == [[ONE, TWO], [ONE, TWO]]
    assert {language for language, _ in pool.answered()} == {t.language for t in pool.tasks}


def test_a_language_whose_data_are_at_fault_is_reported_and_loses_no_other(pool, family):
    pool.add("c")
    pool.tasks[-1].test.write_bytes(b"PAR1 no more")
    pool.run()
    assert {language for language, _ in pool.answered()} == {"a", "b"}
    (row,) = read_tsv(pool.out.failures)
    assert row["language"] == "c"
    assert "unreadable parquet" in row["reason"]


def test_a_language_without_a_training_set_is_left_out(pool, family):
    pool.add("c", low=[])
    pool.run()
    assert {item.tags[-1] for item in family.calls[0][0].dev} == {"language:a", "language:b"}
    assert {language for language, _ in pool.answered()} == {"a", "b"}
    assert read_tsv(pool.out.failures) == []


def test_a_member_that_diverges_fails_in_every_language(pool, family):
    family.diverging[ONE] = KasuError("training of 1", "loss nan", "a finite loss")
    pool.run()
    assert set(pool.answered()) == {("a", 2), ("b", 2)}
    failed = [(row["members"], row["language"]) for row in read_tsv(pool.out.failures)]
    assert failed == [("1", "a"), ("1", "b")]


def test_a_resumed_training_finds_its_states_and_has_no_cost(pool, family):
    family.raising = MemoryError()
    with pytest.raises(MemoryError):
        pool.run()
    (state,) = (pool.folder / "work").rglob("state")
    del family.raising
    seen = []
    train = family.FAMILY.train

    def watched(data, members, options, session):
        seen.append(session.work)
        return train(data, members, options, session)

    family.FAMILY = replace(family.FAMILY, trained_by=watched)
    pool.run()
    assert seen == [state.parent]
    costs = {(row["language"], row["cpu_seconds"] == "") for row in read_tsv(pool.out.seconds)}
    assert costs == {("a", True), ("b", False)}


def test_members_of_one_job_may_learn_from_different_languages(pool, family):
    pool.add("c", members=[ONE])
    pool.run()
    given = [
        (members, {unnamed(item)[0] for item in data.train}) for data, members, _ in family.calls
    ]
    assert given == [([ONE], {"a", "b", "c"}), ([TWO], {"a", "b"})]
    assert set(pool.answered()) == {("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 1)}


def test_other_pools_of_the_same_languages_train_again(pool, family):
    pool.run()
    by_name = {task.language: task for task in pool.tasks}
    pool.tasks = [replace(by_name["a"], members=(ONE,)), replace(by_name["b"], members=(TWO,))]
    pool.run()
    given = [
        (members, {unnamed(item)[0] for item in data.train}) for data, members, _ in family.calls
    ]
    assert given == [([ONE, TWO], {"a", "b"}), ([ONE], {"a"}), ([TWO], {"b"})]


def test_a_family_takes_a_pool_apart_and_joins_its_answers():
    one, other = Item("kale", ("N",), "kaleak"), Item("ur", ("N",), "urak")
    train, dev = [named(one, "b"), named(other, "a")], [named(other, "a")]
    parts = by_language(Data(POOL, "low", train, dev, []))
    assert parts == {
        "b": Data("b", "low", [one], [], []),
        "a": Data("a", "low", [other], [other], []),
    }
    alone = Data("b", "low", [one], [], [])
    assert by_language(alone) == {"b": alone}
    first, second, third = (Answer([form]) for form in "xyz")
    both = joined([Answers([first], [second]), Answers([], [third])])
    assert both == Answers([first], [second, third])
