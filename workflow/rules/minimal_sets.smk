"""Gallagher & Heyer (2026): does a language model prefer the right case (GEO-1 to GEO-17)?

In: treebanks and requests; the authors' released items and results by item; language models.
Out, under <results>/minimal_sets/: datasets/<set>/, predictions/<model>.parquet, scores.parquet,
tables/, figures/.
Time: the demo takes a minute, config/real.yaml some minutes on two cores; config/paper.yaml needs
a GPU.
"""

from kasu.minimal_sets.plan import MinimalSetsPlan

MINIMAL_SETS = MinimalSetsPlan(
    SETTINGS.minimal_sets, SETTINGS.seeds, TREEBANKS, MODELS, CORPORA
)
STUDIES["minimal_sets"] = MINIMAL_SETS
# The scheme of cases is that of the paper's language
SCHEME = {}
if "scheme" in MINIMAL_SETS.descriptions:
    SCHEME["scheme"] = report(
        "<results>/minimal_sets/tables/scheme.tsv",
        caption="../report/minimal_sets_scheme.rst",
        category="minimal_sets",
    )


def source_of_released(wildcards):
    """What the card of a released set says of its source."""
    return describe(MINIMAL_SETS.sets.source(wildcards.set))


ruleorder: fetch_results > fetch_source


# One job per set: starting a job takes longer than copying the files of a set from a mirror
rule fetch_results:
    """Fetch the authors' results on one set, and check them."""
    output:
        files=MINIMAL_SETS.sets.result_files,
        locks=MINIMAL_SETS.sets.result_locks,
    log:
        "<logs>/fetch_results/{code}.log",
    wildcard_constraints:
        code=one_of(MINIMAL_SETS.sets.codes),
    localrule: True
    resources:
        downloads=1,
    params:
        sources=from_plan(MINIMAL_SETS, "sets.result_sources"),
    script:
        "../scripts/fetch_source.py"


rule build_minimal_set:
    """Build a minimal set from a treebank and a request."""
    input:
        treebanks=from_plan(MINIMAL_SETS, "sets.get", "treebank"),
        request=from_plan(MINIMAL_SETS, "sets.get", "request.file"),
        lexicon=from_plan(MINIMAL_SETS, "sets.get", "lexicon"),
        paradigms=from_plan(MINIMAL_SETS, "sets.get", "paradigm_files"),
        conventions=from_plan(MINIMAL_SETS, "sets.get", "conventions"),
    output:
        dataset="<results>/minimal_sets/datasets/{set}/items.parquet",
        card="<results>/minimal_sets/datasets/{set}/README.md",
        counts="<results>/minimal_sets/datasets/{set}/counts.tsv",
        drops="<results>/minimal_sets/datasets/{set}/drops.tsv",
    log:
        "<logs>/build_minimal_set/{set}.log",
    wildcard_constraints:
        set=one_of(MINIMAL_SETS.sets.built),
    params:
        design=from_plan(MINIMAL_SETS, "sets.get", "design"),
        language=from_plan(MINIMAL_SETS, "sets.get", "language"),
        sources=from_plan(MINIMAL_SETS, "sets.get", "described"),
        code=code("build_minimal_set"),
    script:
        "../scripts/build_minimal_set.py"


rule build_pairs:
    """Build a set of agreement pairs from a treebank."""
    input:
        treebanks=from_plan(MINIMAL_SETS, "sets.pair_set", "treebank"),
        requests=from_plan(MINIMAL_SETS, "sets.pair_set", "request_files"),
        paradigms=from_plan(MINIMAL_SETS, "sets.pair_set", "paradigm_files"),
        conventions=from_plan(MINIMAL_SETS, "sets.pair_set", "conventions"),
    output:
        dataset="<results>/minimal_sets/datasets/{set}/items.parquet",
        card="<results>/minimal_sets/datasets/{set}/README.md",
        counts="<results>/minimal_sets/datasets/{set}/counts.tsv",
        drops="<results>/minimal_sets/datasets/{set}/drops.tsv",
        agreement="<results>/minimal_sets/datasets/{set}/agreement.tsv",
        pool="<results>/minimal_sets/datasets/{set}/pool.tsv",
    log:
        "<logs>/build_pairs/{set}.log",
    wildcard_constraints:
        set=one_of(MINIMAL_SETS.sets.pairs),
    params:
        design=from_plan(MINIMAL_SETS, "sets.pair_set", "design"),
        kinds=from_plan(MINIMAL_SETS, "sets.pair_set", "request_kinds"),
        sources=from_plan(MINIMAL_SETS, "sets.pair_set", "described"),
        licences=from_plan(MINIMAL_SETS, "sets.pair_set", "licences"),
        forms=from_plan(MINIMAL_SETS, "sets.pair_set", "form_licences"),
        code=code("build_pairs"),
    script:
        "../scripts/build_pairs.py"


