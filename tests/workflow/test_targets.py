"""What the command line names: the page of these studies; of what there is not, one line."""

import pytest

pytestmark = pytest.mark.workflow

NO = "no rule, and no file that this config makes; expected one of"
TARGETS = {
    "inflectoin": f"target inflectoin: {NO} inflection, ",
    "results/real/report/index.html": (
        f"target results/real/report/index.html: {NO} results/demo/report/index.html, "
    ),
    "results/demo/inflection/tables/table_88.tsv": (
        f"target results/demo/inflection/tables/table_88.tsv: {NO} "
        "results/demo/inflection/tables/table_8.tsv, "
    ),
    # Its pattern is a rule's, its input none's
    "results/demo/cloze/figures/foo.svg": f"target results/demo/cloze/figures/foo.svg: {NO} ",
    "results/demo/corpora/demoo/sentences.parquet": (
        "config corpora: corpus 'demoo'; expected one of demo, georgian"
    ),
    "results/demo/treebanks/foo.parquet": (
        "config treebanks: no file 'foo'; expected one of ka_demo-ud"
    ),
    "results/demo/corpora/texts/nope/counts.tsv": (
        "config corpora, texts: no 'nope'; expected one of "
    ),
    "results/demo/agreement/datasets/demo/training/x.parquet": (
        "config agreement.training_sets: no 'x'; expected one of "
    ),
    "resources/downloads/wikipedia/freq_unilex/xx.txt": (
        "wikipedia/freq_unilex/xx.txt: no such path in config/sources.tsv; expected one of "
        "wikipedia/freq_unilex/"
    ),
    "": f"target : {NO} ",
    "inflect": "target inflect: a rule with wildcards; expected one of inflection, ",
    "--omit-from=submt": f"target submt: {NO} submit, ",
    "--batch=score_inflektion=1/2": f"target score_inflektion: {NO} score_inflection, ",
    "--forcerun=agreemnt": f"target agreemnt: {NO} agreement, ",
}


@pytest.fixture(scope="module")
def fresh(copy_workflow):
    return copy_workflow()


@pytest.mark.parametrize("target", TARGETS)
def test_a_mistyped_target_is_one_line(fresh, target):
    done = fresh.run(target, "-n", "--quiet", "all")
    assert done.returncode == 1
    (line,) = [each for each in done.stderr.splitlines() if "error" in each.lower()]
    assert line.startswith(f"error: {TARGETS[target]}")
    assert "Exception" not in done.stderr
    assert ".smk" not in done.stderr


def said(done):
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_page_is_of_the_studies_that_are_named_beside_it(fresh):
    planned = said(fresh.run("cloze", "blm", "report", "-n"))
    left_out = "the page leaves out agreement, inflection, pretraining, minimal_sets, not named"
    assert planned.count(left_out) == 1
    assert "results/demo/blm/tables/figure_8.tsv" in planned
    assert "results/demo/agreement" not in planned


@pytest.mark.parametrize("targets", [["report"], ["all"], ["all", "blm"], []])
def test_the_page_is_of_all_studies_if_none_is_named(fresh, targets):
    planned = said(fresh.run(*targets, "-n", "--quiet", "rules"))
    assert "the page leaves out" not in planned
    assert {"score_agreement", "score_blm", "score_cloze"} <= set(planned.split())
