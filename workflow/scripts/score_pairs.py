"""Score the sentences of pairs by likelihood or pseudo-likelihood."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.lm.scoring.score import Scoring, score_file

    params, output = snakemake.params, snakemake.output
    scoring = Scoring(
        definitions=params.definitions,
        device=params.device,
        too_long="drop",
        **params.loading,
        **params.settings,
    )
    score_file(
        snakemake.input.model,
        snakemake.input.pairs,
        output.scores,
        output.drops,
        params.work,
        scoring,
        code=params.code,
    )
