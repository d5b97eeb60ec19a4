"""Datasets of the cloze study: sentences with target words."""
