"""Draw the differences to the published columns by language, with their means."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.transduction.fingerprints.figure import draw_fingerprints

    draw_fingerprints(snakemake.input.table, snakemake.input.differences, snakemake.output[0])
