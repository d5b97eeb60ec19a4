"""The two tasks of Ravfogel et al. (2018), and the systems of each."""

VERB_NUMBER = "verb_number"  # §6: hide a verb, predict the number of each of its arguments
SUFFIX = "suffix"  # §7: strip nuclear suffixes, predict that of each word
TASKS = (VERB_NUMBER, SUFFIX)
PROBES = "probes"  # §7.1: classifiers of the states of suffix prediction
PROBED_SYSTEM = "bilstm"

# The simple nulls come first
BASELINES = {VERB_NUMBER: ("majority", "lemma", "ngram"), SUFFIX: ("prior", "lexicon")}
NETWORKS = {VERB_NUMBER: ("lstm", "bilstm"), SUFFIX: ("mlp", "bilstm")}
SYSTEMS = {task: (*BASELINES[task], *NETWORKS[task]) for task in TASKS}
