"""Score networks and heuristics, count their errors by kind and test the paper's claims."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.blm.evaluation.scores import score_study

    params, output = snakemake.params, snakemake.output
    cap = f"at most {params.max_steps} steps" if params.max_steps else "no cap on steps"
    score_study(
        snakemake.input.predictions,
        params.datasets,
        output.scores,
        output.errors,
        output.comparisons,
        output.claims,
        seed=params.seed,
        note=f"encoder {params.encoder}; {cap}",
    )
