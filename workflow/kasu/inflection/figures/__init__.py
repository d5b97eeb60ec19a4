"""Figures of the inflection study."""
