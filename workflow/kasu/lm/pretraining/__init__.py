"""Pretraining masked language models: text, tokenizer, masking, training, byte-exact resume."""
