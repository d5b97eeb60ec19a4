"""Gallagher & Heyer (2026): does a language model prefer the right case (GEO-1 to GEO-17)?

In: treebanks and requests; the authors' released items and per-item results; language models.
Out, under <results>/minimal_sets/: datasets/<set>/, predictions/<model>/<set>.parquet,
scores.parquet, tables/, figures/.
Time: the demo a minute; config/real.yaml some minutes on two cores; config/paper.yaml wants a GPU.
"""

from kasu.lm.scoring.definitions import DEFINITIONS, WORD
from kasu.minimal_sets.names import check_names, name_collections
from kasu.minimal_sets.released.paper import HUB_SYSTEMS, LANGUAGE, RELEASED
from kasu.minimal_sets.released.files import pick_released

OLD_TREEBANKS = {
    treebank["name"]: {**treebank, "files": TREEBANKS.entries(treebank["name"], "")}
    for treebank in config["treebanks"]
}
TREEBANK_FILES = {
    entry.slug: entry
    for treebank in OLD_TREEBANKS.values()
    for entry in treebank["files"]
}
MINIMAL_SETS = f"{RESULTS}/minimal_sets"
SETS_SETTINGS = config["minimal_sets"]
COLLECTIONS = SETS_SETTINGS["collections"]
# Set -> its collection, and what the config says of it
SETS = {
    of["name"]: (collection, of)
    for collection in COLLECTIONS
    for of in collection["sets"]
}
try:
    check_names(COLLECTIONS, config["treebanks"])
    # Set of the paper -> the authors' results of it, licences permitting
    RELEASED_SETS = {
        name: entries
        for name, entries in pick_released(
            SETS_SETTINGS["released"], REGISTRY, DOWNLOADS, mirror_folders(config)
        ).items()
        if all(map(allowed, entries))
    }
    # Set -> its file of UniMorph, likewise
    PARADIGMS = {
        name: entry
        for name, (collection, _) in SETS.items()
        if "paradigms" in collection
        and allowed(entry := resolve(collection["paradigms"], REGISTRY, DOWNLOADS))
    }
    STATISTICS = resolve("ud/UD_Georgian-GLC/stats.xml", REGISTRY, DOWNLOADS)
except KasuError as error:
    raise WorkflowError(str(error))
for entries in RELEASED_SETS.values():
    register(*entries)
register(*PARADIGMS.values())

if clash := SETS.keys() & RELEASED_SETS.keys():
    raise WorkflowError(
        f"config minimal_sets: {min(clash)!r} is built and released; expected another name"
    )

# Model -> the sets that it scores: those of its collections, and the released ones of its language
SCORED = {}
# What the config calls it: one of `models`, or a folder
SCORERS = {}
for collection in COLLECTIONS:
    language = OLD_TREEBANKS[collection["treebank"]]["language"]
    for model in collection["models"]:
        names = [of["name"] for of in collection["sets"]]
        names += RELEASED_SETS if language == LANGUAGE else []
        SCORED.setdefault(Path(model).name, {}).update(dict.fromkeys(names))
        SCORERS[Path(model).name] = model
# What the treebank of the paper counts itself, where its items are asked for
TREEBANK_STATISTICS = (
    [str(STATISTICS.file)] if RELEASED_SETS and allowed(STATISTICS) else []
)
# Set -> what its figures are pooled with
POOLS = name_collections(COLLECTIONS) | dict.fromkeys(RELEASED_SETS, "released")
# Set -> the set of the paper that it answers to
COUNTERPARTS = {
    name: of["released"] for name, (_, of) in SETS.items() if "released" in of
}
# What of Figure 3 there is: that of the paper first, then what models are asked at word level
FIGURE_VARIANTS = [RELEASED] * bool(RELEASED_SETS) + [
    definition
    for model in SCORED
    for definition in SETS_SETTINGS["definitions"][kind_of(model)]
    if definition in DEFINITIONS and DEFINITIONS[definition].level == WORD
]
DESCRIPTIONS = ("sets", "scheme")
SETS_TABLES = {
    "table_3": "Table 3",
    "table_2": "Table 2",
    "section_3": "section 3",
    "section_4": "section 4",
    "section_7": "section 7",
    "section_7.1": "section 7.1",
    "section_7.3": "section 7.3",
    "section_7.4": "section 7.4",
}
SETS_DETAILS = {
    "Claims of the paper": "claims",
    "Sets": "sets",
    "Scheme of cases, Table 1 and Figure 1": "scheme",
    "Systems compared in pairs": "comparisons",
    "Which wrong form wins": "preferences",
    "Tokens and accuracy": "correlations",
    "Verdicts that flip with the measure": "flips",
    "Mean probabilities, Figure 3": "probabilities",
}
# Without a model and without released results the sets are built and described
if not SCORED and not RELEASED_SETS:
    SETS_TABLES = {}
    SETS_DETAILS = {
        heading: table
        for heading, table in SETS_DETAILS.items()
        if table in DESCRIPTIONS
    }
