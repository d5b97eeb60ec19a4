"""Building blocks of string-to-string systems, for several studies."""
