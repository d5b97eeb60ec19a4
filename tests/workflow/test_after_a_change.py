"""What runs again after a change: the table of docs/after-a-change.md."""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

pytestmark = pytest.mark.workflow

DOCS = Path(__file__).resolve().parents[2] / "docs"

DOWNLOADS = "resources/downloads"
# All jobs of the demo as the tests cut it
JOBS = 114
# Those that score a study, look for warnings, tabulate and draw. Examples of pretraining are of a
# model without a twin
SCORED = {
    "agreement": {
        "score_agreement": 1,
        "take_examples": 1,
        "find_warnings": 1,
        "bound_shares": 1,
        "measure_attractors": 1,
        "tabulate_agreement": 1,
        "draw_attractors": 1,
    },
    "inflection": {
        "score_inflection": 1,
        "take_examples": 1,
        "find_warnings": 1,
        "tabulate_inflection": 1,
        "take_fingerprints": 1,
        "draw_languages": 1,
    },
    "cloze": {
        "score_cloze": 1,
        "take_examples": 1,
        "find_warnings": 1,
        "tabulate_cloze": 1,
        "take_fingerprints": 1,
    },
    "blm": {
        "score_blm": 1,
        "take_examples": 1,
        "find_warnings": 1,
        "tabulate_blm": 1,
        "tabulate_nulls": 1,
        "draw_errors": 1,
    },
    "minimal_sets": {
        "score_minimal_sets": 1,
        "take_examples": 1,
        "find_warnings": 1,
        "tabulate_minimal_sets": 1,
        "draw_probabilities": 1,
    },
    "pretraining": {
        "score_pretraining": 1,
        "find_warnings": 1,
        "tabulate_pretraining": 1,
        "draw_curves": 1,
    },
}

# Jobs that several rows have in common
NETWORKS = {"train_agreement": 1, "predict_agreement": 1}
LABELLED = {"build_verb_number": 1, **NETWORKS, "predict_baseline": 1}
# One job trains all models of the demo, and one scores them
SMALL_MODELS = {"pretrain_small": 1, "score_small": 1, "take_examples": 1}
TWINS = {
    "learn_suffixes": 1,
    "lemmatise": 3,
    "train_tokenizer": 1,
    **SMALL_MODELS,
    "score_trigram_twin": 1,
}
# The twins, and what they are twins of
BUDGETS = {
    "build_budgets": 1,
    **TWINS,
    "train_tokenizer": 2,
    "score_trigram": 1,
}
SETS = {"build_minimal_set": 1, "describe_sets": 1, "score_sets": 1}
FILLED = {
    "build_type_ii": 1,
    "build_type_iii": 1,
    "demonstrate_generator": 1,
    "measure_overlap": 1,
    "embed_problems": 1,
    "train_networks": 1,
    "predict_heuristics": 1,
}


def no_change(demo: Mapping) -> Mapping:
    return {}


class Change(NamedTuple):
    """A change, and what it runs again.

    Attributes:
        what: in the words of the page.
        runs: the jobs before scoring, by rule and, where there are packs, by pack.
        scored: the studies that are scored anew.
        file: what changes.
        edit: how.
        config: what is stacked on the config of the demo, made from it.
    """

    what: str
    runs: Mapping[str, int]
    scored: Sequence[str]
    file: str = ""
    edit: Callable[[str], str] = str
    config: Callable[[Mapping], Mapping] = no_change

    @property
    def jobs(self) -> Counter[str]:
        jobs = Counter(self.runs)
        for study in self.scored:
            jobs.update(SCORED[study])
        return jobs + Counter({"build_report": 1, "all": 1} if jobs else {})

    @property
    def row(self) -> str:
        runs = (f"{n} × `{job}`" if n > 1 else f"`{job}`" for job, n in self.runs.items())
        cells = self.what, ", ".join(runs), ", ".join(self.scored), str(self.jobs.total())
        return f"| {' | '.join(cell or '–' for cell in cells)} |"


def append(line: str) -> Callable[[str], str]:
    return lambda text: f"{text}{line}\n"


