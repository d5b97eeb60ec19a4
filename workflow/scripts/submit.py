"""Predict the test sets of a setting with one submission, a function of trained members."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.transduction.members.families import Families
    from kasu.transduction.members.submissions import submit

    families = Families(f"kasu.{snakemake.wildcards.study}.systems")
    submit(
        families.load(snakemake.params.family),
        snakemake.wildcards.system,
        snakemake.wildcards.setting,
        snakemake.input.members,
        snakemake.input.failures,
        snakemake.output.predictions,
        snakemake.output.missing,
    )
