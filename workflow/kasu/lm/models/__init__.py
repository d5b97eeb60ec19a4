"""Language models and encoders of a folder, and the hub that they come from."""
