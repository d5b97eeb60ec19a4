"""Score all systems, with oracles, sign tests and means over languages."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.inflection.evaluation.scores import score_study

    params, output = snakemake.params, snakemake.output
    score_study(
        snakemake.input.predictions,
        snakemake.input.datasets,
        Path(snakemake.input.published[0]).parent,
        output.scores,
        output.comparisons,
        output.claims,
        output.learning_curves,
        output.power,
        systems=params.systems,
        inflected=params.inflected,
        languages=params.languages,
        seed=params.seed,
    )
