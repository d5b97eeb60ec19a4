"""Shared by all rule files: the settings of the config, the plans, the hash of the code.

Each study adds one name, its plan (`AGREEMENT`, `BLM` ...), which says what exists for the config.
Plans resolve nothing until a rule asks, so a target is not affected by what it does not need.
"""

import atexit
import gc
import os
import sys
from functools import cache
from inspect import signature
from operator import attrgetter
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import update_config


include: "internals.smk"


if folder_of_rules() is None:
    raise WorkflowError(
        f"Kasu cannot run from {workflow.current_basedir}: Snakemake fetches rules and scripts, and "
        "not the library; clone Kasu, and name workflow/Snakefile in the clone as the snakefile"
    )
if has_moved_paths():
    raise WorkflowError(
        "Kasu takes no `prefix` and no `replace_prefix` of a module; `results` in its config says "
        "where outputs go"
    )

# Make Kasu importable here and in scripts, whose environments need not have it installed, before any
# other copy of it
LIBRARY = str(folder_of_rules().parent)
if set("{}<>:") & set(LIBRARY):
    # Python splits PYTHONPATH at colons, Snakemake reads braces as wildcards and <name> as a variable
    raise WorkflowError(
        f"{LIBRARY}: Kasu cannot run from a path with " + ":, <, >, { or }"
    )
OTHERS = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([LIBRARY, *OTHERS]))
let_environments_import()
sys.path.insert(0, LIBRARY)


def is_shipped(config):
    """Return whether a config file is one of Kasu's."""
    return Path(config).resolve().parent == ROOT / "config"


def end(error):
    """End in one line; for an exception, Snakemake would also print where it was raised."""
    print(f"error: {error}", file=sys.stderr)
    raise SystemExit(1)


try:
    from kasu.files.locks import date_today
    from kasu.job.code import CACHE as CODE_CACHE, Code
    from kasu.base.errors import KasuError
    from kasu.sources.download import find_idle
    from kasu.config.extent import check_extent
    from kasu.config.toys import find_toys
    from kasu.job.gpus import visible_gpus
    from kasu.job.terminal import Terminal
    from kasu.sources.latest import newest_date
    from kasu.files.locks import OWN_DIRECTORY, hold_lock, hold_results
    from kasu.files.maps import read_map
    from kasu.sources.mirrors import find_fault
    from kasu.base.paths import ROOT, locate, own
    from kasu.results.published import published_files
    from kasu.base.secrets import redact_values
    from kasu.files.seals import expect_unedited, unseal_absent
    from kasu.config.reading import read_settings, read_scalars
    from kasu.sources.registry import OWN_ADDRESSES, mirror_folders, read_registry
    from kasu.sources.workspace import (
        Workspace,
        describe,
        expect_apart,
        expect_folder,
        expect_unwritten,
    )
    from kasu.corpora.plan import Corpora, Treebanks
    from kasu.lm.models.hub import FOLDER as MODELS_FOLDER
    from kasu.lm.plan import Models
    from kasu.records.reading import record_files
    from kasu.results.study import Data
    from kasu.settings import STUDIES as SECTIONS
    from kasu.settings import Settings, empty_studies
except ImportError as error:
    raise WorkflowError(
        f"Kasu's packages are not installed in this Python ({error}); run: make setup"
    )
except KasuError as error:
    end(error)  # a system's file lacks a part


# The demo, where no other config is named. As a module Kasu runs in the folder of another workflow,
# whose configs are not meant for it
if is_module() or not workflow.configfiles:

    configfile: str((ROOT.joinpath if is_module() else locate)("config/config.yaml"))


def is_dry_run():
    """Return whether a dry run is asked for; Snakemake tells only after it has locked."""
    return any(re.fullmatch(r"-\w*n\w*|--dry-?run", word) for word in sys.argv[1:])


def code(script, *named):
    """Make the function of a parameter: the hash of a script and of the modules that it imports.

    The hash is taken only for jobs, since each job reads all rules again. `named` are the modules
    that a script imports by name, with wildcards in braces.
    """

    def code_hash(wildcards):
        names = (name.format(**wildcards) for name in named)
        return CODE.hash(Path(LIBRARY) / "scripts" / f"{script}.py", *names)

    return code_hash


@cache
def parameters_of(method):
    """Return the names of a method's parameters; looking them up takes longer than most methods."""
    return list(signature(method).parameters)


def from_plan(plan, *names):
    """Make an input function, or one of a parameter, that returns what a plan says under a name.

    Each further name is looked up in what was found. A method gets the wildcards that its parameters
    name. Nothing is asked before a job needs it, so what a target does not need cannot affect it.
    """

    def asked(wildcards=None):
        value = plan
        for name in names:
            value = attrgetter(name)(value)
            if callable(value):
                value = value(
                    **{each: wildcards[each] for each in parameters_of(value)}
                )
        return value

    return asked


def in_results(path):
    """Return a path in the folder of results, for a parameter, where `<results>` is not expanded."""
    return f"{RESULTS}/{path}"


def device_of(networks):
    """Return the device of a job; one without networks does not run again for another `device`."""
    return SETTINGS.device if networks else "cpu"


def per_attempt(mem_mb):
    """Make the memory of a job in MB: as much again at each further attempt.

    A cluster goes by it, and by `runtime` in minutes: what the rule needs at the paper's size. A run
    on one machine goes by cores and GPUs.
    """

    def memory(wildcards, attempt):
        return mem_mb * attempt

    return memory


def one_of(names):
    """Return the constraint of a wildcard to these words."""
    return "|".join(map(re.escape, names)) or "(?!)"


