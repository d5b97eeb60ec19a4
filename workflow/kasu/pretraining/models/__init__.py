"""Published models, nulls, and training histories."""
