"""The outputs of the pretraining study, as its rules write them."""

PATHS = {
    "pairs": "<results>/pretraining/pairs/{pairs}.parquet",
    "pairs_counts": "<results>/pretraining/pairs/{pairs}_counts.tsv",
    "pairs_drops": "<results>/pretraining/pairs/{pairs}_drops.tsv",
    "text": "<results>/pretraining/corpora/{text}.parquet",
    "text_counts": "<results>/pretraining/corpora/{text}_counts.tsv",
    "budgets_counts": "<results>/pretraining/corpora/counts.tsv",
    "budgets_drops": "<results>/pretraining/corpora/drops.tsv",
    "suffixes": "<results>/pretraining/corpora/suffixes.tsv",
    "twin": "<results>/pretraining/{table}-lemma.parquet",
    "twin_counts": "<results>/pretraining/{table}-lemma_counts.tsv",
    "twin_drops": "<results>/pretraining/{table}-lemma_drops.tsv",
    "tokenizer": "<results>/pretraining/tokens/{text}/tokenizer",
    "tokens": "<results>/pretraining/tokens/{text}/{part}.npy",
    "tokens_counts": "<results>/pretraining/tokens/{text}/{part}_counts.tsv",
    "model": "<results>/pretraining/models/{system}/{seed}/{epoch}/model",
    "state": "<results>/pretraining/models/{system}/{seed}/{epoch}/state.safetensors",
    "history": "<results>/pretraining/models/{system}/{seed}/{epoch}/history.tsv",
    "predictions": "<results>/pretraining/predictions/{scored}/{pairs}.parquet",
    "predictions_drops": "<results>/pretraining/predictions/{scored}/{pairs}_drops.tsv",
}
