import pytest
import torch

from kasu.base.errors import KasuError
from kasu.lm.pretraining.training_state import (
    load_state,
    restore_training,
    save_state,
    training_tensors,
)

MADE_OF = {"settings": {"hidden": 64}, "seed": 1}


def make():
    torch.manual_seed(1)
    network = torch.nn.Linear(4, 3)
    return network, torch.optim.AdamW(network.parameters(), fused=True)


def train(network, optimizer, steps):
    for step in range(steps):
        optimizer.zero_grad()
        network(torch.full((2, 4), 1.0 + step)).square().sum().backward()
        optimizer.step()


def test_a_restored_run_continues_as_it_would_have(tmp_path):
    network, optimizer = make()
    train(network, optimizer, 3)
    save_state(tmp_path / "state", training_tensors(network, optimizer), {"made_of": MADE_OF})
    train(network, optimizer, 2)
    other, another = make()
    tensors, _ = load_state(tmp_path / "state", MADE_OF)
    restore_training(other, another, tensors)
    train(other, another, 2)
    assert torch.equal(network.weight, other.weight)
    assert torch.equal(network.bias, other.bias)


def test_a_run_that_has_not_begun_is_restored(tmp_path):
    network, optimizer = make()
    other, another = make()
    restore_training(other, another, training_tensors(network, optimizer))
    train(network, optimizer, 2)
    train(other, another, 2)
    assert torch.equal(network.weight, other.weight)


def test_a_state_of_another_config_is_one_line(tmp_path):
    save_state(tmp_path / "state", {}, {"made_of": MADE_OF})
    other = {"settings": {"hidden": 128}, "seed": 1}
    message = "state: a checkpoint of another run: settings, hidden 64; expected 128"
    with pytest.raises(KasuError, match=message):
        load_state(tmp_path / "state", other)
    message = r"state: a checkpoint of another run: settings \{'hidden': 64\}; expected None"
    with pytest.raises(KasuError, match=message):
        load_state(tmp_path / "state", {"seed": 1})


@pytest.mark.parametrize("content", [b"", b"\x80\x04", b"x" * 100])
def test_a_damaged_state_is_one_line(tmp_path, content):
    (tmp_path / "state").write_bytes(content)
    with pytest.raises(KasuError, match="state: not the state of a run"):
        load_state(tmp_path / "state", MADE_OF)


def test_no_flipped_bit_of_a_state_is_loaded(tmp_path):
    save_state(tmp_path / "state", {"a": torch.arange(50.0)}, {"made_of": MADE_OF, "step": 3})
    sound = (tmp_path / "state").read_bytes()
    for at in range(0, len(sound), 11):
        damaged = bytearray(sound)
        damaged[at] ^= 1
        (tmp_path / "state").write_bytes(damaged)
        with pytest.raises(KasuError, match="state: "):
            load_state(tmp_path / "state", MADE_OF)
