"""The configs that are shipped plan a whole run, also where nothing is downloaded yet."""

import pytest

pytestmark = pytest.mark.workflow

EVERY_STUDY = {
    "train_verb_number",
    "score_inflection",
    "train_networks",
    "pretrain_checkpoint",
    "build_minimal_set",
    "build_report",
}


@pytest.mark.parametrize(
    "scale", [("real.yaml",), ("real.yaml", "long.yaml"), ("paper.yaml",)], ids="+".join
)
def test_shipped_scale_plans_every_study(copy_workflow, scale):
    copy = copy_workflow()
    planned = copy.planned(config=("--configfile", *(f"config/{name}" for name in scale)))
    assert planned >= EVERY_STUDY
