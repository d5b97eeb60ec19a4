"""Scores, errors, comparisons and claims of the BLM study."""
