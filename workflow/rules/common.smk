"""What all rule files share: the settings of the config, the plans, the hash of the code.

Each study brings one name, its plan (`AGREEMENT`, `BLM` ...), which says what exists for the config.
Plans resolve nothing before a rule asks: what a target does not need cannot stand in its way.
"""

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# For this process and the scripts of its jobs, whose environment need not have Kasu installed;
# Snakemake would hide PYTHONPATH from conda's environments
LIBRARY = str(Path(workflow.basedir) / "workflow")
if LIBRARY not in os.environ.get("PYTHONPATH", "").split(os.pathsep):
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [LIBRARY, os.environ.get("PYTHONPATH")])
    )
workflow.deployment_settings.conda_not_block_search_path_envvars = True
if LIBRARY not in sys.path:
    sys.path.insert(0, LIBRARY)

try:
    from kasu.base.code import Code
    from kasu.base.errors import KasuError
    from kasu.base.locks import hold_lock
    from kasu.base.settings import read_settings
    from kasu.base.sources import mirror_folders, read_registry
    from kasu.base.workspace import Workspace, describe
    from kasu.corpora.plan import Corpora, Treebanks
    from kasu.lm.plan import Models
    from kasu.settings import Settings
except ImportError as error:
    raise WorkflowError(
        f"Kasu's packages are not installed in this Python ({error}); run: make setup"
    )


def is_dry_run():
    """Whether the command line asks for a plan. Snakemake itself knows only after it has locked."""
    return any(re.fullmatch(r"-\w*n\w*|--dry-?run", word) for word in sys.argv[1:])


def code(script, *named):
    """The hash of the modules that a script imports; Snakemake itself sees only the script."""
    return CODE.hash(
        Path(workflow.basedir) / "workflow" / "scripts" / f"{script}.py", *named
    )


def one_of(names):
    """A wildcard's constraint: one of these words."""
    return "|".join(map(re.escape, names)) or "(?!)"


def if_resolved(names):
    """The names that a plan gives, or none where it has a mistake, which its target then names."""
    try:
        return list(names())
    except KasuError:
        return []


# Reads each module once, however many rules ask
CODE = Code()

if workflow.is_main_process and not is_dry_run():
    LOCK = hold_lock(".snakemake")

try:
    SETTINGS = read_settings(config, Settings)
    config.update(SETTINGS.dump())
    WORKSPACE = Workspace(
        SETTINGS.results,
        read_registry(Path(workflow.basedir) / "config" / "sources.tsv"),
        Path("resources/downloads"),
        mirror_folders(config),
        SETTINGS.licences,
    )
    CORPORA = Corpora(SETTINGS.corpora, SETTINGS.analysers, WORKSPACE)
    TREEBANKS = Treebanks(SETTINGS.treebanks, WORKSPACE)
except KasuError as error:
    raise WorkflowError(str(error))

RESULTS = SETTINGS.results
# Studies may name a model that the study of pretraining trains
MODELS = Models(
    SETTINGS.models, WORKSPACE, lambda: STUDIES["pretraining"].trained_models
)
# The figures that the papers print
PUBLISHED = sorted(map(str, Path("resources/published").glob("*.tsv")))
# By name, what each study's rule file adds: its plan
STUDIES = {}
