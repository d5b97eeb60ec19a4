import json

import pyarrow.parquet as pq
import pytest

from kasu.agreement.models.inference import predict
from kasu.agreement.models.predictions import PREDICTIONS
from kasu.agreement.models.training import Outputs, TrainingData, train_models
from kasu.base.errors import KasuError


@pytest.fixture
def trained(tmp_path, datasets, settings):
    settings["epochs"] = 1
    train_models(
        TrainingData(datasets / "train.parquet", datasets / "validation.parquet"),
        Outputs(tmp_path / "model", tmp_path / "vocabulary", tmp_path / "history"),
        tmp_path / "work",
        system="lstm",
        variants=["released", "paper"],
        seeds=[2, 1],
        settings=settings,
        device="cpu",
        code="",
    )
    return tmp_path


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
