"""Build the problems of one type and their splits."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from pathlib import Path

    from kasu.blm.data import datasets
    from kasu.blm.generation.fills import LexiconFills
    from kasu.blm.generation.substitutions import read_lexicon

    files, params = snakemake.input, snakemake.params
    folder = Path(snakemake.output.card).parent
    facts = {
        "settings": params.settings,
        "language": params.language,
        "sources": params.sources,
    }
    if params.type == "type_I":
        datasets.build_type_i(files.seeds, folder, **facts)
    elif params.type == "type_III":
        datasets.build_type_iii(files.type_ii, folder, **facts)
    else:
        lexicon = read_lexicon(files.lexicon)
        fills = LexiconFills(lexicon, params.settings["seed"])
        if files.fills:
            from kasu.blm.generation.masked_fills import MaskedFills
            from kasu.neural.device import make_deterministic, pick_device

            make_deterministic(params.threads)
            device = pick_device(params.device)
            fills = MaskedFills(
                files.fills, lexicon, device, params.tokens_per_batch, otherwise=fills
            )
        datasets.build_type_ii(files.seeds, folder, lexicon=lexicon, fills=fills, **facts)
