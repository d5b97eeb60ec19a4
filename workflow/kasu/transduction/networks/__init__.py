"""Networks from lemma and tags to a form, and how they are trained."""
