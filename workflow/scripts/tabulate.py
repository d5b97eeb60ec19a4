"""Set our scores next to the figures of one printed table."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.files.tables import read_parquet, write_tsv
    from kasu.results.comparison import TABLE, beside
    from kasu.results.published import read_published

    params = snakemake.params
    scores = read_parquet(snakemake.input.scores).to_pylist()
    published = read_published(snakemake.input.published)
    rows = beside(scores, published, params.paper, params.table, apart=params.apart)
    write_tsv(snakemake.output[0], rows, TABLE)
