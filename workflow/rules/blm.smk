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


def seeds_of_blm(wildcards):
    """The file of lexical seeds."""
    return BLM.source_file("seeds")


def lexicon_of_blm(wildcards):
    """The file of the substitution lexicon."""
    return BLM.source_file("lexicon")


def described_sources(type_):
    """Make the function of a parameter: what the cards of a type's datasets say of their sources."""

    def described(wildcards):
        return BLM.described(type_)

    return described


rule build_type_i:
    """Build type I: every sequence of every seed."""
    input:
        seeds=seeds_of_blm,
    output:
        problems="<results>/blm/datasets/type_I/problems.parquet",
        train="<results>/blm/datasets/type_I/train.parquet",
        validation="<results>/blm/datasets/type_I/validation.parquet",
        test="<results>/blm/datasets/type_I/test.parquet",
        card="<results>/blm/datasets/type_I/README.md",
        counts="<results>/blm/datasets/type_I/counts.tsv",
        drops="<results>/blm/datasets/type_I/drops.tsv",
    log:
        "<logs>/build_type_i.log",
    params:
        settings=BLM.dataset_settings(BLM.RANDOM),
        language=BLM.settings.language,
        sources=described_sources("type_I"),
        code=code("build_type_i"),
    script:
        "../scripts/build_type_i.py"


rule build_type_ii:
    """Build type II: type I with one word replaced, by a lexicon or by a masked language model."""
    input:
        seeds=seeds_of_blm,
        lexicon=lexicon_of_blm,
        model=undated(from_plan(BLM, "fills_model")),
        beside=beside(from_plan(BLM, "fills_model")),
    output:
        problems="<results>/blm/datasets/type_II/problems.parquet",
        train="<results>/blm/datasets/type_II/train.parquet",
        validation="<results>/blm/datasets/type_II/validation.parquet",
        test="<results>/blm/datasets/type_II/test.parquet",
        card="<results>/blm/datasets/type_II/README.md",
        counts="<results>/blm/datasets/type_II/counts.tsv",
        drops="<results>/blm/datasets/type_II/drops.tsv",
    log:
        "<logs>/build_type_ii.log",
    threads: BLM.settings.encoding.threads if BLM.fills_by_model else 1
    resources:
        gpu=GPU if BLM.fills_by_model else 0,
        mem_mb=per_attempt(16_000),
        runtime=480,
    params:
        settings=BLM.dataset_settings(BLM.RANDOM),
        language=BLM.settings.language,
        sources=described_sources("type_II"),
        tokens_per_batch=BLM.settings.encoding.tokens_per_batch,
        threads=BLM.settings.encoding.threads,
        device=device_of(BLM.fills_by_model),
        code=code("build_type_ii"),
    script:
        "../scripts/build_type_ii.py"


rule split_by_seed:
    """Split type I or II by lexical seed: what is tested has no seed in training."""
    input:
        problems="<results>/blm/datasets/{type}/problems.parquet",
    output:
        problems="<results>/blm/{folder}/{type}/problems.parquet",
        train="<results>/blm/{folder}/{type}/train.parquet",
        validation="<results>/blm/{folder}/{type}/validation.parquet",
        test="<results>/blm/{folder}/{type}/test.parquet",
        card="<results>/blm/{folder}/{type}/README.md",
        counts="<results>/blm/{folder}/{type}/counts.tsv",
        drops="<results>/blm/{folder}/{type}/drops.tsv",
    log:
        "<logs>/split_by_seed/{folder}/{type}.log",
    wildcard_constraints:
        folder=one_of(BLM.seed_folders),
        type="type_I|type_II",
    params:
        settings=from_plan(BLM, "dataset_settings"),
        language=BLM.settings.language,
        sources=from_plan(BLM, "described"),
        code=code("split_by_seed"),
    script:
        "../scripts/split_by_seed.py"


rule build_type_iii:
    """Build type III: the sentences of type II resampled, within each split if that is by seed."""
    input:
        type_ii="<results>/blm/datasets/type_II/problems.parquet",
    output:
        problems="<results>/blm/{folder}/type_III/problems.parquet",
        train="<results>/blm/{folder}/type_III/train.parquet",
        validation="<results>/blm/{folder}/type_III/validation.parquet",
        test="<results>/blm/{folder}/type_III/test.parquet",
        card="<results>/blm/{folder}/type_III/README.md",
        counts="<results>/blm/{folder}/type_III/counts.tsv",
        drops="<results>/blm/{folder}/type_III/drops.tsv",
    log:
        "<logs>/build_type_iii/{folder}.log",
    wildcard_constraints:
        folder=one_of([BLM.RANDOM, *BLM.seed_folders]),
    params:
        settings=from_plan(BLM, "dataset_settings"),
        language=BLM.settings.language,
        sources=described_sources("type_III"),
        code=code("build_type_iii"),
    script:
        "../scripts/build_type_iii.py"


