"""Minimal sets: does a language model prefer the right case? (Gallagher & Heyer 2026)."""
