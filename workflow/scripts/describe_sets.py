"""Describe the sets, and which screeve assigns which cases (Tables 1 and 2, Figure 1)."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.evaluation.descriptive import describe_sets

    files, output, params = snakemake.input, snakemake.output, snakemake.params
    describe_sets(
        dict(zip(params.names, files.datasets, strict=True)),
        dict(zip(params.names, files.drops, strict=True)),
        output.sets,
        output.get("scheme"),
        params.counterparts,
        params.may_be_empty,
    )