rule demonstrate_generator:
    """Tabulate what the paper's figures show of the generator, for one seed."""
    input:
        seeds=seeds_of_blm,
        lexicon=lexicon_of_blm,
    output:
        report(
            "<results>/blm/tables/demonstration.tsv",
            caption="../report/blm_demonstration.rst",
            category="blm",
        ),
    log:
        "<logs>/demonstrate_generator.log",
    params:
        capitals=BLM.capitals,
        language=BLM.settings.language,
        seed=SETTINGS.seeds[0],
        code=code("demonstrate_generator"),
    script:
        "../scripts/demonstrate_generator.py"


rule embed_problems:
    """Encode each distinct sentence of all problems once."""
    input:
        problems=BLM.embedded,
        encoder=undated(from_plan(BLM, "encoder_model")),
        beside=beside(from_plan(BLM, "encoder_model")),
    output:
        embeddings="<results>/blm/embeddings/{encoding}.parquet",
        counts="<results>/blm/embeddings/{encoding}_counts.tsv",
    log:
        "<logs>/embed_problems/{encoding}.log",
    benchmark:
        "<benchmarks>/embed_problems/{encoding}.tsv"
    wildcard_constraints:
        encoding=one_of(BLM.encodings),
    threads: BLM.settings.encoding.threads
    resources:
        gpu=GPU if BLM.encodes_by_model else 0,
        mem_mb=per_attempt(16_000),
        runtime=480,
    params:
        settings=from_plan(BLM, "encoding_settings"),
        cache=in_results("blm/work/embeddings-{encoding}"),
        device=device_of(BLM.encodes_by_model),
        code=code("embed_problems"),
    script:
        "../scripts/embed_problems.py"


rule train_networks:
    """Train FFNN and CNN for every cell of Table 1 and let them choose, in one job."""
    input:
        problems=BLM.splits,
        embeddings=list(BLM.embeddings.values()),
    output:
        predictions="<results>/blm/predictions/networks.parquet",
        history="<results>/blm/predictions/networks_history.tsv",
    log:
        "<logs>/train_networks.log",
    benchmark:
        "<benchmarks>/train_networks.tsv"
    threads: BLM.settings.training.threads
    resources:
        gpu=GPU,
        mem_mb=per_attempt(16_000),
        runtime=1440,
    params:
        regimes=[list(regime) for regime in BLM.regimes],
        models=list(BLM.settings.networks),
        seeds=list(BLM.settings.runs),
        settings=BLM.settings.training.dump(),
        work=in_results("blm/work/networks"),
        device=SETTINGS.device,
        code=code("train_networks"),
    script:
        "../scripts/train_networks.py"


rule predict_heuristics:
    """Let solvers without a network choose: the oracle and the nulls."""
    input:
        seeds=seeds_of_blm,
        lexicon=lexicon_of_blm,
        problems=BLM.splits,
    output:
        "<results>/blm/predictions/heuristics.parquet",
    log:
        "<logs>/predict_heuristics.log",
    params:
        regimes=[list(regime) for regime in BLM.regimes],
        variants=BLM.settings.training.dump()["variants"],
        capitals=BLM.capitals,
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
            "<results>/blm/tables/overlap.tsv",
            caption="../report/blm_overlap.rst",
            category="blm",
        ),
    log:
        "<logs>/measure_overlap.log",
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
            "<results>/blm/predictions/networks.parquet",
            "<results>/blm/predictions/heuristics.parquet",
        ],
        problems=BLM.counted,
    output:
        scores="<results>/blm/scores.parquet",
        errors=report(
            "<results>/blm/tables/errors.tsv",
            caption="../report/blm_errors.rst",
            category="blm",
        ),
        comparisons=report(
            "<results>/blm/tables/comparisons.tsv",
            caption="../report/blm_comparisons.rst",
            category="blm",
        ),
        claims=report(
            "<results>/blm/tables/claims.tsv",
            caption="../report/blm_claims.rst",
            category="blm",
        ),
    log:
        "<logs>/score_blm.log",
    params:
        datasets=in_results("blm/datasets"),
        seed=SETTINGS.seeds[0],
        note=BLM.note,
        untestable=from_plan(BLM, "untestable"),
        code=code("score_blm"),
    script:
        "../scripts/score_blm.py"


rule tabulate_nulls:
    """Set the nulls beside the networks and the published figures of Table 1."""
    input:
        "<results>/blm/tables/table_1.tsv",
    output:
        report(
            "<results>/blm/tables/nulls.tsv",
            caption="../report/blm_nulls.rst",
            category="blm",
        ),
    log:
        "<logs>/tabulate_nulls.log",
    params:
        code=code("tabulate_nulls"),
    script:
        "../scripts/tabulate_nulls.py"


rule draw_errors:
    """Draw the shares of each error (Figure 9)."""
    input:
        errors="<results>/blm/tables/errors.tsv",
    output:
        report(
            "<results>/blm/figures/figure_9.svg",
            caption="../report/blm_figure_9.rst",
            category="blm",
        ),
        pdf="<results>/blm/figures/figure_9.pdf",
    log:
        "<logs>/draw_errors.log",
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
