"""Members of families over many languages: what is trained, in which jobs, and what they answer."""
