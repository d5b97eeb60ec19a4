import numpy as np
import torch

from kasu.agreement.data.transforms import VERB
from kasu.agreement.models.encoding import (
    EncodedSides,
    EncodedWhole,
    Read,
    Words,
    count_vocabularies,
    read_sentences,
)

SENTENCE = {
    "item_id": "1",
    "sentence_id": "1",
    "cluster": "c",
    "tokens": ["gizonak", "etxea", "du", "etxea"],
    "lemmas": ["gizon", "etxe", "ukan", "etxe"],
    "target": 2,
    "ergative": "singular",
    "absolutive": "singular",
    "dative": "none",
}


def tensors(batch) -> list[torch.Tensor]:
    """The contents of a batch."""
    return [
        tensor for part in batch for tensor in (part if isinstance(part, Read | Words) else [part])
    ]


def read(path, condition="base"):
    return read_sentences(path, "paper", condition)


def test_sentences_are_rows_of_word_types(tmp_path, write_dataset):
    sentences = read(write_dataset(tmp_path / "d.parquet", [SENTENCE, {**SENTENCE, "target": 0}]))
    assert [word.token for word in sentences.types] == ["gizonak", "etxea", VERB, VERB, "du"]
    assert sentences.words.tolist() == [0, 1, 2, 1, 3, 1, 4, 1]
    assert sentences.starts.tolist() == [0, 4, 8]
    assert sentences.gold.tolist() == [[1, 1, 0], [1, 1, 0]]


def test_the_input_does_not_depend_on_the_form_of_the_target_verb(
    tmp_path, write_dataset, settings
):
    """Two sentences that differ only in the form of the target verb give the same input."""
    other = {**SENTENCE, "tokens": ["gizonak", "etxea", "zituzten", "etxea"]}
    one, two = (
        read(write_dataset(tmp_path / f"{number}.parquet", [sentence]))
        for number, sentence in enumerate([SENTENCE, other])
    )
    assert one.types == two.types
    known = count_vocabularies(one, settings)
    assert known.symbols() == count_vocabularies(two, settings).symbols()
    batches = [
        EncodedSides(each, known, settings, True).batch(np.array([0]), torch.device("cpu"))
        for each in (one, two)
    ]
    assert all(map(torch.equal, *map(tensors, batches)))


def test_the_lemma_of_the_target_is_kept_or_hidden(tmp_path, write_dataset):
    path = write_dataset(tmp_path / "d.parquet", [SENTENCE])
    assert read(path).types[2] == (VERB, "ukan", "", "")
    assert read(path, "no_verb_lemma").types[2] == (VERB, VERB, "", "")


def test_vocabularies_count_masked_training_words(tmp_path, write_dataset, settings):
    sentences = read(write_dataset(tmp_path / "d.parquet", [SENTENCE]))
    known = count_vocabularies(sentences, {**settings, "vocabulary": 3, "ngram_lengths": [1, 1]})
    assert known.token.symbols == ["etxea", "gizonak", VERB]
    assert known.lemma.symbols == ["etxe", "gizon", "ukan"]
    # a: in 3 words; e, t, x: in 2; the others in one; twice in a word counts once
    assert known.ngram.symbols == ["a", "e", "t"]


def test_vocabularies_count_words_and_not_their_types(tmp_path, write_dataset, settings):
    """`aa` is a word that comes once and `bb` one that comes three times."""
    words = {"tokens": ["aa", "bb", "bb", "bb", "du"], "lemmas": ["a", "b", "b", "b", "ukan"]}
    sentences = read(write_dataset(tmp_path / "d.parquet", [{**SENTENCE, **words, "target": 4}]))
    known = count_vocabularies(sentences, {**settings, "vocabulary": 1, "ngram_lengths": [2, 2]})
    assert known.symbols() == {"token": ["bb"], "lemma": ["b"], "ngram": ["bb"]}


