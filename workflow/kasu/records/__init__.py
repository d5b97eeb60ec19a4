"""What Kasu has measured of each printed figure, on record in `resources/measured`."""
