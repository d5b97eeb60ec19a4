"""Urbizu et al. (2024), BL2MP: when does BERT learn Basque grammar (BL2MP-1 to BL2MP-15)?

Builds texts, pairs and models; pretraining_scores.smk scores them.

In: a corpus with an analyser; minimal pairs. Out, under <results>/pretraining/: pairs/,
corpora/<text>.parquet, tokens/<text>/, models/<system>/<seed>/<epoch>/.
Time: the demo one minute; config/real.yaml 50 minutes on two cores; config/paper.yaml days on a GPU.
"""

from kasu.lm.pretraining.schedule import checkpoint_epochs

PRETRAINING = f"{RESULTS}/pretraining"
PRETRAINING_SETTINGS = config["pretraining"]
PRETRAINING_CORPUS = PRETRAINING_SETTINGS["corpus"]
BUDGETS = {budget["name"]: budget for budget in PRETRAINING_SETTINGS["budgets"]}
TWINS = ["", "-lemma"] if PRETRAINING_SETTINGS["twins"] else [""]
# Whole corpora used as budgets and validation text; if there are none, both are drawn from the corpus
TAKEN = {
    name: budget["corpus"] for name, budget in BUDGETS.items() if "corpus" in budget
}
if isinstance(PRETRAINING_SETTINGS["validation"], str):
    TAKEN["validation"] = PRETRAINING_SETTINGS["validation"]
if TAKEN and TAKEN.keys() != {*BUDGETS, "validation"}:
    raise WorkflowError(
        "config pretraining: some of budgets and validation are corpora; expected all or none"
    )
# Texts that models are trained on: budgets and their lemmatised twins
TEXTS_OF_BUDGETS = [f"{budget}{twin}" for budget in BUDGETS for twin in TWINS]
PAIRS = {pairs["name"]: pairs for pairs in PRETRAINING_SETTINGS["pairs"]}
# The set that the tables are about, and its segmented versions by its authors
MAIN_PAIRS = PRETRAINING_SETTINGS["pairs"][0]["name"]
SEGMENTED = [name for name, pairs in PAIRS.items() if "segmented" in pairs]
try:
    PAIR_SOURCES = {
        name: resolve_first(pairs["sources"]) for name, pairs in PAIRS.items()
    }
except KasuError as error:
    raise WorkflowError(str(error))
register(*PAIR_SOURCES.values())


def pretrained_systems():
    """From name in paths to name in tables, text and settings of each model."""
    # `corpus_file` reports an unknown corpus once one of its files is needed
    language = OLD_CORPORA.get(PRETRAINING_CORPUS, {"language": "und"})["language"]
    found = {}
    for model in PRETRAINING_SETTINGS["models"]:
        for name, budget in BUDGETS.items():
            for twin in TWINS if model.get("twins", True) else TWINS[:1]:
                system = f"BERT{model['layers']}L-{language}{name}{twin}"
                found[system.lower()] = {
                    "system": system,
                    "text": f"{name}{twin}",
                    "settings": {
                        **PRETRAINING_SETTINGS["training"],
                        "layers": model["layers"],
                        "hidden": model["hidden"],
                        "epochs": budget["epochs"],
                        "steps_per_epoch": budget["steps_per_epoch"],
                    },
                }
    return found


SYSTEMS = pretrained_systems()
PRETRAINED |= {
    name: f"{PRETRAINING}/models/{name}/{PRETRAINING_SETTINGS['seeds'][0]}/{system['settings']['epochs']}/model"
    for name, system in SYSTEMS.items()
}
PAIRS_TABLES = {
    f"table_{number}": f"Table {number}" for number in (1, *range(4, 20))
} | {f"section_{part}": f"section {part}" for part in ("4.2", "5.1", "5.2", "5.4")}
# Further sets of pairs, which are not in the paper
PAIRS_TABLES |= {
    f"pairs_{name}": f"pairs {name}"
    for name, pairs in PAIRS.items()
    if name not in (MAIN_PAIRS, *SEGMENTED)
    and "good_reorder" not in pairs.get("fields", {})
}
# The table under which the report shows each figure; Figure 3 needs pairs with a second word order
PAIRS_FIGURES = {"table_4": 1, "table_5": 2, "table_17": 4} | (
    {"table_14": 3}
    if any("good_reorder" in pairs.get("fields", {}) for pairs in PAIRS.values())
    else {}
)
PAIRS_DETAILS = {
    "Claims of the paper": "claims",
    "Systems compared in pairs": "comparisons",
    "Pairs kept by simple tokenizers": "kept",
    **(
        {"Our segmentation against the released one": "segmentation"}
        if SEGMENTED
        else {}
    ),
}
PRETRAINING_FILES = [
    f"{PRETRAINING}/scores.parquet",
    *(f"{PRETRAINING}/tables/{table}.tsv" for table in PAIRS_TABLES),
    *(f"{PRETRAINING}/tables/{table}.tsv" for table in PAIRS_DETAILS.values()),
    *(
        f"{PRETRAINING}/figures/figure_{number}.svg"
        for number in PAIRS_FIGURES.values()
    ),
]


