import json

import pytest

from kasu.lm.pretraining.torchrun_process import main


def test_an_expected_failure_is_left_for_the_one_who_asked(tmp_path):
    names = ("tokens", "validation", "tokenizer", "model", "state", "history", "work")
    given = {name: str(tmp_path / name) for name in names}
    settings = {"layers": 1, "hidden": 64, "epochs": 4, "steps_per_epoch": 1}
    given |= {"previous": None, "epoch": 3, "settings": settings, "seed": 1, "device": "cpu"}
    (tmp_path / "arguments").write_text(json.dumps(given | {"code": "1"}))
    with pytest.raises(SystemExit):
        main(tmp_path / "arguments", tmp_path / "error")
    assert json.loads((tmp_path / "error").read_text()) == ["epoch", "3; expected one of 1, 2, 4"]
