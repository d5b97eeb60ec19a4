"""What exists of the BLM study for a config."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.blm.plan import BlmPlan
from kasu.blm.settings import BlmSettings
from kasu.lm.plan import Models
from kasu.lm.settings import ModelSettings
from kasu.sources.registry import Source
from kasu.sources.workspace import Workspace

HUB_MODEL = {
    "name": "camembert", "id": "almanach/camembert-base", "revision": "0" * 40, "licence": "MIT",
}  # fmt: skip


@pytest.fixture
def files(tmp_path) -> dict[str, str]:
    """Seeds and lexicon of a user's own."""
    paths = {"seeds": tmp_path / "own.tsv", "lexicon": tmp_path / "own.lexicon.tsv"}
    for path in paths.values():
        path.write_text("")
    return {key: str(path) for key, path in paths.items()}


def plan(**settings) -> BlmPlan:
    models = Models(
        [ModelSettings.model_validate(HUB_MODEL)], Workspace("results/x", {}, Path("downloads"))
    )
    return BlmPlan(BlmSettings.model_validate(settings), [7], models)


def test_the_target_builds_scores_tables_and_figures():
    assert plan().files == [
        "results/x/blm/scores.parquet",
        "results/x/blm/tables/table_1.tsv",
        "results/x/blm/tables/figure_8.tsv",
        "results/x/blm/tables/text.tsv",
        "results/x/blm/tables/inferred.tsv",
        "results/x/blm/tables/nulls.tsv",
        "results/x/blm/tables/overlap.tsv",
        "results/x/blm/tables/claims.tsv",
        "results/x/blm/tables/comparisons.tsv",
        "results/x/blm/tables/errors.tsv",
        "results/x/blm/tables/demonstration.tsv",
        "results/x/blm/figures/table_1.svg",
        "results/x/blm/figures/figure_9.svg",
    ]


def test_the_first_variant_stands_for_a_network(files):
    report = plan(**files).report
    assert report.defaults == {"": ["released", "released"]}
    long = {"name": "full", "answers": "released", "sizes": "paper", "loss": "dot", "score": "dot"}
    short = long | {"name": "short", "answers": "paper"}
    for variants, default in (([long, short], "released"), ([short, long], "paper")):
        report = plan(**files, training={"variants": variants}).report
        assert report.defaults == {"": [variants[0]["name"], default]}


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"seeds": "papers/blm-agrf/seeds_FR_fragments.csv"}, None),
        ({"seeds": "papers/blm-agrf/seeds_IT_fragments.csv"}, "the problems are not the paper's"),
        ({}, "the problems are not the paper's"),
        (
            {"seeds": "papers/blm-agrf/seeds_FR_fragments.csv", "language": "it"},
            "the seeds are read as it, not as French",
        ),
    ],
)
def test_claims_are_tested_on_the_french_seeds_alone(settings, why):
    names = [f"papers/blm-agrf/seeds_{language}_fragments.csv" for language in ("FR", "IT")]
    registry = {name: Source(name, name) for name in names}
    models = Models([], Workspace("results/x", registry, Path("downloads")))
    assert BlmPlan(BlmSettings.model_validate(settings), [7], models).untestable == why


def test_regimes_share_their_datasets_where_the_split_is_the_same():
    planned = plan(regimes=["allTrain", "sameTrain", "bySeed"])
    assert planned.regimes == [
        ("allTrain", "results/x/blm/datasets", None),
        ("sameTrain", "results/x/blm/datasets", None),
        ("bySeed", "results/x/blm/by_seed", None),
    ]
    assert len(planned.splits) == len(set(planned.splits)) == 2 * 3 * 3
    assert planned.splits[-1] == "results/x/blm/by_seed/type_III/test.parquet"


def test_folds_have_datasets_of_their_own():
    planned = plan(regimes=["allTrain", "bySeed"], folds=2)
    assert planned.regimes == [
        ("allTrain", "results/x/blm/datasets", None),
        ("bySeed", "results/x/blm/by_seed/fold_1", 1),
        ("bySeed", "results/x/blm/by_seed/fold_2", 2),
    ]
    assert len(planned.splits) == 3 * 3 * 3
    assert all(path.startswith("results/x/blm/datasets/") for path in planned.embedded)
    facts = planned.dataset_settings("by_seed/fold_2")
    assert (facts["split"], facts["fold"], facts["folds"]) == ("by_seed", 2, 2)


