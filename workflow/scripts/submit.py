"""Predict the test sets of a setting with one submission, a function of trained members."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.transduction.members.families import Families
    from kasu.transduction.members.joined import JoinedFamily
    from kasu.transduction.members.submissions import submit, submit_joined

    families = Families(f"kasu.{snakemake.wildcards.study}.systems")
    family = families.load(snakemake.params.family)
    named = (snakemake.wildcards.system, snakemake.wildcards.setting)
    files = (
        snakemake.input.members,
        snakemake.input.failures,
        snakemake.output.predictions,
        snakemake.output.missing,
    )
    if isinstance(family, JoinedFamily):
        joined = [families.load(name) for name in family.joins]
        submit_joined(family, joined, *named, snakemake.params.languages, *files)
    else:
        submit(family, *named, *files)
