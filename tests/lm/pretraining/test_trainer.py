from contextlib import contextmanager

import numpy as np
import pytest
import torch

from kasu.base.errors import KasuError
from kasu.lm.pretraining.batches import TrainingBatch, make_pass
from kasu.lm.pretraining.packing import encode_corpus
from kasu.lm.pretraining.recipes import complete
from kasu.lm.pretraining.tokenizer import SEP, read_tokenizer, write_tokenizer
from kasu.lm.pretraining.trainer import HISTORY, Trainer, peak_of
from kasu.neural.resume import Work

SETTINGS = {
    "layers": 1,
    "hidden": 64,
    "length": 16,
    "tokens_per_batch": 128,
    "steps": 4,
    "dropout": 0.0,
    "validation_tokens": 64,
}


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    texts = [f"Le {a} du {b} {c}." for a in ("chat", "pont") for b in ("train", "livre", "jardin")
             for c in ("dort", "part", "rit")]  # fmt: skip
    (folder / "a.txt").write_text("\n".join(texts))
    write_tokenizer(folder / "a.txt", folder / "tokenizer", vocabulary=60, length=16)
    encode_corpus(folder / "a.txt", folder / "tokenizer", folder / "a.npy", folder / "a.tsv")
    return folder


def make(streams, **changes):
    tokenizer = read_tokenizer(streams / "tokenizer")
    settings = complete(SETTINGS | changes)
    stream = streams / "a.npy"
    return Trainer(stream, stream, tokenizer, settings, 1, torch.device("cpu"))


def run(streams, folder, **changes):
    trainer = make(streams, **changes)
    trainer.run(4, {2, 4}, Work(folder / "work", {}, 600), {})
    return trainer


def test_the_loss_is_that_of_transformers_on_all_positions(streams):
    trainer = make(streams)
    read, gold, hidden = map(torch.from_numpy, trainer.batches.rows.take(0, 8))
    expected = trainer.network.eval()(input_ids=read, labels=gold.masked_fill(~hidden, -100)).loss
    batch = trainer.batches.make(0)
    trainer._train(batch)
    assert batch.guesses == hidden.sum()
    assert trainer._loss_sum == pytest.approx(expected.item(), rel=1e-5)


