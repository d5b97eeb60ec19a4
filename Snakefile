"""Kasu: five studies of grammar in neural networks, from raw text to a report.

Bare, this runs the demo (config/config.yaml). Scales and your own settings stack upon it:
    snakemake --cores 2 --configfile config/real.yaml mine.yaml
"""

from snakemake.utils import min_version

min_version("9.20")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


conda: "envs/kasu.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/sources.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/agreement.smk"
include: "workflow/rules/inflection.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/blm.smk"
include: "workflow/rules/pretraining.smk"
include: "workflow/rules/treebanks.smk"
include: "workflow/rules/minimal_sets.smk"
include: "workflow/rules/report.smk"


localrules:
    all,
    corpora,
    agreement,
    inflection,
    blm,
    pretraining,
    minimal_sets,


rule all:
    """Build every study and the report."""
    default_target: True
    input:
        f"{RESULTS}/report/index.html",


rule corpora:
    """Build and analyse the corpora."""
    input:
        one_line(lambda wildcards: CORPORA.files),


rule agreement:
    """Build the study of Basque agreement (Ravfogel et al. 2018)."""
    input:
        files_of("agreement"),


rule inflection:
    """Build the study of inflection (CoNLL-SIGMORPHON 2018, task 1)."""
    input:
        files_of("inflection"),


rule blm:
    """Build the study of matrices of agreement (BLM-AgrF, An et al. 2023)."""
    input:
        files_of("blm"),


rule pretraining:
    """Build the study of pretraining (BL2MP, Urbizu et al. 2024)."""
    input:
        files_of("pretraining"),


rule minimal_sets:
    """Build the study of minimal sets (Gallagher & Heyer 2026)."""
    input:
        files_of("minimal_sets"),
