"""When does BERT learn Basque grammar? Minimal pairs, word budgets, lemmatised twins, scores."""