def test_passes_add_up_to_the_batch(streams, tmp_path):
    losses = [
        [row["train_loss"] for row in run(streams, tmp_path, tokens_per_pass=tokens).rows]
        for tokens in (32, 128)
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_an_evaluation_does_not_change_training(streams, tmp_path):
    one = run(streams, tmp_path, dropout=0.3)
    other = make(streams, dropout=0.3)
    other.run(4, {4}, Work(tmp_path / "other", {}, 600), {})
    assert [tuple(row) for row in one.rows] == [HISTORY, HISTORY]
    weights = (trainer.network.state_dict().values() for trainer in (one, other))
    assert all(torch.equal(*pair) for pair in zip(*weights, strict=True))


def loss_at(streams, step, seed=1):
    """The loss of the first batch by new weights, as if it were that of another step."""
    trainer = make(streams, dropout=0.5)
    trainer.seed, trainer.step = seed, step
    torch.manual_seed(step % 2)  # the state of torch has no say
    trainer._train(trainer.batches.make(0))
    return trainer._loss_sum


def test_dropout_follows_from_seed_and_step(streams):
    losses = [loss_at(streams, step) for step in (0, 1, 2)]
    assert len({*losses, loss_at(streams, 0, seed=2)}) == 4
    assert [loss_at(streams, step) for step in (0, 1, 2)] == losses


def test_dropout_follows_from_the_pass(streams):
    trainer = make(streams, dropout=0.5)
    ((_, part),) = trainer.batches.make(0).passes
    losses = []
    for numbers in ((0, 0), (0, 1), (1, 1)):
        trainer = make(streams, dropout=0.5)
        trainer._train(TrainingBatch([(number, part) for number in numbers], 2))
        losses.append(trainer._loss_sum)
    assert losses[0] + losses[2] == pytest.approx(2 * losses[1])
    assert losses[0] != losses[2]


def test_there_is_no_dropout_in_an_evaluation(streams):
    plain, dropping = make(streams), make(streams, dropout=0.5)
    for trainer in (plain, dropping):
        trainer.step = 1
        trainer.network.train()
        trainer._evaluate()
    assert plain.rows == dropping.rows


def test_the_gradient_is_clipped_to_a_norm_of_1(streams):
    trainer = make(streams)
    with torch.no_grad():
        for weight in trainer.network.bert.embeddings.parameters():
            weight.mul_(30)
    ((_, part),) = trainer.batches.make(0).passes
    trainer._train(TrainingBatch([(0, part)], 1))  # the sum, not the mean
    norm = torch.stack([weight.grad.norm() for weight in trainer.network.parameters()]).norm()
    assert norm.item() == pytest.approx(1.0, abs=1e-4)


def test_bfloat16_learns_nearly_the_same(streams, tmp_path):
    one = run(streams, tmp_path)
    other = run(streams, tmp_path, precision="bfloat16")
    assert one.rows[-1]["train_loss"] == pytest.approx(other.rows[-1]["train_loss"], rel=0.01)
    assert {weight.dtype for weight in other.network.parameters()} == {torch.float32}


def test_biases_and_norms_do_not_decay(streams):
    decayed, others = make(streams).optimizer.param_groups
    assert (decayed["weight_decay"], others["weight_decay"]) == (0.01, 0.0)
    assert {weight.ndim for weight in others["params"]} == {1}


def test_a_loss_that_is_nan_is_one_line(streams, tmp_path):
    with pytest.raises(KasuError, match=r"pretraining, step \d: loss nan"):
        run(streams, tmp_path, learning_rate=1e38)


@pytest.mark.parametrize("names", [("larger", "a"), ("a", "larger")])
def test_a_stream_of_a_larger_vocabulary_is_one_line(streams, names):
    stream = np.load(streams / "a.npy")
    np.save(streams / "larger.npy", np.append(stream, np.uint16(999)))
    with pytest.raises(KasuError, match=r"larger\.npy: token 999; expected less than"):
        Trainer(
            *(streams / f"{name}.npy" for name in names), read_tokenizer(streams / "tokenizer"),
            complete(SETTINGS), 1, torch.device("cpu"),
        )  # fmt: skip


def test_a_validation_text_without_a_masked_token_is_one_line(streams):
    np.save(streams / "short.npy", np.full(16, SEP, np.uint16))
    with pytest.raises(KasuError, match=r"short\.npy: no masked token; expected a longer valid"):
        Trainer(
            streams / "a.npy", streams / "short.npy", read_tokenizer(streams / "tokenizer"),
            complete(SETTINGS), 1, torch.device("cpu"),
        )  # fmt: skip


def test_places_that_only_fill_up_change_neither_loss_nor_gradient(streams):
    filled, plain = make(streams), make(streams)
    read, gold, hidden = filled.batches.rows.take(0, 8)
    part = make_pass(read, gold, hidden, torch.device("cpu"))
    guesses = int(hidden.sum())
    assert 0 < guesses < 128
    assert part.at.shape == part.gold.shape == (128,)
    assert part.gold[guesses:].tolist() == [-100] * (128 - guesses)
    bare = part._replace(at=part.at[:guesses], gold=part.gold[:guesses])
    for trainer, given in ((filled, part), (plain, bare)):
        trainer._train(TrainingBatch([(0, given)], guesses))
    assert filled._loss_sum == pytest.approx(plain._loss_sum, rel=1e-6)
    pairs = zip(filled.network.parameters(), plain.network.parameters(), strict=True)
    for one, other in pairs:
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-4, atol=1e-7)


