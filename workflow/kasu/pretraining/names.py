"""What a budget's name says: tables and claims read a model's words off its name."""

_UNITS = {"k": 1_000, "M": 1_000_000}


def words_of(budget: str) -> int:
    """How many words a budget's name stands for: 25,000,000 for `25M`."""
    return int(budget[:-1]) * _UNITS[budget[-1]]