def replace(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


def example_system(_: str) -> str:
    """The system that docs/add-a-system.md prints."""
    page = (DOCS / "add-a-system.md").read_text("utf-8")
    (module,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return module


def with_second_model(text: str) -> str:
    """The config of the tests, and in it a further model that scores the minimal sets."""
    config = yaml.safe_load(text)
    (model,), (collection,) = config["models"], config["minimal_sets"]["collections"]
    config["models"].append(model | {"name": "second"})
    collection["models"].append("second")
    return yaml.safe_dump(config, sort_keys=False)


# Lists of the config are replaced whole, so a longer one repeats what the demo has
def more_members(demo: Mapping) -> Mapping:
    lines = demo["inflection"]["grid"]
    grid = [line | {"members": 3} if line["systems"] == ["hamburg"] else line for line in lines]
    return {"inflection": {"grid": grid}}


def new_system(demo: Mapping) -> Mapping:
    return {"inflection": {"grid": [*demo["inflection"]["grid"], {"systems": ["nearest"]}]}}


def new_language(demo: Mapping) -> Mapping:
    languages = demo["inflection"]["languages"]
    return {"inflection": {"languages": [*languages, languages[0] | {"name": "third"}]}}


CHANGES = (
    Change(
        "an article of a dump",
        {"extract_wikipedia": 1, "build_corpus": 1, "analyse_corpus": 1} | LABELLED | BUDGETS,
        ["agreement", "pretraining"],
        "resources/demo/euwiki-demo-pages-articles.xml",
        replace("</text>", " Hau berria da.</text>"),
    ),
    Change(
        "a sentence of a treebank",
        {"read_treebank": 1} | SETS,
        ["minimal_sets"],
        "resources/demo/georgian/ka_demo-ud.conllu",
        replace("# text", "# note = another\n# text"),
    ),
    Change(
        "the paradigms of a language",
        {"sample_triples": 1, "check_datasets": 1, "inflect, pack 0": 7, "submit": 7},
        ["inflection"],
        "resources/demo/inflection/harmonic.paradigms.tsv",
        replace("\n", "x\n"),
    ),
    Change(
        "the training file of a language",
        {
            **{"read_sentences": 1, "inflect, pack 0": 6},
            **{"inflect_pooled, pack 0": 1, "submit": 7},
        },
        ["cloze"],
        "resources/demo/cloze/low.tsv",
        lambda text: text + "\n" + text.split("\n\n")[0] + "\n",
    ),
    Change(
        "a line of a text",
        {"read_lines": 1, "build_corpus": 1, "pretrain_model": 1, "score_sets": 1},
        ["minimal_sets"],
        "resources/demo/georgian/sentences.txt",
        lambda text: text[text.index("\n") + 1 :],
    ),
    Change(
        "a download, with its lock",
        {"read_lines": 1, "build_corpus": 1, "analyse_corpus": 1} | LABELLED | BUDGETS,
        ["agreement", "pretraining"],
        f"{DOWNLOADS}/url/kasu.invalid/texts/own.txt.lock",
        lambda text: re.sub('"sha256": "[0-9a-f]{8}', '"sha256": "00000000', text),
    ),
    Change(
        "the table of a tagset",
        {"analyse_corpus": 1} | LABELLED | TWINS,
        ["agreement", "pretraining"],
        "resources/tagsets/eus.yaml",
        append("#"),
    ),
    Change(
        "the dictionary of an analyser",
        {"analyse_corpus": 1} | LABELLED | TWINS,
        ["agreement", "pretraining"],
        "resources/eus.automorf.bin",
        append(""),
    ),
    Change(
        "the table of templates",
        {"extract_wikipedia": 1, "build_corpus": 1, "analyse_corpus": 1} | LABELLED | BUDGETS,
        ["agreement", "pretraining"],
        "resources/mediawiki/templates.tsv",
        append("#"),
    ),
    Change(
        "a list of words",
        {"sample_triples": 1, "check_datasets": 1, "inflect, pack 0": 7, "submit": 7},
        ["inflection"],
        "resources/demo/inflection/harmonic.frequencies.txt",
        append("etxe 1"),
    ),
    Change(
        "a pair",
        {
            **{"make_pairs": 2, "count_kept": 1, "lemmatise": 1},
            **{"score_small": 1, "score_trigram": 1, "score_trigram_twin": 1, "score_length": 1},
            **{"take_examples": 1},
        },
        ["pretraining"],
        "resources/demo/pairs.jsonl",
        lambda text: text[text.index("\n") + 1 :],
    ),
    Change(
        "a query",
        SETS,
        ["minimal_sets"],
        "resources/queries/kat/nom_dat.req",
        append("without { V -[iobj]-> * }"),
    ),
    Change(
        "a row of the seeds",
        {"build_type_i": 1} | FILLED,
        ["blm"],
        "resources/seeds/eng.tsv",
        lambda text: text[: text.rstrip().rindex("\n") + 1],
    ),
    Change(
        "a word of the lexicon",
        FILLED,
        ["blm"],
        "resources/seeds/eng.lexicon.tsv",
        lambda text: text + text.splitlines()[-1].replace("e", "o") + "\n",
    ),
    Change(
        "a printed digit of the agreement paper",
        {"bound_shares": 1, "tabulate_agreement": 1},
        [],
        "resources/published/basque_table4_fn6.tsv",
        replace("87.1", "87.2"),
    ),
    Change(
        "a printed digit of the pretraining paper",
        {"tabulate_pretraining": 1, "draw_curves": 1},
        [],
        "resources/published/bl2mp_appendix_tables5-19.tsv",
        replace("11.5", "11.6"),
    ),
    Change(
        "the licences that are allowed",
        {"build_corpus": 1, "analyse_corpus": 1} | LABELLED | BUDGETS,
        ["agreement", "pretraining"],
        config=lambda demo: {"licences": ["CC0"]},
    ),
    Change(
        "the epochs of a training",
        NETWORKS,
        ["agreement"],
        config=lambda demo: {"agreement": {"training": {"epochs": 4}}},
    ),
    Change("one more seed", NETWORKS, ["agreement"], config=lambda demo: {"seeds": [1, 2]}),
    Change(
        "the epochs of pretraining",
        SMALL_MODELS,
        ["pretraining"],
        config=lambda demo: {
            "pretraining": {
                "budgets": [{"name": "4k", "words": 4000, "epochs": 4, "steps_per_epoch": 3}]
            }
        },
    ),
    Change(
        "more members of a system",
        {"inflect, pack 0": 1, "inflect, pack 1": 1, "submit": 1},
        ["inflection"],
        config=more_members,
    ),
    Change(
        "a new system",
        {"inflect, pack 0": 3, "inflect, pack 1": 3, "submit": 3},
        ["inflection"],
        "workflow/kasu/inflection/systems/nearest.py",
        example_system,
        new_system,
    ),
    Change(
        "a new language",
        {"sample_triples": 1, "check_datasets": 1, "inflect, pack 0": 7, "submit": 7},
        ["inflection"],
        config=new_language,
    ),
    Change(
        "a new model",
        {"pretrain_model": 1, "score_sets": 1},
        ["minimal_sets"],
        "small.yaml",
        with_second_model,
    ),
    Change(
        "a function of a system (`baseline`, of which `ua_01` makes use)",
        {"inflect, pack 0": 4, "inflect, pack 1": 4, "submit": 4},
        ["inflection"],
        "workflow/kasu/inflection/systems/baseline.py",
        append("NEW = 1"),
    ),
    Change(
        "a function of the analysis (`kasu.corpora.morphology.tagset`)",
        {"analyse_corpus": 1} | LABELLED | TWINS,
        ["agreement", "pretraining"],
        "workflow/kasu/corpora/morphology/tagset.py",
        append("NEW = 1"),
    ),
    Change(
        "a function of the figures (`kasu.figures.style`)",
        {
            **{f"tabulate_{study}": 1 for study in SCORED},
            **{"tabulate_nulls": 1, "take_fingerprints": 2, "draw_languages": 1, "draw_errors": 1},
            **{"draw_probabilities": 1, "draw_curves": 1, "draw_attractors": 1},
        },
        [],
        "workflow/kasu/figures/style.py",
        append("NEW = 1"),
    ),
    Change(
        "what examples show (`kasu.blm.evaluation.examples`)",
        {"take_examples": 1},
        [],
        "workflow/kasu/blm/evaluation/examples.py",
        append("NEW = 1"),
    ),
    Change(
        "a script (`learn_suffixes`)",
        TWINS,
        ["pretraining"],
        "workflow/scripts/learn_suffixes.py",
        append("NEW = 1"),
    ),
    Change(
        "a comment or a docstring",
        {},
        [],
        "workflow/kasu/corpora/morphology/tagset.py",
        append("# a comment"),
    ),
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.what)
def test_a_change_runs_what_depends_on_it(demo, change):
    changed = demo.folder / "changed.yaml"
    config = yaml.safe_load((demo.folder / "small.yaml").read_text("utf-8"))
    changed.write_text(yaml.safe_dump(change.config(config)))
    undo = demo.edit(change.file, change.edit) if change.file else str
    planned = demo.planned_jobs(config=("--configfile", "small.yaml", "changed.yaml"))
    undo()
    assert planned == change.jobs


def test_the_page_has_the_table():
    table = "\n".join(change.row for change in CHANGES)
    assert table in (DOCS / "after-a-change.md").read_text("utf-8"), table


def test_a_module_that_all_scripts_import_runs_all_but_downloads(demo):
    undo = demo.edit("workflow/kasu/files/tables.py", append("NEW = 1"))
    planned = demo.planned_jobs()
    undo()
    assert planned.total() == JOBS - 1
    assert "fetch_source" not in planned


def test_another_mirror_runs_nothing(demo):
    assert demo.planned(mirror="nowhere") == set()


def test_a_change_of_code_can_be_left_out(demo):
    undo = demo.edit("workflow/kasu/corpora/morphology/tagset.py", append("NEW = 1"))
    planned = demo.planned("--rerun-triggers", "mtime")
    undo()
    assert planned == set()


def test_copied_results_alone_run_anew_unless_they_are_declared_current(demo, copy_workflow):
    clone = copy_workflow()
    for folder in ("results", DOWNLOADS):
        shutil.copytree(demo.folder / folder, clone.folder / folder)
    # As in a fresh checkout, whose files are newer
    for path in (clone.folder / "resources").rglob("*"):
        path.touch()
    assert clone.planned_jobs().total() == JOBS - 1  # not the download
    assert clone.run("--touch").returncode == 0
    assert clone.planned() == set()
    # From now on changes count
    script = next(change for change in CHANGES if "learn_suffixes" in change.what)
    clone.edit(script.file, script.edit)
    assert clone.planned_jobs() == script.jobs
