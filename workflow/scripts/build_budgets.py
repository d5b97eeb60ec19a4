"""Draw nested word budgets and validation text from a corpus."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.pretraining.data.budgets import build_budgets

    params, output = snakemake.params, snakemake.output
    build_budgets(
        snakemake.input[0],
        Path(output.validation).parent,
        output.counts,
        output.drops,
        budgets=params.budgets,
        parts=params.parts,
        validation=params.validation,
        seed=params.seed,
    )
