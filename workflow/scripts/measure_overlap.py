"""Measure how much of the test sets stands in training word for word."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.data.names import RegimeData
    from kasu.blm.evaluation.overlap import measure_overlap

    params = snakemake.params
    regimes = [RegimeData(*regime) for regime in params.regimes]
    measure_overlap(regimes, snakemake.output[0], variants=params.variants)
