"""The outputs of the agreement study, as its rules write them."""

PATHS = {
    "train": "<results>/agreement/datasets/{corpus}/train.parquet",
    "validation": "<results>/agreement/datasets/{corpus}/validation.parquet",
    "test": "<results>/agreement/datasets/{corpus}/test.parquet",
    "card": "<results>/agreement/datasets/{corpus}/README.md",
    "counts": "<results>/agreement/datasets/{corpus}/counts.tsv",
    "drops": "<results>/agreement/datasets/{corpus}/drops.tsv",
    "variants": "<results>/agreement/datasets/{corpus}/variants.tsv",
    "training_set": "<results>/agreement/datasets/{corpus}/training/{name}.parquet",
    "training_set_counts": "<results>/agreement/datasets/{corpus}/training/{name}.counts.tsv",
    "training_set_drops": "<results>/agreement/datasets/{corpus}/training/{name}.drops.tsv",
    "model": "<results>/agreement/models/{task}/{system}/{corpus}-{condition}.safetensors",
    "vocabulary": "<results>/agreement/models/{task}/{system}/{corpus}-{condition}.vocabulary.json",
    "history": "<results>/agreement/models/{task}/{system}/{corpus}-{condition}.history.tsv",
    "predictions": "<results>/agreement/predictions/{task}/{system}/{corpus}-{condition}.parquet",
    "treebank": "<results>/agreement/datasets/treebank.parquet",
    "treebank_counts": "<results>/agreement/datasets/treebank_counts.tsv",
    "treebank_drops": "<results>/agreement/datasets/treebank_drops.tsv",
    "words": "<results>/agreement/states/{system}/{corpus}.words.parquet",
    "states": "<results>/agreement/states/{system}/{corpus}.safetensors",
    "probes": "<results>/agreement/predictions/probes/{system}/{corpus}.parquet",
}
