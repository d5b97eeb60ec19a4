"""CoNLL-SIGMORPHON 2018 task 2 (Cotterell et al. 2018): from a lemma in a sentence to its form."""
