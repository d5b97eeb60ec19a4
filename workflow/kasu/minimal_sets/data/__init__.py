"""Minimal sets built from treebanks."""
