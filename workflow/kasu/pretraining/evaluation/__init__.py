"""Scores, learning curves, paired comparisons and claims."""
