"""An et al. (2023), "BLM-AgrF: A New French Benchmark to Investigate Generalization of Agreement".

Seven sentences of a matrix, and six candidates for the eighth (BLM-1 to BLM-20).
In: a seeds file and a substitution lexicon, or a masked language model; an encoder. Out, under
<results>/blm/: datasets/<type>/ and, split by seed, by_seed/<type>/ or by_seed/<fold>/<type>/;
embeddings/<encoding>.parquet, predictions/, scores.parquet, tables/, figures/.
Time: the demo a minute; config/real.yaml 35 to 70 minutes on two cores; the whole grid of
config/paper.yaml needs a GPU.
"""

from kasu.blm.plan import BlmPlan

BLM = BlmPlan(SETTINGS.blm, SETTINGS.seeds, MODELS)
STUDIES["blm"] = BLM


rule build_type_i:
    """Build type I: every sequence of every seed."""
    input:
        seeds=lambda wildcards: BLM.source_file("seeds"),
    output:
        **BLM.dataset("type_I", BLM.RANDOM),
    log:
        f"{RESULTS}/logs/build_type_i.log",
    params:
        settings=BLM.dataset_settings(BLM.RANDOM),
        language=BLM.settings.language,
        sources=lambda wildcards: BLM.described("type_I"),
        code=code("build_type_i"),
    script:
        "../scripts/build_type_i.py"


rule build_type_ii:
    """Build type II: type I with one word replaced, by a lexicon or by a masked language model."""
    input:
        seeds=lambda wildcards: BLM.source_file("seeds"),
        lexicon=lambda wildcards: BLM.source_file("lexicon"),
        model=lambda wildcards: undated(BLM.fills_model),
        beside=lambda wildcards: MODELS.beside(BLM.fills_model),
    output:
        **BLM.dataset("type_II", BLM.RANDOM),
    log:
        f"{RESULTS}/logs/build_type_ii.log",
    threads: BLM.settings.encoding.threads if BLM.fills_by_model else 1
    resources:
        gpu=GPU if BLM.fills_by_model else 0,
    params:
        settings=BLM.dataset_settings(BLM.RANDOM),
        language=BLM.settings.language,
        sources=lambda wildcards: BLM.described("type_II"),
        tokens_per_batch=BLM.settings.encoding.tokens_per_batch,
        threads=BLM.settings.encoding.threads,
        device=SETTINGS.device,
        code=code("build_type_ii"),
    script:
        "../scripts/build_type_ii.py"


rule split_by_seed:
    """Split type I or II by lexical seed: what is tested has no seed in training."""
    input:
        problems=BLM.dataset("{type}", BLM.RANDOM)["problems"],
    output:
        **BLM.dataset("{type}"),
    log:
        f"{RESULTS}/logs/split_by_seed/{{folder}}/{{type}}.log",
    wildcard_constraints:
        folder=one_of(BLM.seed_folders),
        type="type_I|type_II",
    params:
        settings=lambda wildcards: BLM.dataset_settings(wildcards.folder),
        language=BLM.settings.language,
        sources=lambda wildcards: BLM.described(wildcards.type),
        code=code("split_by_seed"),
    script:
        "../scripts/split_by_seed.py"


rule build_type_iii:
    """Build type III: the sentences of type II resampled, within each split if that is by seed."""
    input:
        type_ii=BLM.dataset("type_II", BLM.RANDOM)["problems"],
    output:
        **BLM.dataset("type_III"),
    log:
        f"{RESULTS}/logs/build_type_iii/{{folder}}.log",
    wildcard_constraints:
        folder=one_of([BLM.RANDOM, *BLM.seed_folders]),
    params:
        settings=lambda wildcards: BLM.dataset_settings(wildcards.folder),
        language=BLM.settings.language,
        sources=lambda wildcards: BLM.described("type_III"),
        code=code("build_type_iii"),
    script:
        "../scripts/build_type_iii.py"


rule demonstrate_generator:
    """Tabulate what the paper's figures show of the generator, for one seed."""
    input:
        seeds=lambda wildcards: BLM.source_file("seeds"),
        lexicon=lambda wildcards: BLM.source_file("lexicon"),
    output:
        report(
            f"{BLM.folder}/tables/demonstration.tsv",
            caption="../report/blm_demonstration.rst",
            category="blm",
        ),
    log:
        f"{RESULTS}/logs/demonstrate_generator.log",
    params:
        capitals=BLM.settings.capitals,
        language=BLM.settings.language,
        seed=SETTINGS.seeds[0],
        code=code("demonstrate_generator"),
    script:
        "../scripts/demonstrate_generator.py"


