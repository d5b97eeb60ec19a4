"""A study that Kasu does not have is planned next to the others: rules, wildcards, report."""

import pytest

pytestmark = pytest.mark.workflow

PLAN = '''"""What exists of the toy study for a config."""

from kasu.results.paths import Paths
from kasu.results.study import StudyReport
from kasu.toy.paths import PATHS


class ToyPlan:
    """Two systems, each in one file per language."""

    papers = ("toy2026",)
    printed = {"table_1": "Table 1"}
    captions = {"table_1": "workflow/report/agreement_table_4.rst"}
    figures = {}

    def __init__(self, results: str) -> None:
        self.paths = Paths(PATHS, results, "toy")

    @property
    def guesses(self) -> list[str]:
        return [
            self.paths("guesses", system=system, language=language, setting="low")
            for system in ("copy", "reverse")
            for language in ("basque", "toki-pona")
        ]

    @property
    def files(self) -> list[str]:
        return [self.paths("table", table="table_1")]

    @property
    def report(self) -> StudyReport:
        return StudyReport(
            name="toy",
            title="Toy",
            citation="Nobody (2026)",
            paper="toy2026",
            printed=self.printed,
            captions=self.captions,
        )
'''

PATHS = '''"""The outputs of the toy study, as its rules write them."""

PATHS = {"guesses": "<results>/toy/{system}/{language}/{setting}.txt"}
'''

# The words of other studies' wildcards, for other things, in paths of its own
RULES = '''"""A toy study."""

from kasu.toy.plan import ToyPlan

TOY = ToyPlan(RESULTS)
STUDIES["toy"] = TOY


rule guess_toy:
    """Guess."""
    output:
        "<results>/toy/{system}/{language}/{setting}.txt",
    wildcard_constraints:
        setting="low|high",
    shell:
        "echo {wildcards.system} > {output}"


rule score_toy:
    """Score."""
    input:
        from_plan(TOY, "guesses"),
    output:
        "<results>/toy/scores.parquet",
    shell:
        "touch {output}"
'''


def test_a_sixth_study_is_planned_with_the_wildcards_of_others(copy_workflow):
    copy = copy_workflow()
    package = copy.folder / "workflow/kasu/toy"
    package.mkdir()
    (package / "__init__.py").write_text('"""A toy."""\n')
    (package / "paths.py").write_text(PATHS)
    (package / "plan.py").write_text(PLAN)
    (copy.folder / "workflow/rules/toy.smk").write_text(RULES)
    last = 'include: "rules/report.smk"\n'
    copy.edit(
        "workflow/Snakefile", lambda text: text.replace(last, f'include: "rules/toy.smk"\n{last}')
    )
    done = copy.run("results/demo/toy/tables/table_1.tsv", "-n")
    assert done.returncode == 0, done.stdout + done.stderr
    planned = done.stdout + done.stderr
    assert planned.count("rule guess_toy:") == 4
    assert "wildcards: system=reverse, language=toki-pona, setting=low" in planned
    assert planned.count("rule tabulate_toy:") == 1
    # ... and the page shows it
    assert "toy/tables/table_1.tsv" in copy.run("-n").stdout
