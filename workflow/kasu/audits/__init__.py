"""Benchmarks under audit: their form, nulls that solve them, leaks, and what they can show."""
