import pytest
import torch

from kasu.neural.dropout import keep


def mask(*shape, p=0.5, seed=1):
    return keep(shape, p, torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("p", [0.2, 0.5])
def test_units_are_dropped_with_probability_p_and_the_others_scaled(p):
    drawn = mask(100, 1000, p=p)
    assert torch.unique(drawn).tolist() == pytest.approx([0, 1 / (1 - p)])
    assert (drawn == 0).float().mean().item() == pytest.approx(p, abs=0.01)
    assert drawn.mean().item() == pytest.approx(1, abs=0.02)


def test_without_dropout_all_is_kept_as_it_is():
    assert torch.equal(mask(3, 4, p=0), torch.ones(3, 4))


def test_the_seed_alone_decides():
    torch.manual_seed(1)
    first = mask(20, 1, 3)
    torch.manual_seed(2)
    assert torch.equal(mask(20, 1, 3), first)
    assert not torch.equal(mask(20, 1, 3, seed=2), first)