def one_of_two(names, others):
    """Return the constraint to the names of one rule, where another rule takes the `others`.

    Without others it admits any name: a list of thousands takes Snakemake seconds.
    """
    return one_of(names) if others or not names else "[^/]+"


def if_resolved(names, *arguments):
    """Return the names from a plan; none if the config has an error, which the target reports."""
    try:
        return list(names(*arguments))
    except KasuError:
        return []


def announce(plan):
    """Print what a user should know of a study before it runs, each line once."""
    if workflow.is_main_process:
        notices = list(getattr(plan, "notices", ()))
        notices += [f"{plan.report.name}: networks {each}" for each in toys_of(plan)]
        for notice in notices:
            if notice not in ANNOUNCED:
                ANNOUNCED.add(notice)
                print(notice, file=sys.stderr)


ANNOUNCED = set()


@cache
def toys_of(plan):
    """Tell which networks have the demo's toy sizes on other data: a line, or none."""
    if plan.report.data is Data.DEMO:
        return []
    found = find_toys(plan.report.name, CONFIG)
    return [found] if found else []


def shown_files(study):
    """Return the files of a study's plan, and all that its report shows."""
    plan = STUDIES[study]
    return list(dict.fromkeys([*plan.files, *plan.report.files(RESULTS)]))


def files_of(study):
    """Make the input function of a study's target: see `shown_files`."""

    def files(wildcards):
        announce(STUDIES[study])
        return shown_files(study)

    return files


def expect_unedited_outputs():
    """Check that no job of the planned run would delete what somebody changed by hand."""
    for file in [] if touches() else sorted(files_to_make()):
        expect_unedited(file)


def ask_newest(source):
    """Return the newest date of a dump; print that it asks, since nothing else runs meanwhile."""
    print(f"{source.name}: asking for the newest date", file=sys.stderr)
    return newest_date(source, mirror_folders(config), SETTINGS.contact)


# A plan keeps all that it makes. By default Python spends a fifth of the time of a plan of thousands
# of languages on looking for memory that it may free
gc.set_threshold(20_000)


# A dry run writes nothing but what Snakemake keeps in the working directory
WRITES = workflow.is_main_process and not is_dry_run()

# Parses each module only once
CODE = Code(CODE_CACHE)
if WRITES:
    # By then Snakemake may be in another folder
    atexit.register(CODE.write, os.path.abspath(CODE_CACHE))

# A workflow that uses Kasu as a module prints as it likes
if workflow.is_main_process and not is_module():
    print_by(Terminal)
try:
    if workflow.is_main_process:
        expect_folder(os.path.abspath(".snakemake"), "working directory", OWN_DIRECTORY)
    if WRITES:
        LOCK = hold_working_directory()
    check_extent(config)  # as YAML each file takes longer
    if not is_module():
        update_config(config, read_scalars(words_of_config(), Settings))
    # Snakemake itself keeps the last of equal keys in silence
    for file in workflow.configfiles:
        read_map(file)
    SETTINGS = read_settings(config, Settings)
except KasuError as error:
    end(error)


pathvars:
    results=SETTINGS.results,
    logs="<results>/logs",
    benchmarks="<results>/benchmarks",


# The one place that plans, rules, logs and parameters take it from
RESULTS = value_of("results")

try:
    if RESULTS != SETTINGS.results:
        # As a config would be checked, and as the report prints it
        SETTINGS = read_settings({**config, "results": RESULTS}, Settings)
        if RESULTS != SETTINGS.results:
            raise KasuError("pathvars results", RESULTS, SETTINGS.results)
    WORKSPACE = Workspace(
        RESULTS,
        read_registry(own("config/sources.tsv")),
        Path("resources/downloads"),
        mirror_folders(config),
        SETTINGS.licences,
        ask=None if is_dry_run() else ask_newest,
    )
    CONFIG = SETTINGS.dump()
    expect_apart(WORKSPACE)
    if WRITES:
        expect_folder(RESULTS, "config results", "a folder to write to")
        HELD = hold_results(RESULTS)
    TREEBANKS = Treebanks(SETTINGS.treebanks, WORKSPACE)
    CORPORA = Corpora(SETTINGS.corpora, SETTINGS.analysers, WORKSPACE, TREEBANKS)
except KasuError as error:
    end(error)

if workflow.is_main_process:
    for line in empty_studies(config):
        print(line, file=sys.stderr)
    paths = [
        MODELS_FOLDER,
        OWN_ADDRESSES,
        *(each.path for each in WORKSPACE.registry.values()),
    ]
    for fault in filter(None, (find_fault(each, paths) for each in WORKSPACE.mirrors)):
        print(fault, file=sys.stderr)
    if workflow.configfiles and not any(map(is_shipped, workflow.configfiles)):
        print(
            f"{workflow.configfiles[0]} stands on its own: networks have the papers' sizes where it "
            "states none; the demo's small ones stand in config/config.yaml",
            file=sys.stderr,
        )
# The GPUs of a job that runs networks
GPU = 0 if SETTINGS.device == "cpu" else 1
if GPU and workflow.is_main_process:
    share_gpus(visible_gpus)
if WRITES:
    for folder in (RESULTS, "resources"):
        date_today(folder)
# The plans of the studies by name; each study's rule file adds its own
STUDIES = {}


def trained_models():
    """Return the models that the study of pretraining trains; other studies may use them."""
    plan = STUDIES.get("pretraining")
    return plan.trained_models if plan else {}


MODELS = Models(SETTINGS.models, WORKSPACE, trained_models)
