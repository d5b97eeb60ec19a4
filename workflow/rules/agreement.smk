"""Ravfogel, Goldberg & Tyers (2018), "Can LSTM Learn to Capture Agreement? The Case of Basque".

Verb number prediction (§6: Table 4, footnote 6; BASQUE-5 to -11, -15, -16) and suffix prediction
(§7: Tables 2, 3, 5 and 6, probes of a treebank; BASQUE-8, -12, -17, -18, -20 to -22). In: analysed
corpora, and the treebank. Out, under <results>/agreement/: datasets/<corpus>/, models/ and
predictions/<task>/<system>/<corpus>-<condition>, states/, scores.parquet, tables/, figures/.
Time: the demo 2 minutes; config/real.yaml just under two hours on two cores: a network takes 2 to 7
minutes of CPU, the probes of one 8.
"""

from kasu.agreement.data.transforms import BASE
from kasu.agreement.plan import AgreementPlan, Cell
from kasu.agreement.data.tasks import PROBES, SUFFIX, TASKS

AGREEMENT = AgreementPlan(SETTINGS.agreement, SETTINGS.seeds, CORPORA)
STUDIES["agreement"] = AGREEMENT


rule build_verb_number:
    """Build the dataset of both tasks: filters, target verbs, labels, suffixes, splits."""
    input:
        sentences=lambda wildcards: AGREEMENT.corpus(wildcards.corpus, "sentences"),
        analyses=lambda wildcards: AGREEMENT.corpus(wildcards.corpus, "analyses"),
        tagset=lambda wildcards: CORPORA.tagset(wildcards.corpus),
    output:
        splits=expand(
            f"{AGREEMENT.folder}/datasets/{{{{corpus}}}}/{{split}}.parquet",
            split=["train", "validation", "test"],
        ),
        card=f"{AGREEMENT.folder}/datasets/{{corpus}}/README.md",
        counts=f"{AGREEMENT.folder}/datasets/{{corpus}}/counts.tsv",
        drops=f"{AGREEMENT.folder}/datasets/{{corpus}}/drops.tsv",
        variants=f"{AGREEMENT.folder}/datasets/{{corpus}}/variants.tsv",
    log:
        f"{RESULTS}/logs/build_verb_number/{{corpus}}.log",
    params:
        settings=AGREEMENT.dataset_settings,
        corpus=lambda wildcards: {
            "name": wildcards.corpus,
            "language": CORPORA.get(wildcards.corpus, "config agreement").language,
            "splits": CORPORA.own_splits(wildcards.corpus),
        },
        sources=lambda wildcards: CORPORA.described(wildcards.corpus),
        code=code("build_verb_number"),
    script:
        "../scripts/build_verb_number.py"


rule draw_training_set:
    """Draw a part of a training split that shares no near copy with validation and test."""
    input:
        train=lambda wildcards: (
            f"{AGREEMENT.folder}/datasets/{AGREEMENT.training_sets.source(**wildcards)}/train.parquet"
        ),
        held_out=expand(
            f"{AGREEMENT.folder}/datasets/{{{{corpus}}}}/{{split}}.parquet",
            split=["validation", "test"],
        ),
    output:
        training_set=f"{AGREEMENT.folder}/datasets/{{corpus}}/training/{{name}}.parquet",
        counts=f"{AGREEMENT.folder}/datasets/{{corpus}}/training/{{name}}.counts.tsv",
        drops=f"{AGREEMENT.folder}/datasets/{{corpus}}/training/{{name}}.drops.tsv",
    log:
        f"{RESULTS}/logs/draw_training_set/{{corpus}}-{{name}}.log",
    params:
        words=lambda wildcards: AGREEMENT.training_sets.words(wildcards.name),
        seed=SETTINGS.seeds[0],
        code=code("draw_training_set"),
    script:
        "../scripts/draw_training_set.py"


rule train_agreement:
    """Train one network for a task, all variants and seeds in one job."""
    input:
        train=lambda wildcards: AGREEMENT.training_sets.file(
            wildcards.corpus, wildcards.condition
        ),
        validation=f"{AGREEMENT.folder}/datasets/{{corpus}}/validation.parquet",
    output:
        model=f"{AGREEMENT.folder}/models/{{task}}/{{system}}/{{corpus}}-{{condition}}.safetensors",
        vocabulary=f"{AGREEMENT.folder}/models/{{task}}/{{system}}/{{corpus}}-{{condition}}.vocabulary.json",
        history=f"{AGREEMENT.folder}/models/{{task}}/{{system}}/{{corpus}}-{{condition}}.history.tsv",
    log:
        f"{RESULTS}/logs/train_agreement/{{task}}-{{system}}-{{corpus}}-{{condition}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/train_agreement/{{task}}-{{system}}-{{corpus}}-{{condition}}.tsv"
    wildcard_constraints:
        task=one_of(TASKS),
        system=one_of(AGREEMENT.networks),
        condition="[^-/]+",
    threads: AGREEMENT.settings.training.threads
    resources:
        gpu=GPU,
    params:
        settings=lambda wildcards: AGREEMENT.training_settings(wildcards.condition),
        models=lambda wildcards: AGREEMENT.models(Cell(**wildcards)),
        device=SETTINGS.device,
        work=f"{AGREEMENT.folder}/work/{{task}}-{{system}}-{{corpus}}-{{condition}}",
        code=code("train_agreement"),
    script:
        "../scripts/train_agreement.py"


