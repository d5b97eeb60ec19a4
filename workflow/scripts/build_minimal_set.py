"""Build a minimal set from a treebank and a request."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.minimal_sets.data.design import Design
    from kasu.minimal_sets.data.sets import build_set
    from kasu.sources.cards import strictest

    files, params = snakemake.input, snakemake.params
    licence = strictest([source["licence"] for source in params.sources])
    build_set(
        files.treebanks,
        Path(files.request),
        Path(snakemake.output.card).parent,
        design=Design(**params.design, licence=licence),
        language=params.language,
        sources=params.sources,
        lexicon=files.lexicon,
        unimorph=files.paradigms,
        conventions=next(iter(files.conventions), None),
    )
