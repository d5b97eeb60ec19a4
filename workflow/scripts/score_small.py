"""Score pairs by pseudo-likelihood, with all checkpoints of small models."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.lm.scoring.score import Scoring, ToScore, score_together

    params = snakemake.params
    scoring = Scoring(
        definitions=params.definitions, device=params.device, too_long="drop", **params.settings
    )
    files = {name: ToScore(**each) for name, each in params.files.items()}
    score_together(files, params.work, scoring, code=params.code)
