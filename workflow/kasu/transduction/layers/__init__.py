"""Parts of networks: encoders, attention, decoders."""
