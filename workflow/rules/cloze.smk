"""CoNLL-SIGMORPHON 2018 task 2 (Cotterell et al. 2018, §2.2, §3.2, §4.2, §5.2): inflection in context.

In: the released files, sentences of one's own, or treebanks with paradigms. Out, under
<results>/cloze/: datasets/<language>/ (with a sheet for annotators, if made from a treebank),
failures.tsv, scores.parquet, tables/, figures/. A setting is a track and a size: track1-low. Systems
run by the rules of members.smk.
Time: 50 s of CPU for the demo; 2 minutes of CPU for the seven languages without a network.
docs/cloze.md says what networks take.
"""

from kasu.cloze.plan import ClozePlan

CLOZE = ClozePlan(SETTINGS.cloze, WORKSPACE)
STUDIES["cloze"] = CLOZE


ruleorder: fetch_sentences > fetch_source


# One job per language: starting a job takes longer than copying twelve files from a mirror
rule fetch_sentences:
    """Fetch the released files of a language."""
    output:
        files=CLOZE.datasets.downloads(),
        locks=CLOZE.datasets.downloads(lock=True),
    log:
        "<logs>/fetch_sentences/{language}.log",
    wildcard_constraints:
        language=one_of(if_resolved(from_plan(CLOZE, "datasets.registered"))),
    localrule: True
    resources:
        downloads=1,
    params:
        sources=from_plan(CLOZE, "datasets.released_sources"),
    script:
        "../scripts/fetch_source.py"


rule read_sentences:
    """Read the files of a language into a dataset; check what participants saw against it."""
    input:
        unpack(from_plan(CLOZE, "datasets.raw_files")),
    output:
        low="<results>/cloze/datasets/{language}/low.parquet",
        medium="<results>/cloze/datasets/{language}/medium.parquet",
        high="<results>/cloze/datasets/{language}/high.parquet",
        dev="<results>/cloze/datasets/{language}/dev.parquet",
        test="<results>/cloze/datasets/{language}/test.parquet",
        card="<results>/cloze/datasets/{language}/README.md",
        counts="<results>/cloze/datasets/{language}/counts.tsv",
        drops="<results>/cloze/datasets/{language}/drops.tsv",
    log:
        "<logs>/read_sentences/{language}.log",
    wildcard_constraints:
        language=one_of(if_resolved(from_plan(CLOZE, "datasets.split"))),
    params:
        sources=from_plan(CLOZE, "datasets.described"),
        language_code=from_plan(CLOZE, "datasets.code"),
        code=code("read_sentences"),
    script:
        "../scripts/read_sentences.py"


rule convert_treebank:
    """Make a dataset from a treebank and paradigms, and a sheet for annotators."""
    input:
        unpack(from_plan(CLOZE, "datasets.raw_files")),
    output:
        low="<results>/cloze/datasets/{language}/low.parquet",
        medium="<results>/cloze/datasets/{language}/medium.parquet",
        high="<results>/cloze/datasets/{language}/high.parquet",
        dev="<results>/cloze/datasets/{language}/dev.parquet",
        test="<results>/cloze/datasets/{language}/test.parquet",
        card="<results>/cloze/datasets/{language}/README.md",
        counts="<results>/cloze/datasets/{language}/counts.tsv",
        drops="<results>/cloze/datasets/{language}/drops.tsv",
        conversion="<results>/cloze/datasets/{language}/conversion.tsv",
        features="<results>/cloze/datasets/{language}/features.tsv",
        recovered="<results>/cloze/datasets/{language}/recovered.tsv",
        agreement="<results>/cloze/datasets/{language}/agreement.tsv",
        sheet="<results>/cloze/datasets/{language}/sheet.tsv",
        page="<results>/cloze/datasets/{language}/sheet.html",
    log:
        "<logs>/convert_treebank/{language}.log",
    benchmark:
        "<benchmarks>/convert_treebank/{language}.tsv"
    wildcard_constraints:
        language=one_of(if_resolved(from_plan(CLOZE, "datasets.made"))),
    params:
        settings=from_plan(CLOZE, "datasets.making"),
        seed=SETTINGS.seeds[0],
        sources=from_plan(CLOZE, "datasets.described"),
        code=code("convert_treebank"),
    script:
        "../scripts/convert_treebank.py"


rule score_cloze:
    """Score all systems on original and plausible forms, with means over languages."""
    input:
        unpack(from_plan(CLOZE, "submitted")),
        datasets=from_plan(CLOZE, "datasets.splits"),
        made=from_plan(CLOZE, "datasets.made_tables"),
        published=published_files(*CLOZE.papers),
    output:
        claims=report(
            "<results>/cloze/tables/claims.tsv",
            caption="../report/cloze_claims.rst",
            category="cloze",
        ),
        failures="<results>/cloze/failures.tsv",
        drops="<results>/cloze/datasets/drops.tsv",
        scores="<results>/cloze/scores.parquet",
    log:
        "<logs>/score_cloze.log",
    params:
        submitted=from_plan(CLOZE, "grid.submitted"),
        datasets=from_plan(CLOZE, "datasets.dataset_folders"),
        released=from_plan(CLOZE, "datasets.released"),
        made=from_plan(CLOZE, "datasets.made"),
        codes=from_plan(CLOZE, "datasets.codes"),
        drops=from_plan(CLOZE, "datasets.drops"),
        seed=SETTINGS.seeds[0],
        code=code("score_cloze"),
    script:
        "../scripts/score_cloze.py"


rule cloze:
    """Build the study of inflection in context (CoNLL-SIGMORPHON 2018, task 2)."""
    input:
        files_of("cloze"),
    localrule: True
