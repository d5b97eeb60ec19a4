"""CoNLL-SIGMORPHON 2018 task 1 (Cotterell et al. 2018): from lemma and features to the form."""
