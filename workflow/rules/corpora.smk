"""Corpora: from Wikipedia dumps, line texts and treebanks to sentences and their morphology.

In: dumps, texts and treebanks of `corpora` in the config. Out, under <results>/corpora/:
wikis/<wiki>/, texts/<text>/ or treebanks/<file>/ for every source, and <corpus>/ for every corpus, each with sentences.parquet,
counts.tsv and drops.tsv; also <corpus>/analyses.parquet for every corpus with an analyser or a tagset.
Time on two cores: a minute to extract 5 MB of bz2; two minutes to analyse a million words.
"""

from kasu.corpora.wiki.templates import TABLE as TEMPLATES
from kasu.corpora.wiki.names import TABLE as NAMES


def text_format(wildcards):
    """How to read a line text: language, fields, split, tokenised."""
    text = CORPORA.text(wildcards.text)
    return {"language": text.language, **text.reading}


rule extract_wikipedia:
    """Extract the sentences of the articles in a Wikipedia dump."""
    input:
        dump=lambda wildcards: str(CORPORA.wiki(wildcards.wiki).entry.file),
        names=str(NAMES),
        templates=str(TEMPLATES),
    output:
        sentences=f"{RESULTS}/corpora/wikis/{{wiki}}/sentences.parquet",
        counts=f"{RESULTS}/corpora/wikis/{{wiki}}/counts.tsv",
        drops=f"{RESULTS}/corpora/wikis/{{wiki}}/drops.tsv",
    log:
        f"{RESULTS}/logs/extract_wikipedia/{{wiki}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/extract_wikipedia/{{wiki}}.tsv"
    threads: 8
    params:
        language=lambda wildcards: CORPORA.wiki(wildcards.wiki).language,
        patterns=dict(SETTINGS.wikipedia.bot_articles),
        templates=lambda wildcards: SETTINGS.wikipedia.templates.get(
            CORPORA.wiki(wildcards.wiki).language, {}
        ),
        broken_share=SETTINGS.wikipedia.broken_share,
        code=code("extract_wikipedia"),
    script:
        "../scripts/extract_wikipedia.py"


rule read_lines:
    """Read the sentences of a line text."""
    input:
        text=lambda wildcards: str(CORPORA.text(wildcards.text).entry.file),
    output:
        sentences=f"{RESULTS}/corpora/texts/{{text}}/sentences.parquet",
        counts=f"{RESULTS}/corpora/texts/{{text}}/counts.tsv",
        drops=f"{RESULTS}/corpora/texts/{{text}}/drops.tsv",
    log:
        f"{RESULTS}/logs/read_lines/{{text}}.log",
    params:
        format=text_format,
        code=code("read_lines"),
    script:
        "../scripts/read_lines.py"


rule extract_treebank:
    """Extract the sentences of a treebank's file, as a source of a corpus."""
    input:
        treebank=f"{RESULTS}/treebanks/{{treebank_file}}.parquet",
    output:
        sentences=f"{RESULTS}/corpora/treebanks/{{treebank_file}}/sentences.parquet",
        counts=f"{RESULTS}/corpora/treebanks/{{treebank_file}}/counts.tsv",
        drops=f"{RESULTS}/corpora/treebanks/{{treebank_file}}/drops.tsv",
    log:
        f"{RESULTS}/logs/extract_treebank/{{treebank_file}}.log",
    params:
        code=code("extract_treebank"),
    script:
        "../scripts/extract_treebank.py"


rule build_corpus:
    """Merge the sources of a corpus without duplicates, and add split keys."""
    input:
        sources=lambda wildcards: [
            f"{folder}/sentences.parquet"
            for folder in CORPORA.folders(wildcards.corpus)
        ],
    output:
        sentences=f"{RESULTS}/corpora/{{corpus}}/sentences.parquet",
        counts=f"{RESULTS}/corpora/{{corpus}}/counts.tsv",
        drops=f"{RESULTS}/corpora/{{corpus}}/drops.tsv",
    log:
        f"{RESULTS}/logs/build_corpus/{{corpus}}.log",
    wildcard_constraints:
        corpus="[^/]+",
    params:
        refused=lambda wildcards: CORPORA.refused(wildcards.corpus),
        code=code("build_corpus"),
    script:
        "../scripts/build_corpus.py"


rule analyse_corpus:
    """Analyse the morphology of a corpus with Apertium, keeping all readings."""
    input:
        sentences=f"{RESULTS}/corpora/{{corpus}}/sentences.parquet",
        tagset=lambda wildcards: CORPORA.tagset(wildcards.corpus),
        dictionary=lambda wildcards: CORPORA.dictionary(wildcards.corpus),
    output:
        analyses=f"{RESULTS}/corpora/{{corpus}}/analyses.parquet",
        counts=f"{RESULTS}/corpora/{{corpus}}/analyses_counts.tsv",
    log:
        f"{RESULTS}/logs/analyse_corpus/{{corpus}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/analyse_corpus/{{corpus}}.tsv"
    wildcard_constraints:
        corpus=one_of(CORPORA.of_text),
    threads: 8
    params:
        analyser=lambda wildcards: CORPORA.analyser(wildcards.corpus).dump(),
        code=code("analyse_corpus"),
    script:
        "../scripts/analyse_corpus.py"


rule read_annotation:
    """Take the morphology of a corpus from the annotation of its treebank."""
    input:
        sentences=f"{RESULTS}/corpora/{{corpus}}/sentences.parquet",
        treebanks=lambda wildcards: CORPORA.treebank_files(wildcards.corpus),
        tagset=lambda wildcards: CORPORA.tagset(wildcards.corpus),
    output:
        analyses=f"{RESULTS}/corpora/{{corpus}}/analyses.parquet",
        counts=f"{RESULTS}/corpora/{{corpus}}/analyses_counts.tsv",
    log:
        f"{RESULTS}/logs/read_annotation/{{corpus}}.log",
    wildcard_constraints:
        corpus=one_of(CORPORA.of_treebanks),
    params:
        code=code("read_annotation"),
    script:
        "../scripts/read_annotation.py"


rule corpora:
    """Build and analyse the corpora."""
    input:
        lambda wildcards: CORPORA.files,
    localrule: True
