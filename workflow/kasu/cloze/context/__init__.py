"""Networks that read the sentence around a word."""
