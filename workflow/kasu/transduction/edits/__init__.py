"""Edit actions from lemma to form, the oracles that choose them, and imitation of an oracle."""
