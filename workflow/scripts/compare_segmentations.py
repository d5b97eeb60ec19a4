"""Compare our segmentation of pairs with a released one."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.data.segmentation import compare_segmentations

    files = snakemake.input
    compare_segmentations(files.ours, files.released[0], snakemake.output[0])
