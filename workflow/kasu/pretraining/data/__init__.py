"""Minimal pairs, word budgets, and their lemmatised twins."""
