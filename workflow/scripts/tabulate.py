"""Set our scores next to the figures of one printed table."""

from kasu.base.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.base.comparison import TABLE, beside
    from kasu.base.published import read_published
    from kasu.base.tables import read_parquet, write_tsv

    params = snakemake.params
    scores = read_parquet(snakemake.input.scores).to_pylist()
    published = read_published(Path(snakemake.input.published[0]).parent)
    write_tsv(snakemake.output[0], beside(scores, published, params.paper, params.table), TABLE)
