"""Language models: of a hub, fetched once and read offline; or small ones trained here.

In: `models` of the config, a corpus. Out: resources/downloads/models/<id>/<revision>/ and its
.lock; <results>/models/<name>/, a model trained on a corpus.
"""


def undated(folder_of):
    """Make the input function of a model's folder.

    The date of the folder does not count if a file beside it tells more.

    `folder_of` is the function that finds the folder.
    """

    def folder(wildcards):
        found = folder_of(wildcards)
        return ancient(found) if MODELS.beside(found) else found

    return folder


def beside(folder_of):
    """Make the input function of the file beside a model's folder, which is made with it."""

    def file(wildcards):
        return MODELS.beside(folder_of(wildcards))

    return file


def files_of_model(wildcards):
    """The files of a model of a hub with their hashes, if the config states them."""
    return dict(MODELS.fetched(wildcards.path).files or {})


def text_of_model(wildcards):
    """The sentences that a model is trained on."""
    return MODELS.training_text(wildcards.model, CORPORA)


ruleorder: fetch_model > fetch_source


# No code hash: a change of the downloader is no reason to fetch anything again
rule fetch_model:
    """Fetch a model of a hub from a mirror or the network and check it."""
    output:
        folder=directory("resources/downloads/{path}"),
        lock="resources/downloads/{path}.lock",
    log:
        "<logs>/fetch_model/{path}.log",
    wildcard_constraints:
        path=one_of(MODELS.hub_paths),
    localrule: True
    resources:
        downloads=1,
    params:
        model=from_plan(MODELS, "fetched", "id"),
        revision=from_plan(MODELS, "fetched", "revision"),
        files=files_of_model,
        remote_code=from_plan(MODELS, "fetched", "remote_code"),
    script:
        "../scripts/fetch_model.py"


rule pretrain_model:
    """Train a tokenizer and a small masked language model on a corpus."""
    input:
        corpus=text_of_model,
    output:
        model=directory("<results>/models/{model}/model"),
        history="<results>/models/{model}/history.tsv",
    log:
        "<logs>/pretrain_model/{model}.log",
    benchmark:
        "<benchmarks>/pretrain_model/{model}.tsv"
    wildcard_constraints:
        model=one_of(MODELS.pretrained),
    threads: from_plan(MODELS, "training", "threads")
    resources:
        gpu=GPU,
        mem_mb=per_attempt(16_000),
        runtime=1440,
    params:
        settings=from_plan(MODELS, "training", "dump"),
        seed=SETTINGS.seeds[0],
        device=SETTINGS.device,
        work=in_results("models/work/{model}"),
        code=code("pretrain_model"),
    script:
        "../scripts/pretrain_model.py"
