"""Paradigms in the form of UniMorph, and how often their forms occur."""
