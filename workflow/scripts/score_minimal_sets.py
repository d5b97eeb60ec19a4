"""Score models on sets; preferences, correlations, paired tests, the paper's claims."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.minimal_sets.evaluation.scores import score_study

    output = snakemake.output
    score_study(
        snakemake.input.predictions,
        output.scores,
        output.comparisons,
        output.preferences,
        output.correlations,
        output.flips,
        output.probabilities,
        output.claims,
        seed=snakemake.params.seed,
        collections=snakemake.params.collections,
        counterparts=dict(
            zip(snakemake.input.built, snakemake.params.counterparts.values(), strict=True)
        ),
        statistics=next(iter(snakemake.input.statistics), None),
    )
