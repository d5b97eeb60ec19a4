"""Ravfogel, Goldberg & Tyers (2018), "Can LSTM Learn to Capture Agreement? The Case of Basque".

Verb number prediction (§6: Table 4, footnote 6; BASQUE-5 to -11, -15, -16) and suffix prediction
(§7: Tables 2, 3, 5 and 6, probes of a treebank; BASQUE-8, -12, -17, -18, -20 to -22). In: analysed
corpora, and the treebank. Out, under <results>/agreement/: datasets/<corpus>/, models/ and
predictions/<task>/<system>/<corpus>-<condition>, states/, scores.parquet, tables/, figures/.
Time: the demo 2 minutes; config/real.yaml just under two hours on two cores: a network takes 2 to 7
minutes of CPU, the probes of one 8.
"""

from kasu.agreement.plan import AgreementPlan
from kasu.agreement.data.tasks import TASKS

AGREEMENT = AgreementPlan(SETTINGS.agreement, SETTINGS.seeds, CORPORA)
STUDIES["agreement"] = AGREEMENT


# Of the whole workflow: the paths of a storage know no variable of one rule
pathvars:
    main_corpus=AGREEMENT.main_corpus,


def corpus_of_agreement(wildcards):
    """The name and language of a corpus, and the splits that it comes with."""
    return {
        "name": wildcards.corpus,
        "language": CORPORA.get(wildcards.corpus, "config agreement").language,
        "splits": CORPORA.own_splits(wildcards.corpus),
    }


def runs_of_agreement(wildcards):
    """Each file of predictions, and what it is about."""
    return [run._asdict() for run in AGREEMENT.runs]


rule build_verb_number:
    """Build the dataset of both tasks: filters, target verbs, labels, suffixes, splits."""
    input:
        sentences=from_plan(AGREEMENT, "sentences"),
        analyses=from_plan(AGREEMENT, "analyses"),
        tagset=from_plan(CORPORA, "tagset"),
    output:
        train="<results>/agreement/datasets/{corpus}/train.parquet",
        validation="<results>/agreement/datasets/{corpus}/validation.parquet",
        test="<results>/agreement/datasets/{corpus}/test.parquet",
        card="<results>/agreement/datasets/{corpus}/README.md",
        counts="<results>/agreement/datasets/{corpus}/counts.tsv",
        drops="<results>/agreement/datasets/{corpus}/drops.tsv",
        variants="<results>/agreement/datasets/{corpus}/variants.tsv",
    log:
        "<logs>/build_verb_number/{corpus}.log",
    params:
        settings=AGREEMENT.dataset_settings,
        corpus=corpus_of_agreement,
        sources=from_plan(CORPORA, "described"),
        code=code("build_verb_number"),
    script:
        "../scripts/build_verb_number.py"


rule draw_training_set:
    """Draw a part of a training split that shares no near copy with validation and test."""
    input:
        train=from_plan(AGREEMENT, "training_sets.drawn_from"),
        held_out=[
            "<results>/agreement/datasets/{corpus}/validation.parquet",
            "<results>/agreement/datasets/{corpus}/test.parquet",
        ],
    output:
        training_set="<results>/agreement/datasets/{corpus}/training/{name}.parquet",
        counts="<results>/agreement/datasets/{corpus}/training/{name}.counts.tsv",
        drops="<results>/agreement/datasets/{corpus}/training/{name}.drops.tsv",
    log:
        "<logs>/draw_training_set/{corpus}-{name}.log",
    params:
        words=from_plan(AGREEMENT, "training_sets.words"),
        seed=SETTINGS.seeds[0],
        code=code("draw_training_set"),
    script:
        "../scripts/draw_training_set.py"


rule train_agreement:
    """Train one network for a task, all variants and seeds in one job."""
    input:
        train=from_plan(AGREEMENT, "training_sets.file"),
        validation="<results>/agreement/datasets/{corpus}/validation.parquet",
    output:
        model="<results>/agreement/models/{task}/{system}/{corpus}-{condition}.safetensors",
        vocabulary="<results>/agreement/models/{task}/{system}/{corpus}-{condition}.vocabulary.json",
        history="<results>/agreement/models/{task}/{system}/{corpus}-{condition}.history.tsv",
    log:
        "<logs>/train_agreement/{task}-{system}-{corpus}-{condition}.log",
    benchmark:
        "<benchmarks>/train_agreement/{task}-{system}-{corpus}-{condition}.tsv"
    wildcard_constraints:
        task=one_of(TASKS),
        system=one_of(AGREEMENT.networks),
        condition="[^-/]+",
    threads: AGREEMENT.settings.training.threads
    resources:
        gpu=GPU,
        mem_mb=per_attempt(16_000),
        runtime=1440,
    params:
        settings=from_plan(AGREEMENT, "training_settings"),
        models=from_plan(AGREEMENT, "models"),
        device=SETTINGS.device,
        work=in_results("agreement/work/{task}-{system}-{corpus}-{condition}"),
        code=code("train_agreement"),
    script:
        "../scripts/train_agreement.py"


