"""CoNLL-SIGMORPHON 2018 task 1 (Cotterell et al. 2018, §3.1, §4.1, §5.1): lemma, features -> form.

In: the released files, or paradigms and word counts. Out, under <results>/inflection/:
datasets/<language>/, failures.tsv, scores.parquet, tables/, figures/. Systems run by the rules of
members.smk.
Time: half a minute for the demo; 6 minutes on two cores for the 94 languages of config/real.yaml.
"""

from kasu.inflection.plan import InflectionPlan

INFLECTION = InflectionPlan(SETTINGS.inflection, CORPORA)
STUDIES["inflection"] = INFLECTION
SPLIT = if_resolved(from_plan(INFLECTION, "datasets.split"))
SAMPLED = if_resolved(from_plan(INFLECTION, "datasets.sampled"))


ruleorder: fetch_released > fetch_source
ruleorder: fetch_released_without_high > fetch_source
ruleorder: fetch_released_low > fetch_source


# One job per language: starting a job takes longer than copying five files from a mirror
rule fetch_released:
    """Fetch the released files of a language."""
    output:
        files=INFLECTION.datasets.downloads("low", "medium", "high", "dev", "test"),
        locks=INFLECTION.datasets.downloads(
            "low", "medium", "high", "dev", "test", lock=True
        ),
    log:
        "<logs>/fetch_released/{collection}-{language}.log",
    wildcard_constraints:
        language=one_of(
            INFLECTION.datasets.released_with("low", "medium", "high", "dev", "test")
        ),
    localrule: True
    resources:
        downloads=1,
    params:
        sources=from_plan(INFLECTION, "datasets.released_sources"),
    script:
        "../scripts/fetch_source.py"


use rule fetch_released as fetch_released_without_high with:
    output:
        files=INFLECTION.datasets.downloads("low", "medium", "dev", "test"),
        locks=INFLECTION.datasets.downloads("low", "medium", "dev", "test", lock=True),
    wildcard_constraints:
        language=one_of(
            INFLECTION.datasets.released_with("low", "medium", "dev", "test")
        ),
    localrule: True


use rule fetch_released as fetch_released_low with:
    output:
        files=INFLECTION.datasets.downloads("low", "dev", "test"),
        locks=INFLECTION.datasets.downloads("low", "dev", "test", lock=True),
    wildcard_constraints:
        language=one_of(INFLECTION.datasets.released_with("low", "dev", "test")),
    localrule: True


rule read_splits:
    """Read the files of a language that is split already into a dataset."""
    input:
        unpack(from_plan(INFLECTION, "datasets.raw_files")),
    output:
        low="<results>/inflection/datasets/{language}/low.parquet",
        medium="<results>/inflection/datasets/{language}/medium.parquet",
        high="<results>/inflection/datasets/{language}/high.parquet",
        dev="<results>/inflection/datasets/{language}/dev.parquet",
        test="<results>/inflection/datasets/{language}/test.parquet",
        card="<results>/inflection/datasets/{language}/README.md",
        counts="<results>/inflection/datasets/{language}/counts.tsv",
        drops="<results>/inflection/datasets/{language}/drops.tsv",
    log:
        "<logs>/read_splits/{language}.log",
    wildcard_constraints:
        language=one_of_two(SPLIT, SAMPLED),
    localrule: True
    params:
        sources=from_plan(INFLECTION, "datasets.described"),
        language_code=from_plan(INFLECTION, "datasets.code"),
        released=from_plan(INFLECTION, "datasets.is_released"),
        code=code("read_splits"),
    script:
        "../scripts/read_splits.py"


rule sample_triples:
    """Sample a dataset from paradigms and word counts, as the organisers did."""
    input:
        unpack(from_plan(INFLECTION, "datasets.raw_files")),
    output:
        low="<results>/inflection/datasets/{language}/low.parquet",
        medium="<results>/inflection/datasets/{language}/medium.parquet",
        high="<results>/inflection/datasets/{language}/high.parquet",
        dev="<results>/inflection/datasets/{language}/dev.parquet",
        test="<results>/inflection/datasets/{language}/test.parquet",
        card="<results>/inflection/datasets/{language}/README.md",
        counts="<results>/inflection/datasets/{language}/counts.tsv",
        drops="<results>/inflection/datasets/{language}/drops.tsv",
    log:
        "<logs>/sample_triples/{language}.log",
    wildcard_constraints:
        language=one_of_two(SAMPLED, SPLIT),
    params:
        settings=INFLECTION.settings.sampling.dump(),
        seed=SETTINGS.seeds[0],
        sources=from_plan(INFLECTION, "datasets.described"),
        language_code=from_plan(INFLECTION, "datasets.code"),
        code=code("sample_triples"),
    script:
        "../scripts/sample_triples.py"


