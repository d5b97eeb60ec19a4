"""Write the cloze set of the demo: `python tools/demo/cloze.py`.

The sentences are those of the demo's Georgian treebank. Their words get features of UniMorph; forms
of nouns make a small paradigm table. In dev and test, a noun is asked for unless it stands before a
postposition. The output is the same every time.
"""

import random
from collections.abc import Iterator
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "resources" / "demo"
TREEBANK = DEMO / "georgian" / "ka_demo-ud.conllu"
FOLDER = DEMO / "cloze"
SEED = 2026
SENTENCES = {"low": 200, "dev": 50, "test": 70}
CLASSES = {"NOUN": "N", "PRON": "PRO", "VERB": "V", "CCONJ": "CONJ"}
# In the order in which UniMorph's columns name them; what is not here has no counterpart
FEATURES = {
    "Mood=Ind": "IND",
    "Case=Nom": "NOM",
    "Case=Dat": "DAT",
    "Case=Erg": "ERG",
    "Case=Gen": "GEN",
    "Tense=Past": "PST",
    "Tense=Pres": "PRS",
    "Tense=Fut": "FUT",
    "Tense=Imp": "PST;IPFV",
    "Tense=PastPerf": "PST;PRF",
    "Number=Sing": "SG",
    "Number=Plur": "PL",
    "Person=3": "3",
    "Person[subj]=3": "3",
    "Number[subj]=Sing": "SG",
    "Number[subj]=Plur": "PL",
}

Word = tuple[str, str, str, str]  # form, lemma, features of UniMorph, relation


def read_treebank() -> Iterator[list[Word]]:
    """The words of each sentence; those of multiword tokens one by one."""
    for block in TREEBANK.read_text(encoding="utf-8").strip().split("\n\n"):
        lines = (line.split("\t") for line in block.split("\n") if not line.startswith("#"))
        words = [cells for cells in lines if cells[0].isdecimal()]
        yield [(c[1], c[2], convert(c[3], c[5]), c[7]) for c in words]


def convert(upos: str, feats: str) -> str:
    """Features in UniMorph's schema."""
    given = feats.split("|")
    found = [tag for feature, tag in FEATURES.items() if feature in given]
    return ";".join([CLASSES.get(upos, upos), *found])


def main() -> None:
    """Write the paradigms and the three splits."""
    sentences = list(read_treebank())
    rows = sorted({row[1::-1] + row[2:3] for words in sentences for row in words if is_noun(row)})
    write("paradigms.tsv", ["\t".join(row) for row in rows])
    generator = random.Random(SEED)
    generator.shuffle(sentences)
    rest = iter(sentences)
    for split, number in SENTENCES.items():
        lines = []
        for at in range(number):
            words = next(rest)
            nouns = [place for place, word in enumerate(words) if is_noun(word)]
            # Test asks for one word of a sentence, dev for all; the low set asks for none
            asked = {"low": [], "dev": nouns, "test": nouns[at % 2 :][:1] or nouns[:1]}[split]
            for place, (form, lemma, tags, relation) in enumerate(words):
                if place in asked:
                    word = (form, lemma, tags, relation)
                    forms = fitting(word, rows) if split == "test" else [form]
                    lines.append(f"{'/'.join(forms)}\t{lemma}\t_")
                else:
                    lines.append(f"{form}\t{lemma}\t{tags}")
            lines.append("")
        write(f"{split}.tsv", lines[:-1])


def is_noun(word: Word) -> bool:
    """Whether a word is a noun with an ending of its own: stems before a postposition are not."""
    _, _, tags, relation = word
    return tags.startswith("N;") and relation in ("nsubj", "obj", "nmod")


def fitting(word: Word, table: list[tuple[str, str, str]]) -> list[str]:
    """The forms that fit the place of a word, its own first.

    Verbs agree with their subject in number, but not with an object of the third person: both
    numbers of an object fit. So do those of an owner.
    """
    form, lemma, tags, relation = word
    if relation == "nsubj":
        return [form]
    other = tags.replace("SG", "PL") if tags.endswith("SG") else tags.replace("PL", "SG")
    return [form, *(f for name, f, features in table if (name, features) == (lemma, other))]


def write(name: str, lines: list[str]) -> None:
    """Write lines to a file of FOLDER."""
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
