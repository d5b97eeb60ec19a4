"""What exists of the agreement study for a config."""

from pathlib import Path

import pytest

from kasu.agreement.plan import AgreementPlan
from kasu.agreement.runs import PredictionFile
from kasu.agreement.settings import AgreementSettings
from kasu.base.errors import KasuError
from kasu.corpora.plan import Corpora
from kasu.corpora.settings import AnalyserSettings, CorpusSettings
from kasu.results.study import Data
from kasu.sources.registry import Source
from kasu.sources.workspace import Workspace

TAGSETS = Path(__file__).resolve().parents[2] / "resources" / "tagsets"

ANALYSER = AnalyserSettings.model_validate(
    {"name": "eus", "dictionary": "none.bin", "tagset": str(TAGSETS / "eus.yaml")}
)


@pytest.fixture
def corpora(tmp_path) -> Corpora:
    """A corpus of the user's own, one that is registered too in part, and a Finnish one."""
    text = tmp_path / "own.txt"
    text.write_text("Gizona da.\n")
    own, registered = {"source": str(text)}, {"source": "eu/news.txt"}
    texts = {"own": ("eu", [own]), "mixed": ("eu", [own, registered]), "fi": ("fi", [registered])}
    return Corpora(
        [
            CorpusSettings.model_validate(
                {"name": name, "language": language, "analyser": "eus", "texts": sources}
            )
            for name, (language, sources) in texts.items()
        ],
        [ANALYSER],
        Workspace(
            "results/x", {"eu/news.txt": Source("eu/news.txt", "eu/news.txt")}, Path("downloads")
        ),
    )


def plan(existing: Corpora, **settings) -> AgreementPlan:
    given = {"corpora": ["own"], **settings}
    return AgreementPlan(AgreementSettings.model_validate(given), [1], existing)


def test_a_table_without_its_network_is_not_built(corpora):
    planned = plan(corpora, grid=[{"systems": ["majority", "bilstm"]}])
    assert planned.printed == {
        "table_4": "Table 4",
        "section_5": "section 5",
        "section_6.1": "section 6.1",
        "section_7": "section 7",
    }
    assert planned.files == [
        "results/x/agreement/scores.parquet",
        "results/x/agreement/tables/table_4.tsv",
        "results/x/agreement/tables/section_5.tsv",
        "results/x/agreement/tables/section_6.1.tsv",
        "results/x/agreement/tables/section_7.tsv",
        "results/x/agreement/figures/table_4.svg",
        "results/x/agreement/figures/attractors.svg",
    ]


def test_one_file_of_predictions_for_each_system_and_condition(corpora):
    line = {"systems": ["ngram", "lstm"], "conditions": ["base", "no_verb_lemma"]}
    planned = plan(corpora, grid=[line])
    folder = "results/x/agreement/predictions/verb_number"
    assert planned.runs == [
        PredictionFile(
            "verb_number", system, "own", condition, f"{folder}/{system}/own-{condition}.parquet"
        )
        for system in ("ngram", "lstm")
        for condition in ("base", "no_verb_lemma")
    ]
    assert (planned.networks, planned.baselines) == (["lstm"], ["ngram"])


def test_examples_are_of_all_corpora_as_they_are_if_none_is_the_papers(corpora):
    lines = [
        {"systems": ["ngram", "lstm"], "conditions": ["base", "no_verb_lemma"]},
        {"task": "suffix", "systems": ["lexicon"]},
    ]
    planned = plan(corpora, corpora=["own", "mixed"], grid=lines)
    assert planned.examples == (
        {
            "test": [
                "results/x/agreement/datasets/own/test.parquet",
                "results/x/agreement/datasets/mixed/test.parquet",
            ],
            "predictions": [
                f"results/x/agreement/predictions/verb_number/{system}/{name}-base.parquet"
                for name in ("own", "mixed")
                for system in ("ngram", "lstm")
            ],
        },
        {
            "corpora": [
                {"name": name, "language": "eu", "systems": ["ngram", "lstm"]}
                for name in ("own", "mixed")
            ]
        },
    )
    of_the_paper = plan(corpora, corpora=["mixed", "own"], grid=lines)
    assert of_the_paper.untestable is None
    assert [each["name"] for each in of_the_paper.examples.settings["corpora"]] == ["mixed"]


