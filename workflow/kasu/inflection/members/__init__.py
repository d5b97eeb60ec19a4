"""Members of families of networks: trained, and kept for use outside the workflow."""
