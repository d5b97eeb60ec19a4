"""Which sentences of a set stand in a training text."""

import pytest

from kasu.minimal_sets.models.seen import find_seen

APPLES = {
    "set": "objects", "item_id": "1", "masked": "Anek 12 [MASK] ditu.", "grammatical": "abs",
    "form_abs": "sagar", "form_erg": "sagarrek",
}  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "seen"),
    [
        ("Anek 12 sagar ditu .", True),
        ("Mirenek 7 sagar ditu.", True),  # names and digits do not count
        ("Anek 12 sagarrek ditu.", False),  # a wrong form
        ("Anek 12 sagar ditu, bai.", False),
        ("Anek 12 udare ditu.", False),
    ],
)
def test_a_sentence_is_seen_if_all_its_words_are(tmp_path, sentence, seen):
    (tmp_path / "text.txt").write_text(f"Kaixo.\n{sentence}\n")
    found = find_seen([[APPLES]], [tmp_path / "text.txt"])
    assert found == ({("objects", "1")} if seen else set())
