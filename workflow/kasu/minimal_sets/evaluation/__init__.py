"""Scores, comparisons and claims of the minimal sets study."""
