"""Copenhagen's network for track 2 of task 2, in DyNet: the official baseline that reads sentences.

    python tools/dynet_copenhagen.py PROGRAM TASK LANGUAGE SEED OUT

PROGRAM is the folder of the official program (sigmorphon/conll2018, `task2/baseline`), TASK that of
the released task 2. What Copenhagen's program (YovaKem/inflection_in_context) does otherwise takes
the place of parts of it: LSTMs read the words before and after, forward, and the boundary stands
for the lemma of the first word; every target is learnt; the eighth tenth of the sentences is held
out, and five epochs without a lower loss of it, with dropout, end the training. The test sentences
with the answers go to OUT. It needs `dyNET38==2.2`, and takes a minute of CPU with 1,000 tokens.
"""

import random
import sys
import tempfile
from pathlib import Path

program, task, language, seed, out = sys.argv[1:]
sys.argv[1:] = ["--dynet-seed", seed]  # DyNet reads them when it is imported
sys.path.insert(0, program)

import baseline  # noqa: E402
import dynet  # noqa: E402
from data import EOS, LEMMA, MSD, NONE, WF, read_dataset  # noqa: E402

EPOCHS, PATIENCE = 50, 5
EDGE = (EOS, EOS, EOS)
WIDTH = baseline.EMBEDDINGS_SIZE


def context(place, sentence, training=0):
    """Both sides of a word, each the last state of an LSTM, and its lemma."""
    tables = baseline.word_lookup, baseline.lemma_lookup, baseline.msd_lookup
    numbers = baseline.wf2id, baseline.lemma2id, baseline.msd2id

    def read(lstm, words):
        rows = [
            dynet.concatenate(
                [
                    table[baseline.dropitem(symbol, known, training)]
                    for table, known, symbol in zip(tables, numbers, word, strict=True)
                ]
            )
            for word in words
        ]
        return baseline.run_lstm(lstm.initial_state(), rows)[-1]

    sides = read(before, [EDGE, *sentence[:place]]), read(after, [*sentence[place + 1 :], EDGE])
    lemma = sentence[place][LEMMA] if place else EOS
    known = baseline.dropitem(lemma, baseline.lemma2id, training)
    return dynet.concatenate([*sides, baseline.lemma_lookup[known]])


def total_loss(sentences, learn=None):
    """The loss of all targets, learnt one by one with a trainer."""
    total = 0.0
    for sentence in sentences:
        for place, (_, lemma, features) in enumerate(sentence):
            if baseline.iscandidatemsd(features) or (features == NONE and lemma != NONE):
                loss = baseline.get_loss(place, sentence)
                total += loss.value()
                if learn:
                    loss.backward()
                    learn.update()
    return total


random.seed(int(seed))
sentences, *vocabularies = read_dataset(Path(task, "trainsets", f"{language}-track2-low"))
baseline.wf2id, baseline.lemma2id, baseline.char2id, baseline.msd2id = vocabularies
baseline.init_model(*vocabularies)
baseline.get_context = context
# In place of the encoder's LSTMs, which read the adjacent words
baseline.enc_fwd_lstm, baseline.enc_bwd_lstm, before, after = (
    dynet.LSTMBuilder(1, width, baseline.STATE_SIZE, baseline.model)
    for width in (4 * WIDTH, 4 * WIDTH, 3 * WIDTH, 3 * WIDTH)
)
cut = [len(sentences) * tenth // 10 for tenth in (7, 8)]
held, learnt = sentences[slice(*cut)], sentences[: cut[0]] + sentences[cut[1] :]
trainer = dynet.AdamTrainer(baseline.model)
with tempfile.TemporaryDirectory() as folder:
    kept, lowest, since = str(Path(folder, "model")), float("inf"), 0
    for epoch in range(1, EPOCHS + 1):
        random.shuffle(learnt)
        train_loss, loss = total_loss(learnt, trainer), total_loss(held)
        print(f"epoch {epoch}: {train_loss:.1f}, held out {loss:.1f}", flush=True)
        since = 0 if loss < lowest else since + 1
        if since == 0:
            lowest = loss
            baseline.model.save(kept)
        if since == PATIENCE:
            break
    dynet.renew_cg()  # else what was computed by the last weights stays
    baseline.model.populate(kept)
symbols = {number: symbol for symbol, number in baseline.char2id.items()}
with open(out, "w", encoding="utf-8") as file:
    for sentence in read_dataset(Path(task, "testsets", f"{language}-track2-covered"))[0]:
        for place, word in enumerate(sentence):
            dynet.renew_cg()
            if word[MSD] == NONE and word[LEMMA] != NONE:
                word = [baseline.generate(place, sentence, symbols), *word[WF + 1 :]]
            print(*word, sep="\t", file=file)
        print(file=file)
