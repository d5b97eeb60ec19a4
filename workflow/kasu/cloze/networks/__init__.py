"""Networks that read sentences."""