SETS_FIGURES = {
    # Without released sets nothing of ours has a published figure beside it
    **({"table_3": f"{MINIMAL_SETS}/figures/table_3.svg"} if RELEASED_SETS else {}),
    **(
        {"section_7.1": f"{MINIMAL_SETS}/figures/figure_3.svg"}
        if FIGURE_VARIANTS
        else {}
    ),
}
# Set -> how many items of its released counterpart it has
OVERLAPS = {
    name: f"{MINIMAL_SETS}/datasets/{name}/overlap.tsv"
    for name, released in COUNTERPARTS.items()
    if released in RELEASED_SETS
}
SETS_FILES = [
    *([f"{MINIMAL_SETS}/scores.parquet"] if SETS_TABLES else []),
    *SETS_FIGURES.values(),
    *(f"{MINIMAL_SETS}/tables/{table}.tsv" for table in SETS_TABLES),
    *(f"{MINIMAL_SETS}/tables/{table}.tsv" for table in SETS_DETAILS.values()),
    *OVERLAPS.values(),
]


wildcard_constraints:
    set=one_of([*SETS, *RELEASED_SETS]),


def design_of_set(wildcards):
    """What a set is made of, but for its licence."""
    collection, of = SETS[wildcards.set]
    return {
        "name": of["name"],
        "target": of["target"],
        "verb": of.get("verb"),
        "feature": collection["feature"],
        "values": of.get("values", collection["values"]),
        "matches": SETS_SETTINGS["matches"],
        "agreement": collection.get("agreement"),
        "max_items": collection.get("max_items"),
        "seed": config["seeds"][0],
    }


def treebank_of_set(wildcards):
    return treebank_files(SETS[wildcards.set][0]["treebank"])


def lexicon_of_set(wildcards):
    names = SETS[wildcards.set][0].get("lexicon", [])
    return [file for name in names for file in treebank_files(name)]


def request_of_set(wildcards):
    return SETS[wildcards.set][1]["request"]


def paradigms_of_set(wildcards):
    entry = PARADIGMS.get(wildcards.set)
    return str(entry.file) if entry else []


def sources_of_set(wildcards):
    """What the card says of the treebanks and the paradigms of a set."""
    collection = SETS[wildcards.set][0]
    names = [collection["treebank"], *collection.get("lexicon", [])]
    entries = [entry for name in names for entry in OLD_TREEBANKS[name]["files"]]
    if wildcards.set in PARADIGMS:
        entries.append(PARADIGMS[wildcards.set])
    return [licence_of(entry) for entry in entries if allowed(entry)]


def dataset_of_set():
    """What the dataset of a set consists of."""
    folder = f"{MINIMAL_SETS}/datasets/{{set}}"
    return {
        "dataset": f"{folder}/items.parquet",
        "card": f"{folder}/README.md",
        "counts": f"{folder}/counts.tsv",
        "drops": f"{folder}/drops.tsv",
    }


def system_of(model):
    """What tables call a model: as the paper does, if it is one of its models."""
    return HUB_SYSTEMS.get(OLD_MODELS.get(model, {}).get("id"), model)


def items_of(sets):
    return [f"{MINIMAL_SETS}/datasets/{name}/items.parquet" for name in sets]


# A job a set: starting a job takes longer than copying its files from a mirror
for name, entries in RELEASED_SETS.items():

    rule:
        name:
            f"fetch_results_{name.replace('-', '_')}"
        # Fetch the authors' results of a set
        output:
            files=[str(entry.file) for entry in entries],
            locks=[f"{entry.file}.lock" for entry in entries],
        log:
            f"{RESULTS}/logs/fetch_source/{name}.log",
        localrule: True
        resources:
            downloads=1,
        params:
            sources=[entry.source.facts() for entry in entries],
        script:
            "../scripts/fetch_source.py"


