"""Sentences from lines, corpora from sentences, splits by key."""

import json
import re
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.corpora.texts.sentences import (
    SENTENCES,
    LineFormat,
    _Digests,
    build_corpus,
    detokenise,
    mask,
    normalise,
    read_lines,
    split_of,
    split_sentences,
    words,
)
from kasu.files.tables import read_parquet, read_tsv, write_parquet


@pytest.fixture
def out(tmp_path):
    """The paths of sentences, counts and drops."""
    return [tmp_path / "out" / name for name in ("sentences.parquet", "counts.tsv", "drops.tsv")]


def table(path, key):
    return {row[key]: int(row["count"]) for row in read_tsv(path)}


def read(path, out, **options):
    read_lines(path, *out, source="s", form=LineFormat("eu", **options))
    return [(row["sentence_id"], row["text"]) for row in read_parquet(out[0]).to_pylist()]


def test_normalise_composes_and_drops_invisible_characters():
    assert normalise(" a\u0301\u00a0b\u00ad\u200bc\t\x07d\n") == "á bc d"


def test_normalise_keeps_joiners():
    assert normalise("می\u200cخواهم") == "می\u200cخواهم"


@given(st.text())
def test_normalise_twice_is_normalise_once(text):
    assert normalise(normalise(text)) == normalise(text)


def test_words_follow_unicode_boundaries():
    assert words("AEB-etan, 3,5 km-ra: l'Italia.") == ["AEB", "etan", "3,5", "km", "ra", "l'Italia"]


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("XX. mendean hil zen. Gero?", ["XX. mendean hil zen.", "Gero?"]),
        ("1937. urtean hil zen.", ["1937. urtean hil zen."]),
        ("Han dago. 1949tik hona.", ["Han dago.", "1949tik hona."]),
        ("Kaixo! Zer moduz?", ["Kaixo!", "Zer moduz?"]),
    ],
)
def test_ordinals_do_not_end_a_sentence(paragraph, expected):
    assert split_sentences(paragraph, "eu") == expected


def test_georgian_has_no_lower_case_to_join():
    assert split_sentences("ის წავიდა. მე დავრჩი.", "ka") == ["ის წავიდა.", "მე დავრჩი."]


def test_detokenise_removes_blanks_around_punctuation():
    assert detokenise("Orain , ( hemen ) dago « bera » .") == "Orain, (hemen) dago «bera»."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mikel Etxeberria 1937an jaio zen.", "N 0 jaio zen."),
        ("Ane Lasa Otegi 2001ean jaio zen.", "N 0 jaio zen."),
        ("ura 3,5 eta 10", "ura 0 eta 0"),
    ],
)
def test_mask_makes_near_copies_equal(text, expected):
    assert mask(text) == expected


def test_lines_become_sentences(tmp_path, out):
    path = tmp_path / "a.txt"
    path.write_text("Bat da. Bi dira.\n\n---\nHiru  dira.\n")
    assert read(path, out) == [("s:1", "Bat da. Bi dira."), ("s:4", "Hiru dira.")]
    assert table(out[1], "step") == {"lines": 4, "items": 4, "sentences": 2, "words": 6}
    assert table(out[2], "reason") == {"no word": 2}


def test_a_very_long_paragraph_is_cut_at_blanks_and_whole(monkeypatch):
    monkeypatch.setattr("kasu.corpora.texts.sentences.LONGEST_PARAGRAPH", 12)
    assert split_sentences("Gizona etorri da. Ura edan du.", "eu") == [
        "Gizona",
        "etorri da.",
        "Ura edan du.",
    ]
    assert "".join(split_sentences("a" * 30, "eu")) == "a" * 30


def test_lines_are_split_on_request(tmp_path, out):
    path = tmp_path / "a.txt"
    path.write_text("Bat da. Bi dira.\nHiru.")
    assert read(path, out, split=True) == [
        ("s:1:1", "Bat da."),
        ("s:1:2", "Bi dira."),
        ("s:2:1", "Hiru."),
    ]


