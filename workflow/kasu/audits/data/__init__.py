"""Benchmarks, findings, and texts that stand in others."""
