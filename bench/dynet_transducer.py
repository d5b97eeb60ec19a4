"""The edit transducer in DyNet, in which the original was written: the peer of `transduction`.

    python dynet_transducer.py < items.json

It runs in an environment of its own, so it imports only modules of Kasu that need no torch. Items
have source, target, numbers of features, and actions of an alignment. It prints the least CPU
seconds per update of some epochs for each way to train.
"""

import json
import random
import sys
import time

import dynet as dy
import numpy as np

from kasu.transduction.alphabet import END, START
from kasu.transduction.edits.actions import COPY, DELETE, ActionAlphabet
from kasu.transduction.edits.dynamic_oracle import DynamicOracle, Position

LIMIT = 150


class Transducer:
    def __init__(self, given: dict) -> None:
        self.alphabet = ActionAlphabet(given["symbols"], [COPY, DELETE])
        self.insertions = self.alphabet.encode(given["symbols"])
        self.copy, self.delete = self.alphabet.encode([COPY, DELETE])
        size, width, slot = given["size"], given["embedding"], given["slot"]
        known = len(self.alphabet)
        self.model = dy.ParameterCollection()
        self.table = self.model.add_lookup_parameters((known, width))
        self.features = self.model.add_lookup_parameters((given["features"] + 1, slot))
        self.slots = given["features"]
        read = 2 * size + width + slot * self.slots
        self.left, self.right, self.cell = (
            dy.CoupledLSTMBuilder(1, inputs, size, self.model) for inputs in (width, width, read)
        )
        self.weights = self.model.add_parameters((known, size))
        self.bias = self.model.add_parameters(known)
        self.trainer = dy.AdadeltaTrainer(self.model)

    def update(self, item: dict, sampled: float | None) -> None:
        """Learn from an item; `sampled` is the share of sampled steps, None for its alignment."""
        dy.renew_cg()
        source = [START, *self.alphabet.encode(item["source"]), END]
        embedded = [self.table[symbol] for symbol in source]
        right = self.right.initial_state().transduce(embedded[::-1])[::-1]
        encoded = list(zip(self.left.initial_state().transduce(embedded), right, strict=True))
        features = dy.concatenate(
            [self.features[slot * (slot in item["tags"])] for slot in range(1, self.slots + 1)]
        )
        oracle, position = DynamicOracle(item["source"], item["target"]), Position()
        state, action, pointer, losses = self.cell.initial_state(), self.copy, 1, []
        for step in range(LIMIT):
            state = state.add_input(
                dy.concatenate([*encoded[pointer], features, self.table[action]])
            )
            scores = self.weights * state.output() + self.bias
            ahead = [self.copy, self.delete] if pointer < len(source) - 1 else [END]
            mask = np.full(len(self.alphabet), -1e9)
            mask[[*self.insertions, *ahead]] = 0
            log_probs = dy.log_softmax(scores + dy.inputVector(mask))
            if sampled is None:
                action = item["actions"][step]
                losses.append(dy.pick(log_probs, action))
            else:
                optimal = self.alphabet.encode(oracle.optimal(position))
                losses.append(dy.logsumexp([dy.pick(log_probs, each) for each in optimal]))
                values = log_probs.npvalue()
                if random.random() < sampled:
                    sums = np.exp(values).cumsum()
                    action = int((sums <= random.random() * sums[-1]).sum())
                else:
                    action = max(optimal, key=values.__getitem__)
            if action == END:
                break
            pointer += action in (self.copy, self.delete)
            position = oracle.after(position, *self.alphabet.decode([action]))
        loss = -dy.average(losses)
        loss.value()
        loss.backward()
        self.trainer.update()


given = json.load(sys.stdin)
random.seed(1)
found = {}
for name, sampled in (("aligned", None), ("sampled", given["sampled"])):
    network = Transducer(given)
    spent = []
    for _ in range(1 + given["turns"]):
        began = time.process_time()
        for item in given["items"]:
            network.update(item, sampled)
        spent.append((time.process_time() - began) / len(given["items"]))
    found[name] = min(spent[1:])
json.dump(found, sys.stdout)