def test_json_lines_give_fields(tmp_path, out):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"a": "Bat da.", "b": ["Bi", "dira", "."], "c": 1}) + "\n")
    assert read(path, out, fields=["a", "b"], tokenised=True) == [
        ("s:1:1", "Bat da."),
        ("s:1:2", "Bi dira."),
    ]


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        (True, ["Ori", "Ori mendia", "da.", "Izena", "Hau da:", "Orhy."]),
        (False, ["Ori Ori mendia da. Izena Hau da: Orhy."]),
    ],
)
def test_lines_of_a_json_field_end_sentences_where_it_is_split(tmp_path, out, split, expected):
    path = tmp_path / "a.jsonl"
    text = "Ori\n\nOri mendia\u2028da. Izena\r\n Hau da :\rOrhy.\n"
    path.write_text(json.dumps({"a": text}) + "\n")
    texts = [text for _, text in read(path, out, fields=["a"], split=split, tokenised=True)]
    assert texts == expected
    assert table(out[2], "reason") == {}


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'{"b": "x"}\n', ":1: no text in field 'a'; expected a string or a list of tokens"),
        (b'{"a": ["x", 1]}\n', ":1: no text in field 'a'; expected a string or a list of tokens"),
        (b'{"a": "x"}\n[]\n', ":2: list; expected one object per line"),
        (b"{a\n", ":1: invalid JSON; expected one object per line"),
        (b"[" * 99_999, ":1: invalid JSON; expected one object per line"),
        (b'{"a": "\xff"}\n', ":1: invalid UTF-8 at byte 8 of the line"),
        (b"", ": no sentence in 0 lines; expected a text"),
    ],
)
def test_bad_json_lines_end_in_one_line(tmp_path, out, content, line):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(KasuError) as error:
        read(path, out, fields=["a"])
    assert str(error.value) == f"{path}{line}"
    assert list(out[0].parent.iterdir()) == []


def source(path, name, *texts, article=None):
    rows = [
        {"sentence_id": f"{name}:{n}", "source": name, "article": article, "text": text}
        for n, text in enumerate(texts, 1)
    ]
    write_parquet(path, rows, SENTENCES)
    return path


def test_corpus_keeps_the_first_of_equal_sentences(tmp_path, out):
    first = source(tmp_path / "a", "a", "Bat da.", "Bi dira.", "Bat da.")
    second = source(tmp_path / "b", "b", "Hiru dira.", "Bi dira .", article="Zenbakiak")
    build_corpus([first, second], *out)
    rows = read_parquet(out[0]).to_pylist()
    assert [row["sentence_id"] for row in rows] == ["a:1", "a:2", "b:1"]
    assert table(out[2], "reason") == {"a: duplicate": 1, "b: duplicate": 1}
    assert table(out[1], "step") == {
        "a: sentences": 3,
        "a: kept sentences": 2,
        "b: sentences": 2,
        "b: kept sentences": 1,
        "sentences": 3,
        "words": 6,
        "near copies": 1,  # Bi dira, Hiru dira
        "split keys": 3,
    }


def test_near_copies_share_a_split_key_and_stay(tmp_path, out):
    build_corpus([source(tmp_path / "a", "a", "Ane 5 da.", "Jon Lasa 7 da.")], *out)
    first, second = read_parquet(out[0])["split_key"].to_pylist()
    assert first == second
    assert len(first) == 16
    assert table(out[1], "step")["near copies"] == 1


def test_an_article_has_one_split_key(tmp_path, out):
    build_corpus([source(tmp_path / "a", "a", "Bat da.", "Bi dira.", article="Zenbakiak")], *out)
    first, second = read_parquet(out[0])["split_key"].to_pylist()
    assert first == second


def test_digests_in_buckets_give_the_same_corpus(tmp_path, out, monkeypatch):
    path = source(tmp_path / "a", "a", *(f"Hau {n % 70} da." for n in range(100)))
    build_corpus([path], *out)
    whole = out[0].read_bytes()
    monkeypatch.setattr("kasu.corpora.texts.sentences._Digests.BUCKET", 7)
    build_corpus([path], *out)
    assert out[0].read_bytes() == whole
    assert read_parquet(out[0]).num_rows == 70


