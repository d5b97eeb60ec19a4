"""Alignments of a lemma with its form, and the distances they minimize."""
