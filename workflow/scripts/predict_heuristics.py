"""Let untrained solvers choose: by the rule, what is not in the context, at random."""

from kasu.base.run import job

with job(snakemake.log[0]):
    from kasu.blm.generation.seeds import read_seeds
    from kasu.blm.generation.substitutions import read_lexicon
    from kasu.blm.models.heuristics import solvers
    from kasu.blm.models.predictions import predict_heuristics

    params = snakemake.params
    seeds = read_seeds(snakemake.input.seeds, params.capitals)
    predict_heuristics(
        params.regimes,
        snakemake.output[0],
        heuristics=solvers(seeds, read_lexicon(snakemake.input.lexicon), params.seed),
        variants=params.variants,
    )
