"""Pretraining of masked language models: text, tokenizer, masks, trainer, resume."""
