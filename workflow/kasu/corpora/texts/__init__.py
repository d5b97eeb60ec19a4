"""Texts: sentences from files of lines, paragraphs or JSON."""
