"""CoNLL-SIGMORPHON 2018 task 2 (Cotterell et al. 2018, §2.2, §3.2, §4.2, §5.2): inflection in context.

In: the released files, sentences of one's own, or treebanks with paradigms. Out, under
<results>/cloze/: datasets/<language>/ (with a sheet for annotators, if made from a treebank),
members/<family>/<setting>/<pack>-<block>.parquet, predictions/<submission>/<setting>.parquet,
failures.tsv, scores.parquet, tables/, figures/. A setting is a track and a size: track1-low.
A family trains its members over packs of languages, one job per setting, pack and block of members.
Where members learn from several languages at once, these are a pack.
Time: 50 s of CPU for the demo; 2 minutes of CPU for the seven languages without a network.
docs/cloze.md says what networks take.
"""

from kasu.cloze.plan import ClozePlan

CLOZE = ClozePlan(SETTINGS.cloze, WORKSPACE)
STUDIES["cloze"] = CLOZE


ruleorder: fetch_sentences > fetch_source


# One job per language: starting a job takes longer than copying twelve files from a mirror
use rule fetch_released as fetch_sentences with:
    output:
        files=CLOZE.datasets.downloads(),
        locks=CLOZE.datasets.downloads(lock=True),
    log:
        f"{RESULTS}/logs/fetch_sentences/{{language}}.log",
    wildcard_constraints:
        language=one_of(if_resolved(lambda: CLOZE.datasets.registered)),
    localrule: True
    params:
        sources=lambda wildcards: CLOZE.datasets.released_sources(wildcards.language),


rule read_sentences:
    """Read the files of a language into a dataset; check what participants saw against it."""
    input:
        unpack(lambda wildcards: CLOZE.datasets.raw_files(wildcards.language)),
    output:
        **CLOZE.datasets.dataset("{language}"),
    log:
        f"{RESULTS}/logs/read_sentences/{{language}}.log",
    wildcard_constraints:
        language=one_of(if_resolved(lambda: CLOZE.datasets.split)),
    params:
        sources=lambda wildcards: CLOZE.datasets.described(wildcards.language),
        language_code=lambda wildcards: CLOZE.datasets.codes[wildcards.language],
        code=code("read_sentences"),
    script:
        "../scripts/read_sentences.py"


rule convert_treebank:
    """Make a dataset from a treebank and paradigms, and a sheet for annotators."""
    input:
        unpack(lambda wildcards: CLOZE.datasets.raw_files(wildcards.language)),
    output:
        **CLOZE.datasets.dataset("{language}"),
        **CLOZE.datasets.made_files("{language}"),
    log:
        f"{RESULTS}/logs/convert_treebank/{{language}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/convert_treebank/{{language}}.tsv"
    wildcard_constraints:
        language=one_of(if_resolved(lambda: CLOZE.datasets.made)),
    params:
        settings=lambda wildcards: CLOZE.datasets.making(wildcards.language),
        seed=SETTINGS.seeds[0],
        sources=lambda wildcards: CLOZE.datasets.described(wildcards.language),
        code=code("convert_treebank"),
    script:
        "../scripts/convert_treebank.py"


rule inflect_in_context:
    """Train a block of members of a family on the languages of a pack; answer dev and test."""
    input:
        lambda wildcards: CLOZE.job_inputs(*job_of(wildcards)),
    output:
        # What an earlier run of the job has landed is not trained again
        **{
            part: update(path)
            for part, path in CLOZE.job_files(
                "{family}", "{setting}", "{pack}", "{block}"
            ).items()
        },
    log:
        f"{RESULTS}/logs/inflect_in_context/{{family}}-{{setting}}-{{pack}}-{{block}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/inflect_in_context/{{family}}-{{setting}}-{{pack}}-{{block}}.tsv"
    wildcard_constraints:
        family=one_of(CLOZE.grid.families_of(pooled=False)),
        setting=one_of(CLOZE.grid.settings),
        pack=r"\d+",
        block=r"\d+",
    resources:
        gpu=lambda wildcards: gpus_of(CLOZE, wildcards.family),
    params:
        members=lambda wildcards: CLOZE.job_members(*job_of(wildcards)),
        splits=lambda wildcards: CLOZE.job_splits(*job_of(wildcards)),
        codes=lambda wildcards: {
            name: CLOZE.datasets.codes[name]
            for name in CLOZE.job_splits(*job_of(wildcards))
        },
        options=lambda wildcards: CLOZE.options(wildcards.family, wildcards.setting),
        device=SETTINGS.device,
        work=f"{CLOZE.folder}/work/{{family}}-{{setting}}-{{pack}}-{{block}}",
        code=code("inflect_in_context", "kasu.cloze.systems.{family}"),
    script:
        "../scripts/inflect_in_context.py"


