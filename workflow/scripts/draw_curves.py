"""Draw one of Figures 1 to 4: accuracy by epoch."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.evaluation.figures import draw_curves

    name = f"Figure {snakemake.wildcards.number}"
    draw_curves(snakemake.input[0], snakemake.output[0], f"Accuracy by epoch ({name})", name)
