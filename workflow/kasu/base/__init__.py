"""The ground floor: sources, tables, scores, and what every job needs to run."""
