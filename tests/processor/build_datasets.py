"""Build a small dataset of every kind: `build_datasets.py DICTIONARY MODEL OUT`."""

import sys
from pathlib import Path

import torch

from kasu.agreement.data.dataset import build_verb_number
from kasu.agreement.data.training_sets import draw_training_set
from kasu.agreement.data.treebank import analyse_treebank
from kasu.blm.data.datasets import build_type_i, build_type_ii, build_type_iii, split_by_seed
from kasu.blm.generation.fills import LexiconFills
from kasu.blm.generation.masked_fills import MaskedFills
from kasu.blm.generation.substitutions import read_lexicon
from kasu.cloze.data.datasets import read_splits as read_sentences
from kasu.cloze.data.made import build_dataset
from kasu.corpora.morphology.apertium import analyse_corpus
from kasu.corpora.paradigms.unimorph import read_paradigms
from kasu.corpora.texts.sentences import LineFormat, build_corpus, read_lines
from kasu.corpora.treebanks.annotated import extract_sentences, read_annotation
from kasu.corpora.treebanks.treebank import build_treebank
from kasu.corpora.wiki.articles import extract_articles
from kasu.inflection.data.sampling import build_sampled
from kasu.inflection.data.syncretism import share_counts
from kasu.inflection.data.triples import SETTINGS as SIZES
from kasu.inflection.data.triples import read_splits
from kasu.lm.pretraining.packing import encode_corpus
from kasu.lm.pretraining.tokenizer import write_tokenizer
from kasu.minimal_sets.data.design import Design
from kasu.minimal_sets.data.sets import build_set
from kasu.minimal_sets.released.items import build_released
from kasu.pretraining.data.budgets import build_budgets, take_corpus
from kasu.pretraining.data.lemmatise import learn_suffixes, lemmatise
from kasu.pretraining.data.pairs import make_pairs

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
DEMO = RESOURCES / "demo"
EUS = RESOURCES / "tagsets" / "eus.yaml"
BASQUE = {split: DEMO / f"basque/eu_demo-ud-{split}.conllu" for split in ("train", "dev", "test")}
GEORGIAN = DEMO / "georgian/ka_demo-ud.conllu"
RELEASED = (
    "set\tsentence_id\tmatch_id\tmasked_text\t"
    "form_grammatical_erg\tform_ungrammatical_nom\tform_ungrammatical_dat\n"
    "child\tate\t1\t[MASK] ვაშლი შეჭამა.\tბავშვმა\tბავშვი\tბავშვს\n"
)
CARD = {"sources": [{"name": "demo", "licence": "CC0-1.0", "citation": "none"}]}
SEEN = {
    "variant": ["paper", "released"], "suffix_reading": "any", "suffix_source": "analysis",
    "no_article": "strip",
}  # fmt: skip
BLM = {
    "variant": ["released", "paper"], "capitals": "lower", "split": "random", "test": 0.1,
    "validation": 0.2, "seed": 1, "fold": None, "folds": None, "candidates": "shared",
    "fill": "per_sentence",
}  # fmt: skip


def files_of(folder: Path, *names: str) -> list[Path]:
    """A sentences file, or what else has a name, and its counts and drops."""
    folder.mkdir(parents=True, exist_ok=True)
    return [folder / name for name in (*names, "counts.tsv", "drops.tsv")]


