"""Networks and baselines of verb number."""