# A job of its own name, since it takes more time than a pack
use rule inflect_in_context as inflect_in_context_pooled with:
    log:
        f"{RESULTS}/logs/inflect_in_context_pooled/{{family}}-{{setting}}-{{pack}}-{{block}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/inflect_in_context_pooled/{{family}}-{{setting}}-{{pack}}-{{block}}.tsv"
    wildcard_constraints:
        family=one_of(CLOZE.grid.families_of(pooled=True)),
        setting=one_of(CLOZE.grid.settings),
        pack=r"\d+",
        block=r"\d+",


use rule submit as submit_cloze with:
    input:
        unpack(lambda wildcards: CLOZE.trained(wildcards.system, wildcards.setting)),
    output:
        **CLOZE.submission_files("{system}", "{setting}"),
    log:
        f"{RESULTS}/logs/submit_cloze/{{system}}-{{setting}}.log",
    wildcard_constraints:
        system=one_of(if_resolved(lambda: CLOZE.grid.submissions)),
        setting=one_of(CLOZE.grid.settings),
    params:
        systems=CLOZE.grid.systems.package,
        family=lambda wildcards: CLOZE.grid.submissions[wildcards.system],
        code=lambda wildcards: code(
            "submit",
            f"kasu.cloze.systems.{CLOZE.grid.submissions[wildcards.system]}",
        )(wildcards),


rule score_cloze:
    """Score all systems on original and plausible forms, with means over languages."""
    input:
        unpack(lambda wildcards: CLOZE.submitted),
        datasets=lambda wildcards: CLOZE.datasets.splits,
        made=lambda wildcards: CLOZE.datasets.made_tables,
        published=published_files(*CLOZE.papers),
    output:
        claims=report(
            f"{CLOZE.folder}/tables/claims.tsv",
            caption="../report/cloze_claims.rst",
            category="cloze",
        ),
        failures=f"{CLOZE.folder}/failures.tsv",
        drops=f"{CLOZE.folder}/datasets/drops.tsv",
        scores=f"{CLOZE.folder}/scores.parquet",
    log:
        f"{RESULTS}/logs/score_cloze.log",
    params:
        submitted=lambda wildcards: CLOZE.grid.submitted,
        datasets=lambda wildcards: CLOZE.datasets.dataset_folders,
        released=lambda wildcards: CLOZE.datasets.released,
        made=lambda wildcards: CLOZE.datasets.made,
        codes=lambda wildcards: CLOZE.datasets.codes,
        drops=lambda wildcards: CLOZE.datasets.drops,
        seed=SETTINGS.seeds[0],
        code=code("score_cloze"),
    script:
        "../scripts/score_cloze.py"


use rule take_fingerprints as take_cloze_fingerprints with:
    input:
        scores=f"{CLOZE.folder}/scores.parquet",
        published=published_files(*CLOZE.papers),
    output:
        table=report(
            CLOZE.fingerprint_files["table"],
            caption="../report/fingerprint.rst",
            category="cloze",
        ),
        differences=CLOZE.fingerprint_files["differences"],
    log:
        f"{RESULTS}/logs/take_cloze_fingerprints.log",
    params:
        targets=lambda wildcards: CLOZE.targets,
        origins=lambda wildcards: CLOZE.origins,
        published_members=lambda wildcards: CLOZE.published_members,
        submitted=lambda wildcards: CLOZE.grid.submitted,
        study="kasu.cloze.evaluation.fingerprints",
        code=code("take_fingerprints", "kasu.cloze.evaluation.fingerprints"),


use rule draw_fingerprints as draw_cloze_fingerprints with:
    input:
        **CLOZE.fingerprint_files,
    output:
        report(
            f"{CLOZE.folder}/figures/fingerprint.svg",
            caption="../report/fingerprint.rst",
            category="cloze",
        ),
    log:
        f"{RESULTS}/logs/draw_cloze_fingerprints.log",


rule cloze:
    """Build the study of inflection in context (CoNLL-SIGMORPHON 2018, task 2)."""
    input:
        files_of("cloze"),
    localrule: True
