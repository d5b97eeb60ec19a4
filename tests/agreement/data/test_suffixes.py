"""The words whose suffix is to be predicted."""

import pytest

from kasu.agreement.data.items import read_items
from kasu.agreement.data.suffixes import UNSCORED, count_unscored, gold_suffixes
from kasu.agreement.data.tasks import SUFFIX
from kasu.agreement.data.transforms import Condition
from kasu.base.errors import KasuError

# Example (1) of the paper, with a word that the analyser does not know
ITEM = {
    "item_id": "1",
    "sentence_id": "1",
    "cluster": "c",
    "tokens": ["Kutxazainek", "bezeroari", "liburuak", "eman", "dizkiote"],
    "stems": ["Kutxazain", "bezero", "liburu", "eman", "dizkiote"],
    "suffixes": ["-ek", "-ari", "-ak", "none", "none"],
    "lemmas": ["kutxazain", "bezero", "liburu", "eman", "ukan"],
    "finite": [False, False, False, False, True],
    "target": 4,
    **{"ergative": "plural", "absolutive": "plural", "dative": "singular"},
}
UNKNOWN = {**ITEM, "item_id": "2", "suffixes": ["masked", *ITEM["suffixes"][1:]]}


def gold(path):
    return gold_suffixes(read_items(path, "paper", Condition("base", SUFFIX)), path)


def test_example_5_has_the_suffixes_of_the_paper_in_the_order_of_its_words(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", [ITEM])
    # -ek, -ari, -ak, none; the verb is not scored
    assert gold(path).tolist() == [1, 4, 3, 0, UNSCORED]


def test_words_that_the_analyser_does_not_know_are_not_scored(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", [ITEM, UNKNOWN])
    assert gold(path)[5:].tolist() == [UNSCORED, 4, 3, 0, UNSCORED]


def test_what_is_not_scored_is_counted_by_reason(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", [ITEM, UNKNOWN], ["paper"])
    left_out = "paper: words that suffix prediction leaves out"
    assert count_unscored(path) == {
        f"{left_out}: can be finite verbs": 2,
        f"{left_out}: not known to the analyser, end as a suffix does": 1,
    }


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"suffixes": ["-ko"] * 5}, "suffix '-ko'; expected none or -ek or -a"),
        ({"finite": [True] * 5}, "no word to score; expected one or more"),
    ],
)
def test_a_wrong_dataset_ends_in_one_line(tmp_path, write_dataset, change, line):
    path = write_dataset(tmp_path / "d.parquet", [{**ITEM, **change}])
    with pytest.raises(KasuError, match=f"d.parquet: {line}"):
        gold(path)
