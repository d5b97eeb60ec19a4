"""The authors' released sets and results."""
