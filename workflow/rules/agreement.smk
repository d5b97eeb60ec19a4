"""Ravfogel, Goldberg & Tyers (2018), "Can LSTM Learn to Capture Agreement? The Case of Basque".

Verb number prediction (§6: Table 4 Base, footnote 6; BASQUE-5 to -11).
In: analysed corpora. Out, under <results>/agreement/: datasets/<corpus>/, models/ and
predictions/<system>/<corpus>-<condition>, scores.parquet, tables/, figures/.
Time: the demo 2 minutes; config/real.yaml about 40 minutes on two cores.
"""

AGREEMENT = f"{RESULTS}/agreement"
AGREEMENT_SETTINGS = config["agreement"]
NETWORKS = [
    system for system in AGREEMENT_SETTINGS["systems"] if system in ("lstm", "bilstm")
]
BASELINES = [
    system for system in AGREEMENT_SETTINGS["systems"] if system not in NETWORKS
]
CONDITIONS = {
    "base": {"keep_verb_lemma": True},
    "no_verb_lemma": {"keep_verb_lemma": False},
}
# The printed table of each network; a table without its network is not built
AGREEMENT_FIGURES = {
    slug: table
    for system, slug, table in (
        ("bilstm", "table_4", "Table 4"),
        ("lstm", "footnote_6", "footnote 6"),
    )
    if system in AGREEMENT_SETTINGS["systems"]
}
AGREEMENT_TABLES = {
    **AGREEMENT_FIGURES,
    "section_5": "section 5",
    "section_6.1": "section 6.1",
}
AGREEMENT_FILES = [
    f"{AGREEMENT}/scores.parquet",
    *(f"{AGREEMENT}/tables/{table}.tsv" for table in AGREEMENT_TABLES),
    *(f"{AGREEMENT}/figures/{table}.svg" for table in AGREEMENT_FIGURES),
]


# An unknown corpus is an error when the study is asked for: `agreement_predictions`
KNOWN_CORPORA = [
    corpus for corpus in AGREEMENT_SETTINGS["corpora"] if corpus in CORPORA
]


def agreement_corpus(wildcards):
    corpus = CORPORA[wildcards.corpus]
    return {"name": corpus["name"], "language": corpus["language"]}


def agreement_sources(wildcards):
    return [licence_of(entry) for _, _, entry in SOURCES[wildcards.corpus]]


def training_settings(wildcards):
    """The facts of a training: those of the config, and what its condition is about."""
    return {**AGREEMENT_SETTINGS["training"], **CONDITIONS[wildcards.condition]}


def agreement_predictions(wildcards):
    """A file for each system, corpus and condition."""
    for corpus in AGREEMENT_SETTINGS["corpora"]:
        if corpus not in CORPORA:
            raise WorkflowError(
                f"config agreement: corpus {corpus!r}; expected one of {', '.join(CORPORA)}"
            )
    return expand(
        f"{AGREEMENT}/predictions/{{system}}/{{corpus}}-{{condition}}.parquet",
        system=AGREEMENT_SETTINGS["systems"],
        corpus=AGREEMENT_SETTINGS["corpora"],
        condition=AGREEMENT_SETTINGS["conditions"],
    )


rule build_verb_number:
    """Build a verb number dataset: filters, target verbs, labels, splits."""
    input:
        sentences=f"{RESULTS}/corpora/{{corpus}}/sentences.parquet",
        analyses=f"{RESULTS}/corpora/{{corpus}}/analyses.parquet",
        tagset=tagset_of_corpus,
    output:
        splits=expand(
            f"{AGREEMENT}/datasets/{{{{corpus}}}}/{{split}}.parquet",
            split=["train", "validation", "test"],
        ),
        card=f"{AGREEMENT}/datasets/{{corpus}}/README.md",
        counts=f"{AGREEMENT}/datasets/{{corpus}}/counts.tsv",
        drops=f"{AGREEMENT}/datasets/{{corpus}}/drops.tsv",
        variants=f"{AGREEMENT}/datasets/{{corpus}}/variants.tsv",
    log:
        f"{RESULTS}/logs/build_verb_number/{{corpus}}.log",
    conda:
        "../../envs/kasu.yaml"
    params:
        settings={
            **{
                key: AGREEMENT_SETTINGS[key]
                for key in ("variant", "split", "length", "polite", "suffix_reading")
            },
            "seed": config["seeds"][0],
        },
        corpus=agreement_corpus,
        sources=agreement_sources,
        code=code("build_verb_number"),
    script:
        "../scripts/build_verb_number.py"


