"""CoNLL-SIGMORPHON 2018 task 1 (Cotterell et al. 2018, §3.1, §4.1, §5.1): lemma, features -> form.

In: the released files, or paradigms and word counts. Out, under <results>/inflection/:
datasets/<language>/, predictions/<system>/<language>-<setting>.parquet, scores.parquet, tables/,
figures/. A system runs over packs of languages, with one job per setting and pack.
Time: half a minute for the demo; 6 minutes on two cores for the 94 languages of config/real.yaml.
"""

import importlib

from kasu.inflection.data.languages import (
    resolve_frequencies,
    resolve_languages,
    share_out,
)

INFLECTION = f"{RESULTS}/inflection"
INFLECTION_SETTINGS = config["inflection"]
INFLECTION_SPLITS = ["low", "medium", "high", "dev", "test"]

try:
    FOUND, UNREACHED = resolve_languages(
        INFLECTION_SETTINGS["languages"], REGISTRY, DOWNLOADS, mirror_folders(config)
    )
    LANGUAGES = {
        language.name: language
        for language in FOUND
        if all(map(allowed, language.files.values()))
    }
    # Word counts of released languages, to check the order of their samples
    WORD_COUNTS = resolve_frequencies(
        INFLECTION_SETTINGS["frequencies"],
        [language.name for language in FOUND],
        REGISTRY,
        DOWNLOADS,
    )
except KasuError as error:
    raise WorkflowError(str(error))

WORD_COUNTS = {name: entry for name, entry in WORD_COUNTS.items() if name in LANGUAGES}
FREQUENCIES = {name: entry for name, entry in WORD_COUNTS.items() if allowed(entry)}

for language in LANGUAGES.values():
    if language.corpus and language.corpus not in OLD_CORPORA:
        raise WorkflowError(
            f"config inflection languages: {language.name}: corpus {language.corpus!r}; "
            f"expected one of {', '.join(OLD_CORPORA)}"
        )
    register(*language.files.values())
register(*FREQUENCIES.values())

# What each system predicts, as (language, setting)
INFLECTED = [
    (name, setting)
    for setting in INFLECTION_SETTINGS["settings"]
    for name, language in LANGUAGES.items()
    if setting in language.settings
]
# (setting, pack) -> its languages
PACKS = {
    (setting, pack): names
    for setting in INFLECTION_SETTINGS["settings"]
    for pack, names in share_out(
        [name for name, of in INFLECTED if of == setting], INFLECTION_SETTINGS["packs"]
    ).items()
}
INFLECTION_TABLES = {
    f"table_{number}": f"Table {number}"
    for number in (8, 9, 10, 13, 14, 15, 16, 17, 18, 19, 2, 3)
}
INFLECTION_DETAILS = {
    "Claims of the paper": "claims",
    "Systems compared in pairs": "comparisons",
    "Learning curves": "learning_curves",
    "Differences that a test set can show": "power",
    "Properties of the datasets": "properties",
}
INFLECTION_FILES = [
    f"{INFLECTION}/scores.parquet",
    f"{INFLECTION}/figures/languages.svg",
    *(f"{INFLECTION}/tables/{table}.tsv" for table in INFLECTION_TABLES),
    *(f"{INFLECTION}/tables/{table}.tsv" for table in INFLECTION_DETAILS.values()),
]


wildcard_constraints:
    language=one_of(LANGUAGES),


def language_files(wildcards):
    """The files of a language by content: splits, or paradigms and word counts."""
    language = LANGUAGES[wildcards.language]
    files = {part: str(entry.file) for part, entry in language.files.items()}
    if language.corpus:
        files["sentences"] = word_counts(wildcards.language)
    return files


def language_licences(wildcards):
    language = LANGUAGES[wildcards.language]
    entries = list(language.files.values())
    if language.corpus:
        entries += [
            entry for entry in (each.entry for each in CORPORA.sources(language.corpus))
        ]
    return [licence_of(entry) for entry in entries]


def word_counts(name):
    """The list or corpus with the word counts of a language, if there is one."""
    language = LANGUAGES[name]
    if language.corpus:
        return f"{RESULTS}/corpora/{language.corpus}/sentences.parquet"
    entry = language.files.get("frequencies") or FREQUENCIES.get(name)
    return str(entry.file) if entry else None


