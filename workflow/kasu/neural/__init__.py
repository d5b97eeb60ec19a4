"""Small networks: vocabularies, batches, and one training loop that resumes."""