rule tabulate_pairs:
    """Tabulate agreement pairs: yields beside print, whether languages agree, nulls, models."""
    input:
        datasets=from_plan(MINIMAL_SETS, "sets.pair_items"),
        agreement=from_plan(MINIMAL_SETS, "sets.pair_agreement"),
        pools=from_plan(MINIMAL_SETS, "sets.pair_pools"),
        predictions=from_plan(MINIMAL_SETS, "pair_predictions"),
        released=from_plan(MINIMAL_SETS, "sets.audited_files"),
    output:
        agreement=report(
            "<results>/minimal_sets/tables/agreement.tsv",
            caption="../report/minimal_sets_agreement.rst",
            category="minimal_sets",
        ),
        pairs=report(
            "<results>/minimal_sets/tables/pairs.tsv",
            caption="../report/minimal_sets_pairs.rst",
            category="minimal_sets",
        ),
        pair_scores=report(
            "<results>/minimal_sets/tables/pair_scores.tsv",
            caption="../report/minimal_sets_pair_scores.rst",
            category="minimal_sets",
        ),
        figure=report(
            "<results>/minimal_sets/figures/pair_scores.svg",
            caption="../report/minimal_sets_pair_scores.rst",
            category="minimal_sets",
        ),
        pdf="<results>/minimal_sets/figures/pair_scores.pdf",
    log:
        "<logs>/tabulate_pairs.log",
    params:
        names=from_plan(MINIMAL_SETS, "sets.pair_names"),
        languages=from_plan(MINIMAL_SETS, "sets.pair_languages"),
        rules=from_plan(MINIMAL_SETS, "sets.pair_rules"),
        in_print=from_plan(MINIMAL_SETS, "sets.pairs_in_print"),
        seed=SETTINGS.seeds[0],
        code=code("tabulate_pairs"),
    script:
        "../scripts/tabulate_pairs.py"


rule audit_pairs:
    """Audit released files of MultiBLiMP."""
    input:
        released=from_plan(MINIMAL_SETS, "sets.audited_files"),
        grounds=from_plan(MINIMAL_SETS, "sets.ground_files"),
    output:
        audit=report(
            "<results>/minimal_sets/tables/audit.tsv",
            caption="../report/minimal_sets_audit.rst",
            category="minimal_sets",
        ),
        audit_items="<results>/minimal_sets/tables/audit_items.tsv",
    log:
        "<logs>/audit_pairs.log",
    params:
        grounds=from_plan(MINIMAL_SETS, "sets.grounds"),
        code=code("audit_pairs"),
    script:
        "../scripts/audit_pairs.py"


rule build_released_set:
    """Read the items of a released set."""
    input:
        from_plan(MINIMAL_SETS, "sets.source", "file"),
    output:
        dataset="<results>/minimal_sets/datasets/{set}/items.parquet",
        card="<results>/minimal_sets/datasets/{set}/README.md",
        counts="<results>/minimal_sets/datasets/{set}/counts.tsv",
        drops="<results>/minimal_sets/datasets/{set}/drops.tsv",
    log:
        "<logs>/build_released_set/{set}.log",
    wildcard_constraints:
        set=one_of(MINIMAL_SETS.sets.releasable),
    params:
        source=source_of_released,
        language=MINIMAL_SETS.sets.released_language,
        code=code("build_released_set"),
    script:
        "../scripts/build_released_set.py"


rule compare_with_released:
    """Count the released items that a built set contains."""
    input:
        built="<results>/minimal_sets/datasets/{set}/items.parquet",
        released=from_plan(MINIMAL_SETS, "sets.overlapping"),
        treebanks=from_plan(MINIMAL_SETS, "sets.get", "treebank"),
    output:
        "<results>/minimal_sets/datasets/{set}/overlap.tsv",
    log:
        "<logs>/compare_with_released/{set}.log",
    wildcard_constraints:
        set=one_of(MINIMAL_SETS.sets.counterparts),
    params:
        code=code("compare_with_released"),
    script:
        "../scripts/compare_with_released.py"


rule score_sets:
    """Score the forms of all sets of a model, under all definitions."""
    input:
        model=undated(from_plan(MINIMAL_SETS, "model")),
        beside=beside(from_plan(MINIMAL_SETS, "model")),
        sets=from_plan(MINIMAL_SETS, "scored_items"),
        text=from_plan(MINIMAL_SETS, "training_text"),
    output:
        predictions="<results>/minimal_sets/predictions/{model}.parquet",
        drops="<results>/minimal_sets/predictions/{model}_drops.tsv",
    log:
        "<logs>/score_sets/{model}.log",
    benchmark:
        "<benchmarks>/score_sets/{model}.tsv"
    wildcard_constraints:
        model=one_of(MINIMAL_SETS.scorers),
    threads: SETTINGS.scoring.threads
    resources:
        gpu=GPU,
        mem_mb=per_attempt(32_000),
        runtime=480,
    params:
        system=from_plan(MINIMAL_SETS, "system"),
        definitions=from_plan(MINIMAL_SETS, "definitions"),
        loading=from_plan(MINIMAL_SETS, "loading"),
        settings=SETTINGS.scoring.dump(),
        device=SETTINGS.device,
        work=in_results("minimal_sets/work/{model}"),
        code=code("score_sets"),
    script:
        "../scripts/score_sets.py"


