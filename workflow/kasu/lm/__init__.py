"""Language models: fetched from a hub or trained here; what they encode, fill in and score."""
