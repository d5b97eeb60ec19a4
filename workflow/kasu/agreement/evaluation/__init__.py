"""Scores, comparisons and claims of the agreement study."""
