import logging
import signal
import time
from functools import partial

import pytest
import torch

from kasu.neural.resume import Work


class Hostile:
    def __reduce__(self):
        return print, ("code from a state",)


def test_a_state_comes_back(tmp_path):
    Work(tmp_path / "w", {"a": 1}, 0).save("m", {"x": torch.ones(2), "rows": [{"y": 0.5}]})
    state = Work(tmp_path / "w", {"a": 1}, 0).load("m")
    assert state["x"].tolist() == [1, 1]
    assert state["rows"] == [{"y": 0.5}]


def test_there_is_no_state_at_first(tmp_path):
    assert Work(tmp_path / "w", {}, 0).load("m") is None


def test_other_facts_discard_the_states(tmp_path, caplog):
    Work(tmp_path / "w", {"a": 1}, 0).save("m", {"x": 1})
    with caplog.at_level(logging.INFO, "kasu"):
        assert Work(tmp_path / "w", {"a": 2}, 0).load("m") is None
    assert "state of another config, data or code: discarded" in caplog.text
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["facts.json"]


def test_a_state_that_holds_code_is_discarded_and_does_not_run(tmp_path, capsys):
    work = Work(tmp_path / "w", {}, 0)
    torch.save(Hostile(), tmp_path / "w" / "m.pt")
    assert work.load("m") is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("end", [0, 4, -300])
def test_a_torn_state_is_not_used(tmp_path, end, caplog):
    caplog.set_level("INFO", "kasu")
    work = Work(tmp_path / "w", {}, 0)
    work.save("m", {"x": torch.ones(1000)})
    path = tmp_path / "w" / "m.pt"
    path.write_bytes(path.read_bytes()[:end])
    assert work.load("m") is None
    assert caplog.messages == [f"{path}: unreadable or of other facts: not used"]


def test_a_state_that_memory_is_too_small_for_is_not_given_up(tmp_path, monkeypatch):
    work = Work(tmp_path / "w", {}, 0)
    work.save("m", {"x": torch.ones(2)})
    monkeypatch.setattr(torch, "load", lambda *_, **__: torch.empty(10**15))
    with pytest.raises(RuntimeError, match="DefaultCPUAllocator"):
        work.load("m")


def test_a_state_is_due_after_some_seconds(tmp_path):
    assert Work(tmp_path / "a", {}, every=0).due()
    assert not Work(tmp_path / "b", {}, every=600).due()


def test_remove_leaves_nothing(tmp_path):
    work = Work(tmp_path / "w", {}, 0)
    work.save("m", {})
    work.remove()
    assert [*tmp_path.iterdir()] == []


def test_no_flipped_bit_of_a_state_is_loaded(tmp_path):
    work = Work(tmp_path / "w", {}, 0)
    work.save("m", {"x": torch.arange(100)})
    path = tmp_path / "w" / "m.pt"
    sound = path.read_bytes()
    for at in range(0, len(sound), 37):
        damaged = bytearray(sound)
        damaged[at] ^= 1
        path.write_bytes(damaged)
        assert work.load("m") is None, at
    path.write_bytes(sound)
    assert work.load("m")["x"].tolist() == list(range(100))


@pytest.mark.parametrize("other", [{"a": 2}, {"a": 1, "b": 1}])
def test_a_state_of_other_facts_is_not_loaded_even_where_nothing_is_locked(tmp_path, other):
    # One process may open a folder twice, as any may on a file system without locks
    work, its = Work(tmp_path / "w", {"a": 1}, 0), Work(tmp_path / "w", other, 0)
    its.save("m", {"x": 1})
    assert work.load("m") is None
    work.save("m", {"x": 2})
    assert its.load("m") is None
    assert work.load("m") == {"x": 2}


def test_the_version_of_torch_is_a_fact(tmp_path, monkeypatch):
    Work(tmp_path / "w", {}, 0).save("m", {"x": 1})
    monkeypatch.setattr(torch, "__version__", "0.1")
    assert Work(tmp_path / "w", {}, 0).load("m") is None


def save_and_wait(folder, facts, seconds):
    work = Work(folder, facts, 0)
    work.save("m", {"x": facts["a"]})
    time.sleep(seconds)


def started(at_once, tmp_path, *arguments):
    (process,) = at_once(partial(save_and_wait, tmp_path / "w", *arguments))
    while not (tmp_path / "w" / "m.pt").exists():
        assert process.is_alive()
    return process


def test_a_second_process_waits_for_the_folder(tmp_path, at_once, caplog):
    caplog.set_level("INFO", "kasu")
    first = started(at_once, tmp_path, {"a": 1}, 0.5)
    assert Work(tmp_path / "w", {"a": 1}, 0).load("m") == {"x": 1}
    first.join(0.5)
    assert first.exitcode == 0
    assert f"{tmp_path / 'w'}: process {first.pid} on " in caplog.messages[0]


@pytest.mark.parametrize(("facts", "left"), [({"a": 1}, {"x": 1}), ({"a": 2}, None)])
def test_after_a_kill_the_next_process_has_the_states(tmp_path, at_once, facts, left):
    first = started(at_once, tmp_path, {"a": 1}, 60)
    first.kill()
    first.join(20)
    assert first.exitcode == -signal.SIGKILL
    assert Work(tmp_path / "w", facts, 0).load("m") == left


def test_a_process_that_only_reads_waits_for_nobody_and_discards_nothing(tmp_path, at_once):
    first = started(at_once, tmp_path, {"a": 1}, 60)
    assert Work(tmp_path / "w", {"a": 1}, 0, shared=True).load("m") == {"x": 1}
    assert Work(tmp_path / "w", {"a": 2}, 0, shared=True).load("m") is None
    assert Work(tmp_path / "w", {"a": 1}, 0, shared=True).load("m") == {"x": 1}
    first.kill()
    first.join(20)
