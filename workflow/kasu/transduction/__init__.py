"""From string to string: aligners and what systems of several studies are built from."""
