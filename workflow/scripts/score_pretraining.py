"""Score checkpoints, published models and nulls on pairs; test the paper's claims."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.lm.models.folders import count_weights
    from kasu.pretraining.data.runs import ScoreFile
    from kasu.pretraining.evaluation.claims import write_claims
    from kasu.pretraining.evaluation.pair_results import read_checkpoints
    from kasu.pretraining.evaluation.scores import score_study
    from kasu.pretraining.models.histories import read_losses

    params, output = snakemake.params, snakemake.output
    checkpoints = read_checkpoints([ScoreFile(**run) for run in params.runs])
    losses = read_losses(params.histories)
    score_study(
        checkpoints,
        losses,
        output.scores,
        output.comparisons,
        seed=params.seed,
        pairs=params.main,
        parameters={system: count_weights(model) for system, model in params.models.items()},
    )
    write_claims(checkpoints, losses, output.claims, params.untestable)
