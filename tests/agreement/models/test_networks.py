import numpy as np
import pytest
import torch

from kasu.agreement.models.encoding import (
    EncodedSides,
    EncodedWhole,
    count_vocabularies,
    read_sentences,
)
from kasu.agreement.models.networks import SuffixModel, VerbNumberModel, WordVectors

CPU = torch.device("cpu")
PAPER = {"embedding": 150, "hidden": 150, "mlp": 128, "activation": "tanh", "dropout": 0.0}


def parameters(module) -> int:
    return sum(weight.numel() for weight in module.parameters())


@pytest.mark.parametrize(
    # Each table 150 x 100,001; each LSTM 181,200; MLPs of 128 units with 300 or 150 inputs
    ("bidirectional", "expected"),
    [(True, 45_000_450 + 2 * 181_200 + 116_745), (False, 45_000_450 + 181_200 + 59_145)],
)
def test_parameters_at_the_size_of_the_paper(bidirectional, expected):
    with torch.device("meta"):
        model = VerbNumberModel([100_001] * 3, PAPER, bidirectional)
    assert parameters(model) == expected


@pytest.fixture(params=[True, False], ids=["bilstm", "lstm"])
def data(request, datasets, settings):
    sentences = read_sentences(datasets / "test.parquet", "paper", "base")
    known = count_vocabularies(sentences, settings)
    return EncodedSides(sentences, known, settings, request.param)


@pytest.fixture
def model(data, settings):
    torch.manual_seed(1)
    sizes = count_vocabularies(data.sentences, settings).sizes()
    return VerbNumberModel(sizes, settings, data.lengths.shape[1] == 2).eval()


def test_logits_are_sentences_by_slots_by_labels(model, data):
    assert model(data.batch(np.arange(5), CPU)).shape == (5, 3, 3)


def test_the_score_of_a_sentence_does_not_depend_on_its_batch(model, data):
    together = model(data.batch(np.arange(40), CPU))
    alone = torch.cat([model(data.batch(np.array([row]), CPU)) for row in range(40)])
    torch.testing.assert_close(together, alone)


def test_the_state_at_the_verb_is_that_of_a_network_over_the_whole_sentence(model, data):
    row = 3
    sentences, words = data.sentences, data.sentences.words
    batch = data.batch(np.array([row]), CPU)
    start, end = sentences.starts[row], sentences.starts[row + 1]
    left, right = range(start, start + sentences.targets[row] + 1), range(start, end)
    read = sorted({int(words[position]) for position in (right if model.right else left)})
    vectors = dict(zip(read, model.words(batch.words), strict=True))
    state = model.left(torch.stack([vectors[words[position]] for position in left]))[0][-1]
    if model.right:
        back = model.right(torch.stack([vectors[words[position]] for position in reversed(right)]))
        state = torch.cat([state, back[0].flip(0)[sentences.targets[row]]])
    expected = torch.stack([head(state) for head in model.heads.values()])
    torch.testing.assert_close(model(batch)[0], expected)


def test_a_word_is_the_sum_of_token_lemma_and_ngrams():
    vectors = WordVectors([3, 3, 4], 2)
    for number, table in enumerate([vectors.token, vectors.lemma, vectors.ngram]):
        table.weight.data = 10.0**number * torch.arange(len(table.weight))[:, None].repeat(1, 2)

    class Two:
        token, lemma = torch.tensor([1, 2]), torch.tensor([2, 0])
        ngram, ngram_begins = torch.tensor([1, 3]), torch.tensor([0, 2])  # two n-grams, and none

    assert vectors(Two).tolist() == [[421.0, 421.0], [2.0, 2.0]]


def test_unknown_symbols_are_initialised_to_zero():
    vectors = WordVectors([3, 3, 4], 2)
    assert vectors.token.weight[0].tolist() == vectors.ngram.weight[0].tolist() == [0.0, 0.0]


def test_embeddings_start_with_a_variance_of_1_over_their_width():
    vectors = WordVectors([4000, 3, 4], 25)
    assert vectors.token.weight[1:].std().item() == pytest.approx(0.2, abs=0.005)
    assert vectors.lemma.weight.shape == (3, 25)


def test_only_the_rows_of_a_batch_have_gradients(model, data):
    model.loss(data.batch(np.arange(2), CPU)).backward()
    for table in (model.words.token, model.words.lemma, model.words.ngram):
        assert table.weight.grad.is_sparse


def test_dropout_acts_on_words_and_on_states_in_training_only(data, settings):
    sizes = count_vocabularies(data.sentences, settings).sizes()
    dropping = VerbNumberModel(sizes, settings | {"dropout": 1.0}, data.lengths.shape[1] == 2)
    batch = data.batch(np.arange(3), CPU)
    nothing = torch.zeros(3, dropping.heads["dative"][0].in_features)
    expected = torch.stack([head(nothing) for head in dropping.heads.values()], dim=1)
    torch.testing.assert_close(dropping(batch), expected)
    assert not torch.allclose(dropping.eval()(batch), expected)
    # without the dropout of states, that of words still hides which words they are
    dropping.train().dropout.p = 0.0
    seen = dropping(batch)
    dropping.words.token.weight.data += 1
    assert not torch.allclose(dropping(batch), seen)