rule build_minimal_set:
    """Build a minimal set from a treebank and a request."""
    input:
        treebanks=treebank_of_set,
        request=request_of_set,
        lexicon=lexicon_of_set,
        paradigms=paradigms_of_set,
    output:
        **dataset_of_set(),
    log:
        f"{RESULTS}/logs/build_minimal_set/{{set}}.log",
    wildcard_constraints:
        set=one_of(SETS),
    params:
        design=design_of_set,
        language=lambda wildcards: OLD_TREEBANKS[SETS[wildcards.set][0]["treebank"]][
            "language"
        ],
        sources=sources_of_set,
        code=code("build_minimal_set"),
    script:
        "../scripts/build_minimal_set.py"


rule build_released_set:
    """Read the items of a released set."""
    input:
        lambda wildcards: str(RELEASED_SETS[wildcards.set][0].file),
    output:
        **dataset_of_set(),
    log:
        f"{RESULTS}/logs/build_released_set/{{set}}.log",
    wildcard_constraints:
        set=one_of(RELEASED_SETS),
    params:
        sources=lambda wildcards: [licence_of(RELEASED_SETS[wildcards.set][0])],
        language=LANGUAGE,
        code=code("build_released_set"),
    script:
        "../scripts/build_released_set.py"


rule compare_with_released:
    """Count the released items that a built set has."""
    input:
        built=f"{MINIMAL_SETS}/datasets/{{set}}/items.parquet",
        released=lambda wildcards: items_of([SETS[wildcards.set][1]["released"]]),
        treebanks=treebank_of_set,
    output:
        f"{MINIMAL_SETS}/datasets/{{set}}/overlap.tsv",
    log:
        f"{RESULTS}/logs/compare_with_released/{{set}}.log",
    wildcard_constraints:
        set=one_of(SETS),
    params:
        code=code("compare_with_released"),
    script:
        "../scripts/compare_with_released.py"


for model, sets in SCORED.items():

    rule:
        name:
            f"score_sets_{model.replace('-', '_').replace('.', '_')}"
        # Score the forms of all sets of a model, under all definitions
        input:
            model=model_folder(SCORERS[model]),
            sets=items_of(sets),
        output:
            predictions=[
                f"{MINIMAL_SETS}/predictions/{model}/{name}.parquet" for name in sets
            ],
            drops=[
                f"{MINIMAL_SETS}/predictions/{model}/{name}_drops.tsv" for name in sets
            ],
        log:
            f"{RESULTS}/logs/score_sets/{model}.log",
        benchmark:
            f"{RESULTS}/benchmarks/score_sets/{model}.tsv"
        threads: config["scoring"]["threads"]
        params:
            system=system_of(model),
            definitions=SETS_SETTINGS["definitions"][kind_of(model)],
            remote_code=remote_code_of(model),
            settings=config["scoring"],
            device=config["device"],
            work=f"{MINIMAL_SETS}/work/{model}",
            code=code("score_sets"),
        script:
            "../scripts/score_sets.py"


# Models of the paper, whose tokens stand beside the released results
TOKENIZED = [
    model for model in SCORED if OLD_MODELS.get(model, {}).get("id") in HUB_SYSTEMS
] * bool(RELEASED_SETS)


rule count_tokens:
    """Count the tokens of released items as a model of the paper makes them."""
    input:
        model=lambda wildcards: model_folder(SCORERS[wildcards.model]),
        sets=f"{MINIMAL_SETS}/datasets/{{set}}/items.parquet",
    output:
        f"{MINIMAL_SETS}/tokens/{{model}}/{{set}}.parquet",
    log:
        f"{RESULTS}/logs/count_tokens/{{model}}-{{set}}.log",
    wildcard_constraints:
        model=one_of(TOKENIZED),
        set=one_of(RELEASED_SETS),
    params:
        system=lambda wildcards: system_of(wildcards.model),
        code=code("count_tokens"),
    script:
        "../scripts/count_tokens.py"


rule predict_released:
    """Read the authors' results by item as predictions."""
    input:
        results=[
            str(entry.file) for entries in RELEASED_SETS.values() for entry in entries
        ],
        sets=items_of(RELEASED_SETS),
        tokens=expand(
            f"{MINIMAL_SETS}/tokens/{{model}}/{{set}}.parquet",
            model=TOKENIZED,
            set=RELEASED_SETS,
        ),
    output:
        f"{MINIMAL_SETS}/predictions/released_results.parquet",
    log:
        f"{RESULTS}/logs/predict_released.log",
    params:
        code=code("predict_released"),
    script:
        "../scripts/predict_released.py"