rule embed_problems:
    """Encode each distinct sentence of all problems once."""
    input:
        problems=BLM.embedded,
        encoder=lambda wildcards: undated(BLM.encoder_model),
        beside=lambda wildcards: MODELS.beside(BLM.encoder_model),
    output:
        embeddings=f"{BLM.folder}/embeddings/{{encoding}}.parquet",
        counts=f"{BLM.folder}/embeddings/{{encoding}}_counts.tsv",
    log:
        f"{RESULTS}/logs/embed_problems/{{encoding}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/embed_problems/{{encoding}}.tsv"
    wildcard_constraints:
        encoding=one_of(BLM.encodings),
    threads: BLM.settings.encoding.threads
    resources:
        gpu=GPU if BLM.encodes_by_model else 0,
    params:
        settings=lambda wildcards: BLM.encoding_settings(wildcards.encoding),
        cache=f"{BLM.folder}/work/embeddings-{{encoding}}",
        device=SETTINGS.device,
        code=code("embed_problems"),
    script:
        "../scripts/embed_problems.py"


rule train_networks:
    """Train FFNN and CNN for every cell of Table 1 and let them choose, in one job."""
    input:
        problems=BLM.splits,
        embeddings=list(BLM.embeddings.values()),
    output:
        predictions=f"{BLM.folder}/predictions/networks.parquet",
        history=f"{BLM.folder}/predictions/networks_history.tsv",
    log:
        f"{RESULTS}/logs/train_networks.log",
    benchmark:
        f"{RESULTS}/benchmarks/train_networks.tsv"
    threads: BLM.settings.training.threads
    resources:
        gpu=GPU,
    params:
        regimes=[list(regime) for regime in BLM.regimes],
        models=list(BLM.settings.networks),
        seeds=list(BLM.settings.runs),
        settings=BLM.settings.training.dump(),
        work=f"{BLM.folder}/work/networks",
        device=SETTINGS.device,
        code=code("train_networks"),
    script:
        "../scripts/train_networks.py"


rule predict_heuristics:
    """Let solvers without a network choose: the oracle and the nulls."""
    input:
        seeds=lambda wildcards: BLM.source_file("seeds"),
        lexicon=lambda wildcards: BLM.source_file("lexicon"),
        problems=BLM.splits,
    output:
        f"{BLM.folder}/predictions/heuristics.parquet",
    log:
        f"{RESULTS}/logs/predict_heuristics.log",
    params:
        regimes=[list(regime) for regime in BLM.regimes],
        variants=BLM.settings.training.dump()["variants"],
        capitals=BLM.settings.capitals,
        language=BLM.settings.language,
        seed=SETTINGS.seeds[0],
        code=code("predict_heuristics"),
    script:
        "../scripts/predict_heuristics.py"


rule measure_overlap:
    """Measure how much of the test sets stands in training word for word."""
    input:
        BLM.splits,
    output:
        report(
            f"{BLM.folder}/tables/overlap.tsv",
            caption="../report/blm_overlap.rst",
            category="blm",
        ),
    log:
        f"{RESULTS}/logs/measure_overlap.log",
    params:
        regimes=[list(regime) for regime in BLM.regimes],
        variants=BLM.settings.training.dump()["variants"],
        code=code("measure_overlap"),
    script:
        "../scripts/measure_overlap.py"


rule score_blm:
    """Score networks and heuristics, count their errors by kind and test the paper's claims."""
    input:
        predictions=[
            f"{BLM.folder}/predictions/networks.parquet",
            f"{BLM.folder}/predictions/heuristics.parquet",
        ],
        problems=BLM.counted,
    output:
        scores=f"{BLM.folder}/scores.parquet",
        errors=report(
            f"{BLM.folder}/tables/errors.tsv",
            caption="../report/blm_errors.rst",
            category="blm",
        ),
        comparisons=report(
            f"{BLM.folder}/tables/comparisons.tsv",
            caption="../report/blm_comparisons.rst",
            category="blm",
        ),
        claims=report(
            f"{BLM.folder}/tables/claims.tsv",
            caption="../report/blm_claims.rst",
            category="blm",
        ),
    log:
        f"{RESULTS}/logs/score_blm.log",
    params:
        datasets=f"{BLM.folder}/datasets",
        seed=SETTINGS.seeds[0],
        note=BLM.note,
        untestable=lambda wildcards: BLM.untestable,
        code=code("score_blm"),
    script:
        "../scripts/score_blm.py"


rule tabulate_nulls:
    """Set the nulls beside the networks and the published figures of Table 1."""
    input:
        f"{BLM.folder}/tables/table_1.tsv",
    output:
        report(
            f"{BLM.folder}/tables/nulls.tsv",
            caption="../report/blm_nulls.rst",
            category="blm",
        ),
    log:
        f"{RESULTS}/logs/tabulate_nulls.log",
    params:
        code=code("tabulate_nulls"),
    script:
        "../scripts/tabulate_nulls.py"


rule draw_errors:
    """Draw the shares of each error (Figure 9)."""
    input:
        errors=f"{BLM.folder}/tables/errors.tsv",
    output:
        report(
            f"{BLM.folder}/figures/figure_9.svg",
            caption="../report/blm_figure_9.rst",
            category="blm",
        ),
    log:
        f"{RESULTS}/logs/draw_errors.log",
    params:
        regime="allTrain",
        code=code("draw_errors"),
    script:
        "../scripts/draw_errors.py"


rule blm:
    """Build the study of matrices of agreement (BLM-AgrF, An et al. 2023)."""
    input:
        files_of("blm"),
    localrule: True
