"""Draw a table of ours next to published."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.figures.comparison import draw_comparison

    draw_comparison(snakemake.input.table, snakemake.output[0], snakemake.params.title)