rule predict_agreement:
    """Label the test set with the networks of one task and system."""
    input:
        test=f"{AGREEMENT.folder}/datasets/{{corpus}}/test.parquet",
        model=f"{AGREEMENT.folder}/models/{{task}}/{{system}}/{{corpus}}-{{condition}}.safetensors",
        vocabulary=f"{AGREEMENT.folder}/models/{{task}}/{{system}}/{{corpus}}-{{condition}}.vocabulary.json",
    output:
        f"{AGREEMENT.folder}/predictions/{{task}}/{{system}}/{{corpus}}-{{condition}}.parquet",
    log:
        f"{RESULTS}/logs/predict_agreement/{{task}}-{{system}}-{{corpus}}-{{condition}}.log",
    wildcard_constraints:
        task=one_of(TASKS),
        system=one_of(AGREEMENT.networks),
        condition="[^-/]+",
    threads: AGREEMENT.settings.training.threads
    resources:
        gpu=GPU,
    params:
        device=SETTINGS.device,
        code=code("predict_agreement"),
    script:
        "../scripts/predict_agreement.py"


rule analyse_treebank:
    """Analyse the text of a treebank, for networks that read what the analyser says."""
    input:
        unpack(
            lambda wildcards: {
                split: str(entry.file)
                for split, entry in AGREEMENT.probing.treebank.items()
            }
        ),
        tagset=lambda wildcards: CORPORA.analyser(AGREEMENT.main_corpus).tagset,
        dictionary=lambda wildcards: CORPORA.dictionary(AGREEMENT.main_corpus),
    output:
        treebank=AGREEMENT.probing.treebank_file,
        counts=f"{AGREEMENT.folder}/datasets/treebank_counts.tsv",
        drops=f"{AGREEMENT.folder}/datasets/treebank_drops.tsv",
    log:
        f"{RESULTS}/logs/analyse_treebank.log",
    params:
        analyser=lambda wildcards: CORPORA.analyser(AGREEMENT.main_corpus).dump(),
        splits=lambda wildcards: list(AGREEMENT.probing.treebank),
        settings=AGREEMENT.shown_settings,
        code=code("analyse_treebank"),
    script:
        "../scripts/analyse_treebank.py"


rule save_states:
    """Save the states of the networks of suffix prediction at the words that are probed."""
    input:
        unpack(lambda wildcards: AGREEMENT.probing.texts),
        model=f"{AGREEMENT.folder}/models/{SUFFIX}/{{system}}/{{corpus}}-{BASE}.safetensors",
        vocabulary=f"{AGREEMENT.folder}/models/{SUFFIX}/{{system}}/{{corpus}}-{BASE}.vocabulary.json",
    output:
        words=f"{AGREEMENT.folder}/states/{{system}}/{{corpus}}.words.parquet",
        states=f"{AGREEMENT.folder}/states/{{system}}/{{corpus}}.safetensors",
    log:
        f"{RESULTS}/logs/save_states/{{system}}-{{corpus}}.log",
    threads: AGREEMENT.settings.training.threads
    resources:
        gpu=GPU,
    params:
        texts=lambda wildcards: list(AGREEMENT.probing.texts),
        seeds=lambda wildcards: AGREEMENT.probing.seeds,
        device=SETTINGS.device,
        code=code("save_states"),
    script:
        "../scripts/save_states.py"


rule train_probes:
    """Train diagnostic classifiers on saved states, and their nulls."""
    input:
        words=f"{AGREEMENT.folder}/states/{{system}}/{{corpus}}.words.parquet",
        states=f"{AGREEMENT.folder}/states/{{system}}/{{corpus}}.safetensors",
    output:
        f"{AGREEMENT.folder}/predictions/{PROBES}/{{system}}/{{corpus}}.parquet",
    log:
        f"{RESULTS}/logs/train_probes/{{system}}-{{corpus}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/train_probes/{{system}}-{{corpus}}.tsv"
    params:
        settings=AGREEMENT.settings.probes.dump(),
        work=f"{AGREEMENT.folder}/work/probes-{{system}}-{{corpus}}",
        code=code("train_probes"),
    script:
        "../scripts/train_probes.py"


