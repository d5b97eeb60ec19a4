"""Fingerprints: whether a system is, language by language, the one that was published."""
