"""Scores of minimal pairs by checkpoints, published models and nulls; tables and figures.

In: pairs, checkpoints and texts of pretraining.smk; published models. Out, under
<results>/pretraining/: predictions/, scores.parquet, tables/, figures/.
Time: one minute per checkpoint of 4 layers on two cores.
"""

from kasu.pretraining.models.systems import HUB_SYSTEMS as BL2MP_SYSTEMS


def scored_model(wildcards):
    """The folder of a checkpoint or of a published model."""
    group, _, name = wildcards.scored.partition("/")
    if group == "published":
        return model_folder(name)
    seed, _, epoch = name.partition("-")
    return f"{PRETRAINING}/models/{group}/{seed}/{epoch}/model"


def published_name(wildcards):
    return wildcards.scored.removeprefix("published/")


rule score_pairs:
    """Score pairs with a checkpoint or a published model."""
    input:
        model=scored_model,
        pairs=f"{PRETRAINING}/pairs/{{scored_pairs}}.parquet",
    output:
        scores=f"{PRETRAINING}/predictions/{{scored}}/{{scored_pairs}}.parquet",
        drops=f"{PRETRAINING}/predictions/{{scored}}/{{scored_pairs}}_drops.tsv",
    log:
        f"{RESULTS}/logs/score_pairs/{{scored}}/{{scored_pairs}}.log",
    wildcard_constraints:
        scored=f"published/[^/]+|({one_of(SYSTEMS)})/\\d+-\\d+",
        scored_pairs=one_of([*PAIRS, f"{MAIN_PAIRS}-lemma"]),
    threads: config["scoring"]["threads"]
    params:
        definitions=lambda wildcards: [
            (
                "causal"
                if kind_of(published_name(wildcards)) == "causal"
                else "pll_original"
            )
        ],
        remote_code=lambda wildcards: remote_code_of(published_name(wildcards)),
        settings=config["scoring"],
        device=config["device"],
        work=lambda wildcards: f"{PRETRAINING}/work/score-{'-'.join(wildcards).replace('/', '-')}",
        code=code("score_pairs"),
    script:
        "../scripts/score_pairs.py"


rule score_trigram:
    """Score pairs with a word trigram trained on a text."""
    input:
        corpus=f"{PRETRAINING}/corpora/{{text_of_budget}}.parquet",
        pairs=f"{PRETRAINING}/pairs/{{scored_pairs}}.parquet",
    output:
        f"{PRETRAINING}/predictions/trigram/{{text_of_budget}}-{{scored_pairs}}.parquet",
    log:
        f"{RESULTS}/logs/score_trigram/{{text_of_budget}}-{{scored_pairs}}.log",
    wildcard_constraints:
        scored_pairs=one_of([*PAIRS, f"{MAIN_PAIRS}-lemma"]),
    params:
        code=code("score_trigram"),
    script:
        "../scripts/score_trigram.py"


rule score_length:
    """Prefer the shorter sentence of each pair."""
    input:
        f"{PRETRAINING}/pairs/{{pairs}}.parquet",
    output:
        f"{PRETRAINING}/predictions/length/{{pairs}}.parquet",
    log:
        f"{RESULTS}/logs/score_length/{{pairs}}.log",
    params:
        code=code("score_length"),
    script:
        "../scripts/score_length.py"


def pairs_of_text(text):
    """The sets of pairs on which a text's models are tested."""
    if text.endswith("-lemma"):
        return [f"{MAIN_PAIRS}-lemma", *SEGMENTED]
    return [pairs for pairs in PAIRS if pairs not in SEGMENTED]


def variant_of(pairs):
    """The variant of a system tested on a set of pairs: empty for the main set and its twin."""
    if pairs in (MAIN_PAIRS, f"{MAIN_PAIRS}-lemma"):
        return ""
    return PAIRS[pairs].get("segmented", pairs)


def pretraining_runs():
    """Every file of scores, with what the evaluation needs to know about it."""
    predictions = f"{PRETRAINING}/predictions"
    runs = []
    for name, of in SYSTEMS.items():
        for seed in PRETRAINING_SETTINGS["seeds"]:
            for epoch in checkpoint_epochs(of["settings"]["epochs"]):
                for pairs in pairs_of_text(of["text"]):
                    scores = f"{predictions}/{name}/{seed}-{epoch}/{pairs}.parquet"
                    runs.append(
                        (of["system"], pairs, scores, {"epoch": epoch, "seed": seed})
                    )
    for text in TEXTS_OF_BUDGETS:
        for pairs in pairs_of_text(text):
            scores = f"{predictions}/trigram/{text}-{pairs}.parquet"
            runs.append((f"trigram-{text}", pairs, scores, {}))
    for model in PRETRAINING_SETTINGS["published"]:
        system = BL2MP_SYSTEMS.get(OLD_MODELS.get(model, {}).get("id"), model)
        for pairs in pairs_of_text(""):
            scores = f"{predictions}/published/{model}/{pairs}.parquet"
            runs.append((system, pairs, scores, {}))
    for pairs in pairs_of_text(""):
        scores = f"{predictions}/length/{pairs}.parquet"
        runs.append(("fewer characters", pairs, scores, {}))
    return [
        {
            "system": system,
            "pairs": f"{PRETRAINING}/pairs/{pairs}.parquet",
            "scores": scores,
            "variant": variant_of(pairs),
            **more,
        }
        for system, pairs, scores, more in runs
    ]


