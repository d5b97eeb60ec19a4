"""Networks and baselines that predict verb number."""
