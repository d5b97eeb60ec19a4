"""Linear models of transductions without a network, and how they are trained."""
