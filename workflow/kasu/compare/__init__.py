"""Compare two result folders by value."""
