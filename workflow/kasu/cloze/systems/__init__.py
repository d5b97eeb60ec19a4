"""Families of systems, one module each."""
