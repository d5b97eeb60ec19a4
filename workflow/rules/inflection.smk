"""CoNLL-SIGMORPHON 2018 task 1 (Cotterell et al. 2018, §3.1, §4.1, §5.1): lemma, features -> form.

In: the released files, or paradigms and word counts. Out, under <results>/inflection/:
datasets/<language>/, members/<family>/<setting>/<pack>-<block>.parquet,
predictions/<submission>/<setting>.parquet, failures.tsv, scores.parquet, tables/, figures/.
A family trains its members over packs of languages, one job per setting, pack and block of members;
a family that learns from all languages at once trains them in one pack.
Time: half a minute for the demo; 6 minutes on two cores for the 94 languages of config/real.yaml.
"""

from kasu.files.tables import file_hash
from kasu.inflection.plan import InflectionPlan

INFLECTION = InflectionPlan(SETTINGS.inflection, CORPORA)
STUDIES["inflection"] = INFLECTION


def code_of(wildcards):
    """The hash of a family's code, with those of the files that its settings name."""
    files = INFLECTION.family_files(wildcards.family, wildcards.setting)
    # Snakemake reports a missing one
    hashes = [file_hash(file) for file in files if Path(file).exists()]
    return "-".join(
        [code("inflect", f"kasu.inflection.systems.{wildcards.family}")(wildcards), *hashes]
    )


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
        f"{RESULTS}/logs/fetch_released/{{collection}}-{{language}}.log",
    wildcard_constraints:
        language=one_of(
            INFLECTION.datasets.released_with("low", "medium", "high", "dev", "test")
        ),
    localrule: True
    resources:
        downloads=1,
    params:
        sources=lambda wildcards: INFLECTION.datasets.released_sources(
            wildcards.language
        ),
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


SPLIT = if_resolved(lambda: INFLECTION.datasets.split)
SAMPLED = if_resolved(lambda: INFLECTION.datasets.sampled)


rule read_splits:
    """Read the files of a language that is split already into a dataset."""
    input:
        unpack(lambda wildcards: INFLECTION.datasets.raw_files(wildcards.language)),
    output:
        **INFLECTION.datasets.dataset("{language}"),
    log:
        f"{RESULTS}/logs/read_splits/{{language}}.log",
    wildcard_constraints:
        language=one_of_two(SPLIT, SAMPLED),
    localrule: True
    params:
        sources=lambda wildcards: INFLECTION.datasets.described(wildcards.language),
        language_code=lambda wildcards: INFLECTION.datasets.codes[wildcards.language],
        released=lambda wildcards: INFLECTION.datasets.is_released(wildcards.language),
        code=code("read_splits"),
    script:
        "../scripts/read_splits.py"


rule sample_triples:
    """Sample a dataset from paradigms and word counts, as the organisers did."""
    input:
        unpack(lambda wildcards: INFLECTION.datasets.raw_files(wildcards.language)),
    output:
        **INFLECTION.datasets.dataset("{language}"),
    log:
        f"{RESULTS}/logs/sample_triples/{{language}}.log",
    wildcard_constraints:
        language=one_of_two(SAMPLED, SPLIT),
    params:
        settings=INFLECTION.settings.sampling.dump(),
        seed=SETTINGS.seeds[0],
        sources=lambda wildcards: INFLECTION.datasets.described(wildcards.language),
        language_code=lambda wildcards: INFLECTION.datasets.codes[wildcards.language],
        code=code("sample_triples"),
    script:
        "../scripts/sample_triples.py"


rule check_datasets:
    """Check the organisers' statements on the datasets; list the missing languages."""
    input:
        datasets=lambda wildcards: INFLECTION.datasets.splits,
        words=lambda wildcards: sorted(
            set(filter(None, INFLECTION.datasets.word_counts.values()))
        ),
    output:
        properties=report(
            f"{INFLECTION.folder}/tables/properties.tsv",
            caption="../report/inflection_properties.rst",
            category="inflection",
        ),
        drops=f"{INFLECTION.folder}/datasets/drops.tsv",
    log:
        f"{RESULTS}/logs/check_datasets.log",
    params:
        datasets=lambda wildcards: INFLECTION.datasets.dataset_folders,
        words=lambda wildcards: INFLECTION.datasets.word_counts,
        drawn=lambda wildcards: INFLECTION.datasets.drawn,
        languages=lambda wildcards: INFLECTION.datasets.codes,
        drops=lambda wildcards: INFLECTION.datasets.drops,
        code=code("check_datasets"),
    script:
        "../scripts/check_datasets.py"


