"""Members of families over many languages: their training, their jobs, and their answers."""
