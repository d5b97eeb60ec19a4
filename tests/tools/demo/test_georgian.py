"""The Georgian demo: its contents, and its forms checked by treebanks and paradigm tables."""

import importlib.util
import re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from kasu.corpora.treebanks.treebank import Sentence, Token, features, read_conllu, surface_text
from kasu.queries.match import search
from kasu.queries.parsing import read_request

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo" / "georgian"
TOOLS = ROOT / "tools" / "demo" / "georgian"
QUERIES = ROOT / "resources" / "queries" / "kat"
TREEBANK = list(read_conllu(DEMO / "ka_demo-ud.conllu"))
TEXT = (DEMO / "sentences.txt").read_text(encoding="utf-8").splitlines()
sys.path.append(str(TOOLS))

import words as lexicon  # noqa: E402
from clauses import FRAMES  # noqa: E402


@cache
def generator() -> ModuleType:
    """generate.py, under another name than that of the Basque demo."""
    spec = importlib.util.spec_from_file_location("georgian_generate", TOOLS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def demo_words() -> set[tuple[str, str, str, str]]:
    """Form, lemma, part of speech and features of all words in the treebank and the text."""
    writer = generator().Writer(generator().SEED)
    drawn = [*generator().treebank(writer), *generator().corpus(writer)]
    return {(w.form, w.lemma, w.upos, w.features) for words in drawn for w in words}


def matches(name: str) -> list[tuple[Sentence, dict[str, Token]]]:
    """All matches of a request in the demo's treebank."""
    found = search(read_request(QUERIES / f"{name}.req"), TREEBANK)
    return [
        (sentence, {node: sentence.words[at - 1] for node, at in match.nodes.items()})
        for sentence, match in found
    ]


def swap(token: Token, case: str) -> str | None:
    """The first form in file order with the same lemma and features in another case (GEO-3)."""
    wanted = features(token.feats) | {"Case": case}
    for sentence in TREEBANK:
        for word in sentence.words:
            if word.lemma == token.lemma and features(word.feats) == wanted:
                return word.form
    return None


def outcome(token: Token) -> str:
    """The outcome of the swap for a target: its two other forms exist, or why it is dropped."""
    others = [swap(token, c) for c in ("Nom", "Dat", "Erg") if c != features(token.feats)["Case"]]
    if None in others:
        return "no candidate form"
    return "three forms" if len({token.form, *others}) == 3 else "forms equal"


def test_the_generator_writes_the_tracked_files_byte_for_byte(tmp_path):
    subprocess.run([sys.executable, TOOLS / "generate.py", tmp_path], check=True)
    for name in ("ka_demo-ud.conllu", "sentences.txt"):
        assert (tmp_path / name).read_bytes() == (DEMO / name).read_bytes()


def test_sizes():
    assert (len(TREEBANK), len(TEXT)) == (320, 6000)
    assert (DEMO / "ka_demo-ud.conllu").stat().st_size < 250_000
    assert (DEMO / "sentences.txt").stat().st_size < 600_000


def test_no_sentence_stands_twice():
    texts = [sentence.text for sentence in TREEBANK]
    assert len({*texts, *TEXT}) == len(texts) + len(TEXT)


def test_the_text_of_a_sentence_is_that_of_its_tokens():
    assert [s.text for s in TREEBANK] == [surface_text(s.tokens) for s in TREEBANK]


def test_every_sentence_has_one_root_and_ends_in_a_full_stop():
    for sentence in TREEBANK:
        assert [word.deprel for word in sentence.words].count("root") == 1
        assert sentence.words[-1].upos == "PUNCT"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("intransitive_nom", (68, 70)),
        ("nom_dat", (88, 90)),
        ("erg_nom", (92, 94)),
        ("dat_nom", (72, 74)),
    ],
)
def test_sentences_and_matches_of_a_request(name, counts):
    found = matches(name)
    assert (len({sentence.sentence_id for sentence, _ in found}), len(found)) == counts


def targets() -> list[Token]:
    """The subjects and objects of all matches."""
    return [
        token
        for name in FRAMES
        for _, match in matches(name)
        for node, token in match.items()
        if node != "V"
    ]


def test_most_targets_are_nouns():
    assert Counter(token.upos for token in targets()) == {"NOUN": 562, "PRON": 24}


def test_targets_by_outcome_of_the_swap():
    assert Counter(map(outcome, targets())) == {
        "three forms": 551,
        "no candidate form": 23,
        "forms equal": 12,
    }


def test_nouns_without_all_three_cases_are_the_food():
    cases = defaultdict(set)
    for sentence in TREEBANK:
        for word in sentence.words:
            if word.upos == "NOUN" and word.deprel in ("nsubj", "obj"):
                found = features(word.feats)
                cases[word.lemma, found["Number"]].add(found["Case"])
    lacking = {noun for noun, found in cases.items() if found != {"Nom", "Dat", "Erg"}}
    assert lacking == {(noun.lemma, "Sing") for noun in lexicon.nouns(frozenset({"food"}))}


def test_places_are_no_targets():
    """The stem before a postposition is a dative too, but not a target."""
    assert {place.lemma for place in lexicon.PLACES} & {
        noun.lemma for noun in lexicon.NOUNS
    } == set()


