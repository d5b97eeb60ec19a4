"""The official neural baseline of task 2, in DyNet: the peer of `cloze`.

    python dynet_cloze.py < given.json

It runs in an environment of its own, and imports the official program from the folder `program`.
It prints how many targets the file `train` has, and the least CPU seconds per update of the first
`examples`, learnt `turns` times after a first time.
"""

import json
import sys
import time

given = json.load(sys.stdin)
sys.argv[1:] = []  # the program reads them, and so does DyNet
sys.path.insert(0, given["program"])

import baseline  # noqa: E402
import data  # noqa: E402
import dynet  # noqa: E402

sentences, *vocabularies = data.read_dataset(given["train"])
baseline.wf2id, baseline.lemma2id, baseline.char2id, baseline.msd2id = vocabularies
baseline.init_model(*vocabularies)
trainer = dynet.AdamTrainer(baseline.model)
targets = [
    (place, sentence)
    for sentence in sentences
    for place, (_, lemma, features) in enumerate(sentence)
    if baseline.iscandidatemsd(features) or (features == data.NONE and lemma != data.NONE)
]
examples = targets[: given["examples"]]
spent = []
for _ in range(1 + given["turns"]):
    began = time.process_time()
    for place, sentence in examples:
        loss = baseline.get_loss(place, sentence)
        loss.value()
        loss.backward()
        trainer.update()
    spent.append((time.process_time() - began) / len(examples))
json.dump({"targets": len(targets), "seconds": min(spent[1:])}, sys.stdout)
