"""Minimal pairs, and text by budget with its lemmatised twin."""
