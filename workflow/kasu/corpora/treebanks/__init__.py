"""Treebanks of Universal Dependencies."""