def test_training_sets_give_a_curve_on_one_test_set(corpora):
    sets = [{"name": "2k", "words": 2000}, {"name": "old", "corpus": "mixed"}]
    line = {"systems": ["bilstm"], "conditions": ["base@2k", "base@old"], "corpora": ["own"]}
    planned = plan(corpora, corpora=["own", "mixed"], training_sets=sets, grid=[line])
    folder = "results/x/agreement"
    assert {f"{folder}/tables/curve.tsv", f"{folder}/figures/curve.svg"} <= {*planned.files}
    assert planned.report.details["Accuracy by amount of training text"] in planned.files
    assert "section_5" in planned.report.figures
    assert "training set old of own" in planned.report.counts
    assert [run.predictions for run in planned.runs] == [
        f"{folder}/predictions/verb_number/bilstm/own-base@{name}.parquet" for name in ("2k", "old")
    ]


def test_a_training_set_has_the_slots_of_the_corpus_that_is_tested(corpora):
    tagset = str(TAGSETS / "ud-subject.yaml")
    treebank = CorpusSettings(name="fr", language="fr", treebank="sequoia", tagset=tagset)
    mixed = Corpora([corpora.get("own", ""), treebank], [ANALYSER], corpora.workspace)
    sets = [{"name": "more", "corpus": "fr"}]
    line = {"systems": ["bilstm"], "conditions": ["base@more"], "corpora": ["own"]}
    with pytest.raises(KasuError) as raised:
        _ = plan(mixed, corpora=["own", "fr"], training_sets=sets, grid=[line]).runs
    assert str(raised.value) == (
        "config agreement.training_sets more: slots subject in its corpus 'fr'; expected "
        "ergative, absolutive, dative, as in 'own', which its networks are tested on"
    )


def test_suffixes_of_a_tagset_without_any_cannot_be_predicted(corpora):
    tagset = str(TAGSETS / "ud-subject.yaml")
    treebank = CorpusSettings(name="fr", language="fr", treebank="sequoia", tagset=tagset)
    existing = Corpora([treebank], [], corpora.workspace)
    line = (
        "config agreement.grid: task suffix for corpus 'fr', whose tagset .*ud-subject.yaml has no "
        "suffixes; expected other `corpora` in its line"
    )
    with pytest.raises(KasuError, match=line):
        _ = plan(existing, corpora=["fr"], grid=[{"task": "suffix"}]).runs
    assert len(plan(existing, corpora=["fr"], grid=[{"systems": ["bilstm"]}]).runs) == 1


@pytest.fixture
def french(corpora) -> Corpora:
    """A corpus whose tagset has one slot and no suffixes."""
    tagset = str(TAGSETS / "ud-subject.yaml")
    treebank = CorpusSettings(name="fr", language="fr", treebank="sequoia", tagset=tagset)
    return Corpora([treebank], [], corpora.workspace)


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        ("no_suffixes", "no_suffixes"),
        ("suffixes_only", "suffixes_only"),
        ("residual_a", "residual_a"),
        ("neutralised_case", "neutralised_case"),
        ("single_verb+no_ak@part", "single_verb[+]no_ak"),
    ],
)
def test_a_condition_on_suffixes_needs_a_tagset_with_suffixes(french, condition, shown):
    line = {"systems": ["bilstm"], "conditions": ["base", condition]}
    sets = [{"name": "part", "words": 10}]
    found = f"condition {shown} for corpus 'fr', whose tagset .*ud-subject.yaml has no suffixes"
    with pytest.raises(KasuError, match=found):
        _ = plan(french, corpora=["fr"], training_sets=sets, grid=[line]).runs


