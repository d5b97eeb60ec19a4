"""Lists of word counts in every documented order of columns, and those that are refused."""

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.paradigms import word_lists
from kasu.corpora.paradigms.word_lists import entries

WORDS = [("zubi", 70), ("ibai", 41), ("zubi berri", 8)]
LAYOUTS = {
    "word tab count": "zubi\t70\nibai\t41\nzubi berri\t8\n",
    "word blank count": "zubi 70\nibai 41\nzubi berri 8\n",
    "uniq -c": "     70 zubi\n     41 ibai\n      8 zubi berri\n",
    "count tab word": "70\tzubi\n41\tibai\n8\tzubi berri\n",
    "number word count": "101\tzubi\t70\n102\tibai\t41\n103\tzubi berri\t8\n",
    "number word word count": "1\tzubi\tzubi\t70\n2\tibai\tibai\t41\n"
    "3\tzubi berri\tzubi berri\t8\n",
    "rank word count, blanks": "1 zubi 70\n2 ibai 41\n3 zubi berri 8\n",
    "ranks with ties": "1\tzubi\t70\n2\tibai\t41\n2\tzubi berri\t8\n",
    "word rank count": "zubi\t0\t70\nibai\t1\t41\nzubi berri\t2\t8\n",
    "word count rank, blanks": "zubi 70 1\nibai 41 2\nzubi berri 8 3\n",
    "count number word": "70 1 zubi\n41 2 ibai\n8 3 zubi berri\n",
    "CSV": "zubi,70\nibai,41\nzubi berri,8\n",
    "CSV with quotes": '"zubi","70"\n"ibai","41"\n"zubi berri","8"\n',
    "CSV with semicolons": "1;zubi;70\n2;ibai;41\n3;zubi berri;8\n",
    "CSV with a header": "rank,word,freq\n5,zubi,70\n9,ibai,41\n6,zubi berri,8\n",
    "CSV of R": '"","word","n"\n"1","zubi","70"\n"2","ibai","41"\n"3","zubi berri","8"\n',
    "SUBTLEX": "Word\tFREQcount\tCDcount\tSUBTLWF\nzubi\t70\t9\t1.5\nibai\t41\t9\t.5\n"
    "zubi berri\t8\t90\t1\n",
    "a header in other words": "hitza\tkopurua\nzubi\t70\nibai\t41\nzubi berri\t8\n",
    "a header that names them": "count\tword\tpos\n70\tzubi\tN\n41\tibai\tN\n8\tzubi berri\tN\n",
}


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("layout", LAYOUTS)
def test_columns_are_told(tmp_path, layout):
    assert list(entries(write(tmp_path / "x", LAYOUTS[layout]))) == WORDS


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a\t3\t9\nb\t4\t2\nc\t2\t5\n", "x: 2 columns of numbers, and several may be the count"),
        ("7 a 9\n8 b 10\n", "x: 2 columns of numbers, and several may be the count"),
        ("1\ta\t1\n", "x: 2 columns of numbers, and several may be the count"),
        ("3\t9\n4\t8\n", "x: numbers in all columns"),
        ("3 9\n4 8\n", "x: numbers in all columns"),
        ("a\tN\t9\nb\tV\t8\n", r"x:1: 'a\\tN\\t9'; expected a word and a whole number"),
        ("a\t9\nb\t8\t1\n", r"x:2: 'b\\t8\\t1'; expected a word and a whole number"),
        ("1\ta\t9\nb\t8\n", r"x:2: 'b\\t8'; expected a word and a whole number"),
        ("1\ta\t9\nx\tb\t8\n", r"x:2: 'x\\tb\\t8'; expected a word and a whole number"),
        ("9 a\nb 8\n", "x:2: 'b 8'; expected a word and a whole number"),
        ("a\t1.5\nb\t8\n", r"x:1: 'a\\t1.5'; expected a word and a whole number"),
        ("70 1 zubi\n41 2 ibai\n5\n", "x:3: '5'; expected a word and a whole number"),
        ("a 9\nb\t8 7\n", r"x:2: 'b\\t8 7'; expected a word and a whole number"),
        ("1 70 zubi n\n2 41 ibai n\n", "x:1: '1 70 zubi n'; expected a word and a whole number"),
        ("zubi izen 70\nibai izen 41\n", "x:1: 'zubi izen 70'"),
        ("zubi 1 070\nibai 41\n", "x:1: 'zubi 1 070'; expected a word and a whole number"),
        ("ibai 41\nzubi 1 070 123\n", "x:1: 'ibai 41'; expected a word and a whole number"),
        ("word\tcount\tfreq\na\t9\t5\nb\t3\t4\n", "x: 2 columns of numbers, and several may"),
        ("zubi\t70\t11\nibai\t41\t20\n", "x: 2 columns of numbers, and several may"),
        ("7 zubi 70\n9 ibai 41\n", "x: 2 columns of numbers, and several may"),
        ("word\tform\tcount\na\tb\t2\n", r"x:2: 'a\\tb\\t2'; expected a word"),
        ("word,count\na,9\nb,x\n", "x:3: 'b,x'; expected a word and a whole number"),
    ],
)
def test_other_lists_are_refused(tmp_path, text, error):
    with pytest.raises(KasuError, match=error):
        list(entries(write(tmp_path / "x", text)))


@pytest.mark.parametrize(
    ("line", "good"),
    [("a 9\n", "8 b 7\n"), ("9\ta\n", "8\t7\n"), ("1 a 9\n", "2 b 8 7\n")],
)
def test_later_lines_are_held_to_the_first_ones(tmp_path, monkeypatch, line, good):
    monkeypatch.setattr(word_lists, "TELLING", 1)
    assert len(list(entries(write(tmp_path / "x", line + good)))) == 2
    with pytest.raises(KasuError, match=r"x:3: 'no'; expected a word and a whole number"):
        list(entries(write(tmp_path / "x", line + good + "no\n")))


def test_numbers_that_are_words_wait_for_a_word(tmp_path, monkeypatch):
    monkeypatch.setattr(word_lists, "TELLING", 2)
    text = "n\tf\n0\t12\n00\t5\n000\t3\na\t9\n"
    found = list(entries(write(tmp_path / "x", text)))
    assert found == [("0", 12), ("00", 5), ("000", 3), ("a", 9)]


@pytest.mark.parametrize("text", ["area 51 300\nzubi 1000\n", "area 51 30\nzubi 10\n"])
def test_a_number_may_belong_to_a_word(tmp_path, text):
    assert ("area 51", int(text.split()[2])) in entries(write(tmp_path / "x", text))


def test_no_line_is_no_entry(tmp_path):
    assert list(entries(write(tmp_path / "x", "# made up\n\n"))) == []
    assert list(entries(write(tmp_path / "x", "word\tcount\n"))) == []


@pytest.mark.parametrize(
    "numbers",
    [
        [*range(1, 13)],
        [*range(12)],
        [1, 1, 3, 3, 3, 6, 7, 7, 9, 9, 9, 12],
        [*range(101, 125, 2)],
        [*range(7, 19)],
    ],
)
def test_ranks_and_running_numbers_are_no_counts(tmp_path, numbers):
    lines = [f"{number}\tw{at}x\t{90 - at}\n" for at, number in enumerate(numbers)]
    found = dict(entries(write(tmp_path / "x", "".join(lines))))
    assert (found["w0x"], found["w11x"]) == (90, 79)