PRETRAINING_RUNS = pretraining_runs()


def last_checkpoint(file):
    """Path of a file of the last checkpoint, by system and seed."""
    return {
        of["system"]: {
            seed: f"{PRETRAINING}/models/{name}/{seed}/{of['settings']['epochs']}/{file}"
            for seed in PRETRAINING_SETTINGS["seeds"]
        }
        for name, of in SYSTEMS.items()
    }


rule score_pretraining:
    """Score checkpoints, published models and nulls on pairs; test the paper's claims."""
    input:
        pairs=sorted({run["pairs"] for run in PRETRAINING_RUNS}),
        scores=[run["scores"] for run in PRETRAINING_RUNS],
        models=[PRETRAINED[name] for name in SYSTEMS],
        histories=[
            path
            for of_seeds in last_checkpoint("history.tsv").values()
            for path in of_seeds.values()
        ],
    output:
        **{
            table: report(
                f"{PRETRAINING}/tables/{table}.tsv",
                caption=f"../report/pretraining_{table}.rst",
                category="pretraining",
            )
            for table in ("comparisons", "claims")
        },
        scores=f"{PRETRAINING}/scores.parquet",
    log:
        f"{RESULTS}/logs/score_pretraining.log",
    params:
        runs=PRETRAINING_RUNS,
        main=f"{PRETRAINING}/pairs/{MAIN_PAIRS}.parquet",
        models={of["system"]: PRETRAINED[name] for name, of in SYSTEMS.items()},
        histories=last_checkpoint("history.tsv"),
        seed=config["seeds"][0],
        code=code("score_pretraining"),
    script:
        "../scripts/score_pretraining.py"


rule write_curves:
    """Gather the learning curves of Figures 1 to 4, ours and published."""
    input:
        scores=f"{PRETRAINING}/scores.parquet",
        published=PUBLISHED,
    output:
        f"{PRETRAINING}/tables/curves.tsv",
    log:
        f"{RESULTS}/logs/write_curves.log",
    params:
        code=code("write_curves"),
    script:
        "../scripts/write_curves.py"


rule draw_curves:
    """Draw one of Figures 1 to 4: accuracy by epoch."""
    input:
        f"{PRETRAINING}/tables/curves.tsv",
    output:
        report(
            f"{PRETRAINING}/figures/figure_{{number}}.svg",
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


def caption_of(table):
    """The caption of a table."""
    if table in ("table_1", "table_4"):
        return table
    kind = table.partition("_")[0]
    return {"section": "section", "pairs": "table_4"}.get(kind, "appendix")


TEXT_COUNTS = (
    {f"text {name}": f"{PRETRAINING}/corpora/{name}_counts.tsv" for name in TAKEN}
    if TAKEN
    else {"text by budget": f"{PRETRAINING}/corpora/counts.tsv"}
)
TEXTS_OF_TWINS = (
    [f"pairs/{MAIN_PAIRS}", *(f"corpora/{name}" for name in (*BUDGETS, "validation"))]
    if PRETRAINING_SETTINGS["twins"]
    else []
)

add_study(
    PRETRAINING_FILES,
    {
        "name": "pretraining",
        "title": "Pretraining: when does BERT learn Basque grammar?",
        "citation": "Urbizu et al. (2024), BL2MP",
        "paper": "bl2mp2024",
        "printed": PAIRS_TABLES,
        "captions": {
            table: f"workflow/report/pretraining_{caption_of(table)}.rst"
            for table in PAIRS_TABLES
        },
        "figures": {
            place: f"{PRETRAINING}/figures/figure_{number}.svg"
            for place, number in PAIRS_FIGURES.items()
        },
        "legends": {
            place: f"accuracy by epoch (Figure {number})"
            for place, number in PAIRS_FIGURES.items()
        },
        "counts": {
            **{
                f"pairs {name}": f"{PRETRAINING}/pairs/{name}_counts.tsv"
                for name in PAIRS
            },
            **TEXT_COUNTS,
            **{
                f"twin of {text}": f"{PRETRAINING}/{text}-lemma_counts.tsv"
                for text in TEXTS_OF_TWINS
            },
            **{
                f"tokens of {text}": f"{PRETRAINING}/tokens/{text}/train_counts.tsv"
                for text in TEXTS_OF_BUDGETS
            },
        },
        "drops": {
            **{
                f"pairs {name}": f"{PRETRAINING}/pairs/{name}_drops.tsv"
                for name in PAIRS
            },
            **({} if TAKEN else {"text by budget": f"{PRETRAINING}/corpora/drops.tsv"}),
            **{
                f"twin of {text}": f"{PRETRAINING}/{text}-lemma_drops.tsv"
                for text in TEXTS_OF_TWINS
            },
        },
        "details": {
            heading: f"{PRETRAINING}/tables/{table}.tsv"
            for heading, table in PAIRS_DETAILS.items()
        },
        "nulls": [
            "chance",
            "fewer characters",
            *(f"trigram-{text}" for text in TEXTS_OF_BUDGETS),
        ],
        "sources": [
            *PAIR_SOURCES.values(),
            *model_sources(PRETRAINING_SETTINGS["published"]),
        ],
    },
)