def test_other_conditions_need_no_suffixes(french):
    line = {"systems": ["bilstm"], "conditions": ["base", "no_verb", "single_verb+no_verb_lemma"]}
    assert len(plan(french, corpora=["fr"], grid=[line]).runs) == 3


def test_without_suffixes_no_table_of_attractors_is_made_and_the_run_says_why(french):
    mine = plan(french, corpora=["fr"], grid=[{"systems": ["majority", "bilstm"]}])
    assert [path for path in mine.files if "attractors" in path] == []
    (notice,) = mine.notices
    assert notice.startswith("agreement: no table of attractors: it tells arguments by their suff")


def test_with_suffixes_a_table_of_attractors_is_made(corpora):
    mine = plan(corpora, corpora=["own"], grid=[{"systems": ["majority", "bilstm"]}])
    assert [path for path in mine.files if "attractors" in path] != []
    assert mine.notices == []


def test_a_figure_that_is_not_ours_against_published_says_what_it_shows(corpora):
    sets = [{"name": "2k", "words": 2000}]
    report = plan(
        corpora, training_sets=sets, grid=[{"conditions": ["base", "base@2k"]}]
    ).report  # fmt: skip
    assert set(report.figures) - {"table_4", "footnote_6"} == set(report.legends)


def test_lines_of_the_grid_add_up(corpora):
    more = {"systems": ["bilstm"], "conditions": ["base", "no_ak"]}
    planned = plan(
        corpora,
        grid=[{"systems": ["majority", "bilstm"]}, more | {"variants": ["paper"], "seeds": [2, 1]}],
    )
    assert planned.cells == {
        ("verb_number", "majority", "base", "own"): [("paper", 1), ("released", 1)],
        ("verb_number", "bilstm", "base", "own"): [("paper", 1), ("released", 1), ("paper", 2)],
        ("verb_number", "bilstm", "no_ak", "own"): [("paper", 2), ("paper", 1)],
    }
    assert planned.systems == [("verb_number", "majority"), ("verb_number", "bilstm")]
    assert planned.variants("verb_number", "bilstm", "no_ak", "own") == ["paper"]


def test_a_line_of_the_grid_may_be_for_some_corpora(corpora):
    only_fi = {"systems": ["bilstm"], "corpora": ["fi"], "variants": ["paper"]}
    planned = plan(corpora, corpora=["own", "fi"], grid=[{"systems": ["majority"]}, only_fi])
    assert planned.cells == {
        ("verb_number", "majority", "base", "own"): [("paper", 1), ("released", 1)],
        ("verb_number", "majority", "base", "fi"): [("paper", 1), ("released", 1)],
        ("verb_number", "bilstm", "base", "fi"): [("paper", 1)],
    }
    assert [(run.system, run.corpus) for run in planned.runs] == [
        ("majority", "own"), ("majority", "fi"), ("bilstm", "fi"),
    ]  # fmt: skip
    assert planned.networks == ["bilstm"]


@pytest.mark.parametrize(
    ("names", "compared"), [(["own", "fi"], {"table_4": "Table 4"}), (["mixed", "own"], {})]
)
def test_tables_are_of_the_papers_corpus_or_of_all_of_ones_own(corpora, names, compared):
    only_last = {"systems": ["bilstm"], "corpora": names[1:]}
    planned = plan(corpora, corpora=names, grid=[{"systems": ["majority"]}, only_last])
    assert planned.compared == compared
    assert "table_2" not in planned.printed


@pytest.mark.parametrize(
    ("line", "compared"),
    [
        ({"systems": ["majority", "ngram"]}, {"table_4": "Table 4"}),
        ({"systems": ["majority", "lstm"]}, {"footnote_6": "footnote 6"}),
        (
            {"task": "suffix", "systems": ["lexicon"]},
            {"table_5": "Table 5", "table_6": "Table 6"},
        ),
    ],
)  # fmt: skip
def test_nulls_alone_stand_in_the_first_tables_of_their_task(corpora, line, compared):
    assert plan(corpora, grid=[line]).compared == compared