def test_a_regime_that_is_not_asked_for_needs_no_datasets():
    assert plan(regimes=["allTrain"]).splits == [
        f"results/x/blm/datasets/{type_}/{split}.parquet"
        for type_ in ("type_I", "type_II", "type_III")
        for split in ("train", "validation", "test")
    ]


def test_the_folder_says_how_its_datasets_are_split():
    facts = {
        "variant": ["paper"], "capitals": "lower", "fill": "per_sentence", "candidates": "shared",
        "test": 0.1, "validation": 0.2, "seed": 7, "fold": None, "folds": None,
    }  # fmt: skip
    variant = {
        "name": "own", "answers": "paper", "sizes": "paper", "loss": "dot", "score": "dot",
    }  # fmt: skip
    planned = plan(variant=["paper"], training={"variants": [variant]})
    assert planned.dataset_settings("datasets") == {**facts, "split": "random"}
    assert planned.dataset_settings("by_seed") == {**facts, "split": "by_seed"}


@pytest.mark.parametrize(
    ("stated", "capitals"),
    [
        ({}, "lower"),
        # A German noun keeps its capital, as does a name in Italian
        ({"language": "de"}, "keep"),
        ({"language": "it", "capitals": "lower"}, "lower"),
        ({"capitals": "keep"}, "keep"),
    ],
)
def test_capitals_are_those_of_the_released_data_in_french_alone(stated, capitals):
    assert plan(**stated).dataset_settings("datasets")["capitals"] == capitals


def test_without_models_nothing_is_read_but_seeds_and_lexicon(files):
    planned = plan(**files)
    assert (planned.fills_model, planned.encoder_model) == ([], [])
    assert planned.source_file("lexicon") == files["lexicon"]
    assert [entry.slug for entry in planned.report.sources] == ["own", "own.lexicon"]


def test_models_lie_where_they_are_fetched_to_and_are_sources(files):
    planned = plan(**files, fills="camembert", encoder="camembert")
    folder = f"downloads/models/almanach/camembert-base/{'0' * 40}"
    assert planned.fills_model == planned.encoder_model == folder
    hub = {"name": f"almanach/camembert-base@{'0' * 40}", "licence": "MIT"}
    assert planned.described("type_II")[-1].items() >= hub.items()
    assert [entry.slug for entry in planned.report.sources[2:]] == ["camembert"]


def test_type_i_has_no_words_of_a_model(files):
    planned = plan(**files, fills="camembert")
    assert [source["name"] for source in planned.described("type_I")] == [*files.values()]


def test_a_model_of_the_users_own_has_no_stated_licence(files, model_folder):
    bert = model_folder("bert/model", model_type="bert", architectures=["BertForMaskedLM"])
    planned = plan(**files, fills=bert, encoder=bert)
    own = {"name": bert, "licence": "local file", "citation": ""}
    assert planned.described("type_III")[-1] == own
    assert (planned.fills_model, planned.encoder_model, planned.encoder) == (bert, bert, "bert")


def test_a_causal_model_encodes_and_does_not_fill(files, model_folder):
    gpt = model_folder("gpt")
    planned = plan(**files, fills=gpt, encoder=gpt)
    assert planned.encoder_model == gpt
    with pytest.raises(KasuError) as error:
        _ = planned.fills_model
    assert str(error.value) == (
        f"config blm fills: {gpt} is causal, and sees nothing after a gap; "
        "expected a masked model, or lexicon"
    )


@pytest.mark.parametrize("key", ["fills", "encoder"])
def test_an_unknown_model_is_an_error_only_when_it_is_asked_for(files, key):
    planned = plan(**files, **{key: "bert"})
    assert planned.files
    line = f"config blm {key}: model 'bert': no such model; expected one of camembert or a folder"
    for ask in (lambda: getattr(planned, f"{key}_model"), lambda: planned.report):
        with pytest.raises(KasuError) as raised:
            ask()
        assert str(raised.value) == line


