"""Scores, curves, comparisons and claims of the pretraining study."""
