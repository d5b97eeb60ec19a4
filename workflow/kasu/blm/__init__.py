"""An et al. (2023): can a network complete a matrix of sentences by its rule?"""
