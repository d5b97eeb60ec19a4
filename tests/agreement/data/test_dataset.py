"""The files of a dataset: splits, sizes, counts, drops, the labels that differ, and the card."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from kasu.agreement.data.dataset import build_verb_number
from kasu.agreement.data.sentences import COLUMNS
from kasu.agreement.data.tasks import SLOTS
from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, read_tsv, write_parquet

SPLITS = ("train", "validation", "test")
LEFT_OUT = "words that suffix prediction leaves out"
UNKNOWN_WORDS = "not known to the analyser, end as a suffix does"


@pytest.fixture
def build_from(tagset_file, options) -> Callable:
    """Build the dataset of a corpus and its analysis."""

    def build(
        files: tuple[Path, Path], folder: Path, tagset: Path = tagset_file,
        splits: dict[str, str] | None = None, **settings: object,
    ) -> Path:  # fmt: skip
        build_verb_number(
            *files,
            folder,
            tagset=tagset,
            settings={**options, **settings},
            corpus={"name": "demo", "language": "eu", "splits": splits},
            sources=[{"name": "demo", "licence": "CC0-1.0", "citation": "us"}],
        )
        return folder

    return build


@pytest.fixture
def build(write_corpus, build_from) -> Callable:
    """Write sentences and build their dataset."""

    def write_and_build(folder: Path, sentences: dict[str, str], **settings: object) -> Path:
        return build_from(write_corpus(folder, sentences), folder / "dataset", **settings)

    return write_and_build


def rewrite(tagset: Path, path: Path, **changes: object) -> Path:
    values = yaml.load(tagset.read_text(), yaml.BaseLoader)
    path.write_text(yaml.safe_dump({**values, **changes}, sort_keys=False))
    return path


def items(dataset: Path) -> list[dict]:
    return [row for s in SPLITS for row in read_parquet(dataset / f"{s}.parquet").to_pylist()]


def numbers(path: Path, key: str) -> dict[str, int]:
    return {row[key]: int(row["count"]) for row in read_tsv(path)}


@pytest.fixture
def corpus() -> dict[str, str]:
    """40 sentences that are kept, and one for each reason to drop."""
    verbs = ["da", "daude", "dio", "zaude"] * 10
    return {f"s{at:02}": f"ura {verb}" for at, verb in enumerate(verbs)} | {
        "empty": "»",
        "short": "da",
        "long": "ura " * 60 + "da",
        "none": "ura ^NONE/*NONE$ da",
        "verbless": "ura Zzxq",
        "chosen": "ura dena",
    }


def test_drops_are_counted_by_reason(tmp_path, build, corpus):
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


def test_every_sentence_is_an_item_or_a_drop(tmp_path, build, corpus):
    dataset = build(tmp_path, corpus)
    counts = numbers(dataset / "counts.tsv", "step")
    assert next(iter(counts)) == "sentences"
    assert counts["sentences"] == 46
    for variant, more in {"paper": 1, "released": 0}.items():
        kept = sum(n for step, n in counts.items() if step.startswith(f"{variant}: "))
        assert kept == 40 + 1 - more
        assert kept == sum(row["variant"] == variant for row in items(dataset))


def test_dataset_has_the_documented_columns(tmp_path, build, corpus):
    documented = [name for name in COLUMNS if name != "subject"]
    assert list(items(build(tmp_path, corpus))[0]) == documented


def test_variants_of_a_sentence_share_their_split(tmp_path, build, corpus):
    dataset = build(tmp_path, corpus)
    for split in SPLITS:
        rows = read_parquet(dataset / f"{split}.parquet", ["sentence_id", "variant"]).to_pylist()
        of = {
            v: {r["sentence_id"] for r in rows if r["variant"] == v} for v in ("paper", "released")
        }
        assert of["paper"] == of["released"] - {"chosen"}


def test_clusters_do_not_cross_splits(tmp_path, write_corpus, build_from, corpus):
    sentences = {f"{name}-{copy}": text for name, text in corpus.items() for copy in "ab"}
    files = write_corpus(tmp_path, sentences, {name: name[:3] for name in sentences})
    dataset = build_from(files, tmp_path / "dataset")
    clusters = [
        set(read_parquet(dataset / f"{split}.parquet")["cluster"].to_pylist()) for split in SPLITS
    ]
    assert all(clusters)
    assert len(set.union(*clusters)) == sum(map(len, clusters))


def test_labels_that_differ_between_variants_are_listed(tmp_path, build, corpus):
    assert read_tsv(build(tmp_path, corpus) / "variants.tsv") == [
        {"form": "dio", "slot": "dative", "paper": "none", "released": "singular", "count": "10"}
    ]


def test_differing_labels_are_listed_by_count_and_for_the_same_target_only(tmp_path, build):
    """`dio` and `diote` differ in the dative; a sentence whose targets differ does not count."""
    sentences = {f"a{at}": "ura dio" for at in range(20)}
    sentences |= {f"b{at}": "ura Diote" for at in range(30)}
    sentences |= {f"c{at}": "dena dio" for at in range(20)}
    assert read_tsv(build(tmp_path, sentences) / "variants.tsv") == [
        {"form": "diote", "slot": "dative", "paper": "none", "released": "singular", "count": "30"},
        {"form": "dio", "slot": "dative", "paper": "none", "released": "singular", "count": "20"},
    ]


def test_a_single_variant(tmp_path, build, corpus):
    dataset = build(tmp_path, corpus, variant=["released"])
    assert {row["variant"] for row in items(dataset)} == {"released"}
    assert read_tsv(dataset / "variants.tsv") == []


def test_card_states_licence_and_rows(tmp_path, build, corpus):
    dataset = build(tmp_path, corpus)
    card = (dataset / "README.md").read_text()
    rows = {s: read_parquet(dataset / f"{s}.parquet").num_rows for s in SPLITS}
    assert sum(rows.values()) == 81
    for split, n in rows.items():
        assert f"\n| {split} | {n} |\n" in card
    assert "license: cc0-1.0" in card
    assert "Ravfogel, Goldberg & Tyers (2018)" in card


def test_two_runs_write_the_same_bytes(tmp_path, build, corpus):
    one, two = build(tmp_path / "one", corpus), build(tmp_path / "two", corpus)
    names = sorted(path.name for path in one.iterdir())
    assert names == [
        "README.md", "counts.tsv", "drops.tsv", "test.parquet", "train.parquet",
        "validation.parquet", "variants.tsv",
    ]  # fmt: skip
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in names)


def test_the_split_depends_on_the_seed(tmp_path, build, corpus):
    one, two = build(tmp_path / "one", corpus), build(tmp_path / "two", corpus, seed=2)
    assert items(one) != items(two)


def test_at_most_so_many_sentences_of_a_split_and_variant(tmp_path, build, corpus):
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


def test_a_corpus_with_too_few_sentences_keeps_all_and_says_so(tmp_path, build, corpus, caplog):
    dataset = build(tmp_path, corpus, max_sentences={"validation": 10})
    counts = numbers(dataset / "counts.tsv", "step")
    assert (counts["paper: validation"], counts["released: validation"]) == (9, 10)
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == [
        "validation: 9 sentences of variant paper, fewer than max_sentences (10); all are kept"
    ]


@pytest.mark.parametrize(
    ("split", "line"),
    [
        ({"train": 1.0, "validation": 0.0, "test": 0.0}, "split validation: no sentence"),
        ({"train": 0.5, "validation": 0.4, "test": 0.4}, "split ratios: sum 1.3; expected 1"),
    ],
)
def test_impossible_split_is_one_line_and_writes_nothing(tmp_path, build, corpus, split, line):
    with pytest.raises(KasuError, match=f"^{line}"):
        build(tmp_path, corpus, split=split)
    assert list((tmp_path / "dataset").iterdir()) == []


def test_a_corpus_may_have_its_own_splits(tmp_path, write_corpus, build_from, corpus):
    """Ids begin with the source; a near copy stays in the split of the first."""
    named = {f"{part}:{name}": text for part in "abc" for name, text in corpus.items()}
    keys = {name: "copy" if name.endswith("s00") else name for name in named}
    splits = {"a": "train", "b": "validation", "c": "test"}
    dataset = build_from(write_corpus(tmp_path, named, keys), tmp_path / "dataset", splits=splits)
    for source, split in splits.items():
        found = read_parquet(dataset / f"{split}.parquet")["sentence_id"].to_pylist()
        assert {name.partition(":")[0] for name in found} == {source}
        assert (f"{source}:s00" in found) == (source == "a")
    drops = numbers(dataset / "drops.tsv", "reason")
    assert drops["near copy of a sentence in another split"] == 2


def test_a_dataset_has_the_arguments_of_its_tagset_alone(
    tmp_path, write_corpus, build_from, tagset_file, corpus
):
    text = tagset_file.read_text().replace("  ergative:", "  subject:").splitlines(keepends=True)
    kept = "".join(line for line in text if not line.startswith(("  absolutive", "  dative")))
    (tmp_path / "one.yaml").write_text(kept)
    sentences, analyses = write_corpus(tmp_path, corpus)
    table = read_parquet(analyses).drop_columns(["absolutive", "dative"])
    table = table.rename_columns({"ergative": "subject"})
    write_parquet(analyses, table, table.schema)
    dataset = build_from((sentences, analyses), tmp_path / "dataset", tmp_path / "one.yaml")
    (first, *_) = items(dataset)
    absent = {*SLOTS, "third_plural_ergative"}
    assert list(first) == [name for name in COLUMNS if name not in absent]
    card = (dataset / "README.md").read_text()
    assert "subject" in card
    assert "dative" not in card


@pytest.mark.parametrize("finite", ["vbfin", "vblex", "VBSINT"])
def test_a_tagset_with_another_finite_tag_is_one_line(tmp_path, build, corpus, tagset_file, finite):
    other = rewrite(tagset_file, tmp_path / "other.yaml", finite=finite)
    line = rf"other\.yaml, finite: no reading in 42 sentences has the tag '{finite}'; expected the"
    with pytest.raises(KasuError, match=line):
        build(tmp_path, corpus, tagset=other)
    assert not list(tmp_path.rglob("train.parquet"))


@pytest.mark.parametrize(
    "slots",
    [
        {"ergative": {"E_SG": "singular"}},
        {"dative": {"D_SG": "singular", "D_PL": "plural"}},
        {"ergative": {"nk_hk": "plural"}, "dative": {"ni_hu": "singular"}},
    ],
)
def test_a_tagset_with_other_tags_of_slots_is_one_line(tmp_path, build, corpus, tagset_file, slots):
    other = rewrite(tagset_file, tmp_path / "other.yaml", slots=slots)
    tags = ", ".join(tag for numbers in slots.values() for tag in numbers)
    with pytest.raises(
        KasuError, match=rf"other\.yaml, slots: no verb has one of {tags}; expected"
    ):
        build(tmp_path, corpus, tagset=other)
