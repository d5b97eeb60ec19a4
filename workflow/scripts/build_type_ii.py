"""Build type II: type I with one word replaced."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from pathlib import Path

    from kasu.blm.data.datasets import build_type_ii
    from kasu.blm.generation.fills import LexiconFills
    from kasu.blm.generation.substitutions import read_lexicon

    files, params = snakemake.input, snakemake.params
    lexicon = read_lexicon(files.lexicon)
    fills = LexiconFills(lexicon, params.settings["seed"])
    if files.model:
        from kasu.blm.generation.masked_fills import MaskedFills
        from kasu.neural.device import make_deterministic, pick_device

        make_deterministic(params.threads)
        device = pick_device(params.device)
        fills = MaskedFills(files.model, lexicon, device, params.tokens_per_batch, otherwise=fills)
    build_type_ii(
        files.seeds,
        Path(snakemake.output.card).parent,
        lexicon=lexicon,
        fills=fills,
        settings=params.settings,
        language=params.language,
        sources=params.sources,
    )
