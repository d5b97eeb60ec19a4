"""Corpora: from Wikipedia dumps, line texts and treebanks to sentences and their morphology.

In: dumps, texts and treebanks of `corpora` in the config. Out, under <results>/corpora/:
wikis/<wiki>/, texts/<text>/ or treebanks/<file>/ for every source, and <corpus>/ for every corpus, each with sentences.parquet,
counts.tsv and drops.tsv; also <corpus>/analyses.parquet for every corpus with an analyser or a tagset.
Time on two cores: a minute to extract 5 MB of bz2; two minutes to analyse a million words.
"""

from kasu.corpora.wiki.templates import TABLE as TEMPLATES
from kasu.corpora.wiki.names import TABLE as NAMES


def by_language(name):
    """Make the function that finds what a key of `wikipedia` says of a wiki's language."""

    def of_wiki(wildcards):
        language = CORPORA.wiki(wildcards.wiki).language
        return getattr(SETTINGS.wikipedia, name).get(language, {})

    return of_wiki


def text_format(wildcards):
    """How to read a line text: language, fields, split, tokenised."""
    text = CORPORA.text(wildcards.text)
    return {"language": text.language, **text.reading}


def expect_analysers():
    """End a planned run on this machine whose jobs analyse text with what is not installed here.

    Results that have been analysed elsewhere need no analyser, so a plan alone does not ask for it.
    """
    named = {each["dictionary"] for each in parameters_of_jobs("analyser")}
    if named and runs_here():
        from kasu.corpora.morphology.apertium import expect_installed

        for dictionary in sorted(named):
            expect_installed(dictionary)


rule extract_wikipedia:
    """Extract the sentences of the articles in a Wikipedia dump."""
    input:
        dump=from_plan(CORPORA, "wiki", "entry.file"),
        names=str(NAMES),
        templates=str(TEMPLATES),
    output:
        sentences="<results>/corpora/wikis/{wiki}/sentences.parquet",
        counts="<results>/corpora/wikis/{wiki}/counts.tsv",
        drops="<results>/corpora/wikis/{wiki}/drops.tsv",
    log:
        "<logs>/extract_wikipedia/{wiki}.log",
    benchmark:
        "<benchmarks>/extract_wikipedia/{wiki}.tsv"
    threads: 8
    resources:
        runtime=480,
    params:
        language=from_plan(CORPORA, "wiki", "language"),
        patterns=by_language("bot_articles"),
        templates=by_language("templates"),
        broken_share=SETTINGS.wikipedia.broken_share,
        code=code("extract_wikipedia"),
    script:
        "../scripts/extract_wikipedia.py"


rule read_lines:
    """Read the sentences of a line text."""
    input:
        text=from_plan(CORPORA, "text", "entry.file"),
    output:
        sentences="<results>/corpora/texts/{text}/sentences.parquet",
        counts="<results>/corpora/texts/{text}/counts.tsv",
        drops="<results>/corpora/texts/{text}/drops.tsv",
    log:
        "<logs>/read_lines/{text}.log",
    params:
        format=text_format,
        code=code("read_lines"),
    script:
        "../scripts/read_lines.py"


rule extract_treebank:
    """Extract the sentences of a treebank's file, as a source of a corpus."""
    input:
        treebank="<results>/treebanks/{treebank_file}.parquet",
    output:
        sentences="<results>/corpora/treebanks/{treebank_file}/sentences.parquet",
        counts="<results>/corpora/treebanks/{treebank_file}/counts.tsv",
        drops="<results>/corpora/treebanks/{treebank_file}/drops.tsv",
    log:
        "<logs>/extract_treebank/{treebank_file}.log",
    params:
        code=code("extract_treebank"),
    script:
        "../scripts/extract_treebank.py"


rule build_corpus:
    """Merge the sources of a corpus without duplicates, and add split keys."""
    input:
        sources=from_plan(CORPORA, "source_sentences"),
    output:
        sentences="<results>/corpora/{corpus}/sentences.parquet",
        counts="<results>/corpora/{corpus}/counts.tsv",
        drops="<results>/corpora/{corpus}/drops.tsv",
    log:
        "<logs>/build_corpus/{corpus}.log",
    wildcard_constraints:
        corpus="[^/]+",
    resources:
        mem_mb=per_attempt(8_000),
        runtime=480,
    params:
        refused=from_plan(CORPORA, "refused"),
        code=code("build_corpus"),
    script:
        "../scripts/build_corpus.py"


rule analyse_corpus:
    """Analyse the morphology of a corpus with Apertium, keeping all readings."""
    input:
        sentences="<results>/corpora/{corpus}/sentences.parquet",
        tagset=from_plan(CORPORA, "tagset"),
        dictionary=from_plan(CORPORA, "dictionary"),
    output:
        analyses="<results>/corpora/{corpus}/analyses.parquet",
        counts="<results>/corpora/{corpus}/analyses_counts.tsv",
    log:
        "<logs>/analyse_corpus/{corpus}.log",
    benchmark:
        "<benchmarks>/analyse_corpus/{corpus}.tsv"
    wildcard_constraints:
        corpus=one_of(CORPORA.of_text),
    threads: 8
    resources:
        mem_mb=per_attempt(8_000),
        runtime=480,
    params:
        analyser=from_plan(CORPORA, "analyser", "dump"),
        code=code("analyse_corpus"),
    script:
        "../scripts/analyse_corpus.py"


rule read_annotation:
    """Take the morphology of a corpus from the annotation of its treebank."""
    input:
        sentences="<results>/corpora/{corpus}/sentences.parquet",
        treebanks=from_plan(CORPORA, "treebank_files"),
        tagset=from_plan(CORPORA, "tagset"),
    output:
        analyses="<results>/corpora/{corpus}/analyses.parquet",
        counts="<results>/corpora/{corpus}/analyses_counts.tsv",
    log:
        "<logs>/read_annotation/{corpus}.log",
    wildcard_constraints:
        corpus=one_of(CORPORA.of_treebanks),
    params:
        code=code("read_annotation"),
    script:
        "../scripts/read_annotation.py"


rule corpora:
    """Build and analyse the corpora."""
    input:
        from_plan(CORPORA, "files"),
    localrule: True