rule train_verb_number:
    """Train one network on a dataset, all variants and seeds in one job."""
    input:
        train=f"{AGREEMENT}/datasets/{{corpus}}/train.parquet",
        validation=f"{AGREEMENT}/datasets/{{corpus}}/validation.parquet",
    output:
        model=f"{AGREEMENT}/models/{{system}}/{{corpus}}-{{condition}}.safetensors",
        vocabulary=f"{AGREEMENT}/models/{{system}}/{{corpus}}-{{condition}}.vocabulary.json",
        history=f"{AGREEMENT}/models/{{system}}/{{corpus}}-{{condition}}.history.tsv",
    log:
        f"{RESULTS}/logs/train_verb_number/{{system}}-{{corpus}}-{{condition}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/train_verb_number/{{system}}-{{corpus}}-{{condition}}.tsv"
    wildcard_constraints:
        system=one_of(NETWORKS),
    conda:
        "../../envs/kasu.yaml"
    threads: AGREEMENT_SETTINGS["training"]["threads"]
    params:
        settings=training_settings,
        variants=AGREEMENT_SETTINGS["variant"],
        seeds=config["seeds"],
        device=config["device"],
        work=f"{AGREEMENT}/work/{{system}}-{{corpus}}-{{condition}}",
        code=code("train_verb_number"),
    script:
        "../scripts/train_verb_number.py"


rule predict_verb_number:
    """Label the test set with the networks of one system."""
    input:
        test=f"{AGREEMENT}/datasets/{{corpus}}/test.parquet",
        model=f"{AGREEMENT}/models/{{system}}/{{corpus}}-{{condition}}.safetensors",
        vocabulary=f"{AGREEMENT}/models/{{system}}/{{corpus}}-{{condition}}.vocabulary.json",
    output:
        f"{AGREEMENT}/predictions/{{system}}/{{corpus}}-{{condition}}.parquet",
    log:
        f"{RESULTS}/logs/predict_verb_number/{{system}}-{{corpus}}-{{condition}}.log",
    wildcard_constraints:
        system=one_of(NETWORKS),
    conda:
        "../../envs/kasu.yaml"
    threads: AGREEMENT_SETTINGS["training"]["threads"]
    params:
        device=config["device"],
        code=code("predict_verb_number"),
    script:
        "../scripts/predict_verb_number.py"


rule predict_baseline:
    """Label the test set with a simple null."""
    input:
        train=f"{AGREEMENT}/datasets/{{corpus}}/train.parquet",
        test=f"{AGREEMENT}/datasets/{{corpus}}/test.parquet",
    output:
        f"{AGREEMENT}/predictions/{{system}}/{{corpus}}-{{condition}}.parquet",
    log:
        f"{RESULTS}/logs/predict_baseline/{{system}}-{{corpus}}-{{condition}}.log",
    wildcard_constraints:
        system=one_of(BASELINES),
    conda:
        "../../envs/kasu.yaml"
    params:
        variants=AGREEMENT_SETTINGS["variant"],
        settings=training_settings,
        code=code("predict_baseline"),
    script:
        "../scripts/predict_baseline.py"


rule score_agreement:
    """Score all systems, compare them in pairs, test the paper's claims."""
    input:
        predictions=agreement_predictions,
        counts=expand(
            f"{AGREEMENT}/datasets/{{corpus}}/counts.tsv",
            corpus=AGREEMENT_SETTINGS["corpora"],
        ),
    output:
        scores=f"{AGREEMENT}/scores.parquet",
        comparisons=report(
            f"{AGREEMENT}/tables/comparisons.tsv",
            caption="../report/agreement_comparisons.rst",
            category="agreement",
        ),
        claims=report(
            f"{AGREEMENT}/tables/claims.tsv",
            caption="../report/agreement_claims.rst",
            category="agreement",
        ),
    log:
        f"{RESULTS}/logs/score_agreement.log",
    conda:
        "../../envs/kasu.yaml"
    params:
        systems=AGREEMENT_SETTINGS["systems"],
        corpora=AGREEMENT_SETTINGS["corpora"],
        conditions=AGREEMENT_SETTINGS["conditions"],
        seed=config["seeds"][0],
        code=code("score_agreement"),
    script:
        "../scripts/score_agreement.py"


def agreement_reports(kind):
    """Counts or drops of every corpus, its sources and its dataset, by what was counted."""
    found = {}
    for corpus in KNOWN_CORPORA:
        found |= corpus_reports(corpus, kind)
        found[f"dataset {corpus}"] = f"{AGREEMENT}/datasets/{corpus}/{kind}.tsv"
    return found


STUDIES.append(
    {
        "name": "agreement",
        "title": "Agreement: can a recurrent network recover what the Basque verb agrees with?",
        "citation": "Ravfogel, Goldberg & Tyers (2018)",
        "paper": "basque2018",
        "printed": AGREEMENT_TABLES,
        "captions": {
            table: f"workflow/report/agreement_{table}.rst"
            for table in AGREEMENT_TABLES
        },
        "figures": {
            table: f"{AGREEMENT}/figures/{table}.svg" for table in AGREEMENT_FIGURES
        },
        "counts": agreement_reports("counts"),
        "drops": agreement_reports("drops"),
        "details": {
            "Claims of the paper": f"{AGREEMENT}/tables/claims.tsv",
            "Systems compared in pairs": f"{AGREEMENT}/tables/comparisons.tsv",
            **{
                f"Labels that differ between variants: {corpus}": (
                    f"{AGREEMENT}/datasets/{corpus}/variants.tsv"
                )
                for corpus in KNOWN_CORPORA
            },
        },
        "nulls": BASELINES,
        "sources": [
            entry for corpus in KNOWN_CORPORA for _, _, entry in SOURCES[corpus]
        ],
    }
)
