"""Embeddings, networks and heuristics that complete a matrix."""
