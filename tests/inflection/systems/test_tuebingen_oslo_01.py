import random
from itertools import product

from kasu.inflection.systems import tuebingen_oslo_01, tuebingen_oslo_03
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Item
from kasu.transduction.members.families import Data, Run, Session

SETTINGS = tuebingen_oslo_01.FAMILY.settings()
TAGS = Alphabet(["N", "PL", "language:basque", "language:french"])


def test_sizes_are_those_of_the_paper():
    made = tuebingen_oslo_01.network(Alphabet("abc"), TAGS, "low", SETTINGS, "keras")
    assert (made.encoder.network.width, made.decoder.cell.size, made.longest) == (256, 256, 30)
    assert made.tags.symbols == ["N", "PL"]
    assert made.languages.symbols == ["language:basque", "language:french"]


def test_the_variant_padded_reads_words_of_30_characters():
    short = Item("ab", ("N", "language:basque"), "ab")
    for variant, length in (("keras", 4), ("padded", 32)):
        made = tuebingen_oslo_01.network(Alphabet("ab"), TAGS, "low", SETTINGS, variant)
        assert made.batch([short]).source.shape == (1, length)


def test_it_is_trained_as_the_system_of_one_language():
    assert tuebingen_oslo_01.FAMILY.recipe is tuebingen_oslo_03.recipe
    pool = tuebingen_oslo_01.FAMILY.pools["low"]
    assert pool(["basque", "telugu"], "low", 1) == [["basque", "telugu"]]


def test_a_member_learns_the_suffixes_of_two_languages(tmp_path):
    # Vowels tell the languages apart, as the network is not told which it is
    items = [
        Item(lemma, (tag, f"language:{name}"), lemma + end)
        for name, vowels, ends in (("one", "aeo", ("a", "ak")), ("two", "iuy", ("e", "en")))
        for lemma in map("".join, product("bdkmpt", vowels))
        for tag, end in zip(("SG", "PL"), ends, strict=True)
    ]
    random.Random(1).shuffle(items)
    train, held_out = items[:60], items[60:]
    asked = [item._replace(target=None) for item in held_out]
    data = Data("pool", "low", train, held_out, asked)
    run, options = Run("keras", 1), {"epochs": 130, "hidden": 128}
    found = tuebingen_oslo_01.FAMILY.train(data, [run], options, Session(tmp_path))[run]
    pairs = zip(found.test, held_out, strict=True)
    assert sum(answer.forms[0] == item.target for answer, item in pairs) / len(held_out) > 0.9
