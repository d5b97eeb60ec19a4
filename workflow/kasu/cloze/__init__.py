"""From a lemma in a sentence to its form (CoNLL-SIGMORPHON 2018 task 2)."""
