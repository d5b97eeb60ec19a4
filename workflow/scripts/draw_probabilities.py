"""Draw the mean probability of each form (Figure 3)."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.figures import draw_probabilities

    draw_probabilities(
        snakemake.input[0],
        snakemake.output[0],
        title="Mean probability of each form (Figure 3)",
        variant=snakemake.params.variant,
    )
