"""An analyser's morphology: Apertium, and the meaning of its tags."""
