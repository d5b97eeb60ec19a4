"""Networks of yoyodyne, the peer of plain sequence models: what an update of each costs.

    python yoyodyne_sequences.py < given.json

It runs in an environment of its own. Items have the numbers of symbols in `source` and `target`,
and of features in `tags`, from 0. It prints the least CPU seconds per update of some epochs by
network, in plain loops: what a trainer adds does not count.
"""

import json
import sys
import time

import torch

# yoyodyne imports torchvision, whose wheel is built for a torch with CUDA. With a torch for the CPU
# alone it finds its operators only if they are declared; nothing here calls them
for name in ("nms", "qnms"):
    torch.library.define(
        f"torchvision::{name}", "(Tensor boxes, Tensor scores, float least) -> Tensor"
    )

from yoyodyne import data, special  # noqa: E402
from yoyodyne.models import PointerGeneratorLSTMModel, SoftAttentionGRUModel  # noqa: E402
from yoyodyne.models.modules import GRUEncoder, LSTMEncoder  # noqa: E402

FIRST = len(special.SPECIAL)


def pad(rows):
    return data.PaddedTensor([torch.tensor(row) for row in rows])


def batches(given, featured):
    """Batches of items, made anew at each update as a collator does."""
    items, size = given["items"], given["batch"]
    for start in range(0, len(items), size):
        some = items[start : start + size]
        symbols = {
            part: [[FIRST + each for each in item[part]] + [special.END_IDX] for item in some]
            for part in ("source", "target")
        }
        source = pad([[special.START_IDX, *row] for row in symbols["source"]])
        tags = [[FIRST + given["symbols"] + each for each in item["tags"]] for item in some]
        yield data.Batch(source, pad(tags) if featured else None, pad(symbols["target"]))


def seconds(given, kind, encoder, sizes, clip, featured):
    torch.manual_seed(1)
    shared = {"embedding_size": sizes["embedding"], "dropout": sizes["dropout"]}
    network = kind(
        source_encoder=encoder(hidden_size=sizes["hidden"], **shared),
        features_encoder=encoder(hidden_size=sizes["hidden"], **shared) if featured else False,
        embedding_size=sizes["embedding"],
        decoder_hidden_size=sizes["hidden"],
        decoder_dropout=sizes["dropout"],
        compute_accuracy=False,
        vocab_size=FIRST + given["symbols"] + given["features"],
        target_vocab_size=FIRST + given["symbols"],
    )
    network.train()
    (optimizer,), _ = network.configure_optimizers()
    spent = []
    for _ in range(1 + given["turns"]):
        began, count = time.process_time(), 0
        for batch in batches(given, featured):
            optimizer.zero_grad()
            loss = network.loss_func(network(batch), batch.target.tensor)
            loss.backward()
            loss.item()
            if clip:
                torch.nn.utils.clip_grad_norm_(network.parameters(), clip)
            optimizer.step()
            count += 1
        spent.append((time.process_time() - began) / count)
    return min(spent[1:])


given = json.load(sys.stdin)
torch.set_num_threads(1)
found = {
    "pointer": seconds(
        given, PointerGeneratorLSTMModel, LSTMEncoder, given["pointer"], given["clip"], True
    ),
    "attention": seconds(given, SoftAttentionGRUModel, GRUEncoder, given["attention"], None, False),
}
print(json.dumps(found))
