"""An et al. (2023), "BLM-AgrF: A New French Benchmark to Investigate Generalization of Agreement".

Seven sentences of a matrix, and six candidates for the eighth (BLM-1 to BLM-20).
In: a seeds file and a substitution lexicon, or a masked language model; an encoder. Out, under
<results>/blm/: datasets/<type>/ and, split by seeds, by_seed/<type>/; embeddings/<encoder>.parquet,
predictions/, scores.parquet, tables/, figures/.
Time: the demo a minute; config/real.yaml half an hour on two cores; the whole grid of
config/paper.yaml wants a GPU.
"""

BLM = f"{RESULTS}/blm"
BLM_SETTINGS = config["blm"]
BLM_TYPES = ["type_I", "type_II", "type_III"]
BLM_SPLITS = ["problems", "train", "validation", "test"]
# Regime -> the folder of its datasets; sameTrain takes what the datasets mark for it
BLM_FOLDERS = {
    "allTrain": "datasets",
    "sameTrain": "datasets",
    "bySeed": "by_seed",
}
BLM_REGIMES = {
    regime: f"{BLM}/{BLM_FOLDERS[regime]}" for regime in BLM_SETTINGS["regimes"]
}
BLM_ENCODER = Path(BLM_SETTINGS["encoder"]).name
BLM_TABLES = {
    "table_1": "Table 1",
    "figure_8": "Figure 8",
    "text": "text",
    "inferred": "inferred",
}
BLM_DETAILS = {
    "Claims of the paper": "claims",
    "Systems compared in pairs": "comparisons",
    "Errors, Figure 9": "errors",
    "Demonstration of the generator, Figures 2 to 7, 10 and 11": "demonstration",
}
BLM_FILES = [
    f"{BLM}/scores.parquet",
    *(f"{BLM}/tables/{table}.tsv" for table in BLM_TABLES),
    *(f"{BLM}/tables/{table}.tsv" for table in BLM_DETAILS.values()),
    *(f"{BLM}/figures/{figure}.svg" for figure in ("table_1", "figure_9")),
]

try:
    BLM_SOURCES = {
        part: resolve(BLM_SETTINGS[part], REGISTRY, DOWNLOADS)
        for part in ("seeds", "lexicon")
    }
except KasuError as error:
    raise WorkflowError(str(error))
register(*BLM_SOURCES.values())


wildcard_constraints:
    blm_folder=one_of(set(BLM_FOLDERS.values())),


def blm_settings(wildcards):
    """The facts of the datasets of a folder: split by seeds, or at random."""
    kept = ("variant", "capitals", "test", "validation", "fill", "candidates")
    split = "by_seed" if wildcards.blm_folder == "by_seed" else "random"
    facts = {key: BLM_SETTINGS[key] for key in kept}
    return {**facts, "split": split, "seed": config["seeds"][0]}


def blm_fills(wildcards):
    """The model that proposes words."""
    return model_folder(BLM_SETTINGS["fills"])


def asks_model(type_):
    """Whether a model proposes words of a type, which is no lexicon."""
    return type_ == "type_II" and BLM_SETTINGS["fills"] != "lexicon"


def blm_sources(type_):
    """What the card of a type says of seeds, lexicon and the model that proposed words."""
    sources = [licence_of(entry) for entry in BLM_SOURCES.values()]
    fills = BLM_SETTINGS["fills"]
    if type_ == "type_I" or fills == "lexicon":
        return sources
    if fills in HUB_MODELS:
        return [*sources, licence_of(source_of_model(fills))]
    return [*sources, {"name": fills, "licence": "not stated", "citation": ""}]


def blm_encoder(wildcards):
    return [] if BLM_ENCODER == "states" else model_folder(BLM_SETTINGS["encoder"])


def blm_problems(pattern):
    """One path for each dataset that a regime needs."""
    return expand(
        pattern,
        folder=list(dict.fromkeys(BLM_REGIMES.values())),
        type=BLM_TYPES,
        split=BLM_SPLITS[1:],
    )


