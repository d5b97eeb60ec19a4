"""What networks read of the sentence around a word."""
