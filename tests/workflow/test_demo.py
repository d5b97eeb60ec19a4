"""The whole workflow on the demo: what it makes, and what it says of a bad config."""

import csv
import json
import re
import subprocess
import sys

import pytest

import kasu
from kasu.settings import STUDIES

pytestmark = pytest.mark.workflow

RESULTS = "results/demo"


def test_second_run_does_nothing(demo):
    assert demo.planned() == set()


def test_a_table_that_was_deleted_is_made_again(clone):
    (clone.folder / RESULTS / "cloze/tables/table_11.tsv").unlink()
    assert clone.planned() == {"tabulate_cloze", "build_report", "all"}
    assert clone.planned("cloze", "report") == {
        "tabulate_cloze", "build_report", "cloze", "report",
    }  # fmt: skip


def test_page_shows_the_table(demo):
    page = (demo.folder / RESULTS / "report/index.html").read_text(encoding="utf-8")
    assert "Table 4" in page
    assert "87.1" in page  # the published accuracy for the ergative
    assert "https://kasu.invalid/texts/own.txt" in page
    assert "unverified" in page


def test_page_shows_ten_items_of_each_study(demo):
    page = (demo.folder / RESULTS / "report/index.html").read_text(encoding="utf-8")
    for study in ("agreement", "inflection", "cloze", "blm", "pretraining", "minimal_sets"):
        (shown,) = re.findall(f'<section id="{study}-examples".*?</section>', page, re.DOTALL)
        assert shown.count('class="soft item"') == 10, study
        assert "✓ right" in shown and "✗ wrong" in shown, study
        # Before its tables
        assert page.index(f'id="{study}-examples"') < page.index(f'aria-labelledby="{study}-table_')


