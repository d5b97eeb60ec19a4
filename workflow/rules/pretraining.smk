"""Urbizu et al. (2024), BL2MP: when does BERT learn Basque grammar (BL2MP-1 to BL2MP-15)?

In: minimal pairs; a corpus to train on, with an analyser for twins; published models. Without a
corpus nothing is trained. Out, under <results>/pretraining/: pairs/, corpora/<text>.parquet,
tokens/<text>/, models/<system>/<seed>/<epoch>/, predictions/, scores.parquet, tables/, figures/.
Time: the demo one minute; config/real.yaml 50 minutes on two cores; config/paper.yaml days on a GPU.
"""

from kasu.pretraining.plan import PretrainingPlan

PRETRAINING = PretrainingPlan(SETTINGS.pretraining, CORPORA, MODELS)
STUDIES["pretraining"] = PRETRAINING


# Of the whole workflow: the paths of a storage know no variable of one rule
pathvars:
    main_pairs=PRETRAINING.pairs.main,


def fields_of_pairs(wildcards):
    """The names of the fields of a set of pairs."""
    return dict(PRETRAINING.pairs.get(wildcards.pairs).fields)


def licence_of_pairs(wildcards):
    """The licence of a set of pairs."""
    return describe(PRETRAINING.pairs.source(wildcards.pairs))["licence"]


def undated_tokenizer(wildcards):
    """A tokenizer; it is made with the tokens, whose contents Snakemake compares."""
    return ancient(PRETRAINING.systems.tokenizer(wildcards.system))


def undated_weights(wildcards):
    """The models whose weights are counted; they are made with their histories."""
    return ancient(list(PRETRAINING.weights.values()))


def undated_small_tokenizers(wildcards):
    """The tokenizers of small models, likewise."""
    return ancient(PRETRAINING.systems.of_small("tokenizer"))


def small_models(wildcards):
    """The checkpoints of small models; their dates do not count, as with `undated`."""
    found = PRETRAINING.of_small("model")
    return [ancient(each) if MODELS.beside(each) else each for each in found]


def beside_small_models(wildcards):
    """The files beside these, which are made with them."""
    found = PRETRAINING.of_small("model")
    return [file for each in found for file in MODELS.beside(each)]


def number_of(name):
    """Make the function of a parameter: the whole number that a wildcard stands for."""

    def number(wildcards):
        return int(wildcards[name])

    return number


def definitions_of_scores(wildcards):
    """The definition of a score that a model is scored by."""
    return [PRETRAINING.scored_model(wildcards.scored).definition]


def work_of_scores(wildcards):
    """The folder of a job that scores pairs."""
    name = "-".join(wildcards).replace("/", "-")
    return in_results(f"pretraining/work/score-{name}")


def runs_of_pretraining(wildcards):
    """Each file of scores, and what it is about."""
    return [run._asdict() for run in PRETRAINING.runs]


def small(key):
    """The paths of what one job makes of all small models; none if the config has an error."""
    return if_resolved(PRETRAINING.systems.of_small, key)


SMALL = if_resolved(from_plan(PRETRAINING, "systems.small"))
LARGE = one_of_two(if_resolved(from_plan(PRETRAINING, "systems.large")), SMALL)


PLAIN_PAIRS, TWIN_PAIRS = PRETRAINING.pairs.plain, PRETRAINING.pairs.lemmatised
FIGURES = sorted(PRETRAINING.figure_numbers.values())


# Both write the validation text; where whole corpora are taken, nothing is drawn
ruleorder: take_corpus > build_budgets


rule make_pairs:
    """Read minimal pairs."""
    input:
        from_plan(PRETRAINING, "pairs.source", "file"),
    output:
        pairs="<results>/pretraining/pairs/{pairs}.parquet",
        counts="<results>/pretraining/pairs/{pairs}_counts.tsv",
        drops="<results>/pretraining/pairs/{pairs}_drops.tsv",
    log:
        "<logs>/make_pairs/{pairs}.log",
    wildcard_constraints:
        pairs=one_of(PRETRAINING.pairs.settings),
    params:
        fields=fields_of_pairs,
        types=from_plan(PRETRAINING, "pairs.get", "types"),
        levels=from_plan(PRETRAINING, "pairs.get", "levels"),
        licence=licence_of_pairs,
        code=code("make_pairs"),
    script:
        "../scripts/make_pairs.py"


