"""The page that sets our figures next to the published ones."""