wildcard_constraints:
    pairs=one_of(PAIRS),
    budget=one_of(BUDGETS),
    text_of_budget=one_of(TEXTS_OF_BUDGETS),
    system=one_of(SYSTEMS),
    seed=r"\d+",
    epoch=r"\d+",


def corpus_file(corpus, name):
    """Path of a file of a corpus."""
    if corpus not in OLD_CORPORA:
        raise WorkflowError(
            f"config pretraining: corpus {corpus!r}; expected one of {', '.join(OLD_CORPORA)}"
        )
    return f"{RESULTS}/corpora/{corpus}/{name}.parquet"


def previous_state(wildcards):
    """The state from which training goes on; none for the first checkpoint."""
    epochs = checkpoint_epochs(SYSTEMS[wildcards.system]["settings"]["epochs"])
    at = epochs.index(int(wildcards.epoch))
    folder = f"{PRETRAINING}/models/{wildcards.system}/{wildcards.seed}"
    return f"{folder}/{epochs[at - 1]}/state.safetensors" if at else []


def tokens_of(part):
    """Path of a file made by the tokenizer of a system's text."""
    return (
        lambda wildcards: f"{PRETRAINING}/tokens/{SYSTEMS[wildcards.system]['text']}/{part}"
    )


rule make_pairs:
    """Read minimal pairs."""
    input:
        lambda wildcards: str(PAIR_SOURCES[wildcards.pairs].file),
    output:
        pairs=f"{PRETRAINING}/pairs/{{pairs}}.parquet",
        counts=f"{PRETRAINING}/pairs/{{pairs}}_counts.tsv",
        drops=f"{PRETRAINING}/pairs/{{pairs}}_drops.tsv",
    log:
        f"{RESULTS}/logs/make_pairs/{{pairs}}.log",
    params:
        fields=lambda wildcards: PAIRS[wildcards.pairs].get("fields", {}),
        types=lambda wildcards: PAIRS[wildcards.pairs].get("types"),
        levels=lambda wildcards: PAIRS[wildcards.pairs].get("levels"),
        licence=lambda wildcards: licence_of(PAIR_SOURCES[wildcards.pairs])["licence"],
        code=code("make_pairs"),
    script:
        "../scripts/make_pairs.py"


rule count_kept:
    """Count the pairs that the length filter keeps under simple tokenizers."""
    input:
        f"{PRETRAINING}/pairs/{MAIN_PAIRS}.parquet",
    output:
        report(
            f"{PRETRAINING}/tables/kept.tsv",
            caption="../report/pretraining_kept.rst",
            category="pretraining",
        ),
    log:
        f"{RESULTS}/logs/count_kept.log",
    params:
        code=code("count_kept"),
    script:
        "../scripts/count_kept.py"


if TAKEN:

    rule take_corpus:
        """Use a whole corpus as a budget or as validation text."""
        input:
            lambda wildcards: corpus_file(TAKEN[wildcards.taken], "sentences"),
        output:
            budget=f"{PRETRAINING}/corpora/{{taken}}.parquet",
            counts=f"{PRETRAINING}/corpora/{{taken}}_counts.tsv",
        log:
            f"{RESULTS}/logs/take_corpus/{{taken}}.log",
        wildcard_constraints:
            taken=one_of(TAKEN),
        params:
            code=code("take_corpus"),
        script:
            "../scripts/take_corpus.py"

else:

    rule build_budgets:
        """Draw nested word budgets and validation text from a corpus."""
        input:
            lambda wildcards: corpus_file(PRETRAINING_CORPUS, "sentences"),
        output:
            budgets=[f"{PRETRAINING}/corpora/{budget}.parquet" for budget in BUDGETS],
            validation=f"{PRETRAINING}/corpora/validation.parquet",
            counts=f"{PRETRAINING}/corpora/counts.tsv",
            drops=f"{PRETRAINING}/corpora/drops.tsv",
        log:
            f"{RESULTS}/logs/build_budgets.log",
        params:
            budgets={name: budget["words"] for name, budget in BUDGETS.items()},
            parts=PRETRAINING_SETTINGS["parts"],
            validation=PRETRAINING_SETTINGS["validation"],
            seed=config["seeds"][0],
            code=code("build_budgets"),
        script:
            "../scripts/build_budgets.py"


