"""What all figures share: one style, one writer of SVG, and the figure of any printed table."""
