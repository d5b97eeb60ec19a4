"""Recurrent networks, layer by layer and step by step."""
