"""Scores, tables and claims of the cloze study."""
