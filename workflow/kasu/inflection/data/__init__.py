"""Datasets of inflection: released ones, and ones made from paradigms."""