def test_suffix_prediction_is_another_task_of_the_grid(corpora):
    planned = plan(corpora, grid=[{"systems": ["bilstm"]}, {"task": "suffix"}])
    assert list(planned.cells) == [
        ("verb_number", "bilstm", "base", "own"),
        *(("suffix", system, "base", "own") for system in ("prior", "lexicon", "mlp", "bilstm")),
    ]
    assert (planned.networks, planned.baselines) == (["bilstm", "mlp"], ["prior", "lexicon"])
    assert planned.compared == {"table_4": "Table 4", "table_5": "Table 5", "table_6": "Table 6"}
    assert planned.printed["table_2"] == "Table 2"
    assert planned.answering == ["bilstm"]
    assert planned.answers == [planned.runs[0].predictions]


def test_the_states_of_suffix_prediction_are_probed(corpora):
    grid = [{"task": "suffix", "systems": ["bilstm"]}]
    path = "results/x/agreement/predictions/probes/bilstm/own.parquet"
    planned = plan(corpora, grid=grid)
    assert planned.runs[1:] == [PredictionFile("probes", "bilstm", "own", "base", path)]
    assert planned.printed["table_3"] == "Table 3"
    for without in (
        {"grid": grid, "probes": {"verbs": []}},
        {"grid": [grid[0] | {"conditions": ["no_verb"]}]},
        {"grid": [{"task": "suffix", "systems": ["mlp"]}]},
    ):
        assert plan(corpora, **without).probing.runs == []
        assert "table_3" not in plan(corpora, **without).printed


def test_networks_are_probed_by_seed(corpora):
    grid = [{"task": "suffix", "systems": ["bilstm"], "seeds": [4, 2, 9]}]
    assert plan(corpora, grid=grid).probing.seeds == [4, 2, 9]
    assert plan(corpora, grid=grid, probes={"seeds": [2]}).probing.seeds == (2,)
    with pytest.raises(KasuError) as raised:
        _ = plan(corpora, grid=grid, probes={"seeds": [2, 3]}).runs
    assert str(raised.value) == (
        "config agreement.probes.seeds: 3, of which no network of suffix prediction is trained; "
        "expected some of 2, 4, 9"
    )


def test_a_treebank_is_probed_only_with_an_analyser(corpora, tmp_path):
    files = {split: str(tmp_path / split) for split in ("train", "dev", "test")}
    for path in files.values():
        Path(path).touch()
    tagset = str(TAGSETS / "eus.yaml")
    annotated = CorpusSettings(name="bdt", language="eu", treebank="sequoia", tagset=tagset)
    existing = Corpora([annotated], [], corpora.workspace)
    grid = [{"task": "suffix", "systems": ["bilstm"]}]
    line = "config corpora bdt: analyser None; expected one of none"
    with pytest.raises(KasuError, match=line):
        _ = plan(existing, corpora=["bdt"], grid=grid, probes={"treebank": files}).runs


def test_a_treebank_is_probed_if_the_config_names_its_files(corpora, tmp_path):
    files = {}
    for split in ("train", "dev", "test"):
        path = tmp_path / f"{split}.conllu"
        path.touch()
        files[split] = str(path)
    grid = [{"task": "suffix", "systems": ["bilstm"]}]
    planned = plan(corpora, grid=grid, probes={"verbs": [], "treebank": files})
    assert {split: str(entry.file) for split, entry in planned.probing.treebank.items()} == files
    assert planned.printed["section_7.1_ud_probes"] == "section 7.1 UD probes"
    assert "table_3" not in planned.printed
    assert planned.probing.texts == {
        "test": "results/x/agreement/datasets/own/test.parquet",
        "treebank": "results/x/agreement/datasets/treebank.parquet",
    }
    counted = "results/x/agreement/datasets/treebank_counts.tsv"
    assert planned.report.counts["words of the probed treebank"] == counted
    assert [entry.slug for entry in planned.report.sources] == ["own", *files]


