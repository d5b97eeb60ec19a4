"""Agreement pairs as a run makes them: a user's treebank by both rules, and the shipped config."""

import yaml

import kasu
from kasu.files.tables import read_tsv

SING = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
ROW = "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t_"


def treebank() -> str:
    """A cat, and cats, with six verbs each."""
    blocks = [
        "# sent_id = a\n# text = aa\n" + ROW.format(1, "aa", "aa", "NOUN", "Number=Sing", 0, "root")
    ]
    for at in "abcdef":
        for number, noun, verb in (("Sing", "cat", f"v{at}s"), ("Plur", "cats", f"v{at}")):
            rows = [
                ROW.format(1, noun, "cat", "NOUN", f"Number={number}", 2, "nsubj"),
                ROW.format(2, verb, f"v{at}", "VERB", SING.replace("Sing", number), 0, "root"),
            ]
            head = f"# sent_id = {number}{at}\n# text = {noun} {verb}\n"
            blocks.append(head + "\n".join(rows))
    return "\n\n".join(blocks) + "\n\n"


def test_a_treebank_that_nobody_registered_by_both_rules(copy_workflow):
    copy = copy_workflow()
    (copy.folder / "mine.conllu").write_text(treebank(), "utf-8")
    config = {
        "results": "results/mine",
        "treebanks": [{"name": "mine", "language": "xyz", "files": ["mine.conllu"]}],
        "minimal_sets": {
            "rules": ["kasu", "multiblimp"],
            "collections": [{"treebank": "mine", "sets": "agreement"}],
        },
    }
    (copy.folder / "mine.yaml").write_text(yaml.safe_dump(config), "utf-8")
    stack = ("--configfile", "mine.yaml")
    done = copy.run("minimal_sets", config=stack)
    assert done.returncode == 0, done.stderr
    tables = copy.folder / "results/mine/minimal_sets/tables"
    pairs = {
        (row["set"], row["phenomenon"]): row["pairs"] for row in read_tsv(tables / "pairs.tsv")
    }
    assert pairs["mine-kasu", "SV-#"] == pairs["mine-multiblimp", "SV-#"] == "12"
    assert pairs["mine-kasu", "SP-G"] == "0"
    assert copy.planned_jobs("minimal_sets", config=stack) == {}
    # A notebook makes the same
    for rules in ("kasu", "multiblimp"):
        alone = copy.folder / f"alone-{rules}"
        kasu.build_set(
            copy.folder / "mine.conllu", sets="agreement", language="xyz", rules=rules, out=alone
        )
        built = copy.folder / f"results/mine/minimal_sets/datasets/mine-{rules}"
        for file in ("items.parquet", "agreement.tsv", "counts.tsv", "drops.tsv", "pool.tsv"):
            assert (alone / file).read_bytes() == (built / file).read_bytes()
    # A further treebank runs its own sets, and the tables
    (copy.folder / "other.conllu").write_text(treebank(), "utf-8")
    config["treebanks"].append({"name": "other", "language": "xyz", "files": ["other.conllu"]})
    config["minimal_sets"]["collections"].append({"treebank": "other", "sets": "agreement"})
    (copy.folder / "mine.yaml").write_text(yaml.safe_dump(config), "utf-8")
    assert copy.planned_jobs("minimal_sets", config=stack) == {
        "read_treebank": 1, "build_pairs": 2, "describe_sets": 1, "tabulate_pairs": 1,
        "take_examples": 1, "minimal_sets": 1,
    }  # fmt: skip


def test_the_shipped_config_plans_all_languages(copy_workflow):
    planned = copy_workflow().planned_jobs(
        "minimal_sets", config=("--configfile", "config/multiblimp.yaml")
    )
    wanted = {"build_pairs": 42, "audit_pairs": 1, "tabulate_pairs": 1, "describe_sets": 1}
    assert {rule: planned[rule] for rule in wanted} == wanted
