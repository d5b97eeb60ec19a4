"""What exists of the minimal sets study for a config."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.plan import Corpora, Treebanks
from kasu.corpora.settings import TreebankSettings
from kasu.lm.plan import Models
from kasu.lm.settings import ModelSettings
from kasu.minimal_sets.plan import MinimalSetsPlan
from kasu.minimal_sets.released.files import FOLDER, RESULT_FILES
from kasu.minimal_sets.settings import MinimalSetsSettings
from kasu.results.study import Data
from kasu.sources.registry import Source
from kasu.sources.workspace import Workspace

HERE = "results/x/minimal_sets"
ERGATIVE = "transitive-erg-nom-subj"


def registry(*, licence: str = "CC0") -> dict[str, Source]:
    """The results on two sets of the paper, the treebank's statistics and a UniMorph file."""
    files = [file.format(code=code) for code in ("S2-ERG", "S1-DAT") for file in RESULT_FILES]
    names = [*(f"{FOLDER}/{file}" for file in files), "unimorph/kat/kat"]
    sources = [Source(name, name, licence=licence) for name in names]
    sources.append(Source("ud/UD_Georgian-GLC/stats.xml", "stats.xml", licence="CC0"))
    return {source.name: source for source in sources}


@pytest.fixture
def make(tmp_path) -> Callable[..., MinimalSetsPlan]:
    """A builder of plans with a Georgian and a Basque treebank, and three models."""
    for name in ("glc", "bdt"):
        (tmp_path / f"{name}.conllu").write_text("")

    def make(
        *collections: dict, licence: str = "CC0", licences: tuple[str, ...] = (), **settings
    ) -> MinimalSetsPlan:
        workspace = Workspace(
            "results/x", registry(licence=licence), Path("downloads"), (), licences
        )
        treebanks = [
            {"name": name, "language": language, "files": [str(tmp_path / f"{name}.conllu")]}
            for name, language in (("glc", "ka"), ("bdt", "eu"))
        ]
        treebanks += [{"name": "registered", "language": "ka", "files": ["unimorph/kat/kat"]}]
        models = [
            {"name": "own", "id": "some/own", "revision": "main"},
            {"name": "gpt", "id": "some/gpt", "revision": "main", "kind": "causal"},
            {"name": "mbert", "id": "google-bert/bert-base-multilingual-cased", "revision": "main"},
        ]
        return MinimalSetsPlan(
            MinimalSetsSettings.model_validate({"collections": collections, **settings}),
            [7],
            Treebanks([TreebankSettings.model_validate(each) for each in treebanks], workspace),
            Models([ModelSettings.model_validate(each) for each in models], workspace),
            Corpora([], [], workspace),
        )

    return make


def collection(*names: str, treebank: str = "glc", **changes: object) -> dict:
    request = "resources/queries/kat/nom_dat.req"
    sets = [{"name": name, "request": request, "target": "S", "verb": "V"} for name in names]
    facts = {"treebank": treebank, "feature": "Case", "values": ["Nom", "Erg"], "sets": sets}
    return facts | changes


def test_sets_without_a_model_are_described(make):
    plan = make(collection("a"))
    assert plan.files == [f"{HERE}/tables/sets.tsv", f"{HERE}/tables/scheme.tsv"]
    assert plan.printed == {}
    assert plan.predictions == []


def test_each_of_thousands_of_sets_is_looked_up_at_once(make):
    names = [f"s{number}" for number in range(3000)]
    plan = make(*(collection(name, models=["own"]) for name in names))
    started = time.process_time()
    assert [plan.sets.built[name].settings.name for name in names] == names
    assert plan.scored("own") == names
    assert time.process_time() - started < 1


def test_only_georgian_sets_have_the_scheme_of_georgian_cases(make):
    basque = make(collection("a", treebank="bdt"))
    assert basque.files == [f"{HERE}/tables/sets.tsv"]
    assert basque.descriptions == ("sets",)
    assert make(collection("a", treebank="bdt"), released=[ERGATIVE]).descriptions[1] == "scheme"
    assert make(collection("a", treebank="none")).descriptions == ("sets",)


def test_scored_sets_have_tables_and_figure_3(make):
    plan = make(collection("a", models=["own"]))
    assert plan.predictions == [f"{HERE}/predictions/own.parquet"]
    assert plan.files[:3] == [
        f"{HERE}/scores.parquet",
        f"{HERE}/figures/figure_3.svg",
        f"{HERE}/tables/table_3.tsv",
    ]
    assert plan.figure_variant == "word_released"


def test_causal_models_have_no_figure_3(make):
    plan = make(collection("a", models=["gpt"]))
    assert plan.figures == {}
    assert plan.definitions("gpt") == ["causal_released"]


