"""Scores, comparisons and claims of the inflection study."""