rule count_kept:
    """Count the pairs that the length filter keeps under simple tokenizers."""
    input:
        "<results>/pretraining/pairs/<main_pairs>.parquet",
    output:
        report(
            "<results>/pretraining/tables/kept.tsv",
            caption="../report/pretraining_kept.rst",
            category="pretraining",
        ),
    log:
        "<logs>/count_kept.log",
    params:
        code=code("count_kept"),
    script:
        "../scripts/count_kept.py"


rule take_corpus:
    """Use a whole corpus as a budget or as validation text."""
    input:
        from_plan(PRETRAINING, "taken"),
    output:
        budget="<results>/pretraining/corpora/{text}.parquet",
        counts="<results>/pretraining/corpora/{text}_counts.tsv",
    log:
        "<logs>/take_corpus/{text}.log",
    wildcard_constraints:
        text=one_of(PRETRAINING.texts.taken),
    params:
        code=code("take_corpus"),
    script:
        "../scripts/take_corpus.py"


rule build_budgets:
    """Draw nested word budgets and validation text from a corpus."""
    input:
        from_plan(PRETRAINING, "sentences"),
    output:
        budgets=expand(
            "<results>/pretraining/corpora/{budget}.parquet",
            budget=PRETRAINING.texts.drawn,
        ),
        validation="<results>/pretraining/corpora/validation.parquet",
        counts="<results>/pretraining/corpora/counts.tsv",
        drops="<results>/pretraining/corpora/drops.tsv",
    log:
        "<logs>/build_budgets.log",
    resources:
        mem_mb=per_attempt(8_000),
        runtime=480,
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
        from_plan(PRETRAINING, "analyses"),
    output:
        "<results>/pretraining/corpora/suffixes.tsv",
    log:
        "<logs>/learn_suffixes.log",
    params:
        split=PRETRAINING.settings.split,
        code=code("learn_suffixes"),
    script:
        "../scripts/learn_suffixes.py"


rule lemmatise:
    """Split the words of a budget, the validation text or pairs into lemma and suffixes."""
    input:
        table="<results>/pretraining/{table}.parquet",
        suffixes="<results>/pretraining/corpora/suffixes.tsv",
        dictionary=from_plan(PRETRAINING, "dictionary"),
    output:
        twin="<results>/pretraining/{table}-lemma.parquet",
        counts="<results>/pretraining/{table}-lemma_counts.tsv",
        drops="<results>/pretraining/{table}-lemma_drops.tsv",
    log:
        "<logs>/lemmatise/{table}.log",
    wildcard_constraints:
        table=one_of(PRETRAINING.lemmatised),
    threads: 8
    resources:
        mem_mb=per_attempt(8_000),
        runtime=480,
    params:
        analyser=from_plan(PRETRAINING, "analyser", "dump"),
        split=PRETRAINING.settings.split,
        code=code("lemmatise"),
    script:
        "../scripts/lemmatise.py"


rule compare_segmentations:
    """Compare our segmentation of pairs with a released one."""
    input:
        ours="<results>/pretraining/pairs/<main_pairs>-lemma.parquet",
        released=expand(
            "<results>/pretraining/pairs/{pairs}.parquet",
            pairs=PRETRAINING.pairs.segmented[:1],
        ),
    output:
        report(
            "<results>/pretraining/tables/segmentation.tsv",
            caption="../report/pretraining_segmentation.rst",
            category="pretraining",
        ),
    log:
        "<logs>/compare_segmentations.log",
    params:
        code=code("compare_segmentations"),
    script:
        "../scripts/compare_segmentations.py"


rule train_tokenizer:
    """Train a tokenizer on a text; encode the text and its validation text."""
    input:
        corpus="<results>/pretraining/corpora/{text}.parquet",
        validation=from_plan(PRETRAINING, "texts.validation"),
    output:
        tokenizer=directory("<results>/pretraining/tokens/{text}/tokenizer"),
        tokens="<results>/pretraining/tokens/{text}/train.npy",
        counts="<results>/pretraining/tokens/{text}/train_counts.tsv",
        validation="<results>/pretraining/tokens/{text}/validation.npy",
        validation_counts="<results>/pretraining/tokens/{text}/validation_counts.tsv",
    log:
        "<logs>/train_tokenizer/{text}.log",
    wildcard_constraints:
        text=one_of(PRETRAINING.texts.names),
    params:
        vocabulary=PRETRAINING.settings.vocabulary,
        fewer=PRETRAINING.settings.fewer_pieces,
        length=PRETRAINING.settings.training.length,
        code=code("train_tokenizer"),
    script:
        "../scripts/train_tokenizer.py"


