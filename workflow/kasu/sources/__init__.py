"""Sources: what comes from outside, from a mirror or the network, and under what licence."""
