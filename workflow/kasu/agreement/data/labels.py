"""The labels of both tasks, and the splits (Ravfogel et al. 2018 §6, §7; BASQUE-7, BASQUE-8)."""

SLOTS = ("ergative", "absolutive", "dative")
"""The arguments that a Basque verb agrees with: those of the paper."""
ALL_SLOTS = (*SLOTS, "subject")
"""Those of any language; a dataset has the columns of its own."""
LABELS = ("none", "singular", "plural")
LICENSED = {
    "ergative": {"-ak": "singular", "-ek": "plural"},
    "absolutive": {"-a": "singular", "-ak": "plural"},
    "dative": {"-ari": "singular", "-ei": "plural"},
}
"""The number that each nuclear suffix can have in a slot (BASQUE-20)."""
NO_SUFFIX = "none"
SUFFIXES = (NO_SUFFIX, "-ek", "-a", "-ak", "-ari", "-ei")  # in the order of Table 5
MASKED = "masked"  # a word that the analyser does not know, with the ending of a suffix
SPLITS = ("train", "validation", "test")
