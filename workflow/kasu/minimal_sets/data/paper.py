"""The names of Gallagher & Heyer (2026): sets, systems, files, and the scheme of cases."""

from typing import NamedTuple

PAPER = "georgian2026"
STUDY = "minimal_sets"
LANGUAGE = "ka"
RELEASED = "released_results"
"""The variant of the released results; which version of the code made them is unknown (GEO-8)."""

RELEASED_SETS = "released"
"""The collection that the authors' sets are pooled in."""

STATISTICS = "ud/UD_Georgian-GLC/stats.xml"
"""Name of the source with the treebank's own counts."""

SETS = {
    "intransitive-nom-subj": "nom",
    "transitive-nom-dat-subj": "nom",
    "transitive-nom-dat-obj": "dat",
    "transitive-erg-nom-subj": "erg",
    "transitive-erg-nom-obj": "nom",
    "transitive-dat-nom-subj": "dat",
    "transitive-dat-nom-obj": "nom",
}
"""Set -> the right case of its items (GEO-5)."""

CASES = ("nom", "dat", "erg")
COUNTED_TWICE = "intransitive-nom-subj"
"""The authors' pattern for the files of S1-NOM also matches those of INTR-S1-NOM (GEO-16)."""

FILE_SETS = {
    "INTR-S1-NOM": "intransitive-nom-subj",
    "S1-NOM": "transitive-nom-dat-subj",
    "S1-DAT": "transitive-nom-dat-obj",
    "S2-ERG": "transitive-erg-nom-subj",
    "S2-NOM": "transitive-erg-nom-obj",
    "S3-DAT": "transitive-dat-nom-subj",
    "S3-NOM": "transitive-dat-nom-obj",
}
ITEMS_FROM = "mBERT"
"""Items are read from this system's results at word level; all files repeat them."""
FILE_SYSTEMS = {"HPLT": "HPLT-BERT-ka", "GPT2-GEO": "GPT2-geo", "mGPT-1.3B-Georgian": "mGPT-ka"}
"""Name in released files -> name in Table 3, where they differ."""

HUB_SYSTEMS = {
    "FacebookAI/xlm-roberta-base": "XLM-RoBERTa(bs)",
    "FacebookAI/xlm-roberta-large": "XLM-RoBERTa(lg)",
    "HPLT/hplt_bert_base_ka": "HPLT-BERT-ka",
    "google-bert/bert-base-multilingual-cased": "mBERT",
    "google/rembert": "RemBERT",
    "Kuduxaaa/gpt2-geo": "GPT2-geo",
    "ai-forever/mGPT-1.3B-georgian": "mGPT-ka",
}
"""Identifier on the hub -> name in Table 3 (GEO-11)."""

VOCABULARIES = {
    "XLM-RoBERTa(bs)": 250_002,
    "XLM-RoBERTa(lg)": 250_002,
    "HPLT-BERT-ka": 32_768,
    "mBERT": 119_547,
    "RemBERT": 250_300,
}
"""Encoder -> size of its vocabulary, from its published configuration."""

ENCODERS = tuple(VOCABULARIES)
DECODERS = ("GPT2-geo", "mGPT-ka")


class Alignment(NamedTuple):
    """A row of Table 1, and the sets of Table 2 that test it."""

    alignment: str
    screeve: str
    subject: str
    object: str
    sets: tuple[str, ...]


SCHEME = (
    Alignment("accusative, intransitive", "present/future", "nom", "", ("intransitive-nom-subj",)),
    Alignment(
        "accusative", "present/future", "nom", "dat",
        ("transitive-nom-dat-subj", "transitive-nom-dat-obj"),
    ),
    Alignment(
        "ergative", "past", "erg", "nom", ("transitive-erg-nom-subj", "transitive-erg-nom-obj")
    ),
    Alignment(
        "inverted", "perfective", "dat", "nom",
        ("transitive-dat-nom-subj", "transitive-dat-nom-obj"),
    ),
)  # fmt: skip
"""Table 1 and Figure 1: which screeve of the verb assigns which cases."""
