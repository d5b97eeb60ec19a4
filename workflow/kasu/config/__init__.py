"""The config: typed settings, and how much a config may hold."""
