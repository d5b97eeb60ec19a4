"""Kasu: grammar in neural networks, from raw text to tables beside the published ones."""

__version__ = "0.1.0"
