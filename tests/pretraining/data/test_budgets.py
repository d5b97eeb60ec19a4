"""Word budgets: nested, mixed by share, without validation text; a corpus that is too small."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.corpora.texts.sentences import CORPUS, mask
from kasu.files.tables import read_parquet, read_tsv, write_parquet
from kasu.job.run import seed_of
from kasu.pretraining.data.budgets import build_budgets, take_corpus

PARTS = [
    {"name": "news", "share": 0.75, "sources": ["news/*"]},
    {"name": "wikipedia", "share": 0.25, "sources": ["wiki"]},
]
BUDGETS = {"small": 40, "large": 200}


def corpus(path: Path, news: int = 100, wiki: int = 60) -> Path:
    """Sentences of four words; the news repeats each text three times with another number."""
    rows = []
    for source, count in (("news/a", news), ("wiki", wiki)):
        for number in range(count):
            kind = number - number % 3 if source == "news/a" else number
            text = f"{source[0]}{chr(97 + kind % 26)}{chr(97 + kind // 26)} etorri da {number}"
            key = f"{seed_of(mask(text)):016x}"
            rows.append({"sentence_id": f"{source}:{number}", "source": source, "article": None,
                         "text": text, "split_key": key})  # fmt: skip
    write_parquet(path, rows, CORPUS)
    return path


def build(folder: Path, source: Path, **change) -> dict[str, list[dict]]:
    given = {"budgets": BUDGETS, "parts": PARTS, "validation": 0.1, "seed": 1} | change
    build_budgets(source, folder, folder / "counts.tsv", folder / "drops.tsv", **given)
    return {path.stem: read_parquet(path).to_pylist() for path in sorted(folder.glob("*.parquet"))}


def test_budgets_are_nested_and_mixed(tmp_path):
    made = build(tmp_path / "out", corpus(tmp_path / "c.parquet"))
    assert list(made) == ["large", "small", "validation"]
    assert list(made["small"][0]) == ["sentence_id", "text", "split_key", "part"]
    ids = {name: {row["sentence_id"] for row in rows} for name, rows in made.items()}
    assert ids["small"] < ids["large"]
    # 30 and 10 words, in sentences of four
    assert [row["part"] for row in made["small"]] == ["news"] * 8 + ["wikipedia"] * 3
    counts = {row["step"]: int(row["count"]) for row in read_tsv(tmp_path / "out/counts.tsv")}
    assert counts["small: news: words"] == 32
    assert counts["small: wikipedia: words"] == 12
    assert counts["large: total: words"] == 152 + 52


def test_a_whole_corpus_is_a_budget(tmp_path):
    source = corpus(tmp_path / "c.parquet", news=2, wiki=1)
    take_corpus(source, tmp_path / "b.parquet", tmp_path / "counts.tsv")
    rows = read_parquet(tmp_path / "b.parquet").to_pylist()
    assert [(row["text"], row["part"]) for row in rows] == [
        ("naa etorri da 0", "news/a"), ("naa etorri da 1", "news/a"), ("waa etorri da 0", "wiki"),
    ]  # fmt: skip
    assert list(rows[0]) == ["sentence_id", "text", "split_key", "part"]
    assert read_tsv(tmp_path / "counts.tsv") == [
        {"step": "sentences", "count": "3"}, {"step": "words", "count": "12"},
    ]  # fmt: skip
    write_parquet(source, [], CORPUS)
    with pytest.raises(KasuError, match="no sentence"):
        take_corpus(source, tmp_path / "b.parquet", tmp_path / "counts.tsv")


def test_validation_text_is_held_out(tmp_path):
    made = build(tmp_path / "out", corpus(tmp_path / "c.parquet"))
    held_out = {row["split_key"] for row in made["validation"]}
    assert held_out and held_out.isdisjoint(row["split_key"] for row in made["large"])


def test_near_copy_in_an_article_is_not_trained_on(tmp_path):
    # Articles have their own split keys, so only the masked text shows the copy
    source = corpus(tmp_path / "c.parquet")
    rows = read_parquet(source).to_pylist()
    out = tmp_path / "out"
    held_out = build(out, source)["validation"][0]
    rows += [{"sentence_id": f"wiki:copy{n}", "source": "wiki", "article": f"{n}",
              "text": held_out["text"][:-1] + "77", "split_key": f"{n:016x}"}
             for n in range(20)]  # fmt: skip
    write_parquet(tmp_path / "more.parquet", rows, CORPUS)
    made = build(out, tmp_path / "more.parquet")
    assert not [row for row in made["large"] if mask(row["text"]) == mask(held_out["text"])]
    drops = {row["reason"]: int(row["count"]) for row in read_tsv(out / "drops.tsv")}
    assert drops["wiki: near copy of validation text"] >= 15


def test_sources_without_a_part_are_counted(tmp_path):
    parts = [{"name": "news", "share": 1.0, "sources": ["news/*"]}]
    build(tmp_path / "out", corpus(tmp_path / "c.parquet"), parts=parts)
    drops = read_tsv(tmp_path / "out/drops.tsv")
    assert drops == [{"reason": "wiki: in no part", "count": "60"}]


def test_corpus_smaller_than_its_budget_says_what_fits(tmp_path):
    source = corpus(tmp_path / "c.parquet", wiki=10)
    with pytest.raises(KasuError) as error:
        build(tmp_path / "out", source)
    line = str(error.value)
    assert "words of wikipedia where budget large takes 50" in line
    assert "a budget of at most 160 words" in line and "wikipedia 40)" in line
    assert not list((tmp_path / "out").glob("*.parquet"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parts": [{"name": "a", "share": 0.5, "sources": ["*"]}]}, "shares a 0.5"),
        ({"parts": [{"name": "a", "share": 0.5, "sources": ["*"]}] * 2}, "one name twice"),
        ({"parts": [{"name": "a", "share": 1.0, "sources": ["none"]}]}, "no validation text"),
        ({"validation": 0.0}, "no validation text"),
    ],
)
def test_bad_settings(tmp_path, change, message):
    with pytest.raises(KasuError, match=message):
        build(tmp_path / "out", corpus(tmp_path / "c.parquet"), **change)


@pytest.mark.parametrize(
    ("news", "line"),
    [
        (1, "no validation text in 1 sentence; expected a longer text, or `split: true` if"),
        # Near copies, so one split key
        (3, "no validation text in 3 sentences; expected a longer text, or `split: true` if"),
        (4, "no validation text in 4 sentences; expected a larger share"),
    ],
)
def test_a_share_of_one_split_key_cannot_be_larger(tmp_path, news, line):
    source = corpus(tmp_path / "c.parquet", news=news, wiki=0)
    with pytest.raises(KasuError, match=f": {line}"):
        build(tmp_path / "out", source, validation=1e-6)


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n"])
def test_file_that_is_not_a_corpus(tmp_path, content):
    (tmp_path / "c.parquet").write_bytes(content)
    with pytest.raises(KasuError, match="unreadable parquet"):
        build(tmp_path / "out", tmp_path / "c.parquet")


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), sizes=st.lists(st.integers(1, 180), min_size=2, max_size=4))
def test_any_budgets_nest(tmp_path_factory, seed, sizes):
    folder = tmp_path_factory.mktemp("budgets")
    source = corpus(folder / "c.parquet")
    budgets = {f"b{number}": size for number, size in enumerate(sorted(sizes))}
    made = build(folder / "out", source, budgets=budgets, seed=seed)
    for number, size in enumerate(sorted(sizes)):
        ids = {row["sentence_id"] for row in made[f"b{number}"]}
        assert len(ids) * 4 >= size - 1  # shares are rounded to words
        assert ids <= {row["sentence_id"] for row in made[f"b{len(sizes) - 1}"]}


def test_a_budget_ends_with_the_sentence_that_reaches_its_words(tmp_path):
    source = corpus(tmp_path / "c.parquet")
    budgets = {"b31": 31, "b32": 32, "b33": 33}
    parts = [{"name": "all", "share": 1.0, "sources": ["*"]}]
    made = build(tmp_path / "out", source, budgets=budgets, parts=parts)
    assert [len(made[name]) for name in budgets] == [8, 8, 9]


def test_a_budget_may_be_all_of_the_text(tmp_path):
    source = corpus(tmp_path / "c.parquet")
    parts = [{"name": "all", "share": 1.0, "sources": ["*"]}]
    held_out = len(build(tmp_path / "a", source, budgets={"b": 4}, parts=parts)["validation"])
    every = 4 * (160 - held_out)
    made = build(tmp_path / "b", source, budgets={"b": every}, parts=parts)
    assert len(made["b"]) == 160 - held_out
    with pytest.raises(KasuError, match=f"a budget of at most {every} words"):
        build(tmp_path / "c", source, budgets={"b": every + 1}, parts=parts)


def test_a_budget_too_small_for_a_part_takes_nothing_of_it(tmp_path):
    made = build(tmp_path / "out", corpus(tmp_path / "c.parquet"), budgets={"b": 2})
    assert [row["part"] for row in made["b"]] == ["news"]


def test_a_source_belongs_to_the_first_part_that_matches(tmp_path):
    parts = [
        {"name": "news", "share": 0.5, "sources": ["x*", "news/a"]},
        {"name": "rest", "share": 0.5, "sources": ["*"]},
    ]
    made = build(tmp_path / "out", corpus(tmp_path / "c.parquet"), parts=parts)
    by_part = {(row["part"], row["sentence_id"].split(":")[0]) for row in made["large"]}
    assert by_part == {("news", "news/a"), ("rest", "wiki")}
    assert {row["part"] for row in made["validation"]} == {"news", "rest"}


@pytest.mark.parametrize("shares", [(1.2, -0.2), (1.0, 0.0), (0.5, 0.4)])
def test_shares_are_above_0_and_sum_to_1(tmp_path, shares):
    parts = [part | {"share": share} for part, share in zip(PARTS, shares, strict=True)]
    with pytest.raises(KasuError, match="expected shares above 0 that sum to 1"):
        build(tmp_path / "out", corpus(tmp_path / "c.parquet"), parts=parts)


def test_no_part_is_called_total(tmp_path):
    parts = [PARTS[0] | {"name": "total"}, PARTS[1]]
    with pytest.raises(KasuError, match="one name twice, or the name 'total'"):
        build(tmp_path / "out", corpus(tmp_path / "c.parquet"), parts=parts)


def test_counts_of_budgets_and_validation_text(tmp_path):
    made = build(tmp_path / "out", corpus(tmp_path / "c.parquet"))
    counts = {row["step"]: int(row["count"]) for row in read_tsv(tmp_path / "out/counts.tsv")}
    for name in ("small", "large", "validation"):
        for part in ("news", "wikipedia"):
            sentences = sum(row["part"] == part for row in made[name])
            assert counts[f"{name}: {part}: sentences"] == sentences
            assert counts[f"{name}: {part}: words"] == 4 * sentences
        assert counts[f"{name}: total: sentences"] == len(made[name])
        assert counts[f"{name}: total: words"] == 4 * len(made[name])
    assert len(counts) == 18
