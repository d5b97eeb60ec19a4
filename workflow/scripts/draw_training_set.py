"""Draw a part of a training split that shares no near copy with validation and test."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.data.training_sets import draw_training_set

    files, params = snakemake.output, snakemake.params
    draw_training_set(
        snakemake.input.train,
        snakemake.input.held_out,
        files.training_set,
        files.counts,
        files.drops,
        words=params.words,
        seed=params.seed,
    )
