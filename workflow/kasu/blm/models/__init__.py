"""Sentence embeddings, and the networks and heuristics that complete a matrix."""
