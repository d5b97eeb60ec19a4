"""Sources: files from outside, from a mirror or the network, and their licences."""
