"""Kasu: grammar in neural networks, from raw text to tables beside the published ones."""
