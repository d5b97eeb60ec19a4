import json

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from kasu.agreement.models.encoding import EncodedSides, count_vocabularies, read_sentences
from kasu.agreement.models.inference import predict
from kasu.agreement.models.learners import slot_log_probabilities
from kasu.agreement.models.networks import VerbNumberModel
from kasu.agreement.models.predictions import PREDICTIONS
from kasu.base.errors import KasuError


@pytest.fixture
def trained(tmp_path, datasets, settings, train):
    settings["epochs"] = 1
    models = [("released", 2), ("paper", 1), ("released", 1), ("paper", 2)]
    return train(datasets, tmp_path, settings, system="lstm", models=models)


def label(datasets, folder):
    paths = [folder / name for name in ("model", "vocabulary", "predictions")]
    predict(datasets / "test.parquet", *paths, device="cpu")
    return pq.read_table(folder / "predictions")


def test_predictions_by_variant_seed_item_slot(trained, datasets):
    table = label(datasets, trained)
    assert table.schema.equals(PREDICTIONS)
    assert table.num_rows == 2 * 2 * 60 * 3
    first, *_, last = table.to_pylist()
    keys = ("variant", "seed", "item_id", "slot")
    assert [first[key] for key in keys] == ["paper", 1, "s0", "ergative"]
    assert [last[key] for key in keys] == ["released", 2, "s59", "dative"]


def test_the_prediction_is_the_most_probable_label(trained, datasets):
    for row in label(datasets, trained).to_pylist():
        logp = {name: row[f"logp_{name}"] for name in ("none", "singular", "plural")}
        assert row["prediction"] == max(logp, key=logp.get)
        assert all(value <= 0 for value in logp.values())


def test_probabilities_of_the_labels_sum_to_1(trained, datasets):
    for row in label(datasets, trained).to_pylist():
        logp = [row[f"logp_{name}"] for name in ("none", "singular", "plural")]
        assert sum(np.exp(logp)) == pytest.approx(1, abs=1e-5)


def test_batches_and_dropout_change_no_probability(datasets, settings):
    sentences = read_sentences(datasets / "test.parquet", "paper", "base")
    known = count_vocabularies(sentences, settings)
    data = EncodedSides(sentences, known, settings, True)
    network = VerbNumberModel(known.sizes(), settings | {"dropout": 0.5}, True).train()
    device = torch.device("cpu")
    small = slot_log_probabilities(network, data, 7, device)
    whole = network.eval()(data.batch(np.arange(60), device)).log_softmax(dim=2)
    np.testing.assert_allclose(small, whole.detach().numpy(), atol=1e-5)


def test_a_vocabulary_of_another_model_ends_in_one_line(trained, datasets):
    path = trained / "vocabulary"
    symbols = json.loads(path.read_text("utf-8"))
    symbols["paper"]["token"].pop()
    path.write_text(json.dumps(symbols), "utf-8")
    with pytest.raises(KasuError, match="vocabulary: other sizes than the model"):
        label(datasets, trained)
    assert not (trained / "predictions").exists()


@pytest.mark.parametrize("name", ["model", "vocabulary"])
def test_an_unreadable_file_ends_in_one_line(trained, datasets, name):
    (trained / name).write_bytes(b"no such thing")
    with pytest.raises(KasuError, match=f"{name}: no {name}"):
        label(datasets, trained)
