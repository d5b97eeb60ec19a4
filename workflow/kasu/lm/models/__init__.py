"""Models and encoders loaded from a folder, and the hub that they are fetched from."""