def build_corpora(out: Path, dictionary: Path) -> tuple[Path, Path]:
    """A dump and a text, their corpus and its analysis; a treebank as a corpus."""
    wiki, lines, corpus = out / "wiki", out / "lines", out / "corpus"
    extract_articles(
        DEMO / "euwiki-demo-pages-articles.xml", *files_of(wiki, "all"), source="w", language="eu",
        patterns={},
    )  # fmt: skip
    text = out / "lines.txt"
    text.write_text("Gizonak etxea ikusi du.\nEmakumeek 3 liburu irakurri dituzte.\n" * 3)
    form = LineFormat(language="eu", split=True)
    read_lines(text, *files_of(lines, "all"), source="l", form=form)
    sentences, *rest = files_of(corpus, "sentences.parquet")
    build_corpus([wiki / "all", lines / "all"], sentences, *rest, refused=["x"])
    analyses = corpus / "analyses"
    analyse_corpus(
        sentences, analyses, corpus / "c.tsv", dictionary=dictionary, tagset=EUS, workers=1
    )
    treebank, annotated = out / "ka.parquet", out / "annotated"
    build_treebank(GEORGIAN, treebank, out / "treebank.tsv")
    extract_sentences(treebank, *files_of(annotated, "all"))
    tagset = RESOURCES / "tagsets/ud-subject.yaml"
    read_annotation(
        annotated / "all", [treebank], annotated / "analyses", annotated / "c.tsv", tagset=tagset
    )
    return sentences, analyses


def build_agreement(out: Path, sentences: Path, analyses: Path, dictionary: Path) -> None:
    """A dataset of limited size, a training set drawn from it, and a treebank."""
    settings = SEEN | {
        "length": [2, 60], "polite": "singular", "seed": 1,
        "split": {"train": 0.6, "validation": 0.2, "test": 0.2},
        "max_sentences": {"train": 1001, "validation": 201, "test": 202},
    }  # fmt: skip
    corpus = {"name": "demo", "language": "eu", "splits": None}
    made = out / "demo"
    build_verb_number(
        sentences, analyses, made, tagset=EUS, settings=settings, corpus=corpus, **CARD
    )
    held_out = [made / "test.parquet"]
    files = files_of(out / "drawn", "drawn")
    draw_training_set(made / "train.parquet", held_out, *files, words=2000, seed=1)
    files = files_of(out / "treebank", "all")
    analyse_treebank(BASQUE, *files, dictionary=dictionary, tagset=EUS, settings=SEEN)


def write_shares(out: Path) -> None:
    """The numbers that decide draws: these hide a change of last bits, which larger data show."""
    readings, _ = read_paradigms(DEMO / "inflection/harmonic.paradigms.tsv")
    lines = (DEMO / "inflection/harmonic.frequencies.txt").read_text().splitlines()
    counts = {word: int(count) for word, count in map(str.split, lines)}
    shares = share_counts(readings, [each.form for each in readings], counts, em=1)
    out.write_bytes(shares.tobytes())


def build_inflection(out: Path) -> None:
    """Counts shared out by a network, also with expected counts, and equally; and split files."""
    ways = {"harmonic": {}, "prefixal": {"em": 1, "smoothing": 0.5}}
    for name, settings in (ways | {"uniform": {"resolution": "uniform"}}).items():
        language = "harmonic" if name == "uniform" else name
        paradigms, words = (
            DEMO / f"inflection/{language}.{kind}" for kind in ("paradigms.tsv", "frequencies.txt")
        )
        build_sampled(
            paradigms, words, out / name, language=name, settings=settings, seed=1, **CARD
        )
    write_shares(out / "shares")
    triples = (DEMO / "inflection/harmonic.paradigms.tsv").read_text().splitlines()
    files = {}
    for at, split in enumerate((*SIZES, "dev", "test")):
        files[split] = str(out / f"{split}.txt")
        Path(files[split]).write_text("\n".join(triples[50 * at : 50 * at + 50]) + "\n")
    read_splits(files, out / "split", language="split", code="mis", **CARD)


def build_cloze(out: Path) -> None:
    """A dataset that is split already, and one made from a treebank."""
    splits = {split: str(DEMO / f"cloze/{split}.tsv") for split in ("low", "dev", "test")}
    read_sentences(splits, out / "split", language="split", code="ka", **CARD)
    files = dict.fromkeys(("train", "dev", "test"), str(GEORGIAN)) | {
        "paradigms": [str(DEMO / "cloze/paradigms.tsv")],
        "conversion": str(RESOURCES / "tagsets/ud_unimorph.tsv"),
    }
    settings = {
        "language": "ka", "features_second": False, "variant": "paper", "lemmata": [],
        "least": 0.05,
    }  # fmt: skip
    build_dataset(files, out / "made", name="made", settings=settings, seed=1, **CARD)


