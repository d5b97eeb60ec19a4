"""Systems of both tasks of CoNLL-SIGMORPHON 2018 (inflection, cloze): members, submissions, verdicts.

A family of systems (docs/add-a-system.md) trains its members over packs of languages, one job per
setting, pack and block of members. Where members learn from several languages at once, these are a
pack. A submission is a function of members: each alone, a vote. A fingerprint sets it beside its
published column. Out, under <results>/<study>/: members/, predictions/, and `fingerprint` in
tables/ and figures/.
"""

from kasu.files.tables import file_hash

TASKS = {name: STUDIES[name] for name in ("inflection", "cloze") if name in STUDIES}
# A family that is pooled in one task has the resources of a pooled one in both
POOLED = {
    name for plan in TASKS.values() for name in plan.grid.families_of(pooled=True)
}
PLAIN = {
    name for plan in TASKS.values() for name in plan.grid.families_of(pooled=False)
}
TASK_SETTINGS = sorted({name for plan in TASKS.values() for name in plan.grid.settings})
SUBMISSIONS = [
    name
    for plan in TASKS.values()
    for name in if_resolved(from_plan(plan, "grid.submissions"))
]


def from_task(name):
    """Make a function as `from_plan` does, for the study that a wildcard names."""

    def asked(wildcards):
        return from_plan(TASKS[wildcards.study], name)(wildcards)

    return asked


def code_of_members(wildcards):
    """The hash of a family's code, with those of the files that its settings name."""
    hashes = [file_hash(file) for file in from_task("family_files")(wildcards)]
    own = code("inflect", "kasu.{study}.systems.{family}", "kasu.{study}.reader")
    return "-".join([own(wildcards), *hashes])


def code_of_submission(wildcards):
    """The hash of the code of a submission, with that of its family and of those that it joins."""
    families = [from_task("family_of")(wildcards), *from_task("families_of")(wildcards)]
    modules = [f"kasu.{wildcards.study}.systems.{family}" for family in families]
    return code("submit", *dict.fromkeys(modules))(wildcards)


def has_networks(wildcards):
    """Whether the members of a job are networks."""
    return TASKS[wildcards.study].grid.systems.load(wildcards.family).has_networks


def gpus_of_members(wildcards):
    """The GPUs of a job; a family without networks takes none."""
    return GPU if has_networks(wildcards) else 0


def device_of_members(wildcards):
    """The device of a job."""
    return device_of(has_networks(wildcards))


rule inflect:
    """Train a block of members of a family on the languages of a pack; answer dev and test."""
    input:
        # The splits of the pack's languages, and the files that the family's settings name
        from_task("job_inputs"),
    output:
        # Members that an earlier run of the job has landed are not trained again
        members=update(
            "<results>/{study}/members/{family}/{setting}/{pack}-{block}.parquet"
        ),
        failures=update(
            "<results>/{study}/members/{family}/{setting}/{pack}-{block}.failures.tsv"
        ),
        seconds=update(
            "<results>/benchmarks/inflect/{study}/{family}/{setting}/{pack}-{block}.seconds.tsv"
        ),
    log:
        "<logs>/inflect/{study}-{family}-{setting}-{pack}-{block}.log",
    benchmark:
        "<benchmarks>/inflect/{study}-{family}-{setting}-{pack}-{block}.tsv"
    wildcard_constraints:
        study=one_of(TASKS),
        family=one_of(sorted(PLAIN - POOLED)),
        setting=one_of(TASK_SETTINGS),
        pack=r"\d+",
        block=r"\d+",
    resources:
        gpu=gpus_of_members,
        runtime=1440,
    params:
        members=from_task("job_members"),
        splits=from_task("job_splits"),
        codes=from_task("job_codes"),
        options=from_task("options"),
        device=device_of_members,
        stack=from_task("stack"),
        work=in_results("{study}/work/{family}-{setting}-{pack}-{block}"),
        code=code_of_members,
    script:
        "../scripts/inflect.py"


# A job of its own name, since it takes more time and memory than a pack
use rule inflect as inflect_pooled with:
    log:
        "<logs>/inflect_pooled/{study}-{family}-{setting}-{pack}-{block}.log",
    benchmark:
        "<benchmarks>/inflect_pooled/{study}-{family}-{setting}-{pack}-{block}.tsv"
    wildcard_constraints:
        study=one_of(TASKS),
        family=one_of(sorted(POOLED)),
        setting=one_of(TASK_SETTINGS),
        pack=r"\d+",
        block=r"\d+",
    resources:
        gpu=gpus_of_members,
        mem_mb=per_attempt(16_000),
        runtime=2880,


rule submit:
    """Predict the test sets of a setting with one submission, a function of trained members."""
    input:
        # The members and failures of all its jobs of this setting
        unpack(from_task("trained")),
    output:
        predictions="<results>/{study}/predictions/{system}/{setting}.parquet",
        missing="<results>/{study}/predictions/{system}/{setting}.missing.tsv",
    log:
        "<logs>/submit/{study}-{system}-{setting}.log",
    wildcard_constraints:
        study=one_of(TASKS),
        system=one_of(SUBMISSIONS),
        setting=one_of(TASK_SETTINGS),
    params:
        family=from_task("family_of"),
        languages=from_task("languages_of"),
        code=code_of_submission,
    script:
        "../scripts/submit.py"


rule take_fingerprints:
    """Compare each system with its published column language by language; judge, and draw."""
    input:
        scores="<results>/{study}/scores.parquet",
        published=from_task("published_files"),
        members=from_task("dev_member_files"),
    output:
        table=report(
            "<results>/{study}/tables/fingerprint.tsv",
            caption="../report/fingerprint.rst",
            category="{study}",
        ),
        differences="<results>/{study}/tables/fingerprint_differences.tsv",
        figure=report(
            "<results>/{study}/figures/fingerprint.svg",
            caption="../report/fingerprint.rst",
            category="{study}",
        ),
        pdf="<results>/{study}/figures/fingerprint.pdf",
    log:
        "<logs>/take_fingerprints/{study}.log",
    wildcard_constraints:
        study=one_of(TASKS),
    params:
        targets=from_task("targets"),
        dev_members=from_task("dev_members"),
        released=from_task("datasets.released"),
        origins=from_task("origins"),
        published_members=from_task("published_members"),
        submitted=from_task("grid.submitted"),
        code=code("take_fingerprints", "kasu.{study}.evaluation.fingerprints"),
    script:
        "../scripts/take_fingerprints.py"
