"""Urbizu et al. (2024), BL2MP: when does BERT learn Basque grammar (BL2MP-1 to BL2MP-15)?

In: a corpus with an analyser; minimal pairs; published models. Out, under <results>/pretraining/:
pairs/, corpora/<text>.parquet, tokens/<text>/, models/<system>/<seed>/<epoch>/, predictions/,
scores.parquet, tables/, figures/.
Time: the demo one minute; config/real.yaml 50 minutes on two cores; config/paper.yaml days on a GPU.
"""

from kasu.pretraining.models.trigram import LENGTHS
from kasu.pretraining.plan import PretrainingPlan

PRETRAINING = PretrainingPlan(SETTINGS.pretraining, CORPORA, MODELS)
STUDIES["pretraining"] = PRETRAINING


# Both write the validation text; where whole corpora are taken, nothing is drawn
ruleorder: take_corpus > build_budgets


rule make_pairs:
    """Read minimal pairs."""
    input:
        lambda wildcards: str(PRETRAINING.pairs.source(wildcards.pairs).file),
    output:
        pairs=f"{PRETRAINING.folder}/pairs/{{pairs}}.parquet",
        counts=f"{PRETRAINING.folder}/pairs/{{pairs}}_counts.tsv",
        drops=f"{PRETRAINING.folder}/pairs/{{pairs}}_drops.tsv",
    log:
        f"{RESULTS}/logs/make_pairs/{{pairs}}.log",
    wildcard_constraints:
        pairs=one_of(PRETRAINING.pairs.settings),
    params:
        fields=lambda wildcards: dict(
            PRETRAINING.pairs.settings[wildcards.pairs].fields
        ),
        types=lambda wildcards: PRETRAINING.pairs.settings[wildcards.pairs].types,
        levels=lambda wildcards: PRETRAINING.pairs.settings[wildcards.pairs].levels,
        licence=lambda wildcards: describe(PRETRAINING.pairs.source(wildcards.pairs))[
            "licence"
        ],
        code=code("make_pairs"),
    script:
        "../scripts/make_pairs.py"


rule count_kept:
    """Count the pairs that the length filter keeps under simple tokenizers."""
    input:
        PRETRAINING.pairs.file(PRETRAINING.pairs.main),
    output:
        report(
            f"{PRETRAINING.folder}/tables/kept.tsv",
            caption="../report/pretraining_kept.rst",
            category="pretraining",
        ),
    log:
        f"{RESULTS}/logs/count_kept.log",
    params:
        code=code("count_kept"),
    script:
        "../scripts/count_kept.py"


rule take_corpus:
    """Use a whole corpus as a budget or as validation text."""
    input:
        lambda wildcards: PRETRAINING.corpus(
            PRETRAINING.texts.taken[wildcards.text], "sentences"
        ),
    output:
        budget=f"{PRETRAINING.folder}/corpora/{{text}}.parquet",
        counts=f"{PRETRAINING.folder}/corpora/{{text}}_counts.tsv",
    log:
        f"{RESULTS}/logs/take_corpus/{{text}}.log",
    wildcard_constraints:
        text=one_of(PRETRAINING.texts.taken),
    params:
        code=code("take_corpus"),
    script:
        "../scripts/take_corpus.py"


rule build_budgets:
    """Draw nested word budgets and validation text from a corpus."""
    input:
        lambda wildcards: PRETRAINING.corpus(PRETRAINING.settings.corpus, "sentences"),
    output:
        budgets=expand(
            f"{PRETRAINING.folder}/corpora/{{budget}}.parquet",
            budget=PRETRAINING.texts.drawn,
        ),
        validation=f"{PRETRAINING.folder}/corpora/validation.parquet",
        counts=f"{PRETRAINING.folder}/corpora/counts.tsv",
        drops=f"{PRETRAINING.folder}/corpora/drops.tsv",
    log:
        f"{RESULTS}/logs/build_budgets.log",
    params:
        budgets=PRETRAINING.texts.drawn,
        parts=[part.dump() for part in PRETRAINING.settings.parts],
        validation=PRETRAINING.settings.validation,
        seed=SETTINGS.seeds[0],
        code=code("build_budgets"),
    script:
        "../scripts/build_budgets.py"


rule learn_suffixes:
    """Learn the most frequent form of each sequence of suffixes."""
    input:
        lambda wildcards: PRETRAINING.corpus(PRETRAINING.settings.corpus, "analyses"),
    output:
        f"{PRETRAINING.folder}/corpora/suffixes.tsv",
    log:
        f"{RESULTS}/logs/learn_suffixes.log",
    params:
        split=PRETRAINING.settings.split,
        code=code("learn_suffixes"),
    script:
        "../scripts/learn_suffixes.py"