rule learn_suffixes:
    """Learn the most frequent form of each sequence of suffixes."""
    input:
        lambda wildcards: corpus_file(PRETRAINING_CORPUS, "analyses"),
    output:
        f"{PRETRAINING}/corpora/suffixes.tsv",
    log:
        f"{RESULTS}/logs/learn_suffixes.log",
    params:
        split=PRETRAINING_SETTINGS["split"],
        code=code("learn_suffixes"),
    script:
        "../scripts/learn_suffixes.py"


rule lemmatise:
    """Split the words of a budget, the validation text or pairs into lemma and suffixes."""
    input:
        table=f"{PRETRAINING}/{{path}}.parquet",
        suffixes=f"{PRETRAINING}/corpora/suffixes.tsv",
    output:
        twin=f"{PRETRAINING}/{{path}}-lemma.parquet",
        counts=f"{PRETRAINING}/{{path}}-lemma_counts.tsv",
        drops=f"{PRETRAINING}/{{path}}-lemma_drops.tsv",
    log:
        f"{RESULTS}/logs/lemmatise/{{path}}.log",
    wildcard_constraints:
        path=r"(corpora|pairs)/[^/]+(?<!-lemma)",
    threads: 8
    params:
        analyser=lambda wildcards: analyser_facts(PRETRAINING_CORPUS),
        split=PRETRAINING_SETTINGS["split"],
        code=code("lemmatise"),
    script:
        "../scripts/lemmatise.py"


rule compare_segmentations:
    """Compare our segmentation of pairs with a released one."""
    input:
        ours=f"{PRETRAINING}/pairs/{MAIN_PAIRS}-lemma.parquet",
        released=[f"{PRETRAINING}/pairs/{name}.parquet" for name in SEGMENTED[:1]],
    output:
        report(
            f"{PRETRAINING}/tables/segmentation.tsv",
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
        corpus=f"{PRETRAINING}/corpora/{{text_of_budget}}.parquet",
        validation=lambda wildcards: (
            f"{PRETRAINING}/corpora/validation{'-lemma' if wildcards.text_of_budget.endswith('-lemma') else ''}.parquet"
        ),
    output:
        tokenizer=directory(f"{PRETRAINING}/tokens/{{text_of_budget}}/tokenizer"),
        tokens=f"{PRETRAINING}/tokens/{{text_of_budget}}/train.npy",
        counts=f"{PRETRAINING}/tokens/{{text_of_budget}}/train_counts.tsv",
        validation=f"{PRETRAINING}/tokens/{{text_of_budget}}/validation.npy",
        validation_counts=f"{PRETRAINING}/tokens/{{text_of_budget}}/validation_counts.tsv",
    log:
        f"{RESULTS}/logs/train_tokenizer/{{text_of_budget}}.log",
    params:
        vocabulary=PRETRAINING_SETTINGS["vocabulary"],
        fewer=PRETRAINING_SETTINGS["fewer_pieces"],
        length=PRETRAINING_SETTINGS["training"]["length"],
        code=code("train_tokenizer"),
    script:
        "../scripts/train_tokenizer.py"


rule pretrain_checkpoint:
    """Train a masked language model to its next checkpoint."""
    input:
        tokens=tokens_of("train.npy"),
        validation=tokens_of("validation.npy"),
        tokenizer=tokens_of("tokenizer"),
        state=previous_state,
    output:
        model=directory(f"{PRETRAINING}/models/{{system}}/{{seed}}/{{epoch}}/model"),
        state=temp(
            f"{PRETRAINING}/models/{{system}}/{{seed}}/{{epoch}}/state.safetensors"
        ),
        history=f"{PRETRAINING}/models/{{system}}/{{seed}}/{{epoch}}/history.tsv",
    log:
        f"{RESULTS}/logs/pretrain_checkpoint/{{system}}-{{seed}}-{{epoch}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/pretrain_checkpoint/{{system}}-{{seed}}-{{epoch}}.tsv"
    threads: PRETRAINING_SETTINGS["training"]["threads"]
    resources:
        gpu=PRETRAINING_SETTINGS["gpus"],
    params:
        epoch=lambda wildcards: int(wildcards.epoch),
        settings=lambda wildcards: SYSTEMS[wildcards.system]["settings"],
        seed=lambda wildcards: int(wildcards.seed),
        device=config["device"],
        work=lambda wildcards: (
            f"{PRETRAINING}/work/{wildcards.system}-{wildcards.seed}-{wildcards.epoch}"
        ),
        code=code("pretrain_checkpoint", "kasu.lm.pretraining.torchrun_process"),
    script:
        "../scripts/pretrain_checkpoint.py"
