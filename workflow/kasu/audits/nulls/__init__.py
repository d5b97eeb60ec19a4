"""What chooses an option without knowing what is tested."""
