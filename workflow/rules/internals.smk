"""What Kasu touches of Snakemake's internals, under names that say what happens, each with its reason.

The other rule files call these. An update of Snakemake may move what they reach for.
"""

from functools import cache

from snakemake.exceptions import RuleException, WorkflowError
from snakemake.io import flag, is_callable
from snakemake.logging import logger
from snakemake.settings.enums import RerunTrigger
from snakemake.sourcecache import LocalSourceFile


def folder_of_rules():
    """Return the folder of the rule file that Snakemake reads; None if the file is a fetched one.

    `workflow.basedir` is the folder of the first Snakefile, which may be that of another workflow.
    """
    folder = workflow.current_basedir
    return Path(str(folder)) if isinstance(folder, LocalSourceFile) else None


def is_module():
    """Return whether Kasu is a module of another workflow, with its command line and config."""
    return bool(workflow.modifier.namespace)


def has_moved_paths():
    """Return whether a module has a `prefix` or a `replace_prefix`.

    Parameters have paths too, which Snakemake leaves as they are.
    """
    moved = workflow.modifier.path_modifier
    return moved.modifies_prefixes or moved.replace_prefix("a") != "a"


def words_of_config():
    """Return what `--config` says, as Snakemake reads it: scalars in maps and lists are text."""
    return workflow.config_settings.config


def hold_working_directory():
    """Hold Snakemake's folder, and clear the locks that a killed run left in it.

    Snakemake does not tell a killed run from a live one, and would ask for `--unlock`.
    """
    return hold_lock(".snakemake", "locks/*.lock")


def let_environments_import():
    """Keep PYTHONPATH in conda environments, from which Snakemake hides it by default."""
    workflow.deployment_settings.conda_not_block_search_path_envvars = True


def print_by(make):
    """Print a run by a handler of Kasu's, made from that of Snakemake, which it replaces.

    Snakemake takes a logger only as an installed plugin, and a run without it would not start. An
    option that asks for another output leaves Snakemake's; beside a `--logger` that prints there is
    none to replace.
    """
    stated = workflow.output_settings
    if stated.dryrun or stated.quiet or stated.verbose or stated.debug_dag:
        return
    if stated.printshellcmds or stated.show_failed_logs:
        return
    for handler in logger.handlers[:]:
        if handler.name == "DefaultStreamHandler":
            logger.removeHandler(handler)
            logger.addHandler(make(handler))


def value_of(variable):
    """Return the value of a path variable; the `pathvars` of a module outrank the Snakefile's."""
    return workflow.pathvars.apply(f"<{variable}>")


def share_gpus(find):
    """Run as many jobs that take a GPU at once as one machine has, without any as cores allow.

    On a cluster, where Snakemake has a number of nodes, the scheduler hands out GPUs. `find` lists
    those of a machine; a number on the command line counts before it.
    """
    is_cluster = workflow.resource_settings.nodes is not None
    if not is_cluster and "gpu" not in workflow.global_resources and (gpus := find()):
        workflow.register_resource("gpu", len(gpus))


def start_jobs_at_once():
    """Start jobs on one machine without Snakemake's limit, 100 a second for a cluster's scheduler.

    While jobs wait for cores, each finished job would leave a timer that goes off every second: a
    fifth of a core after 400 jobs.
    """
    if runs_here():
        workflow.scheduler.job_rate_limiter = None


def build_by_default(name):
    """Make a rule the default target: Snakemake takes none from a file that is included."""
    name = workflow.modifier.modify_rulename(name)
    # A module may leave rules out
    if workflow.is_rule(name):
        workflow.default_target = name


def files_to_make():
    """Return the files that the jobs of a planned run write."""
    return {str(file) for job in workflow.dag.needrun_jobs() for file in job.output}


def touches():
    """Return whether a run only declares outputs current, and makes none."""
    return workflow.touch


def parameters_of_jobs(name):
    """Return a parameter of each job of a planned run whose rule has a function of this name.

    Snakemake keeps what `job.params` returns; parameters that wait for inputs would be kept too soon.
    """
    return [
        job.rule.params[name](job.wildcards)
        for job in workflow.dag.needrun_jobs()
        if name in job.rule.params.keys()
    ]


def runs_here():
    """Return whether jobs run on this machine, and not on a cluster's."""
    return workflow.local_exec


def planned_rules():
    """Return the names of the rules of a planned run, also of those whose files are there."""
    return {job.rule.name for job in workflow.dag.jobs}


