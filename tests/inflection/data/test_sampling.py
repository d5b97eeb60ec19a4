"""Datasets from paradigms and counts: the published sizes, the draw, and the files."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.corpora.texts.spelling import canonical
from kasu.files.tables import read_tsv
from kasu.inflection.data.properties import check_properties
from kasu.inflection.data.sampling import build_sampled, sample_triples, split_sizes
from kasu.inflection.data.triples import SETTINGS, SPLITS, Triple, read_dataset
from kasu.results.verdicts import judge_claims

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo" / "inflection"
TABLES = ROOT / "resources" / "published" / "sigmorphon2018_tables2-3.tsv"
SOURCES = [{"name": "us", "licence": "CC0-1.0", "citation": ""}]


def published() -> dict[str, dict[str, int]]:
    rows: dict[str, dict[str, int]] = {}
    for row in read_tsv(TABLES):
        if row["metric"] == "forms":
            sizes = rows.setdefault(row["system"], {"total": 0, **dict.fromkeys(SPLITS, 0)})
            sizes[row["condition"]] = int(row["value"] or 0)
    return rows


# Sizes (S-6)


@pytest.mark.parametrize(
    ("n", "sizes"),
    [
        (54438, (100, 1000, 10000, 1000, 1000)),
        (12000, (100, 1000, 10000, 1000, 1000)),
        (11999, (100, 1000, 10000, 100, 100)),
        (10100, (100, 1000, 9900, 100, 100)),
        (1201, (100, 1000, 1001, 100, 100)),
        (1200, (100, 1000, 1100, 50, 50)),
        (1100, (100, 1000, 0, 50, 50)),
        (201, (100, 101, 0, 50, 50)),
        (200, (100, 0, 0, 50, 50)),
        (161, (61, 0, 0, 50, 50)),
    ],
)
def test_sizes(n, sizes):
    assert split_sizes(n) == dict(zip(SPLITS, sizes, strict=True))


def test_too_few_for_a_dataset():
    with pytest.raises(
        KasuError, match=r"100 distinct \(lemma, features\); expected more than 100"
    ):
        split_sizes(100)


# The printed totals count lines, but n counts distinct (lemma, features): fewer in these languages.
LINES_REPEAT = {
    "azeri", "breton", "classical-syriac", "cornish", "kannada", "kashubian", "khakas", "maltese",
    "mapudungun", "middle-high-german", "middle-low-german", "murrinhpatha", "neapolitan",
    "north-frisian", "old-church-slavonic", "old-irish", "pashto", "swahili", "telugu", "tibetan",
    "west-frisian", "yiddish",
}  # fmt: skip


def test_the_published_sizes_follow_from_the_totals():
    rows = published()
    assert len(rows) == 103
    differ = {
        language
        for language, row in rows.items()
        if split_sizes(row["total"]) != {split: row[split] for split in SPLITS}
    }
    assert differ == LINES_REPEAT


@pytest.mark.parametrize("language", sorted(LINES_REPEAT))
def test_the_other_published_sizes_follow_from_fewer(language):
    row = published()[language]
    train = max(row[setting] for setting in SETTINGS)
    n = train + row["dev"] + row["test"]
    assert n < row["total"]
    assert split_sizes(n) == {split: row[split] for split in SPLITS}


# The draw


def paradigm(lemmata: int, cells: int = 10) -> list[Triple]:
    return [Triple(f"l{i}", f"f{i}.{j}", f"N;{j}") for i in range(lemmata) for j in range(cells)]


@settings(max_examples=25)
@given(st.integers(11, 150), st.integers(0, 5), st.floats(0, 2), st.integers(0, 2**32))
def test_a_sample_has_the_sizes_is_nested_and_disjoint(lemmata, seed, smoothing, weighting):
    triples = paradigm(lemmata)
    weights = np.random.default_rng(weighting).pareto(1, len(triples)).round()
    splits = sample_triples(triples, weights, seed=seed, smoothing=smoothing)
    assert {split: len(splits[split]) for split in SPLITS} == split_sizes(len(triples))
    train = max((splits[setting] for setting in SETTINGS), key=len)
    for setting in SETTINGS:
        assert splits[setting] == train[: len(splits[setting])]
    drawn = [*train, *splits["dev"], *splits["test"]]
    assert len(set(drawn)) == len(drawn)
    assert set(drawn) <= set(triples)


def test_attested_triples_come_first_and_the_rest_uniformly():
    triples = paradigm(50)
    weights = np.zeros(500)
    weights[::10] = 1
    splits = sample_triples(triples, weights, seed=1)
    assert {triple.features for triple in splits["medium"][:50]} == {"N;0"}
    rest = Counter(triple.features for triple in splits["medium"][50:])
    assert set(rest) == {f"N;{j}" for j in range(1, 10)}


def test_smoothing_mixes_unattested_triples_in():
    triples = paradigm(50)
    weights = np.zeros(500)
    weights[::10] = 1
    low = sample_triples(triples, weights, seed=1, smoothing=1.0)["low"]
    assert 10 < sum(triple.features == "N;0" for triple in low) < 30


def test_the_first_draw_has_the_distribution_of_the_weights():
    triples = paradigm(11)
    weights = np.zeros(110)
    weights[:3] = 1, 2, 5
    first = Counter(
        sample_triples(triples, weights, seed=seed)["low"][0].form for seed in range(2000)
    )
    assert first["f0.0"] / 2000 == pytest.approx(1 / 8, abs=0.03)
    assert first["f0.1"] / 2000 == pytest.approx(2 / 8, abs=0.03)
    assert first["f0.2"] / 2000 == pytest.approx(5 / 8, abs=0.03)


def test_a_cell_is_drawn_once():
    triples = [*paradigm(20), *(Triple(f"l{i}", "other", "N;0") for i in range(20))]
    splits = sample_triples(triples, np.ones(220), seed=1)
    drawn = [*splits["low"], *splits["dev"], *splits["test"]]
    assert len({(t.lemma, t.features) for t in drawn}) == len(drawn) == 200


def test_a_lemma_composed_or_not_is_one():
    cells = [(f"{e}{i}", f"{e}{i}s", "N;PL") for i in range(200) for e in ("\u00e9", "e\u0301")]
    splits = sample_triples([Triple(*cell) for cell in cells], np.ones(400), seed=1)
    drawn = [*splits["low"], *splits["dev"], *splits["test"]]
    assert len({canonical(triple.lemma) for triple in drawn}) == len(drawn) == 200


def test_a_negative_smoothing_is_refused():
    with pytest.raises(KasuError, match=r"smoothing: -1; expected 0 or more"):
        sample_triples(paradigm(20), np.zeros(200), seed=1, smoothing=-1)


# Whole datasets


def build(folder: Path, name: str = "prefixal", words: str | None = "", **chosen: object) -> Path:
    if words == "":
        words = DEMO / f"{name}.frequencies.txt"
    build_sampled(
        DEMO / f"{name}.paradigms.tsv", words, folder,
        language=name, settings=chosen, seed=1, sources=SOURCES,
    )  # fmt: skip
    return folder


def numbers(path: Path, key: str) -> dict[str, int]:
    return {row[key]: int(row["count"]) for row in read_tsv(path)}


@pytest.mark.parametrize(
    ("name", "n", "ambiguous"), [("harmonic", 1986, 189), ("prefixal", 1818, 27)]
)
def test_the_demo_languages(tmp_path, name, n, ambiguous):
    dataset = build(tmp_path, name)
    checked = judge_claims("p", check_properties(dataset, DEMO / f"{name}.frequencies.txt"))
    assert [row["result"] for row in checked] == ["holds"] * 6
    counts = numbers(dataset / "counts.tsv", "step")
    assert counts["distinct (lemma, features)"] == n
    assert counts["ambiguous forms"] == ambiguous
    assert counts["tokens"] <= counts["tokens of the list or corpus"]
    assert counts["high: rows"] == n - 200
    for path in DEMO.iterdir():
        assert path.stat().st_size < 100_000


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    one, two = (build(tmp_path / name) for name in ("one", "two"))
    assert [path.read_bytes() for path in sorted(one.iterdir())] == [
        path.read_bytes() for path in sorted(two.iterdir())
    ]


def test_without_counts_all_triples_are_equally_likely(tmp_path):
    rows = read_dataset(build(tmp_path, words=None) / "high.parquet")
    listed = {row.partition(" ")[0] for row in (DEMO / "prefixal.frequencies.txt").open()}
    head = sum(row.form in listed for row in rows[:500]) / 500
    assert head == pytest.approx(sum(row.form in listed for row in rows) / len(rows), abs=0.06)


def test_what_is_not_drawn_is_counted(tmp_path):
    paradigms = tmp_path / "p"
    lines = [f"l{i}\tf{i}.{j}\tN;{j}\n" for i in range(1100) for j in range(11)]
    paradigms.write_text("".join([*lines, lines[0], "l0\tanother\tN;0\n"]))
    build_sampled(
        paradigms, None, tmp_path / "d", language="big", settings={}, seed=1, sources=SOURCES
    )
    assert numbers(tmp_path / "d" / "drops.tsv", "reason") == {
        "a further form of a cell": 1,
        "not drawn": 100,
        "the same line again": 1,
    }


def test_features_in_two_orders_are_one_cell_unless_they_tell_forms_apart(tmp_path):
    paradigms = tmp_path / "p"
    lines = [f"l{i}\tf{i}{case}\tN;{case};SG\n" for i in range(60) for case in ("NOM", "GEN")]
    again = ["l0\tf0NOM\tN;SG;NOM\n", "m\tn\tSG;NOM;N\n", "l2\tx\tV;PST;SG\n"]
    paradigms.write_text("".join([*lines, *again, "l2\ty\tV;SG;PST\n"]))
    build_sampled(
        paradigms, None, tmp_path / "d", language="x", settings={}, seed=1, sources=SOURCES
    )
    counts = numbers(tmp_path / "d" / "counts.tsv", "step")
    assert counts["triples with features in another order"] == 2
    assert counts["distinct (lemma, features)"] == 123
    assert numbers(tmp_path / "d" / "drops.tsv", "reason") == {"the same line again": 1}


def test_too_few_paradigms_are_named_by_their_file(tmp_path):
    paradigms = tmp_path / "few.tsv"
    paradigms.write_text("".join(f"l{i}\tf{i}\tN\n" for i in range(57)))
    with pytest.raises(KasuError) as raised:
        build_sampled(
            paradigms, None, tmp_path / "d", language="few", settings={}, seed=1, sources=SOURCES
        )
    assert str(raised.value) == (
        f"{paradigms}: 57 distinct (lemma, features); expected more than 100"
    )


def test_a_list_of_another_script_is_refused(tmp_path):
    words = tmp_path / "words"
    words.write_text("ва 3\n", encoding="utf-8")
    with pytest.raises(KasuError) as raised:
        build(tmp_path / "d", words=words)
    assert str(raised.value) == (
        f"{words}: prefixal: 0 of 1,791 forms of one word (0.00 %); "
        "expected 1 % or more, as in a list of the same language"
    )


@pytest.mark.real
def test_a_list_of_another_language_is_refused(mirror, tmp_path):
    words = mirror / "wikipedia" / "freq_unilex" / "eu.txt.xz"
    with pytest.raises(KasuError, match=r"swahili: 2 of 6,635 forms of one word \(0\.03 %\)"):
        build_sampled(
            mirror / "unimorph" / "swc" / "swc", words, tmp_path,
            language="swahili", settings={}, seed=1, sources=SOURCES,
        )  # fmt: skip


def test_an_unknown_setting_is_refused(tmp_path):
    with pytest.raises(KasuError, match="unknown setting 'smooth'; expected resolution, em"):
        build(tmp_path, smooth=1)


@pytest.mark.real
@pytest.mark.parametrize(
    ("paradigms", "words", "train", "attested"),
    [
        ("bre/bre", "freq_opensubtitles2018/br_full", 1983, 220),
        ("kan/kan", "freq_unilex/kn", 4383, 471),
        ("mlt/mlt", "freq_unilex/mt", 1560, 693),
        ("swc/swc", "freq_wikipedia/swwiki-2024-02-20", 8800, 1004),
        ("eus/eus", "freq_opensubtitles2018/eu_full", 10000, 1377),
    ],
)
def test_real_languages_have_the_published_sizes(
    mirror, tmp_path, paradigms, words, train, attested
):
    build_sampled(
        mirror / "unimorph" / paradigms, mirror / "wikipedia" / f"{words}.txt.xz", tmp_path,
        language=paradigms[:3], settings={}, seed=1, sources=SOURCES,
    )  # fmt: skip
    counts = numbers(tmp_path / "counts.tsv", "step")
    assert (counts["high: rows"], counts["attested forms"]) == (train, attested)
    checked = judge_claims("p", check_properties(tmp_path))
    assert [row["result"] for row in checked[:4]] == ["holds"] * 4


def test_the_card_of_a_sampled_dataset_has_the_code_of_the_language(tmp_path):
    build_sampled(
        DEMO / "prefixal.paradigms.tsv", None, tmp_path,
        language="prefixal", settings={}, seed=1, sources=SOURCES, code="mis",
    )  # fmt: skip
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "language:\n- mis\n" in card
