"""Draw weights as DyNet does, the library that systems of 2018 were written in."""

from torch import Tensor, nn

from kasu.neural.recurrent.networks import RecurrentCell


def draw_network(network: nn.Module) -> None:
    """Draw embeddings, LSTMs and linear layers; cells are LSTMs."""
    for module in network.modules():
        if isinstance(module, nn.Embedding):
            draw_table(module)
        elif isinstance(module, nn.LSTM):
            draw_lstm(module)
        elif isinstance(module, nn.Linear):
            draw_matrix(module.weight, rows=module.out_features)
            if module.bias is not None:
                draw_vector(module.bias)
    for module in network.modules():
        if isinstance(module, RecurrentCell):
            # What a cell reads is one vector to DyNet
            symbols = module.layers[0].input_projection().weight.squeeze(0)
            draw_matrix(symbols, module.constant, rows=len(symbols))


def draw_matrix(*parts: Tensor, rows: int) -> None:
    """Draw a matrix by Glorot & Bengio (2010).

    Args:
        parts: its columns. They may hold several matrices of `rows` rows, one below the other.
    """
    bound = (6 / (rows + sum(part.shape[1] for part in parts))) ** 0.5
    for part in parts:
        nn.init.uniform_(part, -bound, bound)


def draw_vector(vector: Tensor) -> None:
    """Draw a vector of width D within ±sqrt(3 / D)."""
    bound = (3 / len(vector)) ** 0.5
    nn.init.uniform_(vector, -bound, bound)


def draw_table(table: nn.Embedding) -> None:
    """Draw each embedding as a vector."""
    bound = (3 / table.embedding_dim) ** 0.5
    nn.init.uniform_(table.weight, -bound, bound)


def draw_lstm(kernel: nn.LSTM) -> None:
    """Draw an LSTM of one layer: biases are 1 for the forget gate, 0 for the others.

    DyNet has one vector of biases where torch adds two. The second stays 0: if it were trained,
    their sum would learn twice as fast.
    """
    for name, weight in kernel.named_parameters():
        if name.startswith("weight"):
            draw_matrix(weight, rows=len(weight))
        else:
            nn.init.zeros_(weight)
        if name.startswith("bias_ih"):
            nn.init.ones_(weight.data[kernel.hidden_size : 2 * kernel.hidden_size])
        elif name.startswith("bias_hh"):
            weight.requires_grad_(False)
