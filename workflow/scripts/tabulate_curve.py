"""Set accuracy and F1 beside the amount of text that networks were trained on."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.evaluation.curve import tabulate_curve

    sources = snakemake.params.sources
    counts = dict(zip(sources, snakemake.input.counts, strict=True))
    tabulate_curve(snakemake.input.tables, counts, sources, snakemake.output[0])