rule score_minimal_sets:
    """Score models on sets; preferences, correlations, paired tests, the paper's claims."""
    input:
        predictions=[
            *(
                f"{MINIMAL_SETS}/predictions/{model}/{name}.parquet"
                for model, sets in SCORED.items()
                for name in sets
            ),
            *([rules.predict_released.output[0]] if RELEASED_SETS else []),
        ],
        built=items_of(COUNTERPARTS),
        statistics=TREEBANK_STATISTICS,
    output:
        **{
            table: report(
                f"{MINIMAL_SETS}/tables/{table}.tsv",
                caption=f"../report/minimal_sets_{table}.rst",
                category="minimal_sets",
            )
            for table in SETS_DETAILS.values()
            if table not in DESCRIPTIONS
        },
        scores=f"{MINIMAL_SETS}/scores.parquet",
    log:
        f"{RESULTS}/logs/score_minimal_sets.log",
    params:
        seed=config["seeds"][0],
        collections=POOLS,
        counterparts=COUNTERPARTS,
        code=code("score_minimal_sets"),
    script:
        "../scripts/score_minimal_sets.py"


rule describe_sets:
    """Say what the sets hold, and which screeve gives which cases (Tables 1 and 2, Figure 1)."""
    input:
        items_of([*SETS, *RELEASED_SETS]),
    output:
        **{
            table: report(
                f"{MINIMAL_SETS}/tables/{table}.tsv",
                caption=f"../report/minimal_sets_{table}.rst",
                category="minimal_sets",
            )
            for table in DESCRIPTIONS
        },
    log:
        f"{RESULTS}/logs/describe_sets.log",
    params:
        counterparts=COUNTERPARTS,
        code=code("describe_sets"),
    script:
        "../scripts/describe_sets.py"


rule draw_probabilities:
    """Draw the mean probability of each form (Figure 3)."""
    input:
        f"{MINIMAL_SETS}/tables/probabilities.tsv",
    output:
        report(
            f"{MINIMAL_SETS}/figures/figure_3.svg",
            caption="../report/minimal_sets_figure_3.rst",
            category="minimal_sets",
        ),
    log:
        f"{RESULTS}/logs/draw_probabilities.log",
    params:
        variant=next(iter(FIGURE_VARIANTS), None),
        code=code("draw_probabilities"),
    script:
        "../scripts/draw_probabilities.py"


def sets_reports(kind):
    """Counts or drops of every set."""
    return {
        name: f"{MINIMAL_SETS}/datasets/{name}/{kind}.tsv"
        for name in [*SETS, *RELEASED_SETS]
    }


add_study(
    SETS_FILES,
    {
        "name": "minimal_sets",
        "title": "Minimal sets: does a language model prefer the right case?",
        "citation": "Gallagher & Heyer (2026), minimal sets of Georgian case alignment",
        "paper": "georgian2026",
        "printed": SETS_TABLES,
        "captions": {
            table: f"workflow/report/minimal_sets_{table}.rst" for table in SETS_TABLES
        },
        "figures": SETS_FIGURES,
        "legends": {"section_7.1": "mean probability of each form (Figure 3)"},
        "counts": {
            **{
                f"treebank {slug}": f"{RESULTS}/treebanks/{slug}_counts.tsv"
                for slug, entry in TREEBANK_FILES.items()
                if allowed(entry)
            },
            **sets_reports("counts"),
            **{f"released items in {name}": path for name, path in OVERLAPS.items()},
        },
        "drops": {
            **sets_reports("drops"),
            **{
                f"{name}, scored by {model}": f"{MINIMAL_SETS}/predictions/{model}/{name}_drops.tsv"
                for model, sets in SCORED.items()
                for name in sets
            },
        },
        "details": {
            heading: f"{MINIMAL_SETS}/tables/{table}.tsv"
            for heading, table in SETS_DETAILS.items()
        },
        "nulls": [
            "chance",
            "shortest form",
            *(
                f"always {value.lower()}"
                for collection in COLLECTIONS
                for value in collection["values"]
            ),
            *(f"fewest tokens of {system_of(model)}" for model in SCORED),
        ],
        "sources": [
            *filter(allowed, TREEBANK_FILES.values()),
            *PARADIGMS.values(),
            *(entry for entries in RELEASED_SETS.values() for entry in entries),
            *model_sources(SCORERS.values()),
        ],
    },
)