rule predict_baseline:
    """Label the test set with a simple null."""
    input:
        train=lambda wildcards: AGREEMENT.training_sets.file(
            wildcards.corpus, wildcards.condition
        ),
        test=f"{AGREEMENT.folder}/datasets/{{corpus}}/test.parquet",
    output:
        f"{AGREEMENT.folder}/predictions/{{task}}/{{system}}/{{corpus}}-{{condition}}.parquet",
    log:
        f"{RESULTS}/logs/predict_baseline/{{task}}-{{system}}-{{corpus}}-{{condition}}.log",
    wildcard_constraints:
        task=one_of(TASKS),
        system=one_of(AGREEMENT.baselines),
        condition="[^-/]+",
    params:
        variants=lambda wildcards: AGREEMENT.variants(Cell(**wildcards)),
        code=code("predict_baseline"),
    script:
        "../scripts/predict_baseline.py"


rule score_agreement:
    """Score all systems, compare them in pairs, test the paper's claims."""
    input:
        predictions=lambda wildcards: [run.predictions for run in AGREEMENT.runs],
        counts=f"{AGREEMENT.folder}/datasets/{AGREEMENT.main_corpus}/counts.tsv",
        test=f"{AGREEMENT.folder}/datasets/{AGREEMENT.main_corpus}/test.parquet",
    output:
        scores=f"{AGREEMENT.folder}/scores.parquet",
        comparisons=report(
            f"{AGREEMENT.folder}/tables/comparisons.tsv",
            caption="../report/agreement_comparisons.rst",
            category="agreement",
        ),
        claims=report(
            f"{AGREEMENT.folder}/tables/claims.tsv",
            caption="../report/agreement_claims.rst",
            category="agreement",
        ),
    log:
        f"{RESULTS}/logs/score_agreement.log",
    params:
        runs=lambda wildcards: [run._asdict() for run in AGREEMENT.runs],
        main_corpus=AGREEMENT.main_corpus,
        untestable=lambda wildcards: AGREEMENT.untestable,
        seed=SETTINGS.seeds[0],
        code=code("score_agreement"),
    script:
        "../scripts/score_agreement.py"


rule bound_shares:
    """Work out what printed accuracies and recalls imply together, beside our figures."""
    input:
        scores=f"{AGREEMENT.folder}/scores.parquet",
        published=published_files(*AGREEMENT.papers),
    output:
        report(
            f"{AGREEMENT.folder}/tables/implied.tsv",
            caption="../report/agreement_implied.rst",
            category="agreement",
        ),
    log:
        f"{RESULTS}/logs/bound_shares.log",
    params:
        code=code("bound_shares"),
    script:
        "../scripts/bound_shares.py"


rule measure_attractors:
    """Measure accuracy by what stands between a verb and its argument (Linzen et al. 2016)."""
    input:
        predictions=lambda wildcards: [*AGREEMENT.base_predictions.values()],
        test=f"{AGREEMENT.folder}/datasets/{AGREEMENT.main_corpus}/test.parquet",
    output:
        report(
            f"{AGREEMENT.folder}/tables/attractors.tsv",
            caption="../report/agreement_attractors.rst",
            category="agreement",
        ),
    log:
        f"{RESULTS}/logs/measure_attractors.log",
    params:
        systems=lambda wildcards: [*AGREEMENT.base_predictions],
        seed=SETTINGS.seeds[0],
        code=code("measure_attractors"),
    script:
        "../scripts/measure_attractors.py"


rule draw_attractors:
    """Draw accuracy by attractors, distance and number of verbs."""
    input:
        f"{AGREEMENT.folder}/tables/attractors.tsv",
    output:
        report(
            f"{AGREEMENT.folder}/figures/attractors.svg",
            caption="../report/agreement_attractors.rst",
            category="agreement",
        ),
    log:
        f"{RESULTS}/logs/draw_attractors.log",
    params:
        variant=AGREEMENT.settings.variant[0],
        nulls=AGREEMENT.baselines,
        code=code("draw_attractors"),
    script:
        "../scripts/draw_attractors.py"


rule tabulate_curve:
    """Set accuracy and F1 beside the amount of text that networks were trained on."""
    input:
        tables=lambda wildcards: [
            f"{AGREEMENT.folder}/tables/{table}.tsv"
            for table in ("table_4", "footnote_6", "table_6")
            if table in AGREEMENT.printed
        ],
        counts=lambda wildcards: list(AGREEMENT.training_sets.curve.values()),
    output:
        report(
            f"{AGREEMENT.folder}/tables/curve.tsv",
            caption="../report/agreement_curve.rst",
            category="agreement",
        ),
    log:
        f"{RESULTS}/logs/tabulate_curve.log",
    params:
        sources=lambda wildcards: {
            name: AGREEMENT.training_sets.source(AGREEMENT.main_corpus, name)
            for name in AGREEMENT.training_sets.curve
        },
        code=code("tabulate_curve"),
    script:
        "../scripts/tabulate_curve.py"


rule draw_curve:
    """Draw accuracy and F1 over the amount of training text."""
    input:
        f"{AGREEMENT.folder}/tables/curve.tsv",
    output:
        report(
            f"{AGREEMENT.folder}/figures/curve.svg",
            caption="../report/agreement_curve.rst",
            category="agreement",
        ),
    log:
        f"{RESULTS}/logs/draw_curve.log",
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
