"""What language models make of the sets."""
