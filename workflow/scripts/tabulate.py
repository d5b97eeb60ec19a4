"""Set our scores next to the figures of each printed table of a study, and draw some of these."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.files.tables import read_parquet, write_tsv
    from kasu.results.comparison import TABLE, beside
    from kasu.results.published import read_published

    source, output, params = snakemake.input, snakemake.output, snakemake.params
    scores = read_parquet(source.scores[0]).to_pylist()
    published = read_published(source.published)
    for (slug, table), path in zip(params.tables.items(), output.tables, strict=True):
        rows = beside(scores, published, params.paper, table, apart=params.apart)
        write_tsv(path, rows, TABLE)
        if slug in params.drawn:
            from kasu.figures.comparison import draw_comparison

            title = "Your data" if params.apart else "Ours against published"
            draw_comparison(path, output.figures[params.drawn.index(slug)], title)