def dataset_of(type_):
    """What the dataset of a type consists of."""
    folder = f"{BLM}/{{blm_folder}}/{type_}"
    return {
        **{split: f"{folder}/{split}.parquet" for split in BLM_SPLITS},
        "card": f"{folder}/README.md",
        "counts": f"{folder}/counts.tsv",
        "drops": f"{folder}/drops.tsv",
    }


for type_ in BLM_TYPES:

    rule:
        name:
            f"build_{type_.lower()}"
        # Build the problems of a type and their splits
        input:
            seeds=str(BLM_SOURCES["seeds"].file) if type_ != "type_III" else [],
            lexicon=str(BLM_SOURCES["lexicon"].file) if type_ == "type_II" else [],
            fills=blm_fills if asks_model(type_) else [],
            type_ii=(
                f"{BLM}/{{blm_folder}}/type_II/problems.parquet"
                if type_ == "type_III"
                else []
            ),
        output:
            **dataset_of(type_),
        log:
            f"{RESULTS}/logs/build_blm/{{blm_folder}}-{type_}.log",
        threads: BLM_SETTINGS["encoding"]["threads"] if asks_model(type_) else 1
        params:
            type=type_,
            settings=blm_settings,
            language=BLM_SETTINGS["language"],
            device=config["device"],
            tokens_per_batch=BLM_SETTINGS["encoding"]["tokens_per_batch"],
            threads=BLM_SETTINGS["encoding"]["threads"],
            sources=blm_sources(type_),
            code=code("build_blm"),
        script:
            "../scripts/build_blm.py"


rule demonstrate_generator:
    """Tabulate what the paper's figures show of the generator, for one seed."""
    input:
        seeds=str(BLM_SOURCES["seeds"].file),
        lexicon=str(BLM_SOURCES["lexicon"].file),
    output:
        report(
            f"{BLM}/tables/demonstration.tsv",
            caption="../report/blm_demonstration.rst",
            category="blm",
        ),
    log:
        f"{RESULTS}/logs/demonstrate_generator.log",
    params:
        capitals=BLM_SETTINGS["capitals"],
        seed=config["seeds"][0],
        code=code("demonstrate_generator"),
    script:
        "../scripts/demonstrate_generator.py"


rule embed_problems:
    """Encode each distinct sentence of all problems once."""
    input:
        problems=blm_problems("{folder}/{type}/{split}.parquet"),
        encoder=blm_encoder,
    output:
        embeddings=f"{BLM}/embeddings/{BLM_ENCODER}.parquet",
        counts=f"{BLM}/embeddings/{BLM_ENCODER}_counts.tsv",
    log:
        f"{RESULTS}/logs/embed_problems/{BLM_ENCODER}.log",
    benchmark:
        f"{RESULTS}/benchmarks/embed_problems/{BLM_ENCODER}.tsv"
    threads: BLM_SETTINGS["encoding"]["threads"]
    params:
        settings=BLM_SETTINGS["encoding"],
        cache=f"{BLM}/work/embeddings-{BLM_ENCODER}",
        device=config["device"],
        code=code("embed_problems"),
    script:
        "../scripts/embed_problems.py"


rule train_networks:
    """Train FFNN and CNN for every cell of Table 1 and let them choose, in one job."""
    input:
        problems=blm_problems("{folder}/{type}/{split}.parquet"),
        embeddings=f"{BLM}/embeddings/{BLM_ENCODER}.parquet",
    output:
        predictions=f"{BLM}/predictions/networks.parquet",
        history=f"{BLM}/predictions/networks_history.tsv",
    log:
        f"{RESULTS}/logs/train_networks.log",
    benchmark:
        f"{RESULTS}/benchmarks/train_networks.tsv"
    threads: BLM_SETTINGS["training"]["threads"]
    params:
        regimes=BLM_REGIMES,
        models=BLM_SETTINGS["networks"],
        seeds=BLM_SETTINGS["runs"],
        settings=BLM_SETTINGS["training"],
        work=f"{BLM}/work/networks",
        device=config["device"],
        code=code("train_networks"),
    script:
        "../scripts/train_networks.py"