def dataset_outputs():
    """The files of a dataset."""
    return {
        **{
            split: f"{INFLECTION}/datasets/{{language}}/{split}.parquet"
            for split in INFLECTION_SPLITS
        },
        "card": f"{INFLECTION}/datasets/{{language}}/README.md",
        "counts": f"{INFLECTION}/datasets/{{language}}/counts.tsv",
        "drops": f"{INFLECTION}/datasets/{{language}}/drops.tsv",
    }


def of_pack(pattern, names, setting):
    return [pattern.format(language=name, setting=setting) for name in names]


# One job per language: starting a job takes longer than copying five files from a mirror
for language in LANGUAGES.values():
    if language.released:

        rule:
            name:
                f"fetch_{language.name}"
            # Fetch the released files of a language
            output:
                files=[str(entry.file) for entry in language.files.values()],
                locks=[f"{entry.file}.lock" for entry in language.files.values()],
            log:
                f"{RESULTS}/logs/fetch_source/{language.name}.log",
            localrule: True
            resources:
                downloads=1,
            params:
                sources=[entry.source.facts() for entry in language.files.values()],
            script:
                "../scripts/fetch_source.py"


rule build_released:
    """Read the released files of a language into a dataset."""
    input:
        unpack(language_files),
    output:
        **dataset_outputs(),
    log:
        f"{RESULTS}/logs/build_released/{{language}}.log",
    wildcard_constraints:
        language=one_of(name for name, of in LANGUAGES.items() if of.released),
    params:
        sources=language_licences,
        code=code("build_released"),
    script:
        "../scripts/build_released.py"


rule sample_triples:
    """Sample a dataset from paradigms and word counts, as the organisers did."""
    input:
        unpack(language_files),
    output:
        **dataset_outputs(),
    log:
        f"{RESULTS}/logs/sample_triples/{{language}}.log",
    wildcard_constraints:
        language=one_of(name for name, of in LANGUAGES.items() if not of.released),
    params:
        settings=INFLECTION_SETTINGS["sampling"],
        seed=config["seeds"][0],
        sources=language_licences,
        code=code("sample_triples"),
    script:
        "../scripts/sample_triples.py"


rule check_datasets:
    """Check the organisers' statements on the datasets; list the missing languages."""
    input:
        datasets=expand(
            f"{INFLECTION}/datasets/{{language}}/{{split}}.parquet",
            language=LANGUAGES,
            split=INFLECTION_SPLITS,
        ),
        words=list(filter(None, map(word_counts, LANGUAGES))),
    output:
        properties=report(
            f"{INFLECTION}/tables/properties.tsv",
            caption="../report/inflection_properties.rst",
            category="inflection",
        ),
        drops=f"{INFLECTION}/datasets/drops.tsv",
    log:
        f"{RESULTS}/logs/check_datasets.log",
    params:
        folder=f"{INFLECTION}/datasets",
        languages=list(LANGUAGES),
        words={name: word_counts(name) for name in LANGUAGES},
        drops={
            "released language neither in a mirror nor downloaded": len(UNREACHED),
            "licence not allowed": len(FOUND) - len(LANGUAGES),
            "word counts: licence not allowed": len(WORD_COUNTS) - len(FREQUENCIES),
        },
        code=code("check_datasets"),
    script:
        "../scripts/check_datasets.py"


