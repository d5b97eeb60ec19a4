"""Small networks: vocabularies, batches, devices, and a training loop that resumes."""
