"""Benchmarks made with each flaw, which must be named; and clean ones, in which none must be."""

import random

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from kasu.audits.audit import Beside, audit_benchmark
from kasu.audits.data.items import read_benchmark

GOOD, BAD = "sentence_good", "sentence_bad"


def flaws(path, **beside):
    """The names of what is a flaw, over all items or in a phenomenon."""
    audit = audit_benchmark(read_benchmark(path), Beside(**beside))
    return {(each.name, each.group) for each in audit.findings if each.flaw}


def first(**columns):
    """The first item has other texts."""
    return lambda rows, draw: [rows[0] | columns, *rows[1:]]


def every(change):
    """Each item is changed: by a function of it and of a draw."""
    return lambda rows, draw: [change(row, draw) for row in rows]


def swap(row, draw, good, bad):
    """The good and the bad word of a pair, at the place where its halves differ."""
    halves = row[GOOD].split(), row[BAD].split()
    at = next(at for at, (one, other) in enumerate(zip(*halves, strict=True)) if one != other)
    halves[0][at : at + 1], halves[1][at : at + 1] = good, bad
    return row | {GOOD: " ".join(halves[0]), BAD: " ".join(halves[1])}


def words(good, bad):
    """All pairs differ in these words."""
    return every(lambda row, draw: swap(row, draw, good.split(), bad.split()))


def copied(row, draw):
    word = draw.choice([word for word in row[GOOD].split() if word in row[BAD].split()])
    return swap(row, draw, [word], ["q" * len(word)])


def by_phenomenon(row, draw):
    return swap(row, draw, ["abcdef"], ["abc"]) if row["phenomenon"] == "p1" else row


PAIRS = {
    "identical texts": first(**{GOOD: "a b", BAD: "a b"}),
    "empty texts": first(**{BAD: ""}),
    "empty texts, blanks": first(**{BAD: " \t"}),
    "duplicates": lambda rows, draw: [*rows, rows[0], rows[1]],
    "near copies": lambda rows, draw: [
        rows[0] | {GOOD: f"{name} ab c", BAD: f"{name} ab d"} for name in ("Ana", "Jon Mikel")
    ] + rows,
    "near copies, digits": lambda rows, draw: [
        rows[0] | {GOOD: f"{year} ab c", BAD: f"{year} ab d"} for year in ("1936", "7")
    ] + rows,
    "several loci": first(**{GOOD: "a b c d", BAD: "x b c y"}),
    "white space alone": first(**{GOOD: "a b c", BAD: "a  b c"}),
    "case alone": first(**{GOOD: "a b c", BAD: "a B c"}),
    "mixed normalisation": lambda rows, draw: [
        rows[0] | {GOOD: "caf\u00e9 b"}, rows[1] | {GOOD: "cafe\u0301 b"}, *rows[2:],
    ],
    "another script": first(**{GOOD: "g\u0430 b c"}),  # a Cyrillic letter
    "longer": words("abcdef", "abc"),
    "shorter": words("abc", "abcdef"),
    "more words": words("ab c", "abcd"),
    "fewer words": words("abcd", "ab c"),
    "copying the context": every(copied),
    "longer, in a phenomenon": every(by_phenomenon),
    "smallest difference of two models": lambda rows, draw: rows[:30],
    "smallest difference of two models, clusters": lambda rows, draw: [
        row | {"lemma": f"l{at % 5}"} for at, row in enumerate(rows)
    ],
}  # fmt: skip


@pytest.mark.parametrize("flaw", PAIRS)
def test_a_flaw_of_pairs_is_named(benchmark, clean, flaw):
    rows = PAIRS[flaw](clean["pairs"](11), random.Random(1))
    name, _, where = flaw.partition(", ")
    assert (name, "p1" if where == "in a phenomenon" else None) in flaws(benchmark(rows))


def test_a_flaw_of_one_phenomenon_is_not_put_on_another(benchmark, clean):
    rows = PAIRS["longer, in a phenomenon"](clean["pairs"](11), random.Random(1))
    assert {group for _, group in flaws(benchmark(rows))} == {None, "p1"}


def alike(row, draw):
    """The right candidate shares words with each other one."""
    parts = [text.split() for text in row["candidates"]]
    right = parts[row["label"]]
    for at, part in enumerate(parts):
        if part is not right:
            part[:3] = right[at : at + 3]
    return row | {"candidates": [" ".join(part) for part in parts]}


def odd(row, draw):
    parts = [text.split() for text in row["candidates"]]
    for at, part in enumerate(parts):
        if at != row["label"]:
            part[:4] = parts[row["label"] - 1][:4]
    return row | {"candidates": [" ".join(part) for part in parts]}


def crossed(row, draw):
    a, b, c, d = draw.sample(row["context"][0].split(), 4)
    sentences = [f"{a} {c} z", f"{b} {c} z", f"{a} {d} z"]
    wrong = [f"{a} {c} z z", f"{b} {c} z q", f"{a} {d} q z"]
    wrong.insert(row["label"], f"{b} {d} z")
    return row | {"context": sentences, "candidates": wrong}


def from_context(row, draw):
    candidates = [*row["candidates"]]
    candidates[row["label"]] += " " + row["context"][0].split()[0]
    candidates = [text if at == row["label"] else f"{text} q" for at, text in enumerate(candidates)]
    return row | {"candidates": candidates}


CHOICES = {
    "position 1": lambda row, draw: row | {"label": 0 if draw.random() < 0.6 else row["label"]},
    "most like the others": alike,
    "least like the others": odd,
    "parallelogram": crossed,
    "copying the context": from_context,
}