def own_name(name, modify=workflow.modifier.modify_rulename):
    """Return the name of one of Kasu's rules, to which a module may add."""
    return modify(name)


def is_target(name):
    """Return whether the command line names one of Kasu's rules as a target."""
    return own_name(name) in targets()


def own_rules():
    """Return Kasu's rules; those of a module stand among the rules of another workflow."""
    of_kasu = f"{LIBRARY}{os.sep}"
    return [each for each in workflow.rules if str(each.snakefile).startswith(of_kasu)]


@cache
def is_made(path):
    """Return whether a job makes a file."""
    return any(rule.is_producer(path) for rule in workflow.rules)


def is_own(path):
    """Return whether a job of Kasu makes a file."""
    return any(rule.is_producer(path) for rule in own_rules())


def is_known(reader, wildcards):
    """Return whether Snakemake knows more of the outputs of a rule's job than their dates."""
    first = reader.output[0].apply_wildcards(wildcards)
    return workflow.persistence.metadata(first) is not None


def add_parameter(reader, **functions):
    """Add a parameter to a rule that Snakemake has read already."""
    reader.set_params(**functions)


def counts_parameters():
    """Return whether a changed parameter runs a job again, which is the user's choice."""
    return RerunTrigger.PARAMS in workflow.rerun_triggers


def read_and_written(reader, wildcards):
    """Return the inputs and outputs of a rule's job, as Snakemake expands them for its wildcards."""
    files, *_ = reader.expand_input(wildcards)
    outputs, _ = reader.expand_output(wildcards)
    return map(str, files), map(str, outputs)


def leave_dates_out(reader, choose):
    """Let the dates of some inputs of a rule not count: Snakemake takes no function for `ancient`.

    `choose` picks these inputs from all inputs of a job, for its wildcards.
    """
    expand = reader.expand_input

    def expanded(wildcards, **named):
        files, *others = expand(wildcards, **named)
        for file in choose(wildcards, files):
            flag(file, "ancient")
        return files, *others

    reader.expand_input = expanded


@cache
def record_anew():
    """Let Snakemake record the parameters that a job has once it has finished.

    By default it records the parameters that it found when it planned, before downloads landed and
    models were trained, and would run the job again.
    """
    finished = workflow.persistence.finished

    async def anew(job):
        job._non_derived_params = None
        workflow.persistence._params.cache_clear()
        await finished(job)

    workflow.persistence.finished = anew


def wrap_functions(reader, wrap):
    """Wrap what calls the functions of a rule: Snakemake prints a trace of what they raise."""
    reader.apply_input_function = wrap(reader.apply_input_function)


def wrap_planning(wrap):
    """Wrap the two steps in which Snakemake plans: it has no hook for names that it does not find."""
    workflow._prepare_dag = wrap(workflow._prepare_dag)
    workflow._build_dag = wrap(workflow._build_dag)


def after_planning(act):
    """Act once Snakemake has planned, also where there is nothing to run: it has no hook for that."""
    plan = workflow._build_dag

    def planned(*arguments, **named):
        plan(*arguments, **named)
        act()

    workflow._build_dag = planned


def kept_unknown():
    """Return the first output of each job that does not run though only its dates are known."""
    dag = workflow.dag
    jobs = (job for job in dag.jobs if job.output and not dag.needrun(job))
    return [str(job.output[0]) for job in jobs if dag.reason(job).no_metadata]


def silent_names():
    """Return the names on the command line that Snakemake does not report if they are unknown."""
    stated = workflow.dag_settings
    return {*stated.omit_from, *([stated.batch.rulename] if stated.batch else [])}


def named_rules():
    """Return the rules and files that further options of the command line name."""
    stated, scheduled = workflow.dag_settings, workflow.scheduling_settings
    first = scheduled.prioritytargets if scheduled else ()
    return {*stated.forcerun, *stated.until, *first}


def targets():
    """Return the targets of the command line."""
    return workflow.dag_settings.targets


def plain_outputs():
    """Return the outputs of rules without wildcards."""
    files = (file for rule in workflow.rules for file in rule.output)
    return {str(file) for file in files if not file.contains_wildcard()}


@cache
def can_make(path):
    """Return whether a rule makes a file from files that exist or can be made.

    The files of input functions are not looked at: these functions end their mistakes themselves.
    """
    return any(
        all(
            os.path.exists(file) or can_make(file)
            for given in rule.input
            if not is_callable(given)
            for file in [str(given.apply_wildcards(rule.get_wildcards(path)))]
        )
        for rule in workflow.rules
        if rule.is_producer(path)
    )