rule predict_heuristics:
    """Let untrained solvers choose: by the rule, what is not in the context, at random."""
    input:
        seeds=str(BLM_SOURCES["seeds"].file),
        lexicon=str(BLM_SOURCES["lexicon"].file),
        problems=blm_problems("{folder}/{type}/{split}.parquet"),
    output:
        f"{BLM}/predictions/heuristics.parquet",
    log:
        f"{RESULTS}/logs/predict_heuristics.log",
    params:
        regimes=BLM_REGIMES,
        variants=BLM_SETTINGS["training"]["variants"],
        capitals=BLM_SETTINGS["capitals"],
        seed=config["seeds"][0],
        code=code("predict_heuristics"),
    script:
        "../scripts/predict_heuristics.py"


rule score_blm:
    """Score networks and heuristics, count their errors by kind and test the paper's claims."""
    input:
        predictions=[
            f"{BLM}/predictions/networks.parquet",
            f"{BLM}/predictions/heuristics.parquet",
        ],
        problems=expand(
            f"{BLM}/datasets/{{type}}/{{split}}.parquet",
            type=BLM_TYPES,
            split=BLM_SPLITS,
        ),
    output:
        **{
            table: report(
                f"{BLM}/tables/{table}.tsv",
                caption=f"../report/blm_{table}.rst",
                category="blm",
            )
            for table in ("errors", "comparisons", "claims")
        },
        scores=f"{BLM}/scores.parquet",
    log:
        f"{RESULTS}/logs/score_blm.log",
    params:
        datasets=f"{BLM}/datasets",
        seed=config["seeds"][0],
        encoder=BLM_ENCODER,
        max_steps=BLM_SETTINGS["training"]["max_steps"],
        code=code("score_blm"),
    script:
        "../scripts/score_blm.py"


rule draw_errors:
    """Draw the shares of each error (Figure 9)."""
    input:
        errors=f"{BLM}/tables/errors.tsv",
    output:
        report(
            f"{BLM}/figures/figure_9.svg",
            caption="../report/blm_figure_9.rst",
            category="blm",
        ),
    log:
        f"{RESULTS}/logs/draw_errors.log",
    params:
        regime="allTrain",
        code=code("draw_errors"),
    script:
        "../scripts/draw_errors.py"


def blm_reports(kind):
    """Counts or drops of every dataset."""
    return {
        f"{type_} ({folder})": f"{BLM}/{folder}/{type_}/{kind}.tsv"
        for folder in dict.fromkeys(
            BLM_FOLDERS[regime] for regime in BLM_SETTINGS["regimes"]
        )
        for type_ in BLM_TYPES
    }


add_study(
    BLM_FILES,
    {
        "name": "blm",
        "title": "BLM: can a network complete a matrix of sentences by its rule?",
        "citation": "An, Jiang, Rodriguez, Nastase & Merlo (2023), BLM-AgrF",
        "paper": "blm_agrf2023",
        "printed": BLM_TABLES,
        "captions": {table: f"workflow/report/blm_{table}.rst" for table in BLM_TABLES},
        "figures": {
            "table_1": f"{BLM}/figures/table_1.svg",
            "figure_8": f"{BLM}/figures/figure_9.svg",
        },
        "legends": {"figure_8": "shares of each error (Figure 9)"},
        "counts": {
            **blm_reports("counts"),
            "sentences encoded": f"{BLM}/embeddings/{BLM_ENCODER}_counts.tsv",
        },
        "drops": blm_reports("drops"),
        "details": {
            heading: f"{BLM}/tables/{table}.tsv"
            for heading, table in BLM_DETAILS.items()
        },
        "nulls": ["copy_unseen", "random"],
        "sources": [
            *BLM_SOURCES.values(),
            *model_sources([BLM_SETTINGS["fills"], BLM_SETTINGS["encoder"]]),
        ],
    },
)
