"""What the command line names and there is not: one line with the nearest name, and no trace."""

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