def test_an_evaluation_counts_only_what_is_predicted(streams):
    trainer = make(streams)
    _, gold, hidden = trainer.held_out.in_order(0, 4)  # half a pass
    trainer.step = 1
    trainer._evaluate()
    expected = (gold[hidden] == trainer.most_frequent).mean()
    assert trainer.rows[0]["majority_accuracy"] == pytest.approx(expected)
    assert trainer.rows[0]["validation_loss"] == pytest.approx(3.28, abs=0.1)  # log of the pieces


def test_the_optimizer_is_berts(streams, tmp_path):
    trainer = run(streams, tmp_path, learning_rate=0.01, warmup=0.5)
    assert trainer.optimizer.defaults["betas"] == (0.9, 0.98)
    assert trainer.optimizer.defaults["eps"] == 1e-6
    # the rate of the last of four steps: two up, then down
    assert [group["lr"] for group in trainer.optimizer.param_groups] == [
        pytest.approx(0.01 / 3)
    ] * 2


def test_the_train_loss_is_the_mean_of_the_steps_since_the_last_row(streams):
    trainer = make(streams)
    trainer.step, trainer._loss_sum = 2, 5.0
    trainer._evaluate()
    trainer.step, trainer._loss_sum = 5, 6.0
    trainer._evaluate()
    assert [(row["step"], row["train_loss"]) for row in trainer.rows] == [(2, 2.5), (5, 2.0)]
    assert trainer._loss_sum == 0.0


@pytest.mark.parametrize(
    ("tokens", "passed", "parts"),
    [
        (64, 32, [(0, 2), (2, 2)]),
        (65, 32, [(0, 2), (2, 2), (4, 1)]),
        (64, 48, [(0, 3), (3, 1)]),
        (64, 1600, [(0, 4)]),
        (1, 1600, [(0, 1)]),
        (10**6, 32, [(start, 2) for start in range(0, 36, 2)]),
    ],
)
def test_an_evaluation_reads_the_tokens_asked_for(streams, monkeypatch, tokens, passed, parts):
    """No whole pass where the last one is shorter."""
    trainer = make(streams, tokens_per_pass=passed, validation_tokens=tokens)
    read, in_order = [], trainer.held_out.in_order
    monkeypatch.setattr(
        trainer.held_out, "in_order", lambda *given: read.append(given) or in_order(*given)
    )
    trainer.step = 1
    trainer._evaluate()
    assert read == parts


def test_an_evaluation_does_not_depend_on_the_passes(streams):
    found = []
    for passed in (16, 48, 1600):
        trainer = make(streams, tokens_per_pass=passed)
        trainer.step = 1
        trainer._evaluate()
        found.append([trainer.rows[0][name] for name in HISTORY[2:]])
    assert all(each == pytest.approx(found[0], rel=1e-5) for each in found)


def test_measures_of_an_evaluation_are_means_over_predicted_tokens(streams):
    trainer = make(streams)
    read, gold, hidden = map(torch.from_numpy, trainer.held_out.in_order(0, 4))
    with torch.no_grad():
        logits = trainer.network.eval()(input_ids=read).logits[hidden]
    trainer.step = 1
    trainer._evaluate()
    (row,) = trainer.rows
    loss = torch.nn.functional.cross_entropy(logits, gold[hidden]).item()
    assert row["validation_loss"] == pytest.approx(loss, rel=1e-5)
    right = (logits.argmax(1) == gold[hidden]).float().mean().item()
    assert row["validation_accuracy"] == pytest.approx(right)


def test_words_or_single_tokens_are_masked(streams):
    words, tokens = make(streams), make(streams, masking="token")
    assert not words.batches.rows.begins.all()
    assert tokens.batches.rows.begins.all()
    assert tokens.held_out.begins.all()


