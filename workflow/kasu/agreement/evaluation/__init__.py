"""Scores, paired comparisons and claims of the agreement study."""
