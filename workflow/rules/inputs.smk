"""Inputs from outside the results go by content, not by date; included last, it knows all rules.

Snakemake compares contents only of files that are newer than what was made of them, and never those
of folders. So the hashes of what a job reads from outside are one of its parameters.
"""

import atexit

from kasu.files.hashes import CACHE, read_hashes, write_hashes
from kasu.job.inputs import Planned

INPUTS = Planned(RESULTS, WORKSPACE.downloads)
if workflow.is_main_process:
    read_hashes(CACHE)
if WRITES:
    # By then Snakemake may be in another folder
    atexit.register(write_hashes, os.path.abspath(CACHE))


def compared_by_hash(reader):
    """Make the function that picks the inputs of a job whose dates do not count: see `hashes_of`.

    Dates count if Snakemake knows nothing else of the outputs, as in a fresh checkout; and for
    inputs that a job of another workflow makes, which has Kasu as a module.
    """

    def chosen(wildcards, files):
        if not (counts_parameters() and is_known(reader, wildcards)):
            return []
        return [file for file in files if INPUTS.is_outside(file) and not is_made(file)]

    return chosen


def hashes_of(reader):
    """Make the function of a parameter: the hashes of what a rule's jobs read from outside."""

    def hashes(wildcards):
        record_anew()
        if is_dry_run() and not is_known(reader, wildcards):
            # A dry run only lists the job: there is nothing to compare the hashes with
            return {}
        return INPUTS.hashes(*read_and_written(reader, wildcards))

    return hashes


for each in own_rules():
    if each.script and each.input and "inputs" not in each.params.keys():
        leave_dates_out(each, compared_by_hash(each))
        add_parameter(each, inputs=hashes_of(each))


def tell_unknown():
    """Say how many jobs nobody can compare with the config: copied, renamed, without .snakemake."""
    unknown = [file for file in kept_unknown() if file.startswith(f"{RESULTS}/")]
    if unknown and counts_parameters() and not touches():
        jobs = "job is" if len(unknown) == 1 else "jobs are"
        print(
            f"note: {RESULTS}: {len(unknown)} {jobs} kept whose settings, code and inputs are not "
            "known, as the folder was copied or renamed, or .snakemake deleted: they may be of "
            "another config; delete the folder to make them anew, or declare them current by "
            "--touch --forceall",
            file=sys.stderr,
        )


if workflow.is_main_process:
    after_planning(tell_unknown)
