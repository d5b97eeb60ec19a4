"""Verb number datasets."""
