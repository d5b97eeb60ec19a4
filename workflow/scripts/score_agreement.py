"""Score all systems, compare them in pairs and test the paper's claims."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.agreement.evaluation.scores import score_study
    from kasu.agreement.runs import PredictionFile

    params = snakemake.params
    score_study(
        [PredictionFile(**run) for run in params.runs],
        params.datasets,
        snakemake.output.scores,
        snakemake.output.comparisons,
        snakemake.output.claims,
        main_corpus=params.main_corpus,
        untestable=params.untestable,
        seed=params.seed,
    )
