"""The generator: from seeds and fills to the sentences of a matrix."""
