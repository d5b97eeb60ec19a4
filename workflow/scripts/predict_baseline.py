"""Predict the test set with a simple null model."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.models.baselines import predict_baseline

    predict_baseline(
        snakemake.input.train,
        snakemake.input.test,
        snakemake.output[0],
        task=snakemake.wildcards.task,
        baseline=snakemake.wildcards.system,
        variants=snakemake.params.variants,
        condition=snakemake.wildcards.condition,
    )
