"""Show what would steer a terminal, reorder what is read, break XML, or run in a spreadsheet."""

import re

# Controls, ends of lines and paragraphs, bidirectional embeddings, overrides and isolates,
# surrogates, and the two that XML excludes. Not marks and joiners, which some spellings need
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

# Cells that Excel, LibreOffice or Google Sheets would run, perhaps after blanks or quotation marks.
# The apostrophe is among these marks, so that a cell with one of its own gets another
FORMULA = re.compile(r"[\s'\"\ufeff]*[=+\-@＝＋－＠]")


def visible(text: str, kept: str = "") -> str:
    """Return a text with such characters as Python writes them: `\x1b`, `\t`.

    Args:
        kept: those that stay, as the line ends of a text of several lines.
    """
    return UNSEEN.sub(lambda found: found[0] if found[0] in kept else _escape(found[0]), text)


def as_text(cell: str) -> str:
    """Return a cell that a spreadsheet shows as text: one that would run gets an apostrophe."""
    return f"'{cell}" if FORMULA.match(cell) else cell


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
