"""Predictions: the scores that language models, or the authors, give the forms of sets."""
