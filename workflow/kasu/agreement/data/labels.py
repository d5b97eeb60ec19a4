"""The slots, labels and splits of verb number prediction (Ravfogel et al. 2018 §6; BASQUE-7)."""

SLOTS = ("ergative", "absolutive", "dative")
LABELS = ("none", "singular", "plural")
LICENSED = {
    "ergative": {"-ak": "singular", "-ek": "plural"},
    "absolutive": {"-a": "singular", "-ak": "plural"},
    "dative": {"-ari": "singular", "-ei": "plural"},
}
"""The number that each nuclear suffix can have in a slot (BASQUE-20)."""
NO_SUFFIX = "none"
MASKED = "masked"  # a word that the analyser does not know, with the ending of a suffix
SPLITS = ("train", "validation", "test")
