"""The outputs of models that are trained on a corpus, as their rule writes them."""

PATHS = {
    "model": "<results>/models/{model}/model",
    "history": "<results>/models/{model}/history.tsv",
}
