"""The outputs of corpora and treebanks, as their rules write them."""

PATHS = {
    "wikis_sentences": "<results>/corpora/wikis/{wiki}/sentences.parquet",
    "wikis_counts": "<results>/corpora/wikis/{wiki}/counts.tsv",
    "wikis_drops": "<results>/corpora/wikis/{wiki}/drops.tsv",
    "texts_sentences": "<results>/corpora/texts/{text}/sentences.parquet",
    "texts_counts": "<results>/corpora/texts/{text}/counts.tsv",
    "texts_drops": "<results>/corpora/texts/{text}/drops.tsv",
    "treebanks_sentences": "<results>/corpora/treebanks/{treebank_file}/sentences.parquet",
    "treebanks_counts": "<results>/corpora/treebanks/{treebank_file}/counts.tsv",
    "treebanks_drops": "<results>/corpora/treebanks/{treebank_file}/drops.tsv",
    "sentences": "<results>/corpora/{corpus}/sentences.parquet",
    "counts": "<results>/corpora/{corpus}/counts.tsv",
    "drops": "<results>/corpora/{corpus}/drops.tsv",
    "analyses": "<results>/corpora/{corpus}/analyses.parquet",
    "analyses_counts": "<results>/corpora/{corpus}/analyses_counts.tsv",
    "treebank": "<results>/treebanks/{treebank_file}.parquet",
    "treebank_counts": "<results>/treebanks/{treebank_file}_counts.tsv",
}
