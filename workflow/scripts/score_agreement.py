"""Score all systems, compare them in pairs and test the paper's claims."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.agreement.evaluation.scores import score_study

    params = snakemake.params
    score_study(
        snakemake.input.predictions,
        snakemake.input.counts,
        snakemake.output.scores,
        snakemake.output.comparisons,
        snakemake.output.claims,
        systems=params.systems,
        corpora=params.corpora,
        conditions=params.conditions,
        seed=params.seed,
    )