# Starting a job takes as long as training one of these
rule pretrain_small:
    """Train all small masked language models, each from checkpoint to checkpoint."""
    input:
        tokens=from_plan(PRETRAINING, "systems.small_streams"),
        tokenizers=undated_small_tokenizers,
    output:
        models=[directory(each) for each in small("model")],
        # As of larger models: Snakemake compares parameters only with jobs of equal outputs
        states=[temp(each) for each in small("state")],
        histories=small("history"),
    log:
        "<logs>/pretrain_small.log",
    benchmark:
        "<benchmarks>/pretrain_small.tsv"
    threads: PRETRAINING.settings.training.threads
    resources:
        gpu=GPU,
    params:
        trainings=from_plan(PRETRAINING, "systems.small_trainings"),
        device=SETTINGS.device,
        work=in_results("pretraining/work/small"),
        code=code("pretrain_small"),
    script:
        "../scripts/pretrain_small.py"


rule pretrain_checkpoint:
    """Train a masked language model to its next checkpoint."""
    input:
        tokens=from_plan(PRETRAINING, "systems.tokens"),
        validation=from_plan(PRETRAINING, "systems.validation"),
        tokenizer=undated_tokenizer,
        state=from_plan(PRETRAINING, "systems.previous_state"),
    output:
        model=directory("<results>/pretraining/models/{system}/{seed}/{epoch}/model"),
        state=temp(
            "<results>/pretraining/models/{system}/{seed}/{epoch}/state.safetensors"
        ),
        history="<results>/pretraining/models/{system}/{seed}/{epoch}/history.tsv",
    log:
        "<logs>/pretrain_checkpoint/{system}-{seed}-{epoch}.log",
    benchmark:
        "<benchmarks>/pretrain_checkpoint/{system}-{seed}-{epoch}.tsv"
    wildcard_constraints:
        system=LARGE,
        seed=r"\d+",
        epoch=r"\d+",
    threads: PRETRAINING.settings.training.threads
    resources:
        gpu=max(GPU, PRETRAINING.settings.gpus),
        mem_mb=per_attempt(32_000),
        runtime=2880,
    params:
        epoch=number_of("epoch"),
        settings=from_plan(PRETRAINING, "systems.get", "settings"),
        seed=number_of("seed"),
        device=SETTINGS.device,
        work=in_results("pretraining/work/{system}-{seed}-{epoch}"),
        code=code("pretrain_checkpoint"),
    script:
        "../scripts/pretrain_checkpoint.py"


rule score_small:
    """Score pairs with all checkpoints of small models."""
    input:
        models=small_models,
        beside=beside_small_models,
        pairs=from_plan(PRETRAINING, "small_pairs"),
    output:
        scores=if_resolved(PRETRAINING.of_small, "scores"),
        drops=if_resolved(PRETRAINING.of_small, "drops"),
    log:
        "<logs>/score_small.log",
    threads: SETTINGS.scoring.threads
    resources:
        gpu=GPU,
    params:
        files=from_plan(PRETRAINING, "small_files"),
        definitions=[PRETRAINING.definition],
        settings=SETTINGS.scoring.dump(),
        device=SETTINGS.device,
        work=in_results("pretraining/work/score_small"),
        code=code("score_small"),
    script:
        "../scripts/score_small.py"


rule score_pairs:
    """Score pairs with a checkpoint or a published model."""
    input:
        model=undated(from_plan(PRETRAINING, "scored_model", "folder")),
        beside=beside(from_plan(PRETRAINING, "scored_model", "folder")),
        pairs="<results>/pretraining/pairs/{pairs}.parquet",
    output:
        scores="<results>/pretraining/predictions/{scored}/{pairs}.parquet",
        drops="<results>/pretraining/predictions/{scored}/{pairs}_drops.tsv",
    log:
        "<logs>/score_pairs/{scored}/{pairs}.log",
    wildcard_constraints:
        scored=rf"published/[^/]+|(?:{LARGE})/\d+-\d+",
        pairs=one_of(PRETRAINING.pairs.scored),
    threads: SETTINGS.scoring.threads
    resources:
        gpu=GPU,
        mem_mb=per_attempt(16_000),
        runtime=240,
    params:
        definitions=definitions_of_scores,
        loading=from_plan(PRETRAINING, "scored_model", "loading"),
        settings=SETTINGS.scoring.dump(),
        device=SETTINGS.device,
        work=work_of_scores,
        code=code("score_pairs"),
    script:
        "../scripts/score_pairs.py"


