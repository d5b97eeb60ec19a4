"""Describe the sets, and which screeve assigns which cases (Tables 1 and 2, Figure 1)."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.evaluation.descriptive import describe_sets

    output = snakemake.output
    scheme = output.get("scheme")
    describe_sets(snakemake.input, output.sets, scheme, snakemake.params.counterparts)