@pytest.mark.parametrize("key", ["seeds", "lexicon"])
def test_an_unknown_source_is_an_error_only_when_it_is_asked_for(files, key):
    planned = plan(**{**files, key: "nowhere.tsv"})
    assert planned.files
    for ask in (lambda: planned.source(key), lambda: planned.report):
        with pytest.raises(KasuError, match=rf"config blm {key}: nowhere\.tsv: no such source"):
            ask()


@pytest.mark.parametrize(("most", "cap"), [(800, "at most 800 steps"), (None, "no cap on steps")])
def test_the_note_states_encoder_and_steps(most, cap):
    assert plan(training={"max_steps": most}).note == f"encoder states; {cap}"


def variant(name: str, **settings) -> dict:
    sizes = {"answers": "released", "sizes": "released", "loss": "dot", "score": "dot"}
    return {"name": name} | sizes | settings


def test_two_poolings_of_one_encoder_stand_side_by_side():
    variants = [variant("one"), variant("two"), variant("three", pooling="cls")]
    training = {"variants": variants}
    planned = plan(encoder="camembert", encoding={"pooling": "mean"}, training=training)
    assert planned.embeddings == {
        "one": "results/x/blm/embeddings/camembert-mean.parquet",
        "two": "results/x/blm/embeddings/camembert-mean.parquet",
        "three": "results/x/blm/embeddings/camembert-cls.parquet",
    }
    assert planned.encodings == {"camembert-mean": "mean", "camembert-cls": "cls"}
    settings = {"layer": -1, "pooling": "cls", "tokens_per_batch": 4096, "threads": 1}
    assert planned.encoding_settings("camembert-cls") == settings
    assert planned.note == (
        "encoders camembert-mean (one, two) and camembert-cls (three); no cap on steps"
    )


def test_states_are_the_same_whatever_the_pooling():
    variants = [variant("one"), variant("two", pooling="mean")]
    planned = plan(training={"variants": variants})
    assert set(planned.embeddings.values()) == {"results/x/blm/embeddings/states.parquet"}
    assert list(planned.encodings) == ["states"]


def test_the_report_counts_each_dataset_once(files):
    report = plan(**files, regimes=["sameTrain", "allTrain"]).report
    assert report.counts == {
        "type_I (datasets)": "results/x/blm/datasets/type_I/counts.tsv",
        "type_II (datasets)": "results/x/blm/datasets/type_II/counts.tsv",
        "type_III (datasets)": "results/x/blm/datasets/type_III/counts.tsv",
        "sentences encoded": "results/x/blm/embeddings/states_counts.tsv",
    }
    assert report.drops["type_III (datasets)"] == "results/x/blm/datasets/type_III/drops.tsv"


def test_examples_are_of_the_first_network_and_variant_of_the_first_regime():
    files, settings = plan().examples
    assert settings["run"] == {
        "regime": "allTrain", "fold": None, "model": "FFNN", "variant": "released", "seed": 1,
    }  # fmt: skip
    assert files["problems"] == [
        f"results/x/blm/datasets/{name}/test.parquet" for name in ("type_I", "type_II", "type_III")
    ]
    assert len(files["predictions"]) == 2


def test_examples_of_a_regime_that_only_a_later_variant_trains_in_are_of_that_one():
    common = {"sizes": "paper", "loss": "dot", "score": "dot"}
    variants = [
        {"name": "first", "answers": "released", "regimes": ["allTrain"], **common},
        {"name": "second", "answers": "paper", **common},
    ]
    files, settings = plan(
        regimes=["bySeed", "allTrain"], folds=3, networks=["CNN"], runs=[4, 5],
        variant=["released", "paper"], training={"variants": variants},
    ).examples  # fmt: skip
    assert settings["run"] == {
        "regime": "bySeed", "fold": 1, "model": "CNN", "variant": "second", "seed": 4,
    }  # fmt: skip
    assert settings["answers"] == "paper"
    assert files["problems"][0] == "results/x/blm/by_seed/fold_1/type_I/test.parquet"
