"""Encode each distinct sentence of all problems once."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.data.names import STATE_FEATURES
    from kasu.blm.models.embeddings import embed_problems

    params = snakemake.params
    embed_problems(
        snakemake.input.problems,
        snakemake.output.embeddings,
        snakemake.output.counts,
        params.cache,
        encoder=snakemake.input.encoder or STATE_FEATURES,
        settings=params.settings,
        device=params.device,
        code=params.code,
    )
