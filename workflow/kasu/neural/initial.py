"""First weights as another library draws them."""

from typing import TypeVar

import torch
from torch import nn

from kasu.neural.layers import LstmLayer

M = TypeVar("M", bound=nn.Module)


@torch.no_grad()
def draw_as_keras(model: M) -> M:
    """Draw the weights of linear layers and LSTMs anew, by torch's generator; return the model.

    Those of inputs are uniform after Glorot & Bengio (2010), those of previous outputs orthogonal.
    Biases are 0, but those of forget gates 1. These are the defaults of Keras.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, LstmLayer):
            _draw(module)
    return model


def _draw(layer: LstmLayer) -> None:
    constant = getattr(layer, "constant", None)
    columns = layer.kernel.input_size + (0 if constant is None else constant.shape[1])
    bound = (6 / (columns + 4 * layer.size)) ** 0.5
    if constant is not None:
        constant.uniform_(-bound, bound)
    for name, weight in layer.kernel.named_parameters():
        if name.startswith("weight_ih"):
            weight.uniform_(-bound, bound)
        elif name.startswith("weight_hh"):
            nn.init.orthogonal_(weight)
        else:
            nn.init.zeros_(weight)
            if name.startswith("bias_ih"):  # of the gates i, f, g and o
                weight[layer.size : 2 * layer.size] = 1