rule lemmatise:
    """Split the words of a budget, the validation text or pairs into lemma and suffixes."""
    input:
        table=f"{PRETRAINING.folder}/{{table}}.parquet",
        suffixes=f"{PRETRAINING.folder}/corpora/suffixes.tsv",
        dictionary=lambda wildcards: CORPORA.dictionary(PRETRAINING.settings.corpus),
    output:
        twin=f"{PRETRAINING.folder}/{{table}}-lemma.parquet",
        counts=f"{PRETRAINING.folder}/{{table}}-lemma_counts.tsv",
        drops=f"{PRETRAINING.folder}/{{table}}-lemma_drops.tsv",
    log:
        f"{RESULTS}/logs/lemmatise/{{table}}.log",
    wildcard_constraints:
        table=one_of(PRETRAINING.lemmatised),
    threads: 8
    params:
        analyser=lambda wildcards: CORPORA.analyser(PRETRAINING.settings.corpus).dump(),
        split=PRETRAINING.settings.split,
        code=code("lemmatise"),
    script:
        "../scripts/lemmatise.py"


rule compare_segmentations:
    """Compare our segmentation of pairs with a released one."""
    input:
        ours=PRETRAINING.pairs.file(f"{PRETRAINING.pairs.main}-lemma"),
        released=list(map(PRETRAINING.pairs.file, PRETRAINING.pairs.segmented[:1])),
    output:
        report(
            f"{PRETRAINING.folder}/tables/segmentation.tsv",
            caption="../report/pretraining_segmentation.rst",
            category="pretraining",
        ),
    log:
        f"{RESULTS}/logs/compare_segmentations.log",
    params:
        code=code("compare_segmentations"),
    script:
        "../scripts/compare_segmentations.py"


rule train_tokenizer:
    """Train a tokenizer on a text; encode the text and its validation text."""
    input:
        corpus=f"{PRETRAINING.folder}/corpora/{{text}}.parquet",
        validation=lambda wildcards: PRETRAINING.texts.validation(wildcards.text),
    output:
        tokenizer=directory(f"{PRETRAINING.folder}/tokens/{{text}}/tokenizer"),
        tokens=f"{PRETRAINING.folder}/tokens/{{text}}/train.npy",
        counts=f"{PRETRAINING.folder}/tokens/{{text}}/train_counts.tsv",
        validation=f"{PRETRAINING.folder}/tokens/{{text}}/validation.npy",
        validation_counts=f"{PRETRAINING.folder}/tokens/{{text}}/validation_counts.tsv",
    log:
        f"{RESULTS}/logs/train_tokenizer/{{text}}.log",
    wildcard_constraints:
        text=one_of(PRETRAINING.texts.names),
    params:
        vocabulary=PRETRAINING.settings.vocabulary,
        fewer=PRETRAINING.settings.fewer_pieces,
        length=PRETRAINING.settings.training.length,
        code=code("train_tokenizer"),
    script:
        "../scripts/train_tokenizer.py"


rule pretrain_checkpoint:
    """Train a masked language model to its next checkpoint."""
    input:
        tokens=lambda wildcards: f"{PRETRAINING.systems.tokens(wildcards.system)}/train.npy",
        validation=lambda wildcards: (
            f"{PRETRAINING.systems.tokens(wildcards.system)}/validation.npy"
        ),
        # Made with the tokens, whose contents Snakemake compares
        tokenizer=lambda wildcards: ancient(
            f"{PRETRAINING.systems.tokens(wildcards.system)}/tokenizer"
        ),
        state=lambda wildcards: PRETRAINING.systems.previous_state(*wildcards),
    output:
        model=directory(
            f"{PRETRAINING.folder}/models/{{system}}/{{seed}}/{{epoch}}/model"
        ),
        state=temp(
            f"{PRETRAINING.folder}/models/{{system}}/{{seed}}/{{epoch}}/state.safetensors"
        ),
        history=f"{PRETRAINING.folder}/models/{{system}}/{{seed}}/{{epoch}}/history.tsv",
    log:
        f"{RESULTS}/logs/pretrain_checkpoint/{{system}}-{{seed}}-{{epoch}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/pretrain_checkpoint/{{system}}-{{seed}}-{{epoch}}.tsv"
    wildcard_constraints:
        system="[^/]+",
        seed=r"\d+",
        epoch=r"\d+",
    threads: PRETRAINING.settings.training.threads
    resources:
        gpu=max(GPU, PRETRAINING.settings.gpus),
    params:
        epoch=lambda wildcards: int(wildcards.epoch),
        settings=lambda wildcards: PRETRAINING.systems.get(wildcards.system).settings,
        seed=lambda wildcards: int(wildcards.seed),
        device=SETTINGS.device,
        work=f"{PRETRAINING.folder}/work/{{system}}-{{seed}}-{{epoch}}",
        code=code("pretrain_checkpoint"),
    script:
        "../scripts/pretrain_checkpoint.py"