rule predict_agreement:
    """Label the test set with the networks of one task and system."""
    input:
        test="<results>/agreement/datasets/{corpus}/test.parquet",
        model="<results>/agreement/models/{task}/{system}/{corpus}-{condition}.safetensors",
        vocabulary="<results>/agreement/models/{task}/{system}/{corpus}-{condition}.vocabulary.json",
    output:
        "<results>/agreement/predictions/{task}/{system}/{corpus}-{condition}.parquet",
    log:
        "<logs>/predict_agreement/{task}-{system}-{corpus}-{condition}.log",
    wildcard_constraints:
        task=one_of(TASKS),
        system=one_of(AGREEMENT.networks),
        condition="[^-/]+",
    threads: AGREEMENT.settings.training.threads
    resources:
        gpu=GPU,
        mem_mb=per_attempt(16_000),
        runtime=240,
    params:
        device=SETTINGS.device,
        code=code("predict_agreement"),
    script:
        "../scripts/predict_agreement.py"


rule analyse_treebank:
    """Analyse the text of a treebank, for networks that read what the analyser says."""
    input:
        # The CoNLL-U file of each split
        unpack(from_plan(AGREEMENT, "probing.treebank_files")),
        tagset=from_plan(AGREEMENT, "analyser.tagset"),
        dictionary=from_plan(AGREEMENT, "dictionary"),
    output:
        treebank="<results>/agreement/datasets/treebank.parquet",
        counts="<results>/agreement/datasets/treebank_counts.tsv",
        drops="<results>/agreement/datasets/treebank_drops.tsv",
    log:
        "<logs>/analyse_treebank.log",
    params:
        analyser=from_plan(AGREEMENT, "analyser.dump"),
        splits=from_plan(AGREEMENT, "probing.splits"),
        settings=AGREEMENT.shown_settings,
        code=code("analyse_treebank"),
    script:
        "../scripts/analyse_treebank.py"


rule save_states:
    """Save the states of the networks of suffix prediction at the words that are probed."""
    input:
        # The test set, and the treebank if one is probed
        unpack(from_plan(AGREEMENT, "probing.texts")),
        model="<results>/agreement/models/suffix/{system}/{corpus}-base.safetensors",
        vocabulary="<results>/agreement/models/suffix/{system}/{corpus}-base.vocabulary.json",
    output:
        words="<results>/agreement/states/{system}/{corpus}.words.parquet",
        states="<results>/agreement/states/{system}/{corpus}.safetensors",
    log:
        "<logs>/save_states/{system}-{corpus}.log",
    threads: AGREEMENT.settings.training.threads
    resources:
        gpu=GPU,
        mem_mb=per_attempt(16_000),
        runtime=240,
    params:
        texts=from_plan(AGREEMENT, "probing.text_names"),
        seeds=from_plan(AGREEMENT, "probing.seeds"),
        device=SETTINGS.device,
        code=code("save_states"),
    script:
        "../scripts/save_states.py"


rule train_probes:
    """Train diagnostic classifiers on saved states, and their nulls."""
    input:
        words="<results>/agreement/states/{system}/{corpus}.words.parquet",
        states="<results>/agreement/states/{system}/{corpus}.safetensors",
    output:
        "<results>/agreement/predictions/probes/{system}/{corpus}.parquet",
    log:
        "<logs>/train_probes/{system}-{corpus}.log",
    benchmark:
        "<benchmarks>/train_probes/{system}-{corpus}.tsv"
    resources:
        runtime=240,
    params:
        settings=AGREEMENT.settings.probes.dump(),
        work=in_results("agreement/work/probes-{system}-{corpus}"),
        code=code("train_probes"),
    script:
        "../scripts/train_probes.py"


rule predict_baseline:
    """Label the test set with a simple null."""
    input:
        train=from_plan(AGREEMENT, "training_sets.file"),
        test="<results>/agreement/datasets/{corpus}/test.parquet",
    output:
        "<results>/agreement/predictions/{task}/{system}/{corpus}-{condition}.parquet",
    log:
        "<logs>/predict_baseline/{task}-{system}-{corpus}-{condition}.log",
    wildcard_constraints:
        task=one_of(TASKS),
        system=one_of(AGREEMENT.baselines),
        condition="[^-/]+",
    params:
        variants=from_plan(AGREEMENT, "variants"),
        code=code("predict_baseline"),
    script:
        "../scripts/predict_baseline.py"


