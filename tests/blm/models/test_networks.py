"""Layers, parameter counts, loss and decision (BLM-11 to BLM-14)."""

import pytest
import torch

from kasu.base.errors import KasuError
from kasu.blm.models.networks import choose, make_network, margin_loss, score_candidates


def parameters(module) -> int:
    return sum(weight.numel() for weight in module.parameters())


@pytest.mark.parametrize(
    ("model", "sizes", "expected"),
    [
        # 5,376 -> 2,688 -> 2,688 -> 768
        ("FFNN", "paper", 14_453_376 + 7_228_032 + 2_065_152),
        # 5,376 -> 1,536 -> 1,536 -> 768
        ("FFNN", "released", 8_259_072 + 2_360_832 + 1_180_416),
        # three convolutions, 12,192 -> 768
        ("CNN", "paper", 40 + 296 + 1_168 + 9_364_224),
        ("CNN", "released", 9_365_728),
    ],
)
def test_parameters_at_the_width_of_bert(model, sizes, expected):
    with torch.device("meta"):
        network = make_network(model, sizes, 768)
    assert parameters(network) == expected


def test_the_layers_of_the_ffnn():
    with torch.device("meta"):
        layers = make_network("FFNN", "paper", 768).layers
    assert [tuple(layer.weight.shape) for layer in layers[::2]] == [
        (2688, 5376), (2688, 2688), (768, 2688),
    ]  # fmt: skip


def test_the_convolutions_make_one_row_of_762_columns():
    with torch.device("meta"):
        network = make_network("CNN", "paper", 768)
        image = torch.empty(1, 1, 7, 768)
        shapes = []
        for convolution in network.convolutions:
            image = convolution(image)
            shapes.append(tuple(image.shape[1:]))
    assert shapes == [(4, 5, 766), (8, 3, 764), (16, 1, 762)]
    assert network.last.in_features == 12_192


@pytest.mark.parametrize("model", ["FFNN", "CNN"])
@pytest.mark.parametrize("width", [7, 16, 33])
def test_predictions_have_the_width_of_the_vectors_and_are_never_negative(model, width):
    torch.manual_seed(1)
    predicted = make_network(model, "paper", width)(torch.randn(5, 7, width))
    assert predicted.shape == (5, width)
    assert predicted.min() == 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("RNN", "paper", 768), "model: 'RNN'; expected FFNN or CNN"),
        (("CNN", "big", 768), "sizes: 'big'; expected paper or released"),
        (("CNN", "paper", 6), "CNN: sentence vectors of 6 numbers; expected 7 or more"),
    ],
)
def test_an_unknown_network_is_one_line(arguments, line):
    with pytest.raises(KasuError, match=line):
        make_network(*arguments)


PREDICTED = torch.tensor([[3.0, 4.0]])
CANDIDATES = torch.tensor([[[3.0, 4.0], [6.0, 8.0], [0.0, 5.0], [-3.0, -4.0]]])


def test_scores_by_hand():
    dot = score_candidates(PREDICTED, CANDIDATES, "dot")
    cosine = score_candidates(PREDICTED, CANDIDATES, "cosine")
    torch.testing.assert_close(dot, torch.tensor([[25.0, 50.0, 20.0, -25.0]]))
    torch.testing.assert_close(cosine, torch.tensor([[1.0, 1.0, 0.8, -1.0]]))


@pytest.mark.parametrize(
    ("score", "answer", "expected"),
    [
        # 1 - 1 + (1, 0.8, -1), clipped at 0, summed
        ("cosine", 0, 1.0 + 0.8 + 0.0),
        ("cosine", 2, 1.2 + 1.2 + 0.0),
        # 1 - 20 + (25, 50, -25), averaged
        ("dot", 2, (6.0 + 31.0 + 0.0) / 3),
        ("dot", 1, 0.0),
    ],
)
def test_loss_by_hand(score, answer, expected):
    loss = margin_loss(PREDICTED, CANDIDATES, torch.tensor([answer]), score)
    assert loss.item() == pytest.approx(expected, abs=1e-6)


def test_the_loss_of_a_batch_is_the_mean_of_its_problems():
    torch.manual_seed(1)
    predicted, candidates = torch.randn(4, 5), torch.randn(4, 6, 5)
    answer = torch.tensor([0, 5, 2, 2])
    for score in ("cosine", "dot"):
        alone = [
            margin_loss(predicted[[row]], candidates[[row]], answer[[row]], score)
            for row in range(4)
        ]
        together = margin_loss(predicted, candidates, answer, score)
        torch.testing.assert_close(together, torch.stack(alone).mean())


def test_the_decision_differs_between_dot_and_cosine():
    candidates = CANDIDATES[:, [2, 0, 1]]
    assert choose(PREDICTED, candidates, "dot").tolist() == [2]
    assert choose(PREDICTED, candidates, "cosine").tolist() == [1]  # the first of equals


def test_a_prediction_of_zeros_chooses_the_first_shown_and_has_a_loss():
    nothing = torch.zeros(1, 2, requires_grad=True)
    for score in ("cosine", "dot"):
        assert choose(nothing, CANDIDATES, score).tolist() == [0]
        loss = margin_loss(nothing.relu(), CANDIDATES, torch.tensor([1]), score)
        loss.backward()
        assert loss.item() == (3.0 if score == "cosine" else 1.0)
        assert nothing.grad.tolist() == [[0.0, 0.0]]


def test_an_unknown_score_is_one_line():
    with pytest.raises(KasuError, match="score: 'euclid'; expected cosine or dot"):
        choose(PREDICTED, CANDIDATES, "euclid")