def test_a_treebank_needs_an_allowed_licence(corpora):
    corpora.workspace.licences = ("CC0",)
    corpora.workspace.registry["x.conllu"] = Source("x.conllu", "x.conllu", licence="CC BY-NC-SA")
    files = dict.fromkeys(("train", "dev", "test"), "x.conllu")
    planned = plan(corpora, probes={"treebank": files})
    line = (
        "config agreement.probes.treebank: licence 'CC BY-NC-SA' of x.conllu; "
        "expected one of `licences` in the config, or no treebank"
    )
    with pytest.raises(KasuError) as raised:
        _ = planned.probing.treebank
    assert str(raised.value) == line


def test_a_training_knows_its_condition(corpora):
    settings = plan(corpora).training_settings("no_verb_lemma")
    assert (settings["condition"], settings["embedding"]) == ("no_verb_lemma", 150)


def test_an_unknown_corpus_is_an_error_only_when_its_files_are_asked_for(corpora):
    planned = plan(corpora, corpora=["other"])
    line = "config agreement: corpus 'other'; expected one of own, mixed, fi"
    for ask in (lambda: planned.runs, lambda: planned.report):
        with pytest.raises(KasuError) as raised:
            ask()
        assert str(raised.value) == line


@pytest.mark.parametrize(
    ("corpora_of_study", "why"),
    [
        (["own", "mixed"], "the corpus is of local files, the demo's or the user's own"),
        (["mixed", "own"], None),
        (["fi"], "the language of the corpus is fi, not eu"),
    ],
)
def test_the_main_corpus_can_test_the_claims_or_not(corpora, corpora_of_study, why):
    assert plan(corpora, corpora=corpora_of_study).untestable == why


def test_the_limits_are_settings_of_the_dataset(corpora):
    planned = plan(corpora, max_sentences={"train": 5})
    assert planned.dataset_settings == {
        "variant": ["paper", "released"],
        "split": {"train": 0.7066, "validation": 0.0977, "test": 0.1957},
        "max_sentences": {"train": 5},
        "length": [2, 60],
        "polite": "singular",
        "suffix_reading": "any",
        "suffix_source": "analysis",
        "no_article": "strip",
        "seed": 1,
    }


@pytest.mark.parametrize(
    ("corpus", "data"),
    [("own", Data.YOURS), ("mixed", Data.PAPER), ("fi", Data.YOURS)],
)
def test_data_are_the_papers_in_basque_with_a_registered_source(corpora, corpus, data):
    assert plan(corpora, corpora=[corpus]).report.data is data


def test_the_report_shows_the_corpus_and_its_sources(corpora):
    report = plan(corpora, grid=[{"systems": ["majority", "bilstm"]}]).report
    assert list(report.counts) == ["source own", "corpus own", "analysis of own", "dataset own"]
    assert report.drops["dataset own"] == "results/x/agreement/datasets/own/drops.tsv"
    assert report.figures == {
        "table_4": "results/x/agreement/figures/table_4.svg",
        "section_6.1": "results/x/agreement/figures/attractors.svg",
    }
    assert [entry.slug for entry in report.sources] == ["own"]
    assert report.nulls == ["majority"]
    assert report.defaults == {"": ["paper"]}
    assert plan(corpora, variant=["released", "paper"]).report.defaults == {"": ["released"]}
    assert report.details == {
        "Claims of the paper": "results/x/agreement/tables/claims.tsv",
        "What printed accuracy and recall imply": "results/x/agreement/tables/implied.tsv",
        "Systems compared in pairs": "results/x/agreement/tables/comparisons.tsv",
        "Accuracy by attractors, distance and number of verbs": (
            "results/x/agreement/tables/attractors.tsv"
        ),
        "Labels that differ between variants: own": (
            "results/x/agreement/datasets/own/variants.tsv"
        ),
    }
    assert report.captions["section_7"] == "workflow/report/agreement_section_7.rst"
