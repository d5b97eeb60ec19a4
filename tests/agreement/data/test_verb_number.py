"""Verb number datasets: filters, targets, labels, splits and the files written with them."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.agreement.data.labels import SLOTS
from kasu.agreement.data.morphology import Unit, choose_reading
from kasu.agreement.data.verb_number import (
    COLUMNS,
    build_verb_number,
    choose_target,
    make_items,
    read_units,
    reason_to_drop,
)
from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, read_tsv, write_parquet
from kasu.corpora.apertium import tabulate, unit_rows
from kasu.corpora.tagset import read_tagset

FILE = Path(__file__).resolve().parents[3] / "resources" / "tagsets" / "eus.yaml"
EUS = read_tagset(FILE)
SENTENCES = pa.schema([("sentence_id", pa.string()), ("split_key", pa.string())])
SETTINGS = {
    "variant": ["paper", "released"],
    "length": [2, 60],
    "polite": "singular",
    "suffix_reading": "any",
    "suffix_source": "analysis",
    "no_article": "strip",
    "split": {"train": 0.6, "validation": 0.2, "test": 0.2},
    "max_sentences": {},
    "seed": 1,
}
SOURCES = [{"name": "demo", "licence": "CC0-1.0", "citation": "us"}]

URA = "^ura/ur<n>+a<det><art><sg>$"
DA = "^da/izan<vbsint><pri><NR_HU>$"
DAUDE = "^daude/egon<vbsint><pri><NR_HK>$"
ZAUDE = "^zaude/egon<vbsint><pri><NR_ZU>$"
DIO = "^dio/erran<vbsint><pri><NR_HU><NK_HU>/ukan<vbsint><pri><NR_HU><NI_HU><NK_HU>$"
DENA = "^dena/dena<prn><ind><sg>/izan<vbsint><pri><NR_HU>+n<rel>+a<det><art><sg>$"
DIRUDIENEZ = "^dirudienez/dirudienez<adv>/iruditu<vbsint><pri><NR_HU><NK_HU>+nez<cnjadv>$"
UNKNOWN = "^Zzxq/*Zzxq$"


def write_analyses(path: Path, outputs: dict[str, str]) -> Path:
    table, _ = tabulate(list(outputs), list(outputs.values()), EUS, lambda u: unit_rows(u, EUS))
    write_parquet(path, table, table.schema)
    return path


def write_corpus(folder: Path, outputs: dict[str, str]) -> tuple[Path, Path]:
    rows = [{"sentence_id": name, "split_key": f"key of {name}"} for name in outputs]
    write_parquet(folder / "sentences.parquet", rows, SENTENCES)
    analyses = write_analyses(folder / "analyses.parquet", outputs)
    return folder / "sentences.parquet", analyses


def units(tmp_path: Path, *words: str) -> list[Unit]:
    ((_, _, found),) = read_units(*write_corpus(tmp_path, {"s": " ".join(words)}))
    return found


def build(folder: Path, outputs: dict[str, str], **settings: object) -> Path:
    folder.mkdir(exist_ok=True)
    build_verb_number(
        *write_corpus(folder, outputs),
        folder / "dataset",
        tagset=FILE,
        settings={**SETTINGS, **settings},
        corpus={"name": "demo", "language": "eu"},
        sources=SOURCES,
    )
    return folder / "dataset"


def items(dataset: Path) -> list[dict]:
    splits = ("train", "validation", "test")
    return [row for s in splits for row in read_parquet(dataset / f"{s}.parquet").to_pylist()]


def numbers(path: Path, key: str) -> dict[str, int]:
    return {row[key]: int(row["count"]) for row in read_tsv(path)}


@pytest.fixture
def corpus() -> dict[str, str]:
    """40 sentences that are kept, and one for each reason to drop."""
    outputs = {f"s{i:02}": f"{URA} {verb}" for i, verb in enumerate([DA, DAUDE, DIO, ZAUDE] * 10)}
    outputs["empty"] = "»"
    outputs["short"] = DA
    outputs["long"] = " ".join([URA] * 60 + [DA])
    outputs["none"] = f"{URA} ^NONE/*NONE$ {DA}"
    outputs["verbless"] = f"{URA} {UNKNOWN}"
    outputs["chosen"] = f"{URA} {DENA}"
    return outputs


# Filters

LEFT_OUT = "words that suffix prediction leaves out"
UNKNOWN_WORDS = "not known to the analyser, end as a suffix does"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "no lexical unit"),
        ([DA], "fewer than 2 units"),
        ([URA, DA], None),
        ([URA] * 59 + [DA], None),
        ([URA] * 60 + [DA], "more than 60 units"),
        (["^NONE/*NONE$", DA], "NONE in the analysis"),
        (["^x/NONE<n>$", DA], "NONE in the analysis"),
        ([URA, UNKNOWN], "no finite verb"),
        ([URA, DENA], None),
    ],
)
def test_reason_to_drop(tmp_path, words, reason):
    assert reason_to_drop(units(tmp_path, *words), EUS, [2, 60]) == reason


def test_drops_are_counted_by_reason(tmp_path, corpus):
    words = [
        ("paper", "can be finite verbs", 40),
        ("paper", UNKNOWN_WORDS, 0),
        ("released", "can be finite verbs", 41),
        ("released", UNKNOWN_WORDS, 0),
    ]
    assert numbers(build(tmp_path, corpus) / "drops.tsv", "reason") == {
        "NONE in the analysis": 1,
        "fewer than 2 units": 1,
        "more than 60 units": 1,
        "no finite verb": 1,
        "no lexical unit": 1,
        "paper: no finite verb among the chosen readings": 1,
        **{f"{variant}: {LEFT_OUT}: {reason}": count for variant, reason, count in words},
    }


def test_every_sentence_is_an_item_or_a_drop(tmp_path, corpus):
    dataset = build(tmp_path, corpus)
    counts = numbers(dataset / "counts.tsv", "step")
    assert next(iter(counts)) == "sentences"
    assert counts["sentences"] == 46
    for variant, more in {"paper": 1, "released": 0}.items():
        kept = sum(n for step, n in counts.items() if step.startswith(f"{variant}: "))
        assert kept == 40 + 1 - more
        assert kept == sum(row["variant"] == variant for row in items(dataset))


# Targets


def target(words: Sequence[Unit], variant: str, seed: int) -> int | None:
    tokens = [unit.surface for unit in words]
    chosen = [choose_reading(unit, variant, EUS) for unit in words]
    return choose_target(tokens, words, chosen, variant, EUS, seed)


def test_target_is_drawn_by_sentence_and_seed(tmp_path):
    words = units(tmp_path, URA, DA, DAUDE, DIO)
    assert [target(words, "paper", seed) for seed in range(8)] == [3, 2, 1, 3, 1, 3, 3, 1]
    assert target(words, "paper", 1) == target(words, "paper", 1)


def test_drawn_targets_are_about_uniform(tmp_path):
    words = units(tmp_path, URA, DA, DAUDE, DIO)
    drawn = [target(words, "paper", seed) for seed in range(3000)]
    assert {at: abs(drawn.count(at) - 1000) < 100 for at in set(drawn)} == {
        1: True, 2: True, 3: True
    }  # fmt: skip


def test_paper_draws_from_chosen_readings_only(tmp_path):
    words = units(tmp_path, DENA, URA, DA)
    assert {target(words, "paper", seed) for seed in range(50)} == {2}
    assert target(units(tmp_path, DENA, URA), "paper", 1) is None


def test_released_takes_the_first_finite_unit(tmp_path):
    assert target(units(tmp_path, URA, DENA, DAUDE, DA), "released", 1) == 1


# Items


def test_item_of_a_sentence(tmp_path):
    found = make_items("s", "k", units(tmp_path, URA, DIO), EUS, SETTINGS)
    assert found["released"] == {
        "item_id": "s|released",
        "sentence_id": "s",
        "cluster": "k",
        "variant": "released",
        "tokens": ["ura", "dio"],
        "lemmas": ["ur", "ukan"],
        "stems": ["ur", "dio"],
        "suffixes": ["-a", "none"],
        "finite": [False, True],
        "licensed": ["", "-a -ak -ari"],
        "target": 1,
        "ergative": "singular",
        "absolutive": "singular",
        "dative": "singular",
        "third_plural_ergative": False,
    }
    assert found["paper"]["lemmas"] == ["ur", "erran"]
    assert found["paper"]["dative"] == "none"


def test_a_word_with_a_finite_reading_has_no_suffix(tmp_path):
    gara = "^gara/izan<vbsint><pri><NR_GU>/gar<n>+a<det><art><sg>$"
    found = make_items("s", "k", units(tmp_path, URA, gara), EUS, SETTINGS)
    assert found["paper"]["suffixes"] == ["-a", "none"]
    assert found["paper"]["finite"] == [False, True]


def test_released_labels_a_target_by_its_chosen_reading_finite_or_not(tmp_path):
    found = make_items("s", "k", units(tmp_path, URA, DIRUDIENEZ), EUS, SETTINGS)
    assert list(found) == ["released"]
    item = found["released"]
    assert (item["target"], item["lemmas"]) == (1, ["ur", "dirudienez"])
    assert [item[slot] for slot in SLOTS] == ["none", "none", "none"]


@pytest.mark.parametrize(
    ("verb", "marked"),
    [
        ("^dute/ukan<vbsint><pri><NR_HU><NK_HK>$", True),
        ("^dugu/ukan<vbsint><pri><NR_HU><NK_GU>$", False),
        ("^duzue/ukan<vbsint><pri><NR_HU><NK_ZK>$", False),
        # third person plural, but not of the ergative
        ("^die/ukan<vbsint><pri><NR_HU><NI_HK><NK_HU>$", False),
        (DAUDE, False),
    ],
)
def test_third_person_plural_ergatives_are_marked(tmp_path, verb, marked):
    found = make_items("s", "k", units(tmp_path, URA, verb), EUS, SETTINGS)
    assert [item["third_plural_ergative"] for item in found.values()] == [marked, marked]


@pytest.mark.parametrize("polite", ["singular", "plural"])
def test_polite_number(tmp_path, polite):
    found = make_items("s", "k", units(tmp_path, URA, ZAUDE), EUS, {**SETTINGS, "polite": polite})
    assert found["paper"]["absolutive"] == polite


def test_dataset_has_the_documented_columns(tmp_path, corpus):
    documented = [name for name in COLUMNS if name != "subject"]
    assert list(items(build(tmp_path, corpus))[0]) == documented


def test_variants_of_a_sentence_share_their_split(tmp_path, corpus):
    dataset = build(tmp_path, corpus)
    for split in ("train", "validation", "test"):
        rows = read_parquet(dataset / f"{split}.parquet", ["sentence_id", "variant"]).to_pylist()
        of = {v: {r["sentence_id"] for r in rows if r["variant"] == v} for v in SETTINGS["variant"]}
        assert of["paper"] == of["released"] - {"chosen"}


def test_clusters_do_not_cross_splits(tmp_path, corpus):
    outputs = {f"{name}-{copy}": text for name, text in corpus.items() for copy in "ab"}
    sentences, analyses = write_corpus(tmp_path, outputs)
    rows = [{"sentence_id": name, "split_key": name[:3]} for name in outputs]
    write_parquet(sentences, rows, SENTENCES)
    build_verb_number(
        sentences, analyses, tmp_path / "dataset", tagset=FILE, settings=SETTINGS,
        corpus={"name": "demo", "language": "eu"}, sources=SOURCES,
    )  # fmt: skip
    files = [tmp_path / "dataset" / f"{split}.parquet" for split in ("train", "validation", "test")]
    clusters = [set(read_parquet(file)["cluster"].to_pylist()) for file in files]
    assert all(clusters)
    assert len(set.union(*clusters)) == sum(map(len, clusters))


def test_labels_that_differ_between_variants_are_listed(tmp_path, corpus):
    assert read_tsv(build(tmp_path, corpus) / "variants.tsv") == [
        {"form": "dio", "slot": "dative", "paper": "none", "released": "singular", "count": "10"}
    ]


def test_differing_labels_are_listed_by_count_and_for_the_same_target_only(tmp_path):
    """`dio` and `diote` differ in the dative; a sentence whose targets differ does not count."""
    diote = DIO.replace("^dio/", "^Diote/").replace("NK_HU", "NK_HK")
    outputs = {f"a{i}": f"{URA} {DIO}" for i in range(20)}
    outputs |= {f"b{i}": f"{URA} {diote}" for i in range(30)}
    outputs |= {f"c{i}": f"{DENA} {DIO}" for i in range(20)}
    assert read_tsv(build(tmp_path, outputs) / "variants.tsv") == [
        {"form": "diote", "slot": "dative", "paper": "none", "released": "singular", "count": "30"},
        {"form": "dio", "slot": "dative", "paper": "none", "released": "singular", "count": "20"},
    ]


def test_a_single_variant(tmp_path, corpus):
    dataset = build(tmp_path, corpus, variant=["released"])
    assert {row["variant"] for row in items(dataset)} == {"released"}
    assert read_tsv(dataset / "variants.tsv") == []


def test_card_states_licence_and_rows(tmp_path, corpus):
    dataset = build(tmp_path, corpus)
    card = (dataset / "README.md").read_text()
    rows = {s: read_parquet(dataset / f"{s}.parquet").num_rows for s in SETTINGS["split"]}
    assert sum(rows.values()) == 81
    for split, n in rows.items():
        assert f"\n| {split} | {n} |\n" in card
    assert "license: cc0-1.0" in card
    assert "Ravfogel, Goldberg & Tyers (2018)" in card


def test_two_runs_write_the_same_bytes(tmp_path, corpus):
    one, two = build(tmp_path / "one", corpus), build(tmp_path / "two", corpus)
    names = sorted(path.name for path in one.iterdir())
    assert names == [
        "README.md", "counts.tsv", "drops.tsv", "test.parquet", "train.parquet",
        "validation.parquet", "variants.tsv",
    ]  # fmt: skip
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in names)


def test_the_split_depends_on_the_seed(tmp_path, corpus):
    one, two = build(tmp_path / "one", corpus), build(tmp_path / "two", corpus, seed=2)
    assert items(one) != items(two)


# Sizes


def test_at_most_so_many_sentences_of_a_split_and_variant(tmp_path, corpus):
    whole = build(tmp_path / "whole", corpus)
    dataset = build(tmp_path / "part", corpus, max_sentences={"train": 10, "test": 2})
    assert numbers(whole / "counts.tsv", "step") == {
        "sentences": 46,
        **{f"paper: {s}": n for s, n in (("train", 26), ("validation", 9), ("test", 5))},
        **{f"released: {s}": n for s, n in (("train", 26), ("validation", 10), ("test", 5))},
    }
    assert numbers(dataset / "counts.tsv", "step") == {
        "sentences": 46,
        **{f"paper: {s}": n for s, n in (("train", 10), ("validation", 9), ("test", 2))},
        **{f"released: {s}": n for s, n in (("train", 10), ("validation", 10), ("test", 2))},
        "max_sentences: train": 10,
        "max_sentences: test": 2,
    }
    dropped = numbers(dataset / "drops.tsv", "reason")
    assert {reason: n for reason, n in dropped.items() if "max_sentences" in reason} == {
        "paper: beyond max_sentences of test": 3,
        "paper: beyond max_sentences of train": 16,
        "released: beyond max_sentences of test": 3,
        "released: beyond max_sentences of train": 16,
    }


def test_a_corpus_with_too_few_sentences_keeps_all_and_says_so(tmp_path, corpus, caplog):
    dataset = build(tmp_path, corpus, max_sentences={"validation": 10})
    counts = numbers(dataset / "counts.tsv", "step")
    assert (counts["paper: validation"], counts["released: validation"]) == (9, 10)
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == [
        "validation: 9 sentences of variant paper, fewer than max_sentences (10); all are kept"
    ]


# Errors


@pytest.mark.parametrize(
    ("split", "line"),
    [
        ({"train": 1.0, "validation": 0.0, "test": 0.0}, "split validation: no sentence"),
        ({"train": 0.5, "validation": 0.4, "test": 0.4}, "split ratios: sum 1.3; expected 1"),
    ],
)
def test_impossible_split_is_one_line_and_writes_nothing(tmp_path, corpus, split, line):
    with pytest.raises(KasuError, match=f"^{line}"):
        build(tmp_path, corpus, split=split)
    assert list((tmp_path / "dataset").iterdir()) == []


def test_analysis_of_another_corpus_is_one_line(tmp_path):
    sentences, _ = write_corpus(tmp_path, {"a": DA, "b": DA})
    analyses = write_analyses(tmp_path / "other.parquet", {"a": DA, "c": DA})
    with pytest.raises(KasuError, match=r"other\.parquet: sentence c is not in "):
        list(read_units(sentences, analyses))


def test_units_are_in_order_and_sentences_without_units_are_kept(tmp_path):
    found = read_units(*write_corpus(tmp_path, {"a": f"{URA} {DIO}", "b": "»", "c": DA}))
    assert [
        (name, key, [(unit.surface, len(unit.readings)) for unit in words])
        for name, key, words in found
    ] == [
        ("a", "key of a", [("ura", 1), ("dio", 2)]),
        ("b", "key of b", []),
        ("c", "key of c", [("da", 1)]),
    ]


def test_slot_that_the_analyser_does_not_mark_is_none(tmp_path):
    sentences, analyses = write_corpus(tmp_path, {"a": f"{URA} {DIO}"})
    table = read_parquet(analyses).drop_columns(["dative"])
    write_parquet(analyses, table, table.schema)
    ((_, _, words),) = read_units(sentences, analyses)
    assert make_items("a", "k", words, EUS, SETTINGS)["released"]["dative"] == "none"


def test_a_corpus_may_have_its_own_splits(tmp_path, corpus):
    """Ids begin with the source; a near copy stays in the split of the first."""
    named = {f"{part}:{name}": text for part in "abc" for name, text in corpus.items()}
    sentences, analyses = write_corpus(tmp_path, named)
    keys = {name: "copy" if name.endswith("s00") else name for name in named}
    rows = [{"sentence_id": name, "split_key": key} for name, key in keys.items()]
    write_parquet(sentences, rows, SENTENCES)
    splits = {"a": "train", "b": "validation", "c": "test"}
    build_verb_number(
        sentences, analyses, tmp_path / "dataset", tagset=FILE, settings=SETTINGS,
        corpus={"name": "demo", "language": "eu", "splits": splits}, sources=SOURCES,
    )  # fmt: skip
    for source, split in splits.items():
        found = read_parquet(tmp_path / "dataset" / f"{split}.parquet")["sentence_id"].to_pylist()
        assert {name.partition(":")[0] for name in found} == {source}
        assert (f"{source}:s00" in found) == (source == "a")
    drops = {row["reason"]: row["count"] for row in read_tsv(tmp_path / "dataset" / "drops.tsv")}
    assert drops["near copy of a sentence in another split"] == "2"


def test_a_dataset_has_the_arguments_of_its_tagset_alone(tmp_path, corpus):
    text = FILE.read_text().replace("  ergative:", "  subject:").splitlines(keepends=True)
    kept = "".join(line for line in text if not line.startswith(("  absolutive", "  dative")))
    (tmp_path / "one.yaml").write_text(kept)
    sentences, analyses = write_corpus(tmp_path, corpus)
    table = read_parquet(analyses).drop_columns(["absolutive", "dative"])
    table = table.rename_columns({"ergative": "subject"})
    write_parquet(analyses, table, table.schema)
    build_verb_number(
        sentences, analyses, tmp_path / "dataset", tagset=tmp_path / "one.yaml",
        settings=SETTINGS, corpus={"name": "demo", "language": "eu"}, sources=SOURCES,
    )  # fmt: skip
    (first, *_) = items(tmp_path / "dataset")
    absent = {*SLOTS, "third_plural_ergative"}
    assert list(first) == [name for name in COLUMNS if name not in absent]
    card = (tmp_path / "dataset" / "README.md").read_text()
    assert "subject" in card
    assert "dative" not in card
