"""Build a set of agreement pairs from treebanks."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.minimal_sets.pairs.build import build_pairs
    from kasu.minimal_sets.pairs.design import PairDesign
    from kasu.minimal_sets.pairs.sentences import licences_of_rows

    files, params = snakemake.input, snakemake.params
    build_pairs(
        files.treebanks,
        dict(zip(params.kinds, files.requests, strict=True)),
        Path(snakemake.output.card).parent,
        design=PairDesign(**params.design),
        sources=params.sources,
        licences=licences_of_rows(files.treebanks, params.licences, params.forms),
        unimorph=files.paradigms,
        conventions=next(iter(files.conventions), None),
    )