def test_a_folder_is_not_taken_for_the_model_of_the_config_with_its_name(make, model_folder):
    bert = model_folder("gpt", model_type="bert", architectures=["BertForMaskedLM"])
    plan = make(collection("a", models=[bert]))
    assert "word_released" in plan.definitions("gpt")
    assert plan.system("gpt") == "gpt"
    assert plan.loading("gpt") == {"remote_code": None, "untrained": False}
    assert plan.training_text("gpt") == []


def test_released_sets_have_their_results_and_figures(make):
    plan = make(released=[ERGATIVE])
    assert plan.predictions == [f"{HERE}/predictions/released_results.parquet"]
    assert plan.sets.names == [ERGATIVE]
    assert len(plan.sets.results) == 12
    items = plan.sets.released[ERGATIVE].items.file
    assert items == Path("downloads", FOLDER, "mlm-mBERT-S2-ERG-word-level.csv")
    assert plan.figures == {
        "table_3": f"{HERE}/figures/table_3.svg",
        "section_7.1": f"{HERE}/figures/figure_3.svg",
    }
    assert plan.figure_variant == "released_results"
    assert plan.sets.statistics == ["downloads/stats.xml"]
    assert plan.sets.pools == {ERGATIVE: "released"}


def test_examples_are_of_all_models_and_of_released_results_last(make):
    own = collection("b", treebank="bdt", models=["gpt", "own"])
    files, settings = make(own, released=[ERGATIVE]).examples
    assert files == {
        "sets": [f"{HERE}/datasets/{name}/items.parquet" for name in ("b", ERGATIVE)],
        "predictions": [
            f"{HERE}/predictions/{name}.parquet" for name in ("gpt", "own", "released_results")
        ],
    }
    assert settings == {
        "definitions": ["causal_released", "word_released", "released_results"],
        "languages": {"b": "eu", ERGATIVE: "ka"},
    }


def test_one_fetch_per_set_of_the_paper(make):
    plan = make()
    assert (
        plan.sets.result_files[0]
        == f"downloads/{FOLDER}/mlm-XLM-RoBERTa(bs)-{{code}}-word-level.csv"
    )
    sources = plan.sets.result_sources("S2-ERG")
    assert len(sources) == len(plan.sets.result_files) == 12
    assert sources[0]["path"] == f"{FOLDER}/mlm-XLM-RoBERTa(bs)-S2-ERG-word-level.csv"


def test_results_of_a_refused_licence_are_left_out(make):
    plan = make(collection("a"), released=[ERGATIVE], licence="CC BY-NC 4.0", licences=("CC0",))
    assert plan.sets.released == {}
    assert plan.sets.statistics == []


def test_a_model_scores_its_sets_and_the_released_ones_of_its_language(make):
    georgian = collection("a", "b", models=["own"])
    basque = collection("c", treebank="bdt", models=["own", "gpt"])
    plan = make(georgian, basque, released=[ERGATIVE])
    assert plan.scored("own") == ["a", "b", ERGATIVE, "c"]
    assert plan.scored("gpt") == ["c"]


def test_a_model_of_the_paper_counts_the_tokens_of_released_items(make):
    plan = make(collection("a", models=["own", "mbert"]), released=[ERGATIVE])
    assert plan.tokens == [f"{HERE}/tokens/mbert/{ERGATIVE}.parquet"]
    assert (plan.system("mbert"), plan.system("own")) == ("mBERT", "own")


def test_folders_are_models_of_their_own_kind(make, model_folder):
    gpt = model_folder("gpt/model")
    bert = model_folder("bert/model", model_type="bert", architectures=["BertForMaskedLM"])
    plan = make(collection("a", models=[gpt, bert]))
    assert plan.predictions == [f"{HERE}/predictions/{name}.parquet" for name in ("gpt", "bert")]
    assert (plan.model("gpt"), plan.system("gpt")) == (gpt, "gpt")
    assert plan.definitions("gpt") == ["causal_released"]
    assert plan.definitions("bert")[0] == "word_released"
    assert [(entry.slug, str(entry.file)) for entry in plan.report.sources[-2:]] == [
        ("gpt", gpt), ("bert", bert),
    ]  # fmt: skip


def test_what_a_set_is_made_of(make):
    plan = make(
        collection("a", lexicon=["bdt"], max_items=5, agreement={"Erg": "Number[erg]"}),
        matches="all",
        capitals="released",
    )
    assert plan.sets.built["a"].design == {
        "name": "a",
        "target": "S",
        "verb": "V",
        "feature": "Case",
        "values": ["Nom", "Erg"],
        "matches": "all",
        "capitals": "released",
        "agreement": {"Erg": "Number[erg]"},
        "max_items": 5,
        "seed": 7,
    }
    assert plan.sets.built["a"].treebank == ["results/x/treebanks/glc.parquet"]
    assert plan.sets.built["a"].lexicon == ["results/x/treebanks/bdt.parquet"]
    assert plan.sets.built["a"].language == "ka"