@pytest.mark.parametrize(
    ("lemma", "case", "number", "form"),
    [
        ("კაცი", "Nom", "Sing", "კაცი"),
        ("კაცი", "Erg", "Sing", "კაცმა"),
        ("კაცი", "Dat", "Sing", "კაცს"),
        ("დედა", "Erg", "Sing", "დედამ"),
        ("დედა", "Gen", "Sing", "დედის"),
        ("მეფე", "Gen", "Sing", "მეფის"),
        ("დედოფალი", "Gen", "Sing", "დედოფლის"),
        ("მხატვარი", "Dat", "Plur", "მხატვრებს"),
        ("პროფესორი", "Erg", "Plur", "პროფესორებმა"),
    ],
)
def test_declension(lemma, case, number, form):
    noun = next(noun for noun in lexicon.NOUNS if noun.lemma == lemma)
    assert noun.form(case, number) == form


@pytest.fixture(scope="module")
def treebanks(mirror) -> dict[str, list[Sentence]]:
    """The Georgian treebanks of the mirror by name, without the unfinished pre-release."""
    return {
        name: [s for path in sorted(folder.glob("*.conllu")) for s in read_conllu(path)]
        for name in ("GLC", "GNC")
        if (folder := mirror / "ud" / f"UD_Georgian-{name}")
    }


@pytest.fixture(scope="module")
def attested(treebanks) -> set[tuple[str, ...]]:
    """Part of speech, form, lemma, and any case and number of the words in the treebanks."""
    return {
        (word.upos, word.form, word.lemma, found.get("Case", ""), found.get("Number", ""))
        for sentences in treebanks.values()
        for sentence in sentences
        for word in sentence.words
        if (found := features(word.feats)) is not None
    }


@pytest.fixture(scope="module")
def paradigms(mirror) -> set[tuple[str, ...]]:
    """Form, lemma, case and number of the nouns of SIGMORPHON 2018 and of the UniMorph sample."""
    cells = set()
    for path in (mirror / "sigmorphon2018" / "task1" / "all").glob("georgian-*"):
        if "covered" not in path.name:
            rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
            cells |= {(form, lemma, tags) for lemma, form, tags in rows}
    for path in (mirror / "unimorph-2023").glob("kat.*"):
        rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
        cells |= {(form, lemma, tags) for lemma, tags, form in rows}
    numbers = {"SG": "Sing", "PL": "Plur"}
    found = set()
    for form, lemma, tags in cells:
        match re.split(r"[;()]+", tags.rstrip(")")):
            case ["N", ("SG" | "PL") as number, case] | ["N", case, ("SG" | "PL") as number]:
                found.add((form, lemma, case.title(), numbers[number]))
    return found


@pytest.mark.real
def test_every_noun_is_attested_in_its_case_and_number(attested, paradigms):
    wrong = {
        (form, lemma, case, number)
        for form, lemma, upos, cell in demo_words()
        if upos == "NOUN"
        and (case := features(cell)["Case"])
        and (number := features(cell)["Number"])
        and ("NOUN", form, lemma, case, number) not in attested
        and (form, lemma, case, number) not in paradigms
    }
    assert wrong == set()


@pytest.mark.real
@pytest.mark.parametrize("upos", ["PRON", "ADJ", "CCONJ"])
def test_every_other_word_with_a_lemma_is_attested_in_its_case(upos, attested):
    short = {entry[:4] for entry in attested}
    ours = {
        (upos, form, lemma, features(cell).get("Case", ""))
        for form, lemma, kind, cell in demo_words()
        if kind == upos
    }
    assert ours
    assert ours - short == set()


@pytest.mark.real
def test_every_adverb_is_attested(attested):
    adverbs = {form for upos, form, *_ in attested if upos == "ADV"}
    assert {form for form, _, upos, _ in demo_words() if upos == "ADV"} - adverbs == set()


@pytest.mark.real
def test_every_place_is_attested_before_its_postposition(treebanks):
    pairs = {
        (first.form, first.lemma, second.form)
        for sentences in treebanks.values()
        for sentence in sentences
        for first, second in pairwise(sentence.words)
        if second.upos == "ADP"
    }
    ours = {(place.form, place.lemma, place.postposition) for place in lexicon.PLACES}
    assert ours - pairs == set()


def frames_of(word: Token, sentence: Sentence) -> set[str]:
    """The frames in which a verb occurs in a treebank."""
    cases = defaultdict(set)
    for other in sentence.words:
        if other.head == word.id:
            cases[other.deprel].add(features(other.feats).get("Case"))
    return {
        frame
        for frame, (subject, object) in FRAMES.items()
        if subject in cases["nsubj"] and (object in cases["obj"] if object else not cases["obj"])
    }


@pytest.mark.real
def test_every_verb_is_attested_in_its_frame_with_its_features(treebanks):
    found = defaultdict(list)
    for name, sentences in treebanks.items():
        for sentence in sentences:
            for word in sentence.words:
                if word.upos == "VERB":
                    for frame in frames_of(word, sentence):
                        found[word.form, frame, name].append(features(word.feats))
    wrong = []
    for verb in lexicon.VERBS.values():
        ours = features(verb.features)
        if verb.treebank == "GNC":
            added = {"Aspect", "Subcat", "Voice"}
            ours = {name: value for name, value in ours.items() if name not in added}
        theirs = found[verb.form, verb.frame, verb.treebank]
        if not any(ours.items() <= cells.items() for cells in theirs):
            wrong.append(verb)
    assert wrong == []


@pytest.mark.real
def test_no_sentence_is_one_of_a_treebank(treebanks):
    def words(text: str) -> tuple[str, ...]:
        return tuple(re.findall(r"\w+", text))

    theirs = {words(s.surface()) for sentences in treebanks.values() for s in sentences}
    ours = {words(text) for text in (*TEXT, *(s.text for s in TREEBANK))}
    assert {text for text in ours & theirs if len(text) >= 4} == set()
