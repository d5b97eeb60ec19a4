"""Gather the learning curves, ours and published, and draw Figures 1 to 4: accuracy by epoch."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.pretraining.evaluation.curves import write_curves
    from kasu.pretraining.evaluation.figures import draw_curves

    source, output = snakemake.input, snakemake.output
    write_curves(source.scores, source.published, output.curves)
    for number, figure in zip(snakemake.params.numbers, output.figures, strict=True):
        name = f"Figure {number}"
        draw_curves(output.curves, figure, f"Accuracy by epoch ({name})", name)
