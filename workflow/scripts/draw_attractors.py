"""Draw accuracy by attractors, distance and number of verbs."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.figures.attractors import draw_attractors

    params = snakemake.params
    draw_attractors(
        snakemake.input[0], snakemake.output[0], variant=params.variant, nulls=params.nulls
    )