rule check_datasets:
    """Check the organisers' statements on the datasets; list the missing languages."""
    input:
        datasets=from_plan(INFLECTION, "datasets.splits"),
        words=from_plan(INFLECTION, "datasets.word_files"),
    output:
        properties=report(
            "<results>/inflection/tables/properties.tsv",
            caption="../report/inflection_properties.rst",
            category="inflection",
        ),
        drops="<results>/inflection/datasets/drops.tsv",
    log:
        "<logs>/check_datasets.log",
    params:
        datasets=from_plan(INFLECTION, "datasets.dataset_folders"),
        words=from_plan(INFLECTION, "datasets.word_counts"),
        drawn=from_plan(INFLECTION, "datasets.drawn"),
        languages=from_plan(INFLECTION, "datasets.codes"),
        drops=from_plan(INFLECTION, "datasets.drops"),
        code=code("check_datasets"),
    script:
        "../scripts/check_datasets.py"


rule score_inflection:
    """Score all systems, with oracles, sign tests and means over languages."""
    input:
        unpack(from_plan(INFLECTION, "submitted")),
        datasets=from_plan(INFLECTION, "datasets.splits"),
        published=published_files(*INFLECTION.papers),
    output:
        claims=report(
            "<results>/inflection/tables/claims.tsv",
            caption="../report/inflection_claims.rst",
            category="inflection",
        ),
        comparisons=report(
            "<results>/inflection/tables/comparisons.tsv",
            caption="../report/inflection_comparisons.rst",
            category="inflection",
        ),
        learning_curves=report(
            "<results>/inflection/tables/learning_curves.tsv",
            caption="../report/inflection_learning_curves.rst",
            category="inflection",
        ),
        power=report(
            "<results>/inflection/tables/power.tsv",
            caption="../report/inflection_power.rst",
            category="inflection",
        ),
        failures="<results>/inflection/failures.tsv",
        scores="<results>/inflection/scores.parquet",
    log:
        "<logs>/score_inflection.log",
    benchmark:
        "<benchmarks>/score_inflection.tsv"
    resources:
        mem_mb=per_attempt(8_000),
    params:
        submitted=from_plan(INFLECTION, "grid.submitted"),
        published_members=from_plan(INFLECTION, "published_members"),
        texts=from_plan(INFLECTION, "grid.texts"),
        datasets=from_plan(INFLECTION, "datasets.dataset_folders"),
        released=from_plan(INFLECTION, "datasets.released"),
        seed=SETTINGS.seeds[0],
        code=code("score_inflection"),
    script:
        "../scripts/score_inflection.py"


rule compare_outputs:
    """Compare our members with published outputs by item: the ladder, agreement by item."""
    input:
        outputs=from_plan(INFLECTION, "ladder.output_files"),
        members=from_plan(INFLECTION, "ladder_member_files"),
        datasets=from_plan(INFLECTION, "ladder_test_files"),
    output:
        ladder=report(
            "<results>/inflection/tables/ladder.tsv",
            caption="../report/inflection_ladder.rst",
            category="inflection",
        ),
        agreement=report(
            "<results>/inflection/tables/agreement_by_item.tsv",
            caption="../report/inflection_agreement_by_item.rst",
            category="inflection",
        ),
        drops="<results>/inflection/outputs.drops.tsv",
    log:
        "<logs>/compare_outputs.log",
    params:
        published=from_plan(INFLECTION, "ladder.published"),
        members=from_plan(INFLECTION, "ladder_members"),
        datasets=from_plan(INFLECTION, "ladder_tests"),
        variants=from_plan(INFLECTION, "ladder.variants"),
        settings=from_plan(INFLECTION, "ladder.settings.dump"),
        code=code("compare_outputs"),
    script:
        "../scripts/compare_outputs.py"


rule draw_languages:
    """Draw accuracy by language and setting next to the published baseline and best system."""
    input:
        scores="<results>/inflection/scores.parquet",
        published=published_files(*INFLECTION.papers),
    output:
        report(
            "<results>/inflection/figures/languages.svg",
            caption="../report/inflection_languages.rst",
            category="inflection",
        ),
        pdf="<results>/inflection/figures/languages.pdf",
    log:
        "<logs>/draw_languages.log",
    params:
        code=code("draw_languages"),
    script:
        "../scripts/draw_languages.py"


rule inflection:
    """Build the study of inflection (CoNLL-SIGMORPHON 2018, task 1)."""
    input:
        files_of("inflection"),
    localrule: True
