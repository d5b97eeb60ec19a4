"""Dumps of MediaWiki: their pages, the wikitext of these, and the names that a wiki has."""