def test_held_out_masks_are_those_of_every_seed(streams):
    tokenizer, stream = read_tokenizer(streams / "tokenizer"), streams / "a.npy"
    one, other = (
        Trainer(stream, stream, tokenizer, complete(SETTINGS), seed, torch.device("cpu"))
        for seed in (1, 2)
    )
    assert (one.held_out.in_order(0, 4)[2] == other.held_out.in_order(0, 4)[2]).all()
    assert (one.batches.rows.take(0, 4)[2] != other.batches.rows.take(0, 4)[2]).any()
    pairs = zip(one.network.parameters(), other.network.parameters(), strict=True)
    assert any(not torch.equal(*pair) for pair in pairs)


def test_a_batch_is_divided_into_numbered_passes(streams):
    rows = make(streams).batches.rows.take(8, 8)[0]
    batch = make(streams, tokens_per_pass=48).batches.make(1)
    assert [number for number, _ in batch.passes] == [0, 1, 2]
    parts = [part.read.numpy() for _, part in batch.passes]
    assert [len(part) for part in parts] == [3, 3, 2]
    assert (np.concatenate(parts) == rows).all()


def test_a_token_one_beyond_the_vocabulary_is_too_large(streams):
    size = len(read_tokenizer(streams / "tokenizer"))
    for last, fits in ((size - 1, True), (size, False)):
        np.save(streams / "last.npy", np.append(np.load(streams / "a.npy"), np.uint16(last)))
        given = (
            streams / "last.npy", streams / "a.npy", read_tokenizer(streams / "tokenizer"),
            complete(SETTINGS), 1, torch.device("cpu"),
        )  # fmt: skip
        if fits:
            Trainer(*given)
        else:
            with pytest.raises(KasuError, match=f"token {size}; expected less than {size}"):
                Trainer(*given)


def test_batches_between_two_steps_are_those_of_each_step(streams):
    batches = make(streams).batches
    with batches.between(2, 5) as made:
        found = [batch.guesses for batch in made]
    assert found == [batches.make(step).guesses for step in (2, 3, 4)]
    with batches.between(3, 3) as made:
        assert list(made) == []


def test_places_fill_up_a_multiple_of_128():
    read = np.zeros((2, 200), np.int64)
    for masked, places in ((0, 0), (1, 128), (128, 128), (129, 256)):
        hidden = np.arange(400).reshape(2, 200) < masked
        part = make_pass(read, read + 7, hidden, torch.device("cpu"))
        assert (len(part.at), len(part.gold)) == (places, places)
        assert part.at[:masked].tolist() == list(range(masked))
        assert part.gold.tolist() == [7] * masked + [-100] * (places - masked)


def test_a_batch_is_pinned_on_the_gpu_of_its_process(monkeypatch):
    current = [0]  # of the thread; pinning opens a context there

    @contextmanager
    def device(chosen):
        current.append(chosen.index)
        yield
        current.pop()

    pinned = []
    monkeypatch.setattr(torch.cuda, "device", device)
    monkeypatch.setattr(torch.Tensor, "pin_memory", lambda self: pinned.append(current[-1]) or self)
    monkeypatch.setattr(torch.Tensor, "to", lambda self, *_, **__: self)
    rows = np.arange(6).reshape(2, 3)
    part = make_pass(rows, rows, rows % 2 == 0, torch.device("cuda", 1))
    assert pinned == [1, 1, 1]
    assert part.read.tolist() == rows.tolist()


@pytest.mark.parametrize(
    ("name", "peak"),
    [
        ("NVIDIA H100 80GB HBM3", 989e12),
        ("NVIDIA H100 PCIe", 756e12),
        ("NVIDIA H100 NVL", 835e12),
        ("NVIDIA H200", 989e12),
        ("NVIDIA H200 NVL", 835e12),
        ("NVIDIA A100-SXM4-40GB", 312e12),
        ("NVIDIA GeForce RTX 3090", None),
    ],
)
def test_the_peak_of_a_gpu(name, peak):
    assert peak_of(name) == peak
