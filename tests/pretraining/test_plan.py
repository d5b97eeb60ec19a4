"""What the pretraining study builds for a config, and what it resolves only when asked."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.plan import Corpora
from kasu.corpora.settings import AnalyserSettings, CorpusSettings
from kasu.lm.plan import Models
from kasu.lm.settings import ModelSettings
from kasu.pretraining.plan import PretrainingPlan
from kasu.pretraining.settings import PretrainingSettings
from kasu.sources.registry import Source
from kasu.sources.workspace import Workspace

BUDGETS = [
    {"name": "8k", "words": 8000, "epochs": 1, "steps_per_epoch": 5},
    {"name": "16k", "words": 16000, "epochs": 3, "steps_per_epoch": 5},
]
FOLDER = "results/x/pretraining"
ORDERS = {"good_reorder": "a", "bad_reorder": "b"}


def plan(*models: dict, **settings: object) -> PretrainingPlan:
    names = ("papers/bl2mp/a.jsonl", "papers/bl2mp/b.jsonl", "papers/blimp.jsonl")
    registry = {name: Source(name, name) for name in names}
    workspace = Workspace("results/x", registry, Path("downloads"))
    corpora = [
        CorpusSettings(name="basque", language="eu", analyser="eus"),
        CorpusSettings(name="plain", language="ka"),
    ]
    analysers = [AnalyserSettings(name="eus", dictionary="eus.bin", tagset="eus.yaml")]
    section = {"corpus": "basque", "budgets": BUDGETS, "pairs": [pairs("main")]}
    return PretrainingPlan(
        PretrainingSettings.model_validate(section | settings),
        Corpora(corpora, analysers, workspace),
        Models([ModelSettings.model_validate(model) for model in models], workspace),
    )


def pairs(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "sources": [__file__], **more}


def test_every_size_is_trained_on_every_text():
    sizes = [{"layers": 2, "hidden": 128}, {"layers": 4, "hidden": 256, "twins": False}]
    systems = plan(models=sizes).systems.by_slug
    assert {slug: (system.name, system.text) for slug, system in systems.items()} == {
        "bert2l-eu8k": ("BERT2L-eu8k", "8k"),
        "bert2l-eu8k-lemma": ("BERT2L-eu8k-lemma", "8k-lemma"),
        "bert2l-eu16k": ("BERT2L-eu16k", "16k"),
        "bert2l-eu16k-lemma": ("BERT2L-eu16k-lemma", "16k-lemma"),
        "bert4l-eu8k": ("BERT4L-eu8k", "8k"),
        "bert4l-eu16k": ("BERT4L-eu16k", "16k"),
    }
    settings = systems["bert4l-eu16k"].settings
    assert (settings["layers"], settings["hidden"], settings["epochs"]) == (4, 256, 3)
    assert settings["recipe"] == "short"


def test_without_twins_nothing_is_lemmatised():
    planned = plan(twins=False)
    assert planned.texts.names == ["8k", "16k"]
    assert list(planned.systems.by_slug) == ["bert4l-eu8k", "bert4l-eu16k"]
    assert not [path for path in planned.report.counts.values() if "-lemma" in path]


def test_without_twins_segmented_pairs_are_left_out_and_said_to_be():
    released = [pairs("segmented", segmented="by hand", sources=["papers/bl2mp/a.jsonl"])]
    sets = [pairs("main"), *released, pairs("mine")]
    planned, known = plan(pairs=sets, twins=False), plan(pairs=sets)
    assert planned.notices == [
        "pretraining.pairs: left out without `twins: true`: segmented (segmented)"
    ]
    assert known.notices == plan(twins=False).notices == []
    # Nothing is made of them, and their source is not fetched
    made = [*planned.files, *planned.report.files("results/x")]
    made += [run.pairs for run in planned.runs]
    assert not [path for path in map(str, made) if "segment" in path or "-lemma" in path]
    assert not any(entry.source for entry in planned.report.sources)
    assert [entry.source.name for entry in known.report.sources if entry.source] == [
        "papers/bl2mp/a.jsonl"
    ]
    assert f"{FOLDER}/tables/segmentation.tsv" in known.files
    # Further sets stay what they are
    assert list(planned.printed) == list(known.printed)


def test_training_goes_on_from_the_checkpoint_before():
    systems = plan().systems
    assert systems.get("bert4l-eu16k").checkpoints == [1, 2, 3]
    assert systems.previous_state("bert4l-eu16k", "1", "1") == []
    assert systems.previous_state("bert4l-eu16k", "1", "3") == [
        f"{FOLDER}/models/bert4l-eu16k/1/2/state.safetensors"
    ]


def test_one_job_trains_all_small_models_and_one_scores_them():
    sizes = [{"layers": 1, "hidden": 64}, {"layers": 12, "hidden": 768, "twins": False}]
    budgets = [BUDGETS[0], BUDGETS[1] | {"steps_per_epoch": 500}]
    planned = plan(models=sizes, budgets=budgets, seeds=[3, 4])
    assert planned.systems.small == ["bert1l-eu8k", "bert1l-eu8k-lemma"]
    assert planned.systems.large == [
        "bert1l-eu16k", "bert1l-eu16k-lemma", "bert12l-eu8k", "bert12l-eu16k",
    ]  # fmt: skip
    trainings = planned.systems.small_trainings
    assert list(trainings) == [
        f"{each}-{seed}" for each in planned.systems.small for seed in (3, 4)
    ]
    (job,) = trainings["bert1l-eu8k-lemma-4"]
    assert (job["model"], job["epoch"]) == (f"{FOLDER}/models/bert1l-eu8k-lemma/4/1/model", 1)
    assert job["tokens"] == f"{FOLDER}/tokens/8k-lemma/train.npy"
    assert planned.of_small("scores") == [
        f"{FOLDER}/predictions/bert1l-eu8k/3-1/main.parquet",
        f"{FOLDER}/predictions/bert1l-eu8k/4-1/main.parquet",
        f"{FOLDER}/predictions/bert1l-eu8k-lemma/3-1/main-lemma.parquet",
        f"{FOLDER}/predictions/bert1l-eu8k-lemma/4-1/main-lemma.parquet",
    ]
    assert planned.of_small("model") == planned.systems.of_small("model")


def test_a_training_on_several_gpus_is_not_small():
    training = {"tokens_per_pass": 2048}
    planned = plan(models=[{"layers": 1, "hidden": 64}], gpus=2, training=training)
    assert planned.systems.small == planned.of_small("model") == []


def test_each_text_is_tested_on_its_own_pairs():
    sets = [pairs("main"), pairs("segmented", segmented="by hand"), pairs("orders", fields=ORDERS)]
    tested = {}
    for run in plan(pairs=sets, published=["mbert"]).runs:
        tested.setdefault((run.system, run.epoch), []).append((Path(run.pairs).stem, run.variant))
    plain = [("main", ""), ("orders", "orders")]
    twin = [("main-lemma", ""), ("segmented", "by hand")]
    assert tested == {
        ("BERT4L-eu8k", 1): plain,
        ("BERT4L-eu8k-lemma", 1): twin,
        **{("BERT4L-eu16k", epoch): plain for epoch in (1, 2, 3)},
        **{("BERT4L-eu16k-lemma", epoch): twin for epoch in (1, 2, 3)},
        ("trigram-8k", None): plain,
        ("trigram-8k-lemma", None): twin,
        ("trigram-16k", None): plain,
        ("trigram-16k-lemma", None): twin,
        ("mbert", None): plain,
        ("fewer characters", None): plain,
        ("more characters", None): plain,
    }


def test_every_seed_is_a_run():
    runs = [run for run in plan(seeds=[3, 4], twins=False).runs if run.system == "BERT4L-eu8k"]
    assert [(run.seed, run.scores) for run in runs] == [
        (3, f"{FOLDER}/predictions/bert4l-eu8k/3-1/main.parquet"),
        (4, f"{FOLDER}/predictions/bert4l-eu8k/4-1/main.parquet"),
    ]


def test_a_published_model_has_its_name_in_the_paper():
    hub = {"id": "google-bert/bert-base-multilingual-cased", "revision": "abc"}
    planned = plan({"name": "multilingual", **hub}, published=["multilingual"])
    (run,) = [run for run in planned.runs if "published" in str(run.scores)]
    assert run.system == "mBERT"
    model = planned.scored_model("published/multilingual")
    assert model.folder == f"downloads/models/{hub['id']}/abc"
    assert model.definition == "pll_original"
    assert model.loading == {"remote_code": None, "untrained": False}


def test_a_folder_is_scored_by_its_kind_and_named_after_its_place(model_folder):
    gpt = model_folder("gpt/model")
    planned = plan(published=[gpt])
    (run,) = [run for run in planned.runs if "published" in str(run.scores)]
    assert (run.system, str(run.scores)) == (
        "gpt",
        f"{FOLDER}/predictions/published/gpt/main.parquet",
    )
    # It tells what was read of the folder, too
    drops = f"{FOLDER}/predictions/published/gpt/main_drops.tsv"
    assert planned.report.drops["pairs main scored by gpt"] == drops
    model = planned.scored_model("published/gpt")
    assert (model.folder, model.definition) == (gpt, "causal")


def test_a_causal_model_scores_from_left_to_right():
    gpt = {"name": "gpt", "id": "a/b", "revision": "c", "kind": "causal"}
    assert plan(gpt).scored_model("published/gpt").definition == "causal"


def test_a_checkpoint_is_scored_from_its_folder():
    model = plan().scored_model("bert4l-eu16k-lemma/1-3")
    assert model.folder == f"{FOLDER}/models/bert4l-eu16k-lemma/1/3/model"


def test_further_pairs_have_a_table_of_their_own():
    sets = [pairs("main"), pairs("segmented", segmented="by hand"), pairs("mine")]
    planned = plan(pairs=sets)
    assert list(planned.printed)[:2] == ["table_1", "table_4"]
    assert [slug for slug in planned.printed if "pairs" in slug] == ["pairs_mine"]
    assert planned.printed["pairs_mine"] == "pairs mine"
    assert f"{FOLDER}/tables/segmentation.tsv" in planned.files


def test_word_orders_have_a_figure_if_there_are_pairs_for_it():
    figure = f"{FOLDER}/figures/figure_3.svg"
    assert figure in plan(pairs=[pairs("main"), pairs("orders", fields=ORDERS)]).files
    assert figure not in plan().files


def test_corpora_that_are_budgets():
    budgets = [{"name": "8k", "corpus": "plain", "epochs": 1, "steps_per_epoch": 5}]
    planned = plan(budgets=budgets, validation="basque")
    assert planned.texts.taken == {"8k": "plain", "validation": "basque"}
    assert planned.texts.drawn == {}
    assert planned.report.counts["text 8k"] == f"{FOLDER}/corpora/8k_counts.tsv"
    assert "text by budget" not in planned.report.drops


def test_drawn_budgets():
    planned = plan()
    assert (planned.texts.drawn, planned.texts.taken) == ({"8k": 8000, "16k": 16000}, {})
    assert planned.report.counts["text by budget"] == f"{FOLDER}/corpora/counts.tsv"


def test_validation_text_of_a_twin():
    texts = plan().texts
    assert texts.validation("8k") == f"{FOLDER}/corpora/validation.parquet"
    assert texts.validation("8k-lemma") == f"{FOLDER}/corpora/validation-lemma.parquet"


def test_models_for_other_studies():
    assert plan(seeds=[5, 1], twins=False).trained_models == {
        "bert4l-eu8k": (f"{FOLDER}/models/bert4l-eu8k/5/1/model", f"{FOLDER}/corpora/8k.parquet"),
        "bert4l-eu16k": (
            f"{FOLDER}/models/bert4l-eu16k/5/3/model", f"{FOLDER}/corpora/16k.parquet",
        ),
    }  # fmt: skip
    # What a lemmatised model read, in the words of the pairs and sets it is tested on
    twin = plan(twins=True).trained_models["bert4l-eu8k-lemma"]
    assert twin.text == f"{FOLDER}/corpora/8k.parquet"


def test_an_unknown_corpus_is_an_error_only_of_what_needs_it():
    planned = plan(corpus="other")
    assert planned.files[0] == f"{FOLDER}/scores.parquet"
    assert planned.trained_models == {}
    line = "config pretraining: corpus 'other'; expected one of basque, plain"
    for ask in (
        lambda: planned.runs,
        lambda: planned.report,
        lambda: planned.sentences,
    ):
        with pytest.raises(KasuError) as raised:
            ask()
        assert str(raised.value) == line


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            {"published": ["nobody"]},
            "config pretraining.published: model 'nobody': no such model",
        ),
        ({"pairs": [pairs("main", sources=["none"])]}, "config pretraining.pairs main: none: "),
        (
            {
                "budgets": [{"name": "8k", "corpus": "x", "epochs": 1, "steps_per_epoch": 5}],
                "validation": "plain",
            },
            "config pretraining: corpus 'x'; expected one of basque, plain",
        ),
        ({"corpus": "plain"}, "config corpora plain: analyser None; expected one of eus"),
    ],
    ids=("model", "pairs", "budget", "analyser"),
)
def test_the_report_names_what_does_not_exist(settings, line):
    with pytest.raises(KasuError) as raised:
        plan(**settings).report
    assert str(raised.value).startswith(line)


def test_without_twins_a_corpus_needs_no_analyser():
    assert plan(corpus="plain", twins=False).report.name == "pretraining"


def test_a_model_that_is_not_trained():
    line = "config pretraining: model 'bert1l-eu8k'; expected one of bert4l-eu8k, bert4l-eu16k"
    with pytest.raises(KasuError) as raised:
        plan(twins=False).systems.get("bert1l-eu8k")
    assert str(raised.value) == line


@pytest.mark.parametrize(
    ("corpus", "main", "orders", "why"),
    [
        ("basque", "papers/bl2mp/a.jsonl", "papers/bl2mp/b.jsonl", None),
        ("basque", __file__, "papers/bl2mp/b.jsonl", "the pairs main are not BL2MP's"),
        ("basque", "papers/blimp.jsonl", "papers/bl2mp/b.jsonl", "the pairs main are not BL2MP's"),
        ("basque", "https://x.org/papers/bl2mp/a", __file__, "the pairs main are not BL2MP's"),
        ("basque", "papers/bl2mp/a.jsonl", __file__, "the pairs orders are not BL2MP's"),
        ("plain", "papers/bl2mp/a.jsonl", "papers/bl2mp/b.jsonl",
         "the models are trained on ka, not on Basque"),
    ],
)  # fmt: skip
def test_claims_are_tested_on_bl2mp_and_basque_alone(corpus, main, orders, why):
    sets = [
        pairs("main", sources=[main]),
        pairs("orders", sources=[orders], fields=ORDERS),
        pairs("mine"),
    ]
    assert plan(corpus=corpus, pairs=sets, twins=False).untestable == why


def test_every_set_of_pairs_has_its_room():
    sets = [pairs("main"), pairs("segmented", segmented="by hand"), pairs("orders", fields=ORDERS)]
    known = plan(pairs=[*sets, pairs("mine")]).pairs
    assert (known.main, known.segmented, known.reordered) == ("main", ["segmented"], ["orders"])
    assert known.further == ["mine"]
    assert known.scored == ["main", "segmented", "orders", "mine", "main-lemma"]
    assert known.for_text("8k") == ["main", "orders", "mine"]
    assert known.for_text("8k-lemma") == ["main-lemma", "segmented"]
    assert [known.variant(name) for name in known.scored] == ["", "by hand", "orders", "mine", ""]
    assert known.reports("drops")["pairs mine"] == f"{FOLDER}/pairs/mine_drops.tsv"


def test_what_the_report_counts_and_compares():
    report = plan().report
    assert report.counts["twin of pairs/main"] == f"{FOLDER}/pairs/main-lemma_counts.tsv"
    assert report.counts["tokens of 8k-lemma"] == f"{FOLDER}/tokens/8k-lemma/train_counts.tsv"
    assert report.drops["text by budget"] == f"{FOLDER}/corpora/drops.tsv"
    assert report.drops["twin of corpora/validation"].endswith("corpora/validation-lemma_drops.tsv")
    assert report.nulls == [
        "chance", "fewer characters", "more characters", "trigram-8k", "trigram-8k-lemma",
        "trigram-16k", "trigram-16k-lemma",
    ]  # fmt: skip
    assert report.defaults == {"": ["last epoch", "released"]}
    assert report.captions["table_4"] == "workflow/report/pretraining_table_4.rst"
    assert report.captions["table_12"] == "workflow/report/pretraining_appendix.rst"
    assert report.captions["section_5.1"] == "workflow/report/pretraining_section.rst"
    assert (
        plan(pairs=[pairs("main"), pairs("mine")])
        .report.captions["pairs_mine"]
        .endswith("pretraining_table_4.rst")
    )
    assert report.legends == {
        "table_4": "accuracy by epoch (Figure 1)",
        "table_5": "accuracy by epoch (Figure 2)",
        "table_17": "accuracy by epoch (Figure 4)",
    }
    assert list(plan().printed) == [
        "table_1", *(f"table_{number}" for number in range(4, 20)),
        "section_4.2", "section_5.1", "section_5.2", "section_5.4",
    ]  # fmt: skip


def test_what_a_model_is_trained_from():
    systems = plan(seeds=[3, 4]).systems
    assert systems.tokens("bert4l-eu16k-lemma") == f"{FOLDER}/tokens/16k-lemma/train.npy"
    system = systems.get("bert4l-eu16k")
    assert systems.histories(system) == {
        seed: f"{FOLDER}/models/bert4l-eu16k/{seed}/3/history.tsv" for seed in (3, 4)
    }
    assert systems.model(system) == f"{FOLDER}/models/bert4l-eu16k/3/3/model"
    assert (system.settings["steps_per_epoch"], system.settings["hidden"]) == (5, 256)
    assert plan().lemmatised == [
        "pairs/main", "corpora/8k", "corpora/16k", "corpora/validation",
    ]  # fmt: skip


def test_examples_are_of_the_last_checkpoint_of_the_first_model_and_of_nulls():
    drawn_from = plan(
        {"name": "mbert", "id": "a/mbert", "revision": "main"},
        models=[{"layers": 2, "hidden": 128}, {"layers": 4, "hidden": 256}],
        budgets=[BUDGETS[1], BUDGETS[0]],
        pairs=[pairs("main"), pairs("other")],
        seeds=[3, 4],
        published=["mbert"],
    ).examples
    assert drawn_from.files == {
        "pairs": [f"{FOLDER}/pairs/main.parquet"],
        "scores": [
            f"{FOLDER}/predictions/{name}/main.parquet"
            if "trigram" not in name
            else f"{FOLDER}/predictions/{name}-main.parquet"
            for name in ("bert2l-eu16k/3-3", "trigram/16k", "fewer_characters", "more_characters")
        ],
    }
    assert drawn_from.settings == {
        "systems": ["BERT2L-eu16k", "trigram-16k", "fewer characters", "more characters"],
        "language": "eu",
    }


def untrained(*sets: dict, **settings: object) -> PretrainingPlan:
    """Plan sets of pairs and two models, without a text."""
    mbert = {"name": "mbert", "id": "google-bert/bert-base-multilingual-cased", "revision": "main"}
    gpt = {"name": "gpt", "id": "a/gpt", "revision": "main", "kind": "causal"}
    given = {"corpus": None, "budgets": [], "published": ["mbert", "gpt"], **settings}
    return plan(mbert, gpt, pairs=[*sets], **given)


def test_without_a_corpus_published_models_and_lengths_are_scored():
    planned = untrained(pairs("mine"), pairs("other"))
    assert [(run.system, str(run.scores)) for run in planned.runs] == [
        (system, f"{FOLDER}/predictions/{path}/{name}.parquet")
        for system, path in (
            ("mBERT", "published/mbert"),
            ("gpt", "published/gpt"),
            ("fewer characters", "fewer_characters"),
            ("more characters", "more_characters"),
        )
        for name in ("mine", "other")
    ]
    assert planned.report.nulls == ["chance", "fewer characters", "more characters"]
    assert (planned.weights, planned.history_files, planned.trained_models) == ({}, [], {})


def test_without_a_corpus_only_tables_with_rows_are_built():
    planned = untrained(pairs("mine"), pairs("other"))
    tables = ("table_1", "table_4", "pairs_other", "claims", "comparisons", "kept")
    assert planned.files == [
        f"{FOLDER}/scores.parquet", *(f"{FOLDER}/tables/{name}.tsv" for name in tables)
    ]  # fmt: skip
    # Nothing is drawn, tokenised or lemmatised
    assert planned.report.files("results/x") == [
        f"{FOLDER}/tables/table_1.tsv", f"{FOLDER}/tables/table_4.tsv",
        f"{FOLDER}/tables/pairs_other.tsv", f"{FOLDER}/examples.tsv", f"{FOLDER}/warnings.tsv",
        *planned.report.captions.values(),
        f"{FOLDER}/pairs/mine_counts.tsv", f"{FOLDER}/pairs/other_counts.tsv",
        f"{FOLDER}/pairs/mine_drops.tsv", f"{FOLDER}/pairs/other_drops.tsv",
        f"{FOLDER}/predictions/published/mbert/mine_drops.tsv",
        f"{FOLDER}/predictions/published/gpt/mine_drops.tsv",
        *planned.details.values(),
    ]  # fmt: skip
    assert planned.lemmatised == []


def test_without_a_corpus_two_word_orders_have_their_section_and_no_figure():
    planned = untrained(pairs("mine"), pairs("orders", fields=ORDERS))
    assert list(planned.printed) == ["table_1", "table_4", "section_5.4"]
    assert planned.figures == {}


def test_without_a_corpus_a_validation_text_is_not_taken():
    planned = untrained(pairs("mine"), validation="plain")
    assert (planned.texts.taken, planned.texts.tables) == ({}, [])
    assert [name for name in planned.report.counts if "text" in name] == []


def test_without_a_corpus_examples_are_of_the_first_published_model():
    assert untrained(pairs("mine")).examples.settings == {
        "systems": ["mBERT", "fewer characters", "more characters"],
        "language": "",
    }


def test_without_a_corpus_claims_are_untestable_on_other_pairs_alone():
    assert untrained(pairs("mine")).untestable == "the pairs mine are not BL2MP's"
    assert untrained(pairs("main", sources=["papers/bl2mp/a.jsonl"])).untestable is None


def test_without_a_corpus_what_has_no_effect_is_said():
    sets = [pairs("mine"), pairs("segmented", segmented="by hand")]
    assert untrained(*sets, vocabulary=8).notices == [
        "pretraining: no effect without `corpus` and `budgets`: vocabulary",
        "pretraining.pairs: left out without `corpus` and `budgets`: segmented (segmented)",
    ]
    assert untrained(pairs("mine")).notices == []


@pytest.mark.parametrize(
    ("ask", "line"),
    [
        (lambda planned: planned.sentences, "no corpus to train on; expected `corpus` and "),
        (lambda planned: planned.analyses, "no corpus to train on; expected `corpus` and "),
        (lambda planned: planned.analyser, "no corpus to train on; expected `corpus` and "),
        (lambda planned: planned.systems.get("bert4l-eu8k"), "model 'bert4l-eu8k'; expected bud"),
    ],
    ids=("sentences", "analyses", "analyser", "model"),
)
def test_without_a_corpus_what_needs_one_is_one_line(ask, line):
    with pytest.raises(KasuError) as raised:
        ask(untrained(pairs("mine")))
    assert str(raised.value).startswith(f"config pretraining: {line}")
