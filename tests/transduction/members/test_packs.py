"""Members over a pack of languages: one file of answers, and what becomes of failures."""

from dataclasses import replace

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv
from kasu.inflection.data.triples import Triple, write_dataset
from kasu.transduction.items import Item
from kasu.transduction.members.families import Run


def test_a_study_says_which_forms_are_the_same(pack, family):
    pack.fold = lambda form: form[:4]
    pack.run()
    rows = read_parquet(pack.members).to_pylist()
    # The family answers with the lemma, of "kasu" and of "etxe" the first four letters
    assert {row["dev_accuracy"] for row in rows} == {1.0}


def test_one_file_has_all_languages_in_order_of_their_names(pack, family):
    pack.run()
    rows = read_parquet(pack.members).to_pylist()
    assert [row["language"] for row in rows] == ["a"] * 6 + ["b"] * 6
    columns = ("variant", "seed", "split", "item", "prediction", "gold", "dev_accuracy")
    assert [tuple(row[name] for name in columns) for row in rows[:6]] == [
        ("m", 1, "dev", 0, "kasu", "kasua", 0.0),
        ("m", 1, "test", 0, "kasu", "kasua", 0.0),
        ("m", 1, "test", 1, "mutil", "mutil", 0.0),
        ("n", 1, "dev", 0, "kasu", "kasua", 0.0),
        ("n", 1, "test", 0, "kasu", "kasua", 0.0),
        ("n", 1, "test", 1, "mutil", "mutil", 0.0),
    ]
    assert pack.failures == []
    assert not pack.work.exists()


def test_a_family_gets_data_without_the_answers(pack, family):
    pack.run()
    data, options, session = family.seen[0]
    assert (data.language, data.setting) == ("a", "low")
    assert data.train == [Item("kasu", ("N", "SG"), "kasua"), Item("mutil", ("N", "PL"), "mutil")]
    assert data.dev == data.train[:1]
    assert data.test == [Item("kasu", ("N", "SG"), None), Item("mutil", ("N", "PL"), None)]
    assert (options, session.device) == ({"key": [1]}, "cpu")


def test_what_each_member_cost_is_recorded(pack, family):
    pack.run()
    rows = read_tsv(pack.out.seconds)
    assert [(row["language"], row["variant"], row["seed"]) for row in rows] == [
        ("a", "m", "1"),
        ("a", "n", "1"),
        ("b", "m", "1"),
        ("b", "n", "1"),
    ]
    assert all(0 <= float(row["cpu_seconds"]) < 5 for row in rows)


def test_the_order_of_the_languages_changes_no_byte(pack, family):
    pack.run()
    before = pack.members.read_bytes()
    pack.members.unlink()
    pack.tasks.reverse()
    pack.run()
    assert pack.members.read_bytes() == before


def test_languages_may_have_different_members(pack, family):
    pack.add("c", members=[Run("m", 2), Run("m", 3)])
    pack.run()
    assert family.calls[-1] == ("c", Run("m", 2), Run("m", 3))
    rows = read_parquet(pack.members).to_pylist()
    assert {row["seed"] for row in rows if row["language"] == "c"} == {2, 3}


def test_a_language_without_a_training_set_has_no_row_and_did_not_fail(pack, family):
    pack.add("c", low=[])
    pack.run()
    assert pack.languages == {"a", "b"}
    assert pack.failures == []


# Failures


def test_a_language_whose_data_are_at_fault_is_reported_and_loses_no_other(pack, family, caplog):
    caplog.set_level("INFO", "kasu")
    family.raising["b"] = KasuError("training", "no rule", "one")
    pack.run()
    assert pack.languages == {"a"}
    assert pack.failures == [
        {
            "family": "copy", "setting": "low", "members": "m-1 n-1", "language": "b",
            "reason": "training: no rule; expected one",
        }
    ]  # fmt: skip
    assert "copy, low: b, m-1 n-1: training: no rule; expected one" in caplog.messages
    assert not pack.work.exists()


@pytest.mark.usefixtures("reads_a_file")
def test_a_file_of_the_config_that_is_at_fault_fails_the_job(pack, family):
    family.raising["b"] = KasuError("[1]:2", "no number")
    with pytest.raises(KasuError, match="no number"):
        pack.run()
    assert not pack.out.failures.exists()


def test_a_member_that_diverges_is_reported_and_loses_no_other(pack, family):
    family.diverging["b", pack.ONE] = KasuError("training of m-1", "loss nan", "a finite loss")
    pack.run()
    assert [(row["members"], row["language"], row["reason"]) for row in pack.failures] == [
        ("m-1", "b", "training of m-1: loss nan; expected a finite loss")
    ]
    rows = read_parquet(pack.members).to_pylist()
    assert {row["variant"] for row in rows if row["language"] == "b"} == {"n"}
    assert {row["variant"] for row in rows if row["language"] == "a"} == {"m", "n"}


def test_a_damaged_dataset_is_a_fault_of_the_data(pack, family):
    pack.tasks[0].test.write_bytes(b"PAR1 no more")
    pack.run()
    (row,) = pack.failures
    assert row["language"] == "b"
    assert "unreadable parquet" in row["reason"]


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left"), ValueError("bug")])
def test_any_other_error_fails_the_job_and_a_second_run_tries_again(pack, family, error):
    family.raising["b"] = error
    with pytest.raises(type(error)):
        pack.run()
    assert not pack.members.exists()
    family.raising.clear()
    family.calls.clear()
    pack.run()
    assert family.calls == [("b", pack.ONE, pack.TWO)]
    assert pack.languages == {"a", "b"}


def test_a_file_that_cannot_be_opened_fails_the_job(pack, family):
    def refuse(path):
        raise KasuError(path, "unreadable parquet") from OSError(24, "Too many open files")

    pack.read = refuse
    with pytest.raises(KasuError):
        pack.run()
    assert not pack.out.failures.exists()


def test_a_family_reads_the_forms_of_another_setting_as_text(pack, family, tmp_path, caplog):
    triples = [Triple("a", form, "N;SG") for form in ("kasua", "zuri", "kasua")]
    splits = {"high": triples, "dev": [], "test": []}
    write_dataset(tmp_path / "text", splits, {}, language="a", sources=[])
    high = tmp_path / "text" / "high.parquet"
    pack.tasks[1] = replace(pack.tasks[1], text=high)
    # A family that does not say so gets none
    pack.run()
    assert {tuple(data.text) for data, *_ in family.seen} == {()}
    family.FAMILY = replace(family.FAMILY, reads="high")
    pack.run(code="2")
    assert [data.text for data, *_ in family.seen[2:]] == [["kasua", "zuri", "kasua"], []]
    assert "copy, a: 1 of 2 test forms are among the forms of high" in caplog.text
    # Another text trains the members again, and those of no other language
    write_dataset(tmp_path / "text", splits | {"high": []}, {}, language="a", sources=[])
    pack.run(code="2")
    assert [name for name, *_ in family.calls[4:]] == ["a"]
