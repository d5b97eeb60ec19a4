"""First weights as another library draws them."""

from typing import TypeVar

import torch
from torch import nn

from kasu.neural.recurrent.layers import GruLayer, LstmLayer

M = TypeVar("M", bound=nn.Module)


@torch.no_grad()
def draw_as_keras(model: M) -> M:
    """Draw all trained weights of known layers anew, by torch's generator; return the model.

    They are linear layers, embeddings, LSTMs and GRUs. Weights of inputs are uniform after Glorot &
    Bengio (2010), those of previous outputs orthogonal; embeddings are uniform within 0.05. Biases
    are 0, but those of the forget gates of LSTMs 1. These are the defaults of Keras.

    Keras has one vector of biases where torch adds two. The second stays 0: if it were trained,
    their sum would learn twice as fast.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding) and module.weight.requires_grad:
            nn.init.uniform_(module.weight, -0.05, 0.05)
        elif isinstance(module, LstmLayer | GruLayer):
            _draw(module)
    return model


def _draw(layer: LstmLayer | GruLayer) -> None:
    constant = getattr(layer, "constant", None)
    columns = layer.kernel.input_size + (0 if constant is None else constant.shape[1])
    bound = (6 / (columns + len(layer.kernel.bias_ih_l0))) ** 0.5
    if constant is not None:
        constant.uniform_(-bound, bound)
    for name, weight in layer.kernel.named_parameters():
        if name.startswith("weight_ih"):
            weight.uniform_(-bound, bound)
        elif name.startswith("weight_hh"):
            nn.init.orthogonal_(weight)
        else:
            nn.init.zeros_(weight)
            if name.startswith("bias_hh"):
                weight.requires_grad_(False)
            elif isinstance(layer, LstmLayer):
                weight[layer.size : 2 * layer.size] = 1  # of the gates i, f, g and o
