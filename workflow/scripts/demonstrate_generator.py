"""Tabulate what the paper's figures show of the generator, for one seed."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.data.demonstration import demonstrate
    from kasu.blm.generation.fills import LexiconFills
    from kasu.blm.generation.seeds import read_seeds
    from kasu.blm.generation.substitutions import read_lexicon

    params = snakemake.params
    lexicon = read_lexicon(snakemake.input.lexicon)
    demonstrate(
        read_seeds(snakemake.input.seeds, params.capitals, params.language),
        snakemake.output[0],
        lexicon=lexicon,
        fills=LexiconFills(lexicon, params.seed),
    )
