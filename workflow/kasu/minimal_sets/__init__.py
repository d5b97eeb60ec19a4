"""Minimal sets: does a language model prefer the right form? (Gallagher & Heyer 2026)."""
