"""Fingerprints: is a system, language by language, the one that was published?"""
