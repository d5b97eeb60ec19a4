"""What all figures share: one style, one writer, and the figure of any printed table."""
