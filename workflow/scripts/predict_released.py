"""Read the authors' results by item as predictions."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.released.results import predict_released

    files = snakemake.input
    predict_released(files.results, snakemake.output[0], items=files.sets, tokens=files.tokens)