rule score_agreement:
    """Score all systems, compare them in pairs, test the paper's claims."""
    input:
        predictions=from_plan(AGREEMENT, "predictions"),
        datasets=from_plan(AGREEMENT, "dataset_files"),
    output:
        scores="<results>/agreement/scores.parquet",
        comparisons=report(
            "<results>/agreement/tables/comparisons.tsv",
            caption="../report/agreement_comparisons.rst",
            category="agreement",
        ),
        claims=report(
            "<results>/agreement/tables/claims.tsv",
            caption="../report/agreement_claims.rst",
            category="agreement",
        ),
    log:
        "<logs>/score_agreement.log",
    resources:
        mem_mb=per_attempt(16_000),
        runtime=240,
    params:
        runs=runs_of_agreement,
        datasets=from_plan(AGREEMENT, "datasets"),
        main_corpus=AGREEMENT.main_corpus,
        untestable=from_plan(AGREEMENT, "untestable"),
        seed=SETTINGS.seeds[0],
        code=code("score_agreement"),
    script:
        "../scripts/score_agreement.py"


rule bound_shares:
    """Work out what printed accuracies and recalls imply together, beside our figures."""
    input:
        scores="<results>/agreement/scores.parquet",
        published=published_files(*AGREEMENT.papers),
    output:
        report(
            "<results>/agreement/tables/implied.tsv",
            caption="../report/agreement_implied.rst",
            category="agreement",
        ),
    log:
        "<logs>/bound_shares.log",
    params:
        code=code("bound_shares"),
    script:
        "../scripts/bound_shares.py"


rule measure_attractors:
    """Measure accuracy by what stands between a verb and its argument (Linzen et al. 2016)."""
    input:
        predictions=from_plan(AGREEMENT, "answers"),
        test="<results>/agreement/datasets/<main_corpus>/test.parquet",
    output:
        report(
            "<results>/agreement/tables/attractors.tsv",
            caption="../report/agreement_attractors.rst",
            category="agreement",
        ),
    log:
        "<logs>/measure_attractors.log",
    params:
        systems=from_plan(AGREEMENT, "answering"),
        seed=SETTINGS.seeds[0],
        code=code("measure_attractors"),
    script:
        "../scripts/measure_attractors.py"


rule draw_attractors:
    """Draw accuracy by attractors, distance and number of verbs."""
    input:
        "<results>/agreement/tables/attractors.tsv",
    output:
        report(
            "<results>/agreement/figures/attractors.svg",
            caption="../report/agreement_attractors.rst",
            category="agreement",
        ),
        pdf="<results>/agreement/figures/attractors.pdf",
    log:
        "<logs>/draw_attractors.log",
    params:
        variant=AGREEMENT.settings.variant[0],
        nulls=AGREEMENT.baselines,
        code=code("draw_attractors"),
    script:
        "../scripts/draw_attractors.py"


rule tabulate_curve:
    """Set accuracy and F1 beside the amount of text that networks were trained on."""
    input:
        tables=from_plan(AGREEMENT, "curve_tables"),
        counts=from_plan(AGREEMENT, "training_sets.counts"),
    output:
        report(
            "<results>/agreement/tables/curve.tsv",
            caption="../report/agreement_curve.rst",
            category="agreement",
        ),
    log:
        "<logs>/tabulate_curve.log",
    params:
        sources=from_plan(AGREEMENT, "training_sets.sources"),
        code=code("tabulate_curve"),
    script:
        "../scripts/tabulate_curve.py"


rule draw_curve:
    """Draw accuracy and F1 over the amount of training text."""
    input:
        "<results>/agreement/tables/curve.tsv",
    output:
        report(
            "<results>/agreement/figures/curve.svg",
            caption="../report/agreement_curve.rst",
            category="agreement",
        ),
        pdf="<results>/agreement/figures/curve.pdf",
    log:
        "<logs>/draw_curve.log",
    params:
        variant=AGREEMENT.settings.variant[0],
        main_corpus=AGREEMENT.main_corpus,
        nulls=AGREEMENT.baselines,
        code=code("draw_curve"),
    script:
        "../scripts/draw_curve.py"


rule agreement:
    """Build the study of Basque agreement (Ravfogel et al. 2018)."""
    input:
        files_of("agreement"),
    localrule: True
