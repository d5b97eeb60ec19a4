"""Tabulate agreement pairs: whether languages agree, yields beside print, nulls and models."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.minimal_sets.pairs.figure import draw_pair_scores
    from kasu.minimal_sets.pairs.tables import tabulate_pairs

    files, params = snakemake.input, snakemake.params
    tables = {name: snakemake.output[name] for name in ("agreement", "pairs", "pair_scores")}
    tabulate_pairs(
        dict(zip(params.names, files.datasets, strict=True)),
        files.agreement,
        files.predictions,
        files.released,
        dict(zip(params.names, files.pools, strict=True)),
        languages=params.languages,
        rules=params.rules,
        in_print=params.in_print,
        seed=params.seed,
        tables=tables,
    )
    draw_pair_scores(tables["pair_scores"], snakemake.output.figure)
