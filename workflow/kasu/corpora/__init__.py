"""Raw text in, sentences and analyses out."""