def test_only_the_sets_of_the_paper_keep_the_last_match_by_default(make):
    given = collection("own", "rebuilt")
    given["sets"][1]["released"] = ERGATIVE

    def matches(**settings):
        plan = make(given, **settings)
        return [each.design["matches"] for each in plan.sets.built.values()], plan.notices

    told = (
        "minimal_sets.matches: every match of a sentence becomes an item; before, only the last "
        "did (`matches: last`): own"
    )
    assert matches() == (["all", "last"], [told])
    assert matches(matches="last") == (["last", "last"], [])
    assert matches(matches="all") == (["all", "all"], [])


def test_conventions_go_with_paradigms(make):
    collections = collection("a", paradigms="unimorph/kat/kat"), collection("b")
    (table,) = make(*collections).sets.built["a"].conventions
    assert Path(table).match("resources/tagsets/unimorph_conventions.tsv")
    own = make(*collections, conventions=__file__).sets.built
    assert (own["a"].conventions, own["b"].conventions) == ([__file__], [])


def test_paradigms_belong_to_one_collection_and_need_their_licence(make):
    collections = collection("a", paradigms="unimorph/kat/kat"), collection("b")
    plan = make(*collections)
    assert [entry.slug for entry in plan.sets.built["a"].paradigms] == ["kat.kat"]
    assert plan.sets.built["b"].paradigms == []
    refused = make(*collections, licence="CC BY-NC 4.0", licences=("CC0",))
    assert refused.sets.built["a"].paradigms == []


def test_paradigms_named_twice_are_one_line(make):
    paradigms = 2 * ["unimorph/kat/kat"]
    with pytest.raises(KasuError, match=r"collections: unimorph/kat/kat: in the list already"):
        make(collection("a", paradigms=paradigms)).sets.built["a"].paradigms


def test_collections_of_one_treebank_are_numbered(make):
    plan = make(collection("a", "b"), collection("c", treebank="bdt"), collection("d"))
    assert plan.sets.pools == {"a": "glc", "b": "glc", "c": "bdt", "d": "glc 2"}


def test_a_built_set_is_compared_with_its_released_counterpart(make):
    subjects = collection("a", "b")
    subjects["sets"][0]["released"] = ERGATIVE
    assert make(subjects).sets.overlaps == {}
    plan = make(subjects, released=[ERGATIVE])
    assert plan.sets.counterparts == {"a": ERGATIVE}
    assert plan.sets.overlaps == {"a": f"{HERE}/datasets/a/overlap.tsv"}
    assert f"{HERE}/datasets/a/overlap.tsv" in plan.files


@pytest.mark.parametrize(
    ("given", "ask", "line"),
    [
        (
            {"models": ["nobody"]},
            lambda plan: plan.model("nobody"),
            "config minimal_sets.collections: model 'nobody': no such model; "
            "expected one of own, gpt, mbert or a folder",
        ),
        (
            {"treebank": "none"},
            lambda plan: plan.report,
            "config minimal_sets.collections: treebank 'none': no such treebank; "
            "expected one of glc, bdt, registered",
        ),
        (
            {"sets": [{"name": "a", "request": "gone.req", "target": "S"}]},
            lambda plan: plan.report,
            "config minimal_sets.collections, set a: gone.req: no such source; expected a name "
            "of the registry, an existing file or an http(s) address",
        ),
        (
            {"lexicon": ["none"]},
            lambda plan: plan.sets.built["a"].lexicon,
            "config minimal_sets.collections: treebank 'none': no such treebank; "
            "expected one of glc, bdt, registered",
        ),
    ],
)
def test_what_is_missing_is_an_error_of_the_files_that_need_it(make, given, ask, line):
    plan = make(collection("a", **given))
    assert f"{HERE}/tables/sets.tsv" in plan.files
    with pytest.raises(KasuError) as error:
        ask(plan)
    assert str(error.value) == line


def test_claims_on_verbs_rest_on_registered_georgian_treebanks(make):
    def rebuilt(**changes):
        made = collection("a", **changes)
        made["sets"][0]["released"] = ERGATIVE
        return make(made).sets.rebuilt

    assert rebuilt(treebank="registered") == {"a": ERGATIVE}
    assert rebuilt(treebank="registered", lexicon=["glc"]) == {}
    assert rebuilt() == rebuilt(treebank="bdt") == {}