@pytest.mark.parametrize("flaw", CHOICES)
def test_a_flaw_of_choices_is_named(benchmark, clean, flaw):
    rows = every(CHOICES[flaw])(clean["choices"](11), random.Random(1))
    assert (flaw, None) in flaws(benchmark(rows))


def longest(row, draw):
    return row | {f"form_{row['grammatical']}": "abcdefghijk"}


@pytest.mark.parametrize(
    ("flaw", "change"),
    [("always a", lambda row, draw: row | {"grammatical": draw.choice("aaabc")}),
     ("longer", longest)],
)  # fmt: skip
def test_a_flaw_of_sets_is_named(benchmark, clean, flaw, change):
    rows = every(change)(clean["sets"](11), random.Random(1))
    assert (flaw, None) in flaws(benchmark(rows))


def save_tokenizer(path, whole):
    """A tokenizer that keeps some words whole and splits others into letters."""
    letters = [*"abcdefghijklmnopqrstuvwxyz"]
    names = ["?", *whole, *letters, *(f"##{letter}" for letter in letters)]
    wordpiece = models.WordPiece({name: at for at, name in enumerate(names)}, unk_token="?")
    tokenizer = Tokenizer(wordpiece)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(path))
    return path


@pytest.mark.parametrize("flaw", ["more pieces", "fewer pieces"])
def test_a_flaw_by_a_tokenizer_is_named(benchmark, clean, tmp_path, flaw):
    good, bad = ("abc", "abd") if flaw == "more pieces" else ("abd", "abc")
    rows = words(good, bad)(clean["pairs"](11), None)
    tokenizer = save_tokenizer(tmp_path / "tokenizer.json", ["abd"])
    assert (flaw, None) in flaws(benchmark(rows), tokenizer=tokenizer)


def lines_of(rows, draw, flaw):
    halves = [(row[GOOD].split(), row[BAD].split()) for row in rows]
    match flaw:
        case "more frequent words":  # the good words alone, one a line
            return [word for good, bad in halves for word in good if word not in bad]
        case "word trigram":  # the good halves, and all words of the bad ones elsewhere
            return [" ".join(half) for good, bad in halves for half in (good, draw.sample(bad, 7))]
        case "option in the text":
            return [f"Here it is. {rows[0][GOOD]}. And so on."]
        case _:
            return [f"{rows[0][GOOD]} 7"]


@pytest.mark.parametrize(
    "flaw",
    ["more frequent words", "word trigram", "option in the text", "option in the text, near copy"],
)
def test_a_flaw_by_a_text_is_named(benchmark, clean, tmp_path, flaw):
    rows = clean["pairs"](11)
    if flaw.startswith("option"):
        end = " 1936" if flaw.endswith("near copy") else "."
        rows = [row | {GOOD: row[GOOD] + end, BAD: row[BAD] + end} for row in rows]
    text = tmp_path / "text.txt"
    plain = [row | {GOOD: row[GOOD].removesuffix(" 1936").rstrip("."),
                    BAD: row[BAD].removesuffix(" 1936").rstrip(".")} for row in rows]  # fmt: skip
    text.write_text("\n".join(lines_of(plain, random.Random(2), flaw)) + "\n")
    assert (flaw, None) in flaws(benchmark(rows), text=text, scratch=tmp_path / "s")


@pytest.mark.parametrize(
    "flaw",
    ["most often right in training", "same options in training", "right option in training",
     "same options in training, near copy", "right option in training, near copy"],
)  # fmt: skip
def test_a_flaw_by_training_items_is_named(benchmark, clean, flaw):
    rows, others = clean["choices"](11), clean["choices"](12)
    match flaw:
        case "most often right in training" | "right option in training":
            for row, other in zip(rows, others, strict=True):
                other["candidates"][other["label"]] = row["candidates"][row["label"]]
        case "same options in training":
            others[0]["candidates"] = rows[0]["candidates"][::-1]
        case "same options in training, near copy":
            rows[0]["candidates"] = [f"Ana {text}" for text in rows[0]["candidates"]]
            others[0]["candidates"] = [text.replace("Ana", "Jon") for text in rows[0]["candidates"]]
        case _:
            right = rows[0]["candidates"][rows[0]["label"]] + " 1936"
            rows[0]["candidates"][rows[0]["label"]] = right
            others[0]["candidates"][others[0]["label"]] = right.replace("1936", "7")
    training = benchmark(others, "train.jsonl")
    assert (flaw, None) in flaws(benchmark(rows), training=training)


def texts_of(row):
    for value in row.values():
        if isinstance(value, str | list):
            yield from [value] if isinstance(value, str) else value


def test_on_twenty_clean_sets_there_is_at_most_one_false_alarm(benchmark, clean, tmp_path):
    draws = [*((form, seed) for form in clean for seed in range(6)), ("pairs", 6), ("choices", 6)]
    assert len(draws) == 20
    tokenizer = save_tokenizer(tmp_path / "tokenizer.json", ["ab", "de", "ru"])
    alarms = []
    for form, seed in draws:
        # The text and the training items are drawn from the same words, by another seed
        others = clean[form](seed, 400)[200:]
        text = tmp_path / "text.txt"
        text.write_text("".join(f"{each}\n" for row in others for each in texts_of(row)))
        path = benchmark(clean[form](seed), f"{form}-{seed}.jsonl")
        training = benchmark(others, "train.jsonl")
        named = flaws(
            path, text=text, training=training, tokenizer=tokenizer, scratch=tmp_path / "s"
        )
        alarms += [(form, seed, *flaw) for flaw in named]
    assert len(alarms) <= 1, alarms
