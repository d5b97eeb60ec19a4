"""Draw the shares of each error (Figure 9)."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.evaluation.figures import draw_errors

    draw_errors(
        snakemake.input.errors,
        snakemake.output[0],
        title="Errors by kind (Figure 9)",
        regime=snakemake.params.regime,
    )