rule count_tokens:
    """Count the tokens of the released items with the tokenizer of a model of the paper."""
    input:
        model=undated(from_plan(MINIMAL_SETS, "model")),
        beside=beside(from_plan(MINIMAL_SETS, "model")),
        sets="<results>/minimal_sets/datasets/{set}/items.parquet",
    output:
        "<results>/minimal_sets/tokens/{model}/{set}.parquet",
    log:
        "<logs>/count_tokens/{model}-{set}.log",
    wildcard_constraints:
        model=one_of(MINIMAL_SETS.scorers),
        set=one_of(MINIMAL_SETS.sets.releasable),
    params:
        system=from_plan(MINIMAL_SETS, "system"),
        code=code("count_tokens"),
    script:
        "../scripts/count_tokens.py"


rule predict_released:
    """Read the authors' results by item as predictions."""
    input:
        results=from_plan(MINIMAL_SETS, "sets.results"),
        sets=from_plan(MINIMAL_SETS, "sets.released_items"),
        tokens=from_plan(MINIMAL_SETS, "tokens"),
    output:
        "<results>/minimal_sets/predictions/released_results.parquet",
    log:
        "<logs>/predict_released.log",
    params:
        code=code("predict_released"),
    script:
        "../scripts/predict_released.py"


rule score_minimal_sets:
    """Score models on sets; preferences, correlations, paired tests, the paper's claims."""
    input:
        predictions=from_plan(MINIMAL_SETS, "predictions"),
        built=from_plan(MINIMAL_SETS, "sets.rebuilt_items"),
        statistics=from_plan(MINIMAL_SETS, "sets.statistics"),
    output:
        claims=report(
            "<results>/minimal_sets/tables/claims.tsv",
            caption="../report/minimal_sets_claims.rst",
            category="minimal_sets",
        ),
        comparisons=report(
            "<results>/minimal_sets/tables/comparisons.tsv",
            caption="../report/minimal_sets_comparisons.rst",
            category="minimal_sets",
        ),
        preferences=report(
            "<results>/minimal_sets/tables/preferences.tsv",
            caption="../report/minimal_sets_preferences.rst",
            category="minimal_sets",
        ),
        correlations=report(
            "<results>/minimal_sets/tables/correlations.tsv",
            caption="../report/minimal_sets_correlations.rst",
            category="minimal_sets",
        ),
        flips=report(
            "<results>/minimal_sets/tables/flips.tsv",
            caption="../report/minimal_sets_flips.rst",
            category="minimal_sets",
        ),
        probabilities=report(
            "<results>/minimal_sets/tables/probabilities.tsv",
            caption="../report/minimal_sets_probabilities.rst",
            category="minimal_sets",
        ),
        scores="<results>/minimal_sets/scores.parquet",
    log:
        "<logs>/score_minimal_sets.log",
    params:
        seed=SETTINGS.seeds[0],
        collections=from_plan(MINIMAL_SETS, "sets.pools"),
        counterparts=from_plan(MINIMAL_SETS, "sets.rebuilt"),
        code=code("score_minimal_sets"),
    script:
        "../scripts/score_minimal_sets.py"


rule describe_sets:
    """Describe the sets, and which screeve assigns which cases (Tables 1 and 2, Figure 1)."""
    input:
        datasets=from_plan(MINIMAL_SETS, "sets.all_items"),
        drops=from_plan(MINIMAL_SETS, "sets.all_drops"),
    output:
        **SCHEME,
        sets=report(
            "<results>/minimal_sets/tables/sets.tsv",
            caption="../report/minimal_sets_sets.rst",
            category="minimal_sets",
        ),
    log:
        "<logs>/describe_sets.log",
    params:
        names=from_plan(MINIMAL_SETS, "sets.names"),
        counterparts=MINIMAL_SETS.sets.counterparts,
        may_be_empty=from_plan(MINIMAL_SETS, "sets.pair_names"),
        code=code("describe_sets"),
    script:
        "../scripts/describe_sets.py"


rule draw_probabilities:
    """Draw the mean probability of each form (Figure 3)."""
    input:
        "<results>/minimal_sets/tables/probabilities.tsv",
    output:
        report(
            "<results>/minimal_sets/figures/figure_3.svg",
            caption="../report/minimal_sets_figure_3.rst",
            category="minimal_sets",
        ),
        pdf="<results>/minimal_sets/figures/figure_3.pdf",
    log:
        "<logs>/draw_probabilities.log",
    params:
        variant=from_plan(MINIMAL_SETS, "figure_variant"),
        code=code("draw_probabilities"),
    script:
        "../scripts/draw_probabilities.py"


rule minimal_sets:
    """Build the study of minimal sets (Gallagher & Heyer 2026)."""
    input:
        files_of("minimal_sets"),
    localrule: True
