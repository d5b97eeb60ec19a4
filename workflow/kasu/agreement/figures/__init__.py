"""Figures of the agreement study."""