rule score_trigram:
    """Score pairs with a word trigram trained on a text."""
    input:
        corpus="<results>/pretraining/corpora/{text}.parquet",
        pairs=expand("<results>/pretraining/pairs/{pairs}.parquet", pairs=PLAIN_PAIRS),
    output:
        expand(
            "<results>/pretraining/predictions/trigram/{text}-{pairs}.parquet",
            pairs=PLAIN_PAIRS,
            allow_missing=True,
        ),
    log:
        "<logs>/score_trigram/{text}.log",
    wildcard_constraints:
        text=one_of(PRETRAINING.texts.plain),
    params:
        code=code("score_trigram"),
    script:
        "../scripts/score_trigram.py"


use rule score_trigram as score_trigram_twin with:
    input:
        corpus="<results>/pretraining/corpora/{text}.parquet",
        pairs=expand("<results>/pretraining/pairs/{pairs}.parquet", pairs=TWIN_PAIRS),
    output:
        expand(
            "<results>/pretraining/predictions/trigram/{text}-{pairs}.parquet",
            pairs=TWIN_PAIRS,
            allow_missing=True,
        ),
    log:
        "<logs>/score_trigram/{text}.log",
    wildcard_constraints:
        text=one_of(PRETRAINING.texts.lemmatised),


rule score_length:
    """Prefer the shorter sentence of each pair, and the longer one."""
    input:
        expand("<results>/pretraining/pairs/{pairs}.parquet", pairs=PLAIN_PAIRS),
    output:
        fewer_characters=expand(
            "<results>/pretraining/predictions/fewer_characters/{pairs}.parquet",
            pairs=PLAIN_PAIRS,
        ),
        more_characters=expand(
            "<results>/pretraining/predictions/more_characters/{pairs}.parquet",
            pairs=PLAIN_PAIRS,
        ),
    log:
        "<logs>/score_length.log",
    params:
        code=code("score_length"),
    script:
        "../scripts/score_length.py"


rule score_pretraining:
    """Score checkpoints, published models and nulls on pairs; test the paper's claims."""
    input:
        pairs=from_plan(PRETRAINING, "scored_pairs"),
        scores=from_plan(PRETRAINING, "scores"),
        models=undated_weights,
        histories=from_plan(PRETRAINING, "history_files"),
    output:
        scores="<results>/pretraining/scores.parquet",
        comparisons=report(
            "<results>/pretraining/tables/comparisons.tsv",
            caption="../report/pretraining_comparisons.rst",
            category="pretraining",
        ),
        claims=report(
            "<results>/pretraining/tables/claims.tsv",
            caption="../report/pretraining_claims.rst",
            category="pretraining",
        ),
    log:
        "<logs>/score_pretraining.log",
    params:
        runs=runs_of_pretraining,
        main=PRETRAINING.pairs.file(PRETRAINING.pairs.main),
        models=from_plan(PRETRAINING, "weights"),
        histories=from_plan(PRETRAINING, "histories"),
        untestable=from_plan(PRETRAINING, "untestable"),
        seed=SETTINGS.seeds[0],
        code=code("score_pretraining"),
    script:
        "../scripts/score_pretraining.py"


rule draw_curves:
    """Gather the learning curves, ours and published, and draw Figures 1 to 4: accuracy by epoch."""
    input:
        scores="<results>/pretraining/scores.parquet",
        published=published_files(*PRETRAINING.papers),
    output:
        curves="<results>/pretraining/tables/curves.tsv",
        figures=report(
            expand(
                "<results>/pretraining/figures/figure_{number}.svg", number=FIGURES
            ),
            caption="../report/pretraining_figure.rst",
            category="pretraining",
        ),
        pdfs=expand("<results>/pretraining/figures/figure_{number}.pdf", number=FIGURES),
    log:
        "<logs>/draw_curves.log",
    params:
        numbers=FIGURES,
        code=code("draw_curves"),
    script:
        "../scripts/draw_curves.py"


rule pretraining:
    """Build the study of pretraining (BL2MP, Urbizu et al. 2024)."""
    input:
        files_of("pretraining"),
    localrule: True
