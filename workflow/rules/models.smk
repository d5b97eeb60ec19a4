"""Language models: of a hub, fetched once and read offline; or a small one trained here.

In: `models` of the config. Out: resources/downloads/models/<id>/<revision>/ and its .lock; under
<results>/models/<name>/ a model trained on a corpus.
"""

from kasu.base.sources import Entry, Source
from kasu.lm.models.hub import HUB, model_path

OLD_MODELS = {model["name"]: model for model in config["models"]}
HUB_MODELS = {name: model for name, model in OLD_MODELS.items() if "id" in model}
TRAINED_MODELS = {
    name: model for name, model in OLD_MODELS.items() if "corpus" in model
}


def model_folder(name):
    """Where a model lies: of the config's `models`, or a folder of the user's own."""
    if name in HUB_MODELS:
        model = HUB_MODELS[name]
        return f"{DOWNLOADS}/{model_path(model['id'], model['revision'])}"
    if name in TRAINED_MODELS:
        return f"{RESULTS}/models/{name}/model"
    if name in PRETRAINED:
        return PRETRAINED[name]
    if Path(name).is_dir():
        return name
    raise WorkflowError(
        f"model {name!r}: no such model; expected one of {', '.join([*OLD_MODELS, *PRETRAINED]) or 'none'} or a folder"
    )


def kind_of(name):
    """Is a model masked or causal?"""
    return OLD_MODELS.get(name, {}).get("kind", "masked")


def remote_code_of(name):
    """The revision of a model whose own code may run, if the config lets it."""
    model = OLD_MODELS.get(name, {})
    return model["revision"] if model.get("remote_code") else None


def source_of_model(name):
    """A model of the hub as a source, whose lock says what was checked."""
    model, folder = HUB_MODELS[name], Path(model_folder(name))
    facts = {
        "name": f"{model['id']}@{model['revision']}",
        "path": str(folder.relative_to(DOWNLOADS)),
        "url": f"{HUB}/{model['id']}",
        "licence": model.get("licence", ""),
        "citation": f"{HUB}/{model['id']}",
    }
    return Entry(name, folder, Source(**facts))


def model_sources(names):
    """The sources of a study's models, those that come from the hub."""
    return [
        source_of_model(name) for name in dict.fromkeys(names) if name in HUB_MODELS
    ]


for model in HUB_MODELS.values():

    rule:
        name:
            f"fetch_model_{model['name'].replace('-', '_').replace('.', '_')}"
        # Fetch a model of the hub
        output:
            folder=directory(model_folder(model["name"])),
            lock=f"{model_folder(model['name'])}.lock",
        log:
            f"{RESULTS}/logs/fetch_model/{model['name']}.log",
        localrule: True
        resources:
            downloads=1,
        params:
            model=model["id"],
            revision=model["revision"],
            files=model.get("files", {}),
            remote_code=model.get("remote_code", False),
        script:
            "../scripts/fetch_model.py"


rule pretrain_model:
    """Train a tokenizer and a small masked language model on a corpus."""
    input:
        corpus=lambda wildcards: (
            f"{RESULTS}/corpora/{TRAINED_MODELS[wildcards.model]['corpus']}/sentences.parquet"
        ),
    output:
        model=directory(f"{RESULTS}/models/{{model}}/model"),
        history=f"{RESULTS}/models/{{model}}/history.tsv",
    log:
        f"{RESULTS}/logs/pretrain_model/{{model}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/pretrain_model/{{model}}.tsv"
    wildcard_constraints:
        model=one_of(TRAINED_MODELS),
    threads: lambda wildcards: TRAINED_MODELS[wildcards.model]["training"]["threads"]
    params:
        settings=lambda wildcards: TRAINED_MODELS[wildcards.model]["training"],
        seed=config["seeds"][0],
        device=config["device"],
        work=lambda wildcards: f"{RESULTS}/models/work/{wildcards.model}",
        code=code("pretrain_model"),
    script:
        "../scripts/pretrain_model.py"
