"""The rules of MultiBLiMP 1.0 (Jumelet et al. 2026, TACL 14:193-216), faults included.

A fault of the making has its number at the line that keeps it; docs/multiblimp.md
lists them.
"""
