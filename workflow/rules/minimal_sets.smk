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


ruleorder: fetch_results > fetch_source


# One job per set: starting a job takes longer than copying the files of a set from a mirror
rule fetch_results:
    """Fetch the authors' results on one set, and check them."""
    output:
        files=MINIMAL_SETS.sets.result_files,
        locks=[f"{file}.lock" for file in MINIMAL_SETS.sets.result_files],
    log:
        f"{RESULTS}/logs/fetch_results/{{code}}.log",
    wildcard_constraints:
        code=one_of(MINIMAL_SETS.sets.codes),
    localrule: True
    resources:
        downloads=1,
    params:
        sources=lambda wildcards: MINIMAL_SETS.sets.result_sources(wildcards.code),
    script:
        "../scripts/fetch_source.py"


rule build_minimal_set:
    """Build a minimal set from a treebank and a request."""
    input:
        treebanks=lambda wildcards: MINIMAL_SETS.sets.built[wildcards.set].treebank,
        request=lambda wildcards: str(
            MINIMAL_SETS.sets.built[wildcards.set].request.file
        ),
        lexicon=lambda wildcards: MINIMAL_SETS.sets.built[wildcards.set].lexicon,
        paradigms=lambda wildcards: [
            str(entry.file)
            for entry in MINIMAL_SETS.sets.built[wildcards.set].paradigms
        ],
    output:
        dataset=f"{MINIMAL_SETS.folder}/datasets/{{set}}/items.parquet",
        card=f"{MINIMAL_SETS.folder}/datasets/{{set}}/README.md",
        counts=f"{MINIMAL_SETS.folder}/datasets/{{set}}/counts.tsv",
        drops=f"{MINIMAL_SETS.folder}/datasets/{{set}}/drops.tsv",
    log:
        f"{RESULTS}/logs/build_minimal_set/{{set}}.log",
    wildcard_constraints:
        set=one_of(MINIMAL_SETS.sets.built),
    params:
        design=lambda wildcards: MINIMAL_SETS.sets.built[wildcards.set].design,
        language=lambda wildcards: MINIMAL_SETS.sets.built[wildcards.set].language,
        sources=lambda wildcards: MINIMAL_SETS.sets.built[wildcards.set].described,
        code=code("build_minimal_set"),
    script:
        "../scripts/build_minimal_set.py"


rule build_released_set:
    """Read the items of a released set."""
    input:
        lambda wildcards: str(MINIMAL_SETS.sets.released[wildcards.set].items.file),
    output:
        dataset=f"{MINIMAL_SETS.folder}/datasets/{{set}}/items.parquet",
        card=f"{MINIMAL_SETS.folder}/datasets/{{set}}/README.md",
        counts=f"{MINIMAL_SETS.folder}/datasets/{{set}}/counts.tsv",
        drops=f"{MINIMAL_SETS.folder}/datasets/{{set}}/drops.tsv",
    log:
        f"{RESULTS}/logs/build_released_set/{{set}}.log",
    wildcard_constraints:
        set=one_of(MINIMAL_SETS.sets.releasable),
    params:
        source=lambda wildcards: describe(
            MINIMAL_SETS.sets.released[wildcards.set].items
        ),
        language=MINIMAL_SETS.sets.released_language,
        code=code("build_released_set"),
    script:
        "../scripts/build_released_set.py"


rule compare_with_released:
    """Count the released items that a built set contains."""
    input:
        built=f"{MINIMAL_SETS.folder}/datasets/{{set}}/items.parquet",
        released=lambda wildcards: MINIMAL_SETS.sets.items(
            [MINIMAL_SETS.sets.counterparts[wildcards.set]]
        ),
        treebanks=lambda wildcards: MINIMAL_SETS.sets.built[wildcards.set].treebank,
    output:
        f"{MINIMAL_SETS.folder}/datasets/{{set}}/overlap.tsv",
    log:
        f"{RESULTS}/logs/compare_with_released/{{set}}.log",
    wildcard_constraints:
        set=one_of(MINIMAL_SETS.sets.counterparts),
    params:
        code=code("compare_with_released"),
    script:
        "../scripts/compare_with_released.py"


