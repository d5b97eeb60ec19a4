"""Score checkpoints, published models and nulls on pairs; test the paper's claims."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.lm.pretraining.training_state import count_weights
    from kasu.pretraining.evaluation.scores import score_study
    from kasu.pretraining.runs import Run

    params, output = snakemake.params, snakemake.output
    score_study(
        [Run(**run) for run in params.runs],
        output.scores,
        output.comparisons,
        output.claims,
        seed=params.seed,
        pairs=params.main,
        histories=params.histories,
        parameters={system: count_weights(model) for system, model in params.models.items()},
    )
