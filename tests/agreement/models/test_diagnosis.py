"""From saved states to what probes say of each word."""

import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import save_file

from kasu.agreement.models.diagnosis import diagnose
from kasu.agreement.models.predictions import PROBED
from kasu.agreement.models.states import WORDS
from kasu.base.tables import write_parquet

SETTINGS = {
    "verbs": ["da", "any", "zen"], "folds": 3, "hidden": 4, "batch_size": 8, "epochs": 30,
    "patience": 30, "learning_rate": 0.05,
}  # fmt: skip


@pytest.fixture
def probed(tmp_path):
    """60 words, half of them in sentences with *da*; two with *zen*."""
    rows = [
        {
            "item_id": f"s{number}", "cluster": f"c{number}", "position": 1,
            "forms": ["dute", "zen" if number < 2 else "da" if number % 2 else "dira"],
            "closest": number % 3 > 0, "suffix": "-ek",
            "prediction": "-ek" if number % 4 else "-a", "variant": "paper", "seed": 1,
        }
        for number in range(60)
    ]  # fmt: skip
    write_parquet(tmp_path / "words", rows, WORDS)
    state = torch.zeros(60, 2).half()
    state[:, 0] = torch.tensor([1.0 if row["closest"] else -1.0 for row in rows])
    nothing = torch.zeros(60, 2).half()
    states = {"trained": state, "untrained": nothing, "word": nothing.clone()}
    save_file({f"paper/1/{name}": each for name, each in states.items()}, tmp_path / "states")
    paths = [tmp_path / name for name in ("words", "states", "predictions", "work")]
    diagnose(*paths, settings=SETTINGS, code="")
    assert not (tmp_path / "work").exists()
    return pq.read_table(tmp_path / "predictions")


def test_a_row_for_each_word_that_a_probe_was_asked_about(probed):
    assert probed.schema.equals(PROBED)
    rows = probed.to_pylist()
    # The majority, and two probes with three sources and shuffled labels
    assert len(rows) == (29 + 60) * (1 + 2 * 4)
    # *zen* has fewer words than folds
    assert {row["task"] for row in rows} == {"verb=da", "verb=any"}
    asked = [row for row in rows if (row["task"], row["probe"]) == ("verb=da", "majority")]
    assert sorted(int(row["item_id"][1:]) for row in asked) == list(range(3, 60, 2))
    for row in asked:
        number = int(row["item_id"][1:])
        assert row["gold"] == ("closest" if number % 3 else "other")
        assert row["right"] == bool(number % 4)


def test_probes_read_the_states_that_they_are_named_after(probed):
    rows = [row for row in probed.to_pylist() if row["task"] == "verb=any"]
    for source, most in {"trained": 1.0, "untrained": 2 / 3, "word": 2 / 3}.items():
        own = [r for r in rows if (r["probe"], r["source"]) == ("linear", source)]
        assert sum(r["gold"] == r["prediction"] for r in own) / 60 == pytest.approx(most)