@pytest.mark.parametrize(("name", "kind"), [("tanh", torch.nn.Tanh), ("relu", torch.nn.ReLU)])
def test_the_activation_is_that_of_the_settings(settings, name, kind):
    model = VerbNumberModel([3, 3, 3], settings | {"activation": name}, True)
    assert isinstance(model.heads["ergative"][1], kind)


def test_the_loss_is_the_sum_of_three_cross_entropies(model, data):
    for head in model.heads.values():
        torch.nn.init.zeros_(head[-1].weight)
        torch.nn.init.zeros_(head[-1].bias)
    loss = model.loss(data.batch(np.arange(7), CPU))
    assert loss.item() == pytest.approx(3 * np.log(3))


# Suffix prediction


@pytest.fixture
def tagged(tmp_path, write_dataset, draw_suffixes, settings):
    rows = draw_suffixes(20, 1)
    for row in rows[::3]:  # sentences of two lengths
        words = {name: value[1:] for name, value in row.items() if isinstance(value, list)}
        row.update(words, target=row["target"] - 1)
    path = write_dataset(tmp_path / "d.parquet", rows)
    sentences = read_sentences(path, "paper", "base", "suffix")
    return EncodedWhole(sentences, count_vocabularies(sentences, settings), settings)


@pytest.fixture(params=[True, False], ids=["bilstm", "mlp"])
def tagger(request, tagged, settings):
    torch.manual_seed(1)
    sizes = count_vocabularies(tagged.sentences, settings).sizes()
    return SuffixModel(sizes, settings, request.param).eval()


@pytest.mark.parametrize(
    # Inputs of 300 or 150 to an MLP of 128 units with six outputs
    ("recurrent", "expected"),
    [(True, 45_000_450 + 2 * 181_200 + 39_302), (False, 45_000_450 + 20_102)],
)
def test_parameters_of_suffix_prediction_at_the_size_of_the_paper(recurrent, expected):
    with torch.device("meta"):
        assert parameters(SuffixModel([100_001] * 3, PAPER, recurrent)) == expected


def test_suffixes_of_a_sentence_do_not_depend_on_its_batch(tagger, tagged):
    together = tagger(tagged.batch(np.arange(20), CPU))
    alone = torch.cat([tagger(tagged.batch(np.array([row]), CPU)) for row in range(20)])
    torch.testing.assert_close(together, alone)


def test_the_states_of_a_sentence_are_those_of_a_bidirectional_lstm(tagged, settings):
    torch.manual_seed(1)
    sizes = count_vocabularies(tagged.sentences, settings).sizes()
    model = SuffixModel(sizes, settings, recurrent=True)
    both = torch.nn.LSTM(settings["embedding"], settings["hidden"], bidirectional=True)
    reverse = {f"{name}_reverse": each for name, each in model.right.state_dict().items()}
    both.load_state_dict(model.left.state_dict() | reverse)
    batch = tagged.batch(np.arange(20), CPU)
    vectors, states = model.vectors(batch), model.states(batch)
    assert len(set(batch.whole.lengths.tolist())) > 1
    for row, length in enumerate(batch.whole.lengths):
        expected, _ = both(vectors[:length, row])
        torch.testing.assert_close(states[:length, row], expected)


def test_only_the_recurrent_network_sees_the_sentence(tagger, tagged):
    """The words of two sentences in one, before and after: only context differs."""
    one = tagger(tagged.batch(np.array([0]), CPU))
    sentences = tagged.sentences
    sentences.starts[1] = sentences.starts[2]  # the first sentence goes on with the second
    tagged.lengths[0] += tagged.lengths[1]
    joined = tagger(tagged.batch(np.array([0]), CPU))[: len(one)]
    assert torch.allclose(one, joined, atol=1e-6) == (tagger.left is None)


def test_the_loss_of_suffixes_is_a_mean_over_words_to_label(tagger, tagged):
    torch.nn.init.zeros_(tagger.head[-1].weight)
    torch.nn.init.zeros_(tagger.head[-1].bias)
    assert tagger.loss(tagged.batch(np.arange(7), CPU)).item() == pytest.approx(np.log(6))


def test_a_batch_without_a_word_to_label_has_no_loss(tagger, tagged):
    tagged.sentences.gold[: tagged.sentences.starts[1]] = -1
    loss = tagger.loss(tagged.batch(np.array([0]), CPU))
    loss.backward()
    assert loss.item() == 0
    assert all(not weight.grad.any() for weight in tagger.head.parameters())
