"""When does BERT learn Basque grammar? Pairs, corpora by budget, lemmatised twins, evaluation."""
