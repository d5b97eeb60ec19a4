"""Sample a dataset from paradigms and word counts, as the organisers did."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.inflection.data.sampling import build_sampled

    files = snakemake.input
    build_sampled(
        files.paradigms,
        files.get("frequencies") or files.get("sentences"),
        Path(snakemake.output.card).parent,
        language=snakemake.wildcards.language,
        settings=snakemake.params.settings,
        seed=snakemake.params.seed,
        sources=snakemake.params.sources,
        code=snakemake.params.language_code,
    )
