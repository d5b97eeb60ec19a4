"""Inputs from outside the results go by content, not by date; included last, it knows all rules.

Snakemake compares contents only of files that are newer than what was made of them, and never those
of folders. So the hashes of what a job reads from outside are one of its parameters.
"""

import atexit
from functools import cache

from kasu.files.hashes import CACHE, read_hashes, write_hashes
from kasu.job.inputs import Planned
from snakemake.io import flag
from snakemake.settings.enums import RerunTrigger

INPUTS = Planned(RESULTS, WORKSPACE.downloads)
if workflow.is_main_process:
    read_hashes(CACHE)
if WRITES:
    # By then Snakemake may be in another folder
    atexit.register(write_hashes, os.path.abspath(CACHE))


def own_rules():
    """Kasu's rules; a module stands among those of another workflow."""
    of_kasu = f"{LIBRARY}{os.sep}"
    return [each for each in workflow.rules if str(each.snakefile).startswith(of_kasu)]


@cache
def is_made(path):
    """Whether a job makes a file."""
    return any(rule.is_producer(path) for rule in workflow.rules)


def is_known(reader, wildcards):
    """Whether Snakemake knows of the outputs of a rule's job more than their dates."""
    first = reader.output[0].apply_wildcards(wildcards)
    return workflow.persistence.metadata(first) is not None


def without_dates(reader):
    """Let the dates of a rule's inputs from outside not count where their hashes do: see `hashes_of`.

    Of outputs of which Snakemake knows only dates, as in a fresh checkout, dates count; so do those
    of inputs that a job of another workflow makes, which has Kasu as a module.
    """
    expand = reader.expand_input

    def expanded(wildcards, **named):
        files, *others = expand(wildcards, **named)
        by_hash = RerunTrigger.PARAMS in workflow.rerun_triggers
        if by_hash and is_known(reader, wildcards):
            for file in files:
                if INPUTS.is_outside(file) and not is_made(file):
                    flag(file, "ancient")
        return files, *others

    return expanded


@cache
def record_anew():
    """Let Snakemake record the parameters that a job has once it has finished.

    It would record those that it found when it planned, before downloads landed and models were
    trained, and run the job again.
    """
    finished = workflow.persistence.finished

    async def anew(job):
        job._non_derived_params = None
        workflow.persistence._params.cache_clear()
        await finished(job)

    workflow.persistence.finished = anew


def hashes_of(reader):
    """The function of a parameter: the hashes of what a rule's jobs read from outside."""

    def hashes(wildcards):
        record_anew()
        if is_dry_run() and not is_known(reader, wildcards):
            # Only listed: there is nothing to compare with
            return {}
        files, *_ = reader.expand_input(wildcards)
        outputs, _ = reader.expand_output(wildcards)
        return INPUTS.hashes(map(str, files), map(str, outputs))

    return hashes


for each in own_rules():
    if each.script and each.input and "inputs" not in each.params.keys():
        each.expand_input = without_dates(each)
        each.set_params(inputs=hashes_of(each))
