"""Hub models and their names in Table 4 of Urbizu et al. (2024) (BL2MP-14)."""

HUB_SYSTEMS = {
    "ixa-ehu/berteus-base-cased": "BERTeus",
    "ixa-ehu/roberta-eus-euscrawl-base-cased": "Roberta-euscrawl-B",
    "ixa-ehu/roberta-eus-euscrawl-large-cased": "Roberta-euscrawl-L",
    "orai-nlp/ElhBERTeu-medium": "ElhBERTeu-medium",
    "orai-nlp/ElhBERTeu": "ElhBERTeu-base",
    "google-bert/bert-base-multilingual-cased": "mBERT",
    "FacebookAI/xlm-roberta-base": "XLM-RoBERTa-base",
    "FacebookAI/xlm-roberta-large": "XLM-RoBERTa-large",
    "ixa-ehu/ixambert-base-cased": "IXAmBERT",
}
"""From hub identifier to name in the table."""
