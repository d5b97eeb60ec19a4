"""Datasets of inflection: released, or sampled from paradigms."""
