"""Language models: of a hub, fetched once and read offline; or small ones trained here.

In: `models` of the config, a corpus. Out: resources/downloads/models/<id>/<revision>/ and its
.lock; <results>/models/<name>/, a model trained on a corpus.
"""


def undated(folder):
    """A model's folder as an input whose date does not count, if a file beside it tells more."""
    return ancient(folder) if MODELS.beside(folder) else folder


ruleorder: fetch_model > fetch_source


# No code hash: a change of the downloader is no reason to fetch anything again
rule fetch_model:
    """Fetch a model of a hub from a mirror or the network and check it."""
    output:
        folder=directory(f"{WORKSPACE.downloads}/{{path}}"),
        lock=f"{WORKSPACE.downloads}/{{path}}.lock",
    log:
        f"{RESULTS}/logs/fetch_model/{{path}}.log",
    wildcard_constraints:
        path=one_of(MODELS.hub_paths),
    localrule: True
    resources:
        downloads=1,
    params:
        model=lambda wildcards: MODELS.fetched(wildcards.path).id,
        revision=lambda wildcards: MODELS.fetched(wildcards.path).revision,
        files=lambda wildcards: dict(MODELS.fetched(wildcards.path).files or {}),
        remote_code=lambda wildcards: MODELS.fetched(wildcards.path).remote_code,
    script:
        "../scripts/fetch_model.py"


rule pretrain_model:
    """Train a tokenizer and a small masked language model on a corpus."""
    input:
        corpus=lambda wildcards: CORPORA.file(
            MODELS.pretraining(wildcards.model)[0],
            "sentences",
            f"config models {wildcards.model}",
        ),
    output:
        model=directory(f"{RESULTS}/models/{{model}}/model"),
        history=f"{RESULTS}/models/{{model}}/history.tsv",
    log:
        f"{RESULTS}/logs/pretrain_model/{{model}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/pretrain_model/{{model}}.tsv"
    wildcard_constraints:
        model=one_of(MODELS.pretrained),
    threads: lambda wildcards: MODELS.pretraining(wildcards.model)[1].threads
    resources:
        gpu=GPU,
    params:
        settings=lambda wildcards: MODELS.pretraining(wildcards.model)[1].dump(),
        seed=SETTINGS.seeds[0],
        device=SETTINGS.device,
        work=f"{RESULTS}/models/work/{{model}}",
        code=code("pretrain_model"),
    script:
        "../scripts/pretrain_model.py"
