"""Classifiers that choose how a word is inflected: what they learn, and forms by their classes."""
