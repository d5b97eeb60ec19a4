"""Results: scores beside the published ones, claims, and the words that say how much holds."""
