"""Predict the test set with every model of one task and system."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.models.inference import predict

    predict(
        snakemake.input.test,
        snakemake.input.model,
        snakemake.input.vocabulary,
        snakemake.output[0],
        device=snakemake.params.device,
    )