rule score_pairs:
    """Score pairs with a checkpoint or a published model."""
    input:
        model=lambda wildcards: undated(
            PRETRAINING.scored_model(wildcards.scored).folder
        ),
        beside=lambda wildcards: MODELS.beside(
            PRETRAINING.scored_model(wildcards.scored).folder
        ),
        pairs=f"{PRETRAINING.folder}/pairs/{{pairs}}.parquet",
    output:
        scores=f"{PRETRAINING.folder}/predictions/{{scored}}/{{pairs}}.parquet",
        drops=f"{PRETRAINING.folder}/predictions/{{scored}}/{{pairs}}_drops.tsv",
    log:
        f"{RESULTS}/logs/score_pairs/{{scored}}/{{pairs}}.log",
    wildcard_constraints:
        scored=r"published/[^/]+|[^/]+/\d+-\d+",
        pairs=one_of(PRETRAINING.pairs.scored),
    threads: SETTINGS.scoring.threads
    resources:
        gpu=GPU,
    params:
        definitions=lambda wildcards: [
            PRETRAINING.scored_model(wildcards.scored).definition
        ],
        loading=lambda wildcards: PRETRAINING.scored_model(wildcards.scored).loading,
        settings=SETTINGS.scoring.dump(),
        device=SETTINGS.device,
        work=lambda wildcards: (
            f"{PRETRAINING.folder}/work/score-{'-'.join(wildcards).replace('/', '-')}"
        ),
        code=code("score_pairs"),
    script:
        "../scripts/score_pairs.py"


rule score_trigram:
    """Score pairs with a word trigram trained on a text."""
    input:
        corpus=f"{PRETRAINING.folder}/corpora/{{text}}.parquet",
        pairs=f"{PRETRAINING.folder}/pairs/{{pairs}}.parquet",
    output:
        f"{PRETRAINING.folder}/predictions/trigram/{{text}}-{{pairs}}.parquet",
    log:
        f"{RESULTS}/logs/score_trigram/{{text}}-{{pairs}}.log",
    wildcard_constraints:
        text=one_of(PRETRAINING.texts.names),
        pairs=one_of(PRETRAINING.pairs.scored),
    params:
        code=code("score_trigram"),
    script:
        "../scripts/score_trigram.py"


rule score_length:
    """Prefer the shorter sentence of each pair, and the longer one."""
    input:
        f"{PRETRAINING.folder}/pairs/{{pairs}}.parquet",
    output:
        **{
            null: f"{PRETRAINING.folder}/predictions/{null}/{{pairs}}.parquet"
            for null in LENGTHS
        },
    log:
        f"{RESULTS}/logs/score_length/{{pairs}}.log",
    wildcard_constraints:
        pairs=one_of(PRETRAINING.pairs.settings),
    params:
        code=code("score_length"),
    script:
        "../scripts/score_length.py"


rule score_pretraining:
    """Score checkpoints, published models and nulls on pairs; test the paper's claims."""
    input:
        pairs=lambda wildcards: sorted({run.pairs for run in PRETRAINING.runs}),
        scores=lambda wildcards: [run.scores for run in PRETRAINING.runs],
        # Made with the histories
        models=lambda wildcards: ancient(list(PRETRAINING.weights.values())),
        histories=lambda wildcards: [
            path
            for by_seed in PRETRAINING.histories.values()
            for path in by_seed.values()
        ],
    output:
        scores=f"{PRETRAINING.folder}/scores.parquet",
        comparisons=report(
            f"{PRETRAINING.folder}/tables/comparisons.tsv",
            caption="../report/pretraining_comparisons.rst",
            category="pretraining",
        ),
        claims=report(
            f"{PRETRAINING.folder}/tables/claims.tsv",
            caption="../report/pretraining_claims.rst",
            category="pretraining",
        ),
    log:
        f"{RESULTS}/logs/score_pretraining.log",
    params:
        runs=lambda wildcards: [run._asdict() for run in PRETRAINING.runs],
        main=PRETRAINING.pairs.file(PRETRAINING.pairs.main),
        models=lambda wildcards: PRETRAINING.weights,
        histories=lambda wildcards: PRETRAINING.histories,
        untestable=lambda wildcards: PRETRAINING.untestable,
        seed=SETTINGS.seeds[0],
        code=code("score_pretraining"),
    script:
        "../scripts/score_pretraining.py"


rule write_curves:
    """Gather the learning curves of Figures 1 to 4, ours and published."""
    input:
        scores=f"{PRETRAINING.folder}/scores.parquet",
        published=published_files(*PRETRAINING.papers),
    output:
        f"{PRETRAINING.folder}/tables/curves.tsv",
    log:
        f"{RESULTS}/logs/write_curves.log",
    params:
        code=code("write_curves"),
    script:
        "../scripts/write_curves.py"


rule draw_curves:
    """Draw one of Figures 1 to 4: accuracy by epoch."""
    input:
        f"{PRETRAINING.folder}/tables/curves.tsv",
    output:
        report(
            f"{PRETRAINING.folder}/figures/figure_{{number}}.svg",
            caption="../report/pretraining_figure.rst",
            category="pretraining",
        ),
    log:
        f"{RESULTS}/logs/draw_curves/{{number}}.log",
    wildcard_constraints:
        number=r"\d",
    params:
        code=code("draw_curves"),
    script:
        "../scripts/draw_curves.py"


rule pretraining:
    """Build the study of pretraining (BL2MP, Urbizu et al. 2024)."""
    input:
        files_of("pretraining"),
    localrule: True
