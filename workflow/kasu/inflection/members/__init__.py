"""Families of systems, their members, and what is submitted of them.

Nothing here is of one task, but for the columns of a dataset (`packs`) and the package that
families stand in (`families`).
"""
