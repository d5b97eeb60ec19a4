"""Warnings: what makes a result meaningless, though it is a number like any other."""
