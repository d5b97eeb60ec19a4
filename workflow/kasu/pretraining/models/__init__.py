"""Nulls and training histories."""
