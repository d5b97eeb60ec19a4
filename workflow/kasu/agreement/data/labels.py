"""The slots, labels and splits of verb number prediction (Ravfogel et al. 2018 §6; BASQUE-7)."""

SLOTS = ("ergative", "absolutive", "dative")
LABELS = ("none", "singular", "plural")
SPLITS = ("train", "validation", "test")