rule score_sets:
    """Score the forms of all sets of a model, under all definitions."""
    input:
        model=lambda wildcards: undated(MINIMAL_SETS.model(wildcards.model)),
        beside=lambda wildcards: MODELS.beside(MINIMAL_SETS.model(wildcards.model)),
        sets=lambda wildcards: MINIMAL_SETS.sets.items(
            MINIMAL_SETS.scored(wildcards.model)
        ),
        text=lambda wildcards: MINIMAL_SETS.training_text(wildcards.model),
    output:
        predictions=f"{MINIMAL_SETS.folder}/predictions/{{model}}.parquet",
        drops=f"{MINIMAL_SETS.folder}/predictions/{{model}}_drops.tsv",
    log:
        f"{RESULTS}/logs/score_sets/{{model}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/score_sets/{{model}}.tsv"
    wildcard_constraints:
        model=one_of(MINIMAL_SETS.scorers),
    threads: SETTINGS.scoring.threads
    resources:
        gpu=GPU,
    params:
        system=lambda wildcards: MINIMAL_SETS.system(wildcards.model),
        definitions=lambda wildcards: MINIMAL_SETS.definitions(wildcards.model),
        loading=lambda wildcards: MINIMAL_SETS.loading(wildcards.model),
        settings=SETTINGS.scoring.dump(),
        device=SETTINGS.device,
        work=f"{MINIMAL_SETS.folder}/work/{{model}}",
        code=code("score_sets"),
    script:
        "../scripts/score_sets.py"


rule count_tokens:
    """Count the tokens of the released items with the tokenizer of a model of the paper."""
    input:
        model=lambda wildcards: undated(MINIMAL_SETS.model(wildcards.model)),
        beside=lambda wildcards: MODELS.beside(MINIMAL_SETS.model(wildcards.model)),
        sets=f"{MINIMAL_SETS.folder}/datasets/{{set}}/items.parquet",
    output:
        f"{MINIMAL_SETS.folder}/tokens/{{model}}/{{set}}.parquet",
    log:
        f"{RESULTS}/logs/count_tokens/{{model}}-{{set}}.log",
    wildcard_constraints:
        model=one_of(MINIMAL_SETS.scorers),
        set=one_of(MINIMAL_SETS.sets.releasable),
    params:
        system=lambda wildcards: MINIMAL_SETS.system(wildcards.model),
        code=code("count_tokens"),
    script:
        "../scripts/count_tokens.py"


rule predict_released:
    """Read the authors' results by item as predictions."""
    input:
        results=lambda wildcards: MINIMAL_SETS.sets.results,
        sets=lambda wildcards: MINIMAL_SETS.sets.items([*MINIMAL_SETS.sets.released]),
        tokens=lambda wildcards: MINIMAL_SETS.tokens,
    output:
        f"{MINIMAL_SETS.folder}/predictions/released_results.parquet",
    log:
        f"{RESULTS}/logs/predict_released.log",
    params:
        code=code("predict_released"),
    script:
        "../scripts/predict_released.py"


rule score_minimal_sets:
    """Score models on sets; preferences, correlations, paired tests, the paper's claims."""
    input:
        predictions=lambda wildcards: MINIMAL_SETS.predictions,
        built=lambda wildcards: MINIMAL_SETS.sets.items([*MINIMAL_SETS.sets.rebuilt]),
        statistics=lambda wildcards: MINIMAL_SETS.sets.statistics,
    output:
        **{
            table: report(
                MINIMAL_SETS.table(table),
                caption=f"../report/minimal_sets_{table}.rst",
                category="minimal_sets",
            )
            for table in MINIMAL_SETS.evaluations
        },
        scores=f"{MINIMAL_SETS.folder}/scores.parquet",
    log:
        f"{RESULTS}/logs/score_minimal_sets.log",
    params:
        seed=SETTINGS.seeds[0],
        collections=lambda wildcards: MINIMAL_SETS.sets.pools,
        counterparts=lambda wildcards: MINIMAL_SETS.sets.rebuilt,
        code=code("score_minimal_sets"),
    script:
        "../scripts/score_minimal_sets.py"


rule describe_sets:
    """Describe the sets, and which screeve assigns which cases (Tables 1 and 2, Figure 1)."""
    input:
        lambda wildcards: MINIMAL_SETS.sets.items(MINIMAL_SETS.sets.names),
    output:
        **{
            table: report(
                MINIMAL_SETS.table(table),
                caption=f"../report/minimal_sets_{table}.rst",
                category="minimal_sets",
            )
            for table in MINIMAL_SETS.descriptions
        },
    log:
        f"{RESULTS}/logs/describe_sets.log",
    params:
        counterparts=MINIMAL_SETS.sets.counterparts,
        code=code("describe_sets"),
    script:
        "../scripts/describe_sets.py"


rule draw_probabilities:
    """Draw the mean probability of each form (Figure 3)."""
    input:
        MINIMAL_SETS.table("probabilities"),
    output:
        report(
            f"{MINIMAL_SETS.folder}/figures/figure_3.svg",
            caption="../report/minimal_sets_figure_3.rst",
            category="minimal_sets",
        ),
    log:
        f"{RESULTS}/logs/draw_probabilities.log",
    params:
        variant=lambda wildcards: MINIMAL_SETS.figure_variant,
        code=code("draw_probabilities"),
    script:
        "../scripts/draw_probabilities.py"


rule minimal_sets:
    """Build the study of minimal sets (Gallagher & Heyer 2026)."""
    input:
        files_of("minimal_sets"),
    localrule: True
