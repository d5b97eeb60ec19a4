"""The two tasks of Ravfogel et al. (2018): systems, labels, splits, and what probes are asked.

Verb number prediction (§6; BASQUE-7) and suffix prediction (§7; BASQUE-8).
"""

from kasu.corpora.morphology.tagset import NUMBERS

VERB_NUMBER = "verb_number"  # §6: hide a verb, predict the number of each of its arguments
SUFFIX = "suffix"  # §7: strip nuclear suffixes, predict that of each word
TASKS = (VERB_NUMBER, SUFFIX)
PROBES = "probes"  # §7.1: classifiers of the states of suffix prediction
PROBED_SYSTEM = "bilstm"

# What a probe reads: states after training; states of the encoder with the weights that training
# starts from; the trained embedding of the word, without its sentence; and in the control task the
# trained states, with shuffled labels
TRAINED, UNTRAINED, WORD, SHUFFLED = "trained", "untrained", "word", "shuffled"
# The printed tables of probes, and tasks in them
CLOSEST_VERB, UD_PROBES = "Table 3", "section 7.1 UD probes"
ABOUT_VERB, ANY_VERB = "verb=", "any"  # a form, or all sentences of two verbs
RIGHT, WRONG = "BiLSTM correct", "BiLSTM wrong"  # whether the network predicts a word's suffix

MAJORITY = "majority"
# The simple nulls come first
BASELINES = {VERB_NUMBER: (MAJORITY, "lemma", "ngram"), SUFFIX: ("prior", "lexicon")}
NETWORKS = {VERB_NUMBER: ("lstm", "bilstm"), SUFFIX: ("mlp", "bilstm")}
SYSTEMS = {task: (*BASELINES[task], *NETWORKS[task]) for task in TASKS}

SLOTS = ("ergative", "absolutive", "dative")
"""The arguments that a Basque verb agrees with: those of the paper."""
LABELS = ("none", *NUMBERS)
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
