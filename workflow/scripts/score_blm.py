"""Score networks and heuristics, count their errors by kind and test the paper's claims."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.evaluation.scores import score_study

    params, output = snakemake.params, snakemake.output
    score_study(
        snakemake.input.predictions,
        params.datasets,
        output.scores,
        output.errors,
        output.comparisons,
        output.claims,
        seed=params.seed,
        untestable=params.untestable,
        note=params.note,
    )
