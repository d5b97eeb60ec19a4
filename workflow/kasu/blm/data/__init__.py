"""BLM problems, their splits and the dataset files."""
