"""Requests in the language of Grew over treebanks."""