def test_refused_sources_are_counted_as_drops(tmp_path, out):
    build_corpus([source(tmp_path / "a", "a", "Bat da.")], *out, refused=["b"])
    assert table(out[2], "reason") == {"a: duplicate": 0, "b: licence not allowed": 1}


@pytest.mark.parametrize(
    ("text", "count", "noted"),
    [
        ("ฉันรักเธอ", 7, True),
        ("ខ្ញុំស្រឡាញ់អ្នក", 9, True),
        ("我喜欢你。", 4, True),
        ("ねこがいる", 5, True),
        ("བོད་ཡིག", 2, True),
        ("고양이가 잔다.", 2, False),
        ("Etxea da, 家 txineraz.", 4, False),
    ],
)
def test_words_of_scripts_without_blanks_are_no_words(tmp_path, out, caplog, text, count, noted):
    build_corpus([source(tmp_path / "a", "a", text, text)], *out)
    assert table(out[1], "step")["words"] == count
    line = (
        f"{out[0]}: most letters are of a script without blanks between words; "
        "its words are counted by letters or syllables"
    )
    assert [each for each in caplog.messages if "script" in each] == [line] * noted


def test_an_empty_corpus_is_refused(tmp_path, out):
    with pytest.raises(KasuError, match="no sentence in any source; expected a text"):
        build_corpus([source(tmp_path / "a", "a")], *out)


RATIOS = {"train": 0.7, "validation": 0.1, "test": 0.2}


def test_splits_follow_the_ratios():
    counts = Counter(split_of(f"{n:016x}", RATIOS, 1) for n in range(10_000))
    assert all(abs(counts[part] / 10_000 - share) < 0.02 for part, share in RATIOS.items())


def test_a_split_depends_only_on_key_and_seed():
    parts = [split_of("00c0ffee00c0ffee", RATIOS, seed) for seed in range(5)]
    assert parts == ["validation", "train", "validation", "test", "train"]


@pytest.mark.parametrize(
    ("ratios", "line"),
    [
        ({"train": 0.9, "test": 0.2}, "split ratios: sum 1.1; expected 1"),
        ({"train": 1.2, "test": -0.2}, "split ratios: test: -0.2; expected a share of 0 to 1"),
        (
            {"train": 0.9, "dev": 0.1},
            "split ratios: unknown part 'dev'; expected train, validation, test",
        ),
    ],
)
def test_impossible_ratios_end_in_one_line(ratios, line):
    with pytest.raises(KasuError) as error:
        split_of("0", ratios, 1)
    assert str(error.value) == line


@pytest.mark.real
def test_common_voice_repeats_and_near_copies(mirror, tmp_path, out):
    read_lines(
        mirror / "wikipedia/eu/commonvoice_wiki.eu.txt.xz",
        *(tmp_path / name for name in ("s.parquet", "c.tsv", "d.tsv")),
        source="cv",
        form=LineFormat("eu"),
    )
    assert table(tmp_path / "c.tsv", "step")["lines"] == 55_031
    build_corpus([tmp_path / "s.parquet"], *out)
    assert table(out[2], "reason") == {"cv: duplicate": 9}
    assert table(out[1], "step")["near copies"] == 1_537


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="not Linux")
def test_digests_on_disk_do_not_stay_in_memory(tmp_path):
    digests = _Digests(tmp_path, 1 << 17)
    texts = pa.array([f"hitz {number}" for number in range(1000)])
    batch = pa.table({"source": texts, "article": texts, "text": texts}).to_batches()[0]
    digests.add(0, batch)
    digests.first("text")
    mapped = Path("/proc/self/smaps").read_text()
    held = re.findall(rf"{tmp_path}/(\S+)\n(?:.*\n)+?Rss: +(\d+) kB", mapped)
    assert dict(held) == dict.fromkeys(("text", "masked", "split", "first-text"), "0")
