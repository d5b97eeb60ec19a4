"""Count the released items that a built set contains."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.released.items import compare_with_released

    files = snakemake.input
    compare_with_released(files.built, files.released[0], files.treebanks, snakemake.output[0])
