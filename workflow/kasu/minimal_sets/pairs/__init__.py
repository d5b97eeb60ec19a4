"""Pairs of agreement with a subject, in any treebank: by Kasu's rules, or by MultiBLiMP's."""
