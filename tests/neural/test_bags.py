import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import embedding_bag

from kasu.neural.bags import SummedRows

bags = st.lists(st.lists(st.integers(0, 6), max_size=5), min_size=1, max_size=6)


@given(bags)
def test_sums_and_gradients_are_those_of_torch(bags):
    rows = torch.tensor([row for bag in bags for row in bag], dtype=torch.int32)
    begins = torch.tensor([sum(map(len, bags[:at])) for at in range(len(bags))], dtype=torch.int32)
    one, other = (torch.arange(14.0).view(7, 2).requires_grad_() for _ in range(2))
    summed = SummedRows.apply(one, rows, begins)
    expected = embedding_bag(rows, other, begins, mode="sum")
    assert torch.equal(summed, expected)
    gradient = torch.arange(2.0 * len(bags)).view(-1, 2)
    summed.backward(gradient)
    expected.backward(gradient)
    assert torch.equal(one.grad.to_dense(), other.grad)


def test_the_gradient_has_each_row_that_is_read_once():
    table = torch.zeros(9, 2, requires_grad=True)
    rows, begins = torch.tensor([7, 3, 7, 7]), torch.tensor([0, 2, 2])
    SummedRows.apply(table, rows, begins).backward(torch.tensor([[1.0, 2], [100, 100], [4, 8]]))
    assert table.grad._indices().tolist() == [[3, 7]]
    assert table.grad._values().tolist() == [[1, 2], [9, 18]]