def test_kasu_page_builds_the_page_of_the_run(demo, tmp_path):
    built = demo.folder / RESULTS / "report/index.html"
    page = demo.folder / RESULTS / "report/again.html"
    command = [sys.executable, "-m", "kasu", "page", RESULTS, "--out", str(page)]
    done = subprocess.run(
        command, cwd=demo.folder, env=demo.environment, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert page.read_bytes() == built.read_bytes()
    page.unlink()


def test_a_notebook_builds_the_set_of_the_run(demo, monkeypatch, tmp_path):
    monkeypatch.chdir(demo.folder)
    name = "demo-nom-dat-subj"
    kasu.build_set(
        "resources/demo/georgian/ka_demo-ud.conllu", "resources/queries/kat/nom_dat.req",
        language="ka", feature="Case", values=["Nom", "Dat", "Erg"], target="S", verb="V",
        matches="last", licence="CC0-1.0", name=name, out=tmp_path / "alone",
    )  # fmt: skip
    built = demo.folder / RESULTS / "minimal_sets/datasets" / name
    for file in ("items.parquet", "counts.tsv", "drops.tsv"):
        assert (tmp_path / "alone" / file).read_bytes() == (built / file).read_bytes()


def test_page_needs_no_network(demo):
    page = (demo.folder / RESULTS / "report/index.html").read_text(encoding="utf-8")
    for loading in ('src="http', 'href="http', "@import", "url(http"):
        assert loading not in page


def test_table_has_every_published_row(demo):
    with (demo.folder / RESULTS / "agreement/tables/table_4.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len([row for row in rows if row["published"]]) == 42
    # A text is from an address of the user's own, so no printed figure stands beside ours
    assert not [row for row in rows if row["published"] and row["ours"]]
    assert {row["condition"] for row in rows if row["ours"]} == {
        "Base|ergative",
        "Base|absolutive",
        "Base|dative",
    }


def test_lock_says_what_was_checked(demo):
    lock = demo.folder / "resources/downloads/url/kasu.invalid/texts/own.txt.lock"
    assert json.loads(lock.read_text())["verified"] == "unverified"


def test_studies_can_be_built_alone(demo):
    """A plan of all these targets has the jobs of each."""
    assert demo.planned(*STUDIES, "corpora") == set()


def test_rules_are_documented(demo):
    listed = demo.run("--list").stdout
    assert "Train one network for a task, all variants and seeds in one job." in listed


def test_snakemakes_own_report_works(demo):
    done = demo.run("--report", "report.html")
    assert done.returncode == 0, done.stderr
    assert "Ravfogel" in (demo.folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ("devise=cpu", "config: unknown key 'devise'; expected 'device'"),
        ("device=tpu", "config device: found 'tpu'; expected one of auto, cpu, cuda"),
        ("seeds=one", "config seeds: found 'one'; expected a list of whole numbers, each once"),
    ],
)
def test_bad_config_is_one_line(demo, config, line):
    done = demo.run("-n", config=(config,))
    assert done.returncode == 1
    assert line in done.stderr + done.stdout


def test_unknown_source_names_the_nearest(demo):
    wrong = demo.folder / "wrong.yaml"
    wrong.write_text(
        "corpora: [{name: x, language: eu, wikis: [wikipedia/eu/minidump_wiki.xml]}]\n"
    )
    done = demo.run("corpora", "-n", config=("--configfile", "small.yaml", "wrong.yaml"))
    assert done.returncode == 1
    line = "error: config corpora x: wikipedia/eu/minidump_wiki.xml: no such source; expected"
    assert line in done.stderr
    assert "wikipedia/eu/minidump_eu_wiki.xml.bz2" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_further_set_of_pairs_has_a_table(demo):
    """The models are not trained again."""
    further = demo.folder / "further.yaml"
    further.write_text(
        "pretraining: {pairs: [{name: demo-pairs, sources: [resources/demo/pairs.jsonl]},"
        " {name: my-set, sources: [resources/demo/pairs.jsonl]}]}\n"
    )
    planned = demo.planned("pretraining", config=("--configfile", "small.yaml", "further.yaml"))
    assert {"make_pairs", "score_small", "tabulate_pretraining"} <= planned
    assert "pretrain_small" not in planned


def test_models_that_share_a_job_have_the_bytes_of_jobs_of_their_own(clone):
    """Here no training counts as small, as at the papers' sizes."""
    model = clone.folder / "results/demo/pretraining/models/bert1l-eu4k/1/2/model"
    scores = "results/demo/pretraining/predictions/bert1l-eu4k/1-2/demo-pairs.parquet"
    files = [model / "model.safetensors", model.with_name("history.tsv"), clone.folder / scores]
    together = [file.read_bytes() for file in files]
    clone.edit(
        "workflow/kasu/pretraining/inventory.py",
        lambda text: text.replace("SMALL = 3e12", "SMALL = 0"),
    )
    assert clone.planned_jobs(scores) == {"pretrain_checkpoint": 2, "score_pairs": 1}
    done = clone.run(scores)
    assert done.returncode == 0, done.stderr
    assert [file.read_bytes() for file in files] == together


SETS = """{{treebank: georgian-demo, feature: Case, values: [Nom, Erg], models: [{models}], sets: [
  {{name: {name}, request: resources/queries/kat/erg_nom.req, target: S, verb: V}}]}}"""


@pytest.mark.parametrize(
    ("collections", "line"),
    [
        (["a", "a"], "minimal_sets.collections, sets: 'a' 2 times; expected each name once"),
        (["a"], "minimal_sets.collections: treebank 'no-demo': no such treebank; expected one of"),
    ],
    ids=("twice", "unknown"),
)
def test_names_of_sets_that_merge_or_name_nothing_are_one_line(copy_workflow, collections, line):
    copy = copy_workflow()
    named = ", ".join(SETS.format(name=name, models="") for name in collections)
    if "no-demo" in line:
        named = named.replace("georgian-demo", "no-demo")
    (copy.folder / "sets.yaml").write_text(f"minimal_sets: {{collections: [{named}]}}\n")
    done = copy.run("-n", config=("--configfile", "small.yaml", "sets.yaml"))
    assert done.returncode == 1
    assert line in done.stderr + done.stdout
    assert "Traceback (most recent call last)" not in done.stderr + done.stdout


def test_sets_without_a_model_are_built_and_described(copy_workflow):
    copy = copy_workflow()
    (copy.folder / "sets.yaml").write_text(
        f"minimal_sets: {{collections: [{SETS.format(name='a', models='')}]}}\n"
    )
    config = ("--configfile", "small.yaml", "sets.yaml")
    planned = copy.planned("minimal_sets", config=config)
    made = {"read_treebank", "build_minimal_set", "describe_sets", "take_examples"}
    assert planned == {*made, "minimal_sets"}
    assert "build_report" in copy.planned(config=config)


def test_sets_that_causal_models_alone_score_have_no_figure_at_word_level(copy_workflow):
    copy = copy_workflow()
    (copy.folder / "sets.yaml").write_text(
        "models: [{name: gpt, kind: causal, id: some/gpt, revision: '0123456789abcdef'}]\n"
        f"minimal_sets: {{collections: [{SETS.format(name='a', models='gpt')}]}}\n"
    )
    config = ("--configfile", "small.yaml", "sets.yaml")
    planned = copy.planned("minimal_sets", config=config)
    assert {"score_sets", "score_minimal_sets"} <= planned
    assert "draw_probabilities" not in planned


def test_paradigms_are_of_one_collection_and_refused_with_their_licence(copy_workflow):
    copy = copy_workflow()
    mine = SETS.format(name="a", models="").replace("{", "{paradigms: unimorph/kat/kat, ", 1)
    other = SETS.format(name="b", models="")
    (copy.folder / "sets.yaml").write_text(f"minimal_sets: {{collections: [{mine}, {other}]}}\n")
    config = ("--configfile", "small.yaml", "sets.yaml")
    items = f"{RESULTS}/minimal_sets/datasets/{{}}/items.parquet"
    assert "fetch_source" in copy.planned(items.format("a"), config=config)
    assert "fetch_source" not in copy.planned(items.format("b"), config=config)
    (copy.folder / "strict.yaml").write_text("licences: [CC0]\n")
    strict = (*config, "strict.yaml")
    assert "fetch_source" not in copy.planned(items.format("a"), config=strict)


def test_a_set_is_built_with_paradigms_of_ones_own(copy_workflow):
    copy = copy_workflow()
    lines = ("კაცი\tკაცი\tN;NOM;SG", "კაცი\tკაცმა\tN;ERG;SG")
    (copy.folder / "kat").write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
    mine = SETS.format(name="a", models="").replace("{", "{paradigms: kat, ", 1)
    (copy.folder / "sets.yaml").write_text(f"minimal_sets: {{collections: [{mine}]}}\n")
    items = f"{RESULTS}/minimal_sets/datasets/a/items.parquet"
    done = copy.run(items, config=("--configfile", "small.yaml", "sets.yaml"))
    assert done.returncode == 0, done.stderr
    assert (copy.folder / items).exists()


def test_a_missing_model_is_an_error_of_its_study_alone(copy_workflow):
    copy = copy_workflow()
    (copy.folder / "sets.yaml").write_text(
        f"minimal_sets: {{collections: [{SETS.format(name='a', models='nobody')}]}}\n"
    )
    config = ("--configfile", "small.yaml", "sets.yaml")
    assert "build_verb_number" in copy.planned("agreement", config=config)
    done = copy.run("minimal_sets", "-n", config=config)
    assert done.returncode == 1
    line = (
        "config minimal_sets.collections: model 'nobody': no such model; expected one of georgian"
    )
    assert line in done.stderr + done.stdout
    assert "Traceback (most recent call last)" not in done.stderr + done.stdout
