"""The names of types, splits and regimes in config, paths and tables."""

STUDY = "blm"
PAPER = "blm_agrf2023"
TYPES = ("type_I", "type_II", "type_III")
SPLITS = ("train", "validation", "test")
FULL, SAME, BY_SEED = REGIMES = ("allTrain", "sameTrain", "bySeed")
"""All training problems; as many of each type as of type I; all, with the lexical seeds of training
and test disjoint (S-11)."""

LEXICON = "lexicon"  # in the config in place of a model that proposes words
STATE_FEATURES = "states"  # in the config in place of an encoder