def build_minimal_sets(out: Path) -> None:
    """A set that is drawn, and a released one."""
    treebank = out / "treebank.parquet"
    build_treebank(GEORGIAN, treebank, out / "counts.tsv")
    design = Design("demo", "S", ["Nom", "Dat", "Erg"], verb="V", max_items=30, seed=1)
    request = RESOURCES / "queries/kat/nom_dat.req"
    build_set([treebank], request, out / "set", design=design, language="ka", **CARD)
    items = out / "released.tsv"
    items.write_text(RELEASED)
    build_released(
        items, out / "released", licence="CC0-1.0", language="ka", sources=CARD["sources"]
    )


def build_blm(out: Path, model: Path) -> None:
    """All types with the fills of a lexicon, of eight seeds; one with a network's, of all."""
    every, seeds, card = RESOURCES / "seeds/eng.tsv", out / "seeds.tsv", CARD | {"language": "en"}
    seeds.write_text("".join(every.read_text("utf-8").splitlines(keepends=True)[:9]), "utf-8")
    lexicon = read_lexicon(RESOURCES / "seeds/eng.lexicon.tsv")
    build_type_i(seeds, out / "i", settings=BLM, **card)
    drawn = LexiconFills(lexicon, 1)
    masked = MaskedFills(model, lexicon, torch.device("cpu"), 4096, LexiconFills(lexicon, 1))
    for name, of, fills in (("ii", seeds, drawn), ("ii-masked", every, masked)):
        build_type_ii(of, out / name, lexicon=lexicon, fills=fills, settings=BLM, **card)
    build_type_iii(out / "ii" / "problems.parquet", out / "iii", settings=BLM, **card)
    fold = BLM | {"split": "by_seed", "fold": 2, "folds": 4}
    problems = out / "i" / "problems.parquet"
    split_by_seed(problems, out / "fold", type_="type_I", settings=fold, **card)


def build_pretraining(out: Path, sentences: Path, analyses: Path, dictionary: Path) -> None:
    """Budgets, a twin in lemmas, pairs, and a tokenizer with the text in its pieces."""
    parts = [{"name": "a", "share": 0.9, "sources": ["w"]}]
    parts += [{"name": "b", "share": 0.1, "sources": ["l"]}]
    counts, drops = files_of(out)
    build_budgets(
        sentences, out, counts, drops, budgets={"small": 60}, parts=parts, validation=0.2, seed=1
    )
    take_corpus(sentences, out / "whole.parquet", out / "whole.tsv")
    learn_suffixes(analyses, out / "suffixes.tsv", split="paper")
    files = [out / "suffixes.tsv", *files_of(out / "twin", "twin")]
    lemmatise(out / "small.parquet", *files, dictionary=dictionary, split="paper", workers=1)
    make_pairs(DEMO / "pairs.jsonl", *files_of(out / "pairs", "pairs"))
    write_tokenizer(out / "whole.parquet", out / "tokenizer", vocabulary=500, length=64)
    encode_corpus(sentences, out / "tokenizer", out / "tokens", out / "tokens.tsv")


def main(dictionary: Path, model: Path, out: Path) -> None:
    """Build them all."""
    for folder in ("corpora", "agreement", "inflection", "cloze", "minimal_sets", "blm"):
        (out / folder).mkdir(parents=True)
    build_inflection(out / "inflection")
    sentences, analyses = build_corpora(out / "corpora", dictionary)
    build_agreement(out / "agreement", sentences, analyses, dictionary)
    build_cloze(out / "cloze")
    build_minimal_sets(out / "minimal_sets")
    build_blm(out / "blm", model)
    build_pretraining(out / "pretraining", sentences, analyses, dictionary)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
