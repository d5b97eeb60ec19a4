"""Let solvers without a network choose: the oracle and the nulls."""

from kasu.job.run import job

with job(snakemake.log[0], snakemake.input, snakemake.output, snakemake.params):
    from kasu.blm.data.names import RegimeData
    from kasu.blm.generation.seeds import read_seeds
    from kasu.blm.generation.substitutions import read_lexicon
    from kasu.blm.models.heuristics import LEARNED, solvers
    from kasu.blm.models.predictions import predict_heuristics

    params = snakemake.params
    seeds = read_seeds(snakemake.input.seeds, params.capitals, params.language)
    predict_heuristics(
        [RegimeData(*regime) for regime in params.regimes],
        snakemake.output[0],
        heuristics=solvers(seeds, read_lexicon(snakemake.input.lexicon), params.seed),
        learned=LEARNED,
        variants=params.variants,
    )
