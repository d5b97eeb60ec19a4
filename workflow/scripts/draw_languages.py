"""Draw accuracy by language and setting next to the published baseline and best system."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.inflection.figures.languages import draw_languages

    draw_languages(snakemake.input.scores, snakemake.input.published, snakemake.output[0])