def test_words_are_counted_by_sentence(tmp_path, write_dataset, settings):
    short = {**SENTENCE, "tokens": ["du", "etxea"], "lemmas": ["ukan", "etxe"], "target": 0}
    sentences = read(write_dataset(tmp_path / "d.parquet", [SENTENCE, short, SENTENCE]))
    data = EncodedSides(sentences, count_vocabularies(sentences, settings), settings, True)
    counted = [data.count_words(np.array(rows)) for rows in ([0], [1], [0, 1], [2, 1, 0])]
    assert counted == [4, 2, 6, 10]
    # up to and from the verb, which counts on both sides
    assert data.lengths.tolist() == [[3, 2], [1, 2], [3, 2]]


def test_ngrams_follow_the_settings(tmp_path, write_dataset, settings):
    words = {"tokens": ["ab", "du"], "lemmas": ["a", "ukan"], "target": 1}
    sentences = read(write_dataset(tmp_path / "d.parquet", [{**SENTENCE, **words}]))
    known = count_vocabularies(sentences, settings | {"ngram_lengths": [1, 2]})
    assert known.ngram.symbols == ["a", "ab", "b"]
    marked = settings | {"ngram_lengths": [2, 2], "boundary_markers": True}
    assert count_vocabularies(sentences, marked).ngram.symbols == ["ab", "b⟩", "⟨a"]


def test_a_batch_holds_each_word_once_and_reads_towards_the_verb(tmp_path, write_dataset, settings):
    sentences = read(write_dataset(tmp_path / "d.parquet", [SENTENCE]))
    known = count_vocabularies(sentences, settings)
    batch = EncodedSides(sentences, known, settings, True).batch(np.array([0]), torch.device("cpu"))
    assert [known.token.symbols[number - 1] for number in batch.words.token] == [
        "gizonak",
        "etxea",
        VERB,
    ]
    assert batch.left.words.tolist() == [[0], [1], [2]]
    assert batch.right.words.tolist() == [[1], [2]]
    assert batch.words.ngram_begins.tolist() == [0, 25, 39]  # 25 and 14 distinct n-grams, then none
    assert len(batch.words.ngram) == 39


def test_a_unidirectional_batch_has_no_word_after_the_verb(tmp_path, write_dataset, settings):
    sentences = read(write_dataset(tmp_path / "d.parquet", [{**SENTENCE, "target": 0}]))
    known = count_vocabularies(sentences, settings)
    batch = EncodedSides(sentences, known, settings, False).batch(
        np.array([0]), torch.device("cpu")
    )
    assert [known.token.symbols[number - 1] for number in batch.words.token] == [VERB]
    assert batch.right is None


def test_a_number_symbol_is_one_more_ngram(tmp_path, write_dataset, settings):
    marked = {"stems": ["gizon", "etxe", "du", "etxe"], "suffixes": ["-ak", "-a", "none", "none"]}
    path = write_dataset(tmp_path / "d.parquet", [{**SENTENCE, **marked}])
    known = count_vocabularies(
        read(path, "neutralised_case"), {**settings, "ngram_lengths": [1, 1]}
    )
    assert {"⟨ambiguous⟩", "⟨singular⟩", "g"} <= set(known.ngram.symbols)
    assert "k" not in known.ngram.symbols


def test_a_batch_of_suffix_prediction_holds_whole_sentences(tmp_path, write_dataset, settings):
    marked = {"stems": ["gizon", "etxe", "du", "etxe"], "suffixes": ["-ak", "-a", "none", "masked"]}
    long = {**SENTENCE, **marked, "finite": [False, False, True, False]}
    short = {key: value[:1] if isinstance(value, list) else value for key, value in long.items()}
    path = write_dataset(tmp_path / "d.parquet", [short | {"target": 0}, long])
    sentences = read_sentences(path, "paper", "base", "suffix")
    known = count_vocabularies(sentences, settings)
    batch = EncodedWhole(sentences, known, settings).batch(np.array([0, 1]), torch.device("cpu"))
    tokens = [known.token.symbols[number - 1] for number in batch.words.token]
    assert [[tokens[word] for word in sentence] for sentence in batch.whole.words.T] == [
        ["gizon", "gizon", "gizon", "gizon"],
        ["gizon", "etxe", "du", "etxe"],
    ]
    assert batch.whole.lengths.tolist() == [1, 4]
    assert batch.scored.tolist() == [[True, False, False, False], [True, True, False, False]]
    assert batch.gold.tolist() == [3, 3, 2]