rule inflect:
    """Train a block of members of a family on the languages of a pack; answer dev and test."""
    input:
        lambda wildcards: INFLECTION.job_inputs(*job_of(wildcards)),
    output:
        # What an earlier run of the job has landed is not trained again
        **{
            part: update(path)
            for part, path in INFLECTION.job_files(
                "{family}", "{setting}", "{pack}", "{block}"
            ).items()
        },
    log:
        f"{RESULTS}/logs/inflect/{{family}}-{{setting}}-{{pack}}-{{block}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/inflect/{{family}}-{{setting}}-{{pack}}-{{block}}.tsv"
    wildcard_constraints:
        family=one_of(INFLECTION.grid.families_of(pooled=False)),
        setting=one_of(INFLECTION.grid.settings),
        pack=r"\d+",
        block=r"\d+",
    resources:
        gpu=lambda wildcards: gpus_of(INFLECTION, wildcards.family),
    params:
        members=lambda wildcards: INFLECTION.job_members(*job_of(wildcards)),
        splits=lambda wildcards: INFLECTION.job_splits(*job_of(wildcards)),
        options=lambda wildcards: INFLECTION.options(
            wildcards.family, wildcards.setting
        ),
        device=SETTINGS.device,
        stack=INFLECTION.settings.stack,
        work=f"{INFLECTION.folder}/work/{{family}}-{{setting}}-{{pack}}-{{block}}",
        code=lambda wildcards: code_of(wildcards),
    script:
        "../scripts/inflect.py"


# A job of its own name, since it takes more time and memory than a pack
use rule inflect as inflect_pooled with:
    log:
        f"{RESULTS}/logs/inflect_pooled/{{family}}-{{setting}}-{{pack}}-{{block}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/inflect_pooled/{{family}}-{{setting}}-{{pack}}-{{block}}.tsv"
    wildcard_constraints:
        family=one_of(INFLECTION.grid.families_of(pooled=True)),
        setting=one_of(INFLECTION.grid.settings),
        pack=r"\d+",
        block=r"\d+",


rule submit:
    """Predict the test sets of a setting with one submission, a function of trained members."""
    input:
        unpack(
            lambda wildcards: INFLECTION.trained(wildcards.system, wildcards.setting)
        ),
    output:
        **INFLECTION.submission_files("{system}", "{setting}"),
    log:
        f"{RESULTS}/logs/submit/{{system}}-{{setting}}.log",
    wildcard_constraints:
        system=one_of(if_resolved(lambda: INFLECTION.grid.submissions)),
        setting=one_of(INFLECTION.grid.settings),
    params:
        systems=INFLECTION.grid.systems.package,
        family=lambda wildcards: INFLECTION.grid.submissions[wildcards.system],
        code=lambda wildcards: code(
            "submit",
            f"kasu.inflection.systems.{INFLECTION.grid.submissions[wildcards.system]}",
        )(wildcards),
    script:
        "../scripts/submit.py"


rule score_inflection:
    """Score all systems, with oracles, sign tests and means over languages."""
    input:
        unpack(lambda wildcards: INFLECTION.submitted),
        datasets=lambda wildcards: INFLECTION.datasets.splits,
        published=published_files(*INFLECTION.papers),
    output:
        **{
            table: report(
                f"{INFLECTION.folder}/tables/{table}.tsv",
                caption=f"../report/inflection_{table}.rst",
                category="inflection",
            )
            for table in ("claims", "comparisons", "learning_curves", "power")
        },
        failures=f"{INFLECTION.folder}/failures.tsv",
        scores=f"{INFLECTION.folder}/scores.parquet",
    log:
        f"{RESULTS}/logs/score_inflection.log",
    benchmark:
        f"{RESULTS}/benchmarks/score_inflection.tsv"
    params:
        submitted=lambda wildcards: INFLECTION.grid.submitted,
        published_members=lambda wildcards: INFLECTION.published_members,
        datasets=lambda wildcards: INFLECTION.datasets.dataset_folders,
        released=lambda wildcards: INFLECTION.datasets.released,
        seed=SETTINGS.seeds[0],
        code=code("score_inflection"),
    script:
        "../scripts/score_inflection.py"


