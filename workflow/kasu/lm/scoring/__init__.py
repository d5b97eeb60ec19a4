"""Scores of sentences and forms by a language model."""