def test_an_unknown_released_set_is_refused(make):
    with pytest.raises(KasuError, match="'passive'; expected intransitive"):
        make(released=["passive"]).files


def test_a_built_set_may_have_the_name_of_a_set_of_the_paper_that_is_not_used(make):
    plan = make(collection(ERGATIVE))
    assert plan.sets.names == [ERGATIVE]
    assert ERGATIVE not in plan.sets.releasable
    with pytest.raises(KasuError, match=f"config minimal_sets: '{ERGATIVE}' is built and released"):
        make(collection(ERGATIVE), released=[ERGATIVE]).files


def test_sets_of_the_papers_language_alone_are_on_the_papers_data(make):
    assert make(collection("a"), released=[ERGATIVE]).report.data is Data.PAPER
    assert make(collection("a")).report.data is Data.YOURS  # of a local file
    assert make(collection("a", treebank="bdt")).report.data is Data.YOURS


def test_the_report_shows_sets_models_and_sources(make):
    report = make(
        collection("a", models=["own"], lexicon=["bdt"], paradigms="unimorph/kat/kat")
    ).report
    assert list(report.counts) == ["treebank glc", "treebank bdt", "a"]
    assert report.drops == {
        "a": f"{HERE}/datasets/a/drops.tsv",
        "scored by own": f"{HERE}/predictions/own_drops.tsv",
    }
    assert list(report.details)[:3] == [
        "Claims of the paper",
        "Sets",
        "Scheme of cases, Table 1 and Figure 1",
    ]
    assert report.nulls == [
        "chance", "shortest form", "always nom", "always erg", "fewest tokens of own",
    ]  # fmt: skip
    # At each level the first; the authors' own scores last
    assert report.defaults == {
        "": ["word_released", "word_paper_ideal", "sentence_intended", "sentence_released_dec19",
             "sentence_released_dec24", "pll_original", "causal_released", "released_results"]
    }  # fmt: skip
    sources = [entry.slug for entry in report.sources]
    assert sources == ["glc", "bdt", "nom_dat.req", "kat.kat", "own"]


def test_pairs_of_a_treebank_by_both_rules(make):
    plan = make(
        {"treebank": "bdt", "sets": "agreement", "models": ["gpt"]},
        {"treebank": "glc", "sets": "agreement", "features": ["Person"]},
        rules=["kasu", "multiblimp"],
    )
    names = ["bdt-kasu", "bdt-multiblimp", "glc-kasu", "glc-multiblimp"]
    assert plan.sets.names == names
    assert plan.scored("gpt") == names[:2]
    assert plan.pair_predictions == [f"{HERE}/predictions/gpt.parquet"]
    tables = ("pairs", "agreement", "pair_scores")
    assert {f"{HERE}/tables/{table}.tsv" for table in tables} <= set(plan.files)
    assert f"{HERE}/tables/audit.tsv" not in plan.files
    ours, theirs = plan.sets.pair_set("glc-kasu"), plan.sets.pair_set("glc-multiblimp")
    assert ours.design == {
        "name": "glc-kasu", "rules": "kasu", "features": ["Person"], "language": "ka",
        "agrees": 0.9, "per_condition": None, "seed": 7,
    }  # fmt: skip
    assert [Path(file).name for file in ours.request_files] == [
        "verb.req", "auxiliary.req", "participle.req"
    ]  # fmt: skip
    assert (theirs.request_files, theirs.conventions) == ([], [])
    assert ours.request_kinds == ["verb", "auxiliary", "participle"]


@pytest.mark.parametrize(
    ("treebank", "stated", "expected"),
    [
        ("registered", {}, ["registered-multiblimp"]),
        ("registered", {"printed": False}, []),
        ("glc", {}, []),
        ("glc", {"printed": True}, ["glc-multiblimp"]),
    ],
)
def test_print_stands_beside_pairs_of_registered_treebanks(make, treebank, stated, expected):
    given = {"treebank": treebank, "sets": "agreement", **stated}
    assert make(given, rules=["kasu", "multiblimp"]).sets.pairs_in_print == expected


def test_an_audit_takes_the_material_of_the_pairs_of_its_language(make):
    plan = make(
        {"treebank": "glc", "sets": "agreement", "paradigms": "unimorph/kat/kat"},
        audit=["unimorph/kat/kat"],
    )
    assert f"{HERE}/tables/audit.tsv" in plan.files
    (ground,) = plan.sets.grounds.values()
    assert (ground["language"], len(ground["treebanks"]), len(ground["unimorph"])) == ("ka", 1, 1)
    assert {*ground["treebanks"], *ground["unimorph"]} <= set(plan.sets.ground_files)