# A rule for each pack, its files literal: a changed language concerns its own pack alone
for system in INFLECTION_SETTINGS["systems"]:
    draws = importlib.import_module(f"kasu.inflection.systems.{system}").DRAWS
    for (setting, pack), names in PACKS.items():

        rule:
            name:
                f"inflect_{system}_{setting}_{pack}"
            # Train a system on each language of a pack and predict the test sets
            input:
                train=of_pack(
                    f"{INFLECTION}/datasets/{{language}}/{{setting}}.parquet",
                    names,
                    setting,
                ),
                dev=of_pack(
                    f"{INFLECTION}/datasets/{{language}}/dev.parquet", names, setting
                ),
                test=of_pack(
                    f"{INFLECTION}/datasets/{{language}}/test.parquet", names, setting
                ),
            output:
                of_pack(
                    f"{INFLECTION}/predictions/{system}/{{language}}-{{setting}}.parquet",
                    names,
                    setting,
                ),
            log:
                f"{RESULTS}/logs/inflect/{system}-{setting}-{pack}.log",
            benchmark:
                f"{RESULTS}/benchmarks/inflect/{system}-{setting}-{pack}.tsv"
            params:
                languages=names,
                system=system,
                variants=INFLECTION_SETTINGS.get(system, {}).get("ties", []),
                seeds=config["seeds"] if draws else [],
                settings=INFLECTION_SETTINGS.get(system, {}),
                work=f"{INFLECTION}/work/{system}-{setting}-{pack}",
                code=code("inflect", f"kasu.inflection.systems.{system}"),
            script:
                "../scripts/inflect.py"


rule score_inflection:
    """Score all systems, with oracles, sign tests and means over languages."""
    input:
        predictions=expand(
            f"{INFLECTION}/predictions/{{system}}/{{condition}}.parquet",
            system=INFLECTION_SETTINGS["systems"],
            condition=[f"{language}-{setting}" for language, setting in INFLECTED],
        ),
        datasets=rules.check_datasets.input.datasets,
        published=PUBLISHED,
    output:
        **{
            table: report(
                f"{INFLECTION}/tables/{table}.tsv",
                caption=f"../report/inflection_{table}.rst",
                category="inflection",
            )
            for table in ("claims", "comparisons", "learning_curves", "power")
        },
        scores=f"{INFLECTION}/scores.parquet",
    log:
        f"{RESULTS}/logs/score_inflection.log",
    benchmark:
        f"{RESULTS}/benchmarks/score_inflection.tsv"
    params:
        systems=INFLECTION_SETTINGS["systems"],
        inflected=INFLECTED,
        languages={name: language.released for name, language in LANGUAGES.items()},
        seed=config["seeds"][0],
        code=code("score_inflection"),
    script:
        "../scripts/score_inflection.py"


rule draw_languages:
    """Draw accuracy by language and setting next to the published baseline and best system."""
    input:
        scores=f"{INFLECTION}/scores.parquet",
        published=PUBLISHED,
    output:
        report(
            f"{INFLECTION}/figures/languages.svg",
            caption="../report/inflection_languages.rst",
            category="inflection",
        ),
    log:
        f"{RESULTS}/logs/draw_languages.log",
    params:
        code=code("draw_languages"),
    script:
        "../scripts/draw_languages.py"


add_study(
    INFLECTION_FILES,
    {
        "name": "inflection",
        "title": "Inflection: from a lemma and features to the form, in 103 languages",
        "citation": "Cotterell et al. (2018), CoNLL-SIGMORPHON shared task, task 1",
        "paper": "sigmorphon2018",
        "printed": INFLECTION_TABLES,
        "captions": {
            table: f"workflow/report/inflection_{table}.rst"
            for table in INFLECTION_TABLES
        },
        "figures": {"table_8": f"{INFLECTION}/figures/languages.svg"},
        "legends": {
            "table_8": "accuracy by language, ours and the published baseline and best system"
        },
        "counts": {
            f"dataset {name}": f"{INFLECTION}/datasets/{name}/counts.tsv"
            for name, language in LANGUAGES.items()
            if not language.released
        },
        "drops": {
            "languages": f"{INFLECTION}/datasets/drops.tsv",
            **{
                f"dataset {name}": f"{INFLECTION}/datasets/{name}/drops.tsv"
                for name, language in LANGUAGES.items()
                if not language.released
            },
        },
        "details": {
            heading: f"{INFLECTION}/tables/{table}.tsv"
            for heading, table in INFLECTION_DETAILS.items()
        },
        "nulls": ["copy"],
        "sources": [
            *(
                entry
                for language in LANGUAGES.values()
                for entry in language.files.values()
            ),
            *FREQUENCIES.values(),
        ],
    },
)


if UNREACHED and workflow.is_main_process:
    print(
        f"inflection: {len(UNREACHED)} released languages are neither in a mirror nor downloaded; "
        "`languages: [available]` leaves them out, `languages: [all]` downloads them",
        file=sys.stderr,
    )