rule take_fingerprints:
    """Compare each system with its published column language by language, and judge."""
    input:
        scores=f"{INFLECTION.folder}/scores.parquet",
        published=published_files(*INFLECTION.papers),
    output:
        table=report(
            INFLECTION.fingerprint_files["table"],
            caption="../report/fingerprint.rst",
            category="inflection",
        ),
        differences=INFLECTION.fingerprint_files["differences"],
    log:
        f"{RESULTS}/logs/take_fingerprints.log",
    params:
        targets=lambda wildcards: INFLECTION.targets,
        origins=lambda wildcards: INFLECTION.origins,
        published_members=lambda wildcards: INFLECTION.published_members,
        submitted=lambda wildcards: INFLECTION.grid.submitted,
        study="kasu.inflection.evaluation.fingerprints",
        code=code("take_fingerprints", "kasu.inflection.evaluation.fingerprints"),
    script:
        "../scripts/take_fingerprints.py"


rule compare_outputs:
    """Compare our members with published outputs by item: the ladder, agreement by item."""
    input:
        outputs=lambda wildcards: [file["path"] for file in INFLECTION.ladder.published],
        members=lambda wildcards: sum(INFLECTION.ladder_members.values(), []),
        datasets=lambda wildcards: [
            INFLECTION.datasets.dataset(name)["test"]
            for name in INFLECTION.ladder.languages
        ],
    output:
        ladder=report(
            INFLECTION.ladder_files["ladder"],
            caption="../report/inflection_ladder.rst",
            category="inflection",
        ),
        agreement=report(
            INFLECTION.ladder_files["agreement"],
            caption="../report/inflection_agreement_by_item.rst",
            category="inflection",
        ),
        drops=INFLECTION.ladder_files["drops"],
    log:
        f"{RESULTS}/logs/compare_outputs.log",
    params:
        published=lambda wildcards: INFLECTION.ladder.published,
        members=lambda wildcards: INFLECTION.ladder_members,
        datasets=lambda wildcards: {
            name: INFLECTION.datasets.dataset(name)["test"]
            for name in INFLECTION.ladder.languages
        },
        variants=lambda wildcards: INFLECTION.ladder.variants,
        settings=lambda wildcards: INFLECTION.ladder.settings.dump(),
        code=code("compare_outputs"),
    script:
        "../scripts/compare_outputs.py"


rule draw_fingerprints:
    """Draw the differences to the published columns by language, with their means."""
    input:
        **INFLECTION.fingerprint_files,
    output:
        report(
            f"{INFLECTION.folder}/figures/fingerprint.svg",
            caption="../report/fingerprint.rst",
            category="inflection",
        ),
    log:
        f"{RESULTS}/logs/draw_fingerprints.log",
    params:
        code=code("draw_fingerprints"),
    script:
        "../scripts/draw_fingerprints.py"


rule draw_languages:
    """Draw accuracy by language and setting next to the published baseline and best system."""
    input:
        scores=f"{INFLECTION.folder}/scores.parquet",
        published=published_files(*INFLECTION.papers),
    output:
        report(
            f"{INFLECTION.folder}/figures/languages.svg",
            caption="../report/inflection_languages.rst",
            category="inflection",
        ),
    log:
        f"{RESULTS}/logs/draw_languages.log",
    params:
        code=code("draw_languages"),
    script:
        "../scripts/draw_languages.py"


rule inflection:
    """Build the study of inflection (CoNLL-SIGMORPHON 2018, task 1)."""
    input:
        files_of("inflection"),
    localrule: True
