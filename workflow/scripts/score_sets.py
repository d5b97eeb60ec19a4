"""Score the forms of all sets of a model, under all definitions."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.lm.scoring.score import Scoring
    from kasu.minimal_sets.models.scoring import score_sets

    files, output, params = snakemake.input, snakemake.output, snakemake.params
    score_sets(
        files.model,
        files.sets,
        files.text,
        output.predictions,
        output.drops,
        params.work,
        system=params.system,
        scoring=Scoring(
            definitions=params.definitions,
            device=params.device,
            too_long="drop",
            **params.loading,
            **params.settings,
        ),
        code=params.code,
    )
