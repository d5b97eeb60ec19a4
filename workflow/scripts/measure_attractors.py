"""Measure accuracy by attractors, distance and number of verbs."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.evaluation.attractors import measure_attractors

    params = snakemake.params
    predictions = dict(zip(params.systems, snakemake.input.predictions, strict=True))
    measure_attractors(snakemake.input.test, predictions, snakemake.output[0], seed=params.seed)
