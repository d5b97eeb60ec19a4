"""Corpora: Wikipedia dumps and line texts to sentences, sentences to morphological analyses.

In: dumps and texts of `corpora` in the config. Out, under <results>/corpora/: for every source
wikis/<wiki>/ or texts/<text>/ and for every corpus <corpus>/, each with sentences.parquet,
counts.tsv and drops.tsv; for every corpus with an analyser <corpus>/analyses.parquet.
Time on two cores: a minute for 5 MB of bz2; two minutes for a million words.
"""


def wiki_file(wildcards):
    return str(WIKIS[wildcards.wiki][0].file)


def wiki_language(wildcards):
    return WIKIS[wildcards.wiki][1]


def text_file(wildcards):
    return str(TEXTS[wildcards.text][0].file)


def text_format(wildcards):
    """How to read a text: language, fields, split, tokenised."""
    _, language, text = TEXTS[wildcards.text]
    return {
        "language": language,
        "fields": text.get("fields", []),
        "split": text.get("split", False),
        "tokenised": text.get("tokenised", False),
    }


def source_folders(corpus):
    """The folders of a corpus's sources, in the config's order."""
    return [
        f"{RESULTS}/corpora/{kind}/{entry.slug}" for kind, _, entry in SOURCES[corpus]
    ]


def corpus_sources(wildcards):
    return [
        f"{folder}/sentences.parquet" for folder in source_folders(wildcards.corpus)
    ]


def refused_sources(wildcards):
    return [entry.source.name for entry in REFUSED[wildcards.corpus]]


def analyser_of(corpus):
    """What the config says of a corpus's analyser."""
    name = CORPORA[corpus].get("analyser")
    if name not in ANALYSERS:
        raise WorkflowError(
            f"config corpora {corpus}: analyser {name!r}; expected one of {', '.join(ANALYSERS)}"
        )
    return ANALYSERS[name]


def analyser_facts(corpus):
    """The analyser of a corpus, and the content of its dictionary."""
    analyser = analyser_of(corpus)
    return {**analyser, "sha256": file_digest(analyser["dictionary"])}


def analyser_of_corpus(wildcards):
    return analyser_facts(wildcards.corpus)


def tagset_of_corpus(wildcards):
    return analyser_of(wildcards.corpus)["tagset"]


CORPUS_FILES = [
    f"{RESULTS}/corpora/{name}/{'analyses' if 'analyser' in corpus else 'sentences'}.parquet"
    for name, corpus in CORPORA.items()
]


rule extract_wikipedia:
    """Extract the sentences of a Wikipedia dump's articles."""
    input:
        dump=wiki_file,
    output:
        sentences=f"{RESULTS}/corpora/wikis/{{wiki}}/sentences.parquet",
        counts=f"{RESULTS}/corpora/wikis/{{wiki}}/counts.tsv",
        drops=f"{RESULTS}/corpora/wikis/{{wiki}}/drops.tsv",
    log:
        f"{RESULTS}/logs/extract_wikipedia/{{wiki}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/extract_wikipedia/{{wiki}}.tsv"
    conda:
        "../../envs/kasu.yaml"
    threads: 8
    params:
        language=wiki_language,
        patterns=config["wikipedia"]["bot_articles"],
        broken_share=config["wikipedia"]["broken_share"],
        code=code("extract_wikipedia"),
    script:
        "../scripts/extract_wikipedia.py"


rule read_lines:
    """Read the sentences of a line text."""
    input:
        text=text_file,
    output:
        sentences=f"{RESULTS}/corpora/texts/{{text}}/sentences.parquet",
        counts=f"{RESULTS}/corpora/texts/{{text}}/counts.tsv",
        drops=f"{RESULTS}/corpora/texts/{{text}}/drops.tsv",
    log:
        f"{RESULTS}/logs/read_lines/{{text}}.log",
    conda:
        "../../envs/kasu.yaml"
    params:
        format=text_format,
        code=code("read_lines"),
    script:
        "../scripts/read_lines.py"


rule build_corpus:
    """Merge the sources of a corpus, duplicates out, each sentence with its split key."""
    input:
        sources=corpus_sources,
    output:
        sentences=f"{RESULTS}/corpora/{{corpus}}/sentences.parquet",
        counts=f"{RESULTS}/corpora/{{corpus}}/counts.tsv",
        drops=f"{RESULTS}/corpora/{{corpus}}/drops.tsv",
    log:
        f"{RESULTS}/logs/build_corpus/{{corpus}}.log",
    conda:
        "../../envs/kasu.yaml"
    params:
        refused=refused_sources,
        code=code("build_corpus"),
    script:
        "../scripts/build_corpus.py"


rule analyse_corpus:
    """Analyse the morphology of a corpus with Apertium, all readings kept."""
    input:
        sentences=f"{RESULTS}/corpora/{{corpus}}/sentences.parquet",
        tagset=tagset_of_corpus,
    output:
        analyses=f"{RESULTS}/corpora/{{corpus}}/analyses.parquet",
        counts=f"{RESULTS}/corpora/{{corpus}}/analyses_counts.tsv",
    log:
        f"{RESULTS}/logs/analyse_corpus/{{corpus}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/analyse_corpus/{{corpus}}.tsv"
    conda:
        "../../envs/kasu.yaml"
    threads: 8
    params:
        analyser=analyser_of_corpus,
        code=code("analyse_corpus"),
    script:
        "../scripts/analyse_corpus.py"


def corpus_reports(corpus, kind):
    """Counts or drops of a corpus and its sources, by what was counted."""
    found = {
        f"source {Path(folder).name}": f"{folder}/{kind}.tsv"
        for folder in source_folders(corpus)
    }
    found[f"corpus {corpus}"] = f"{RESULTS}/corpora/{corpus}/{kind}.tsv"
    if kind == "counts" and "analyser" in CORPORA[corpus]:
        found[f"analysis of {corpus}"] = (
            f"{RESULTS}/corpora/{corpus}/analyses_counts.tsv"
        )
    return found
