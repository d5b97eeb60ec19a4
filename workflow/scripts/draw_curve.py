"""Draw accuracy and F1 over the amount of training text."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.figures.curve import draw_curve

    params = snakemake.params
    draw_curve(
        snakemake.input[0],
        snakemake.output[0],
        variant=params.variant,
        main_corpus=params.main_corpus,
        nulls=params.nulls,
    )
