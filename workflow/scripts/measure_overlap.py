"""Measure how much of the test sets stands in training word for word."""

from kasu.base.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.evaluation.overlap import measure_overlap
    from kasu.blm.names import RegimeData

    params = snakemake.params
    regimes = [RegimeData(*regime) for regime in params.regimes]
    measure_overlap(regimes, snakemake.output[0], variants=params.variants)
