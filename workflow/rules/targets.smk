"""What users and configs name and there is not ends in one line; included last, it knows all rules.

Snakemake has no hook for this, so three of its methods are wrapped.
"""

from functools import cache

from kasu.base.errors import nearest
from snakemake.exceptions import InputFunctionException, RuleException
from snakemake.io import is_callable


def one_line(function):
    """End the mistakes that a rule's functions of input, parameters and so on find in one line.

    `function` is the method of the rule that calls them, or a check.
    """

    def checked(*arguments, **named):
        try:
            return function(*arguments, **named)
        except KasuError as error:
            end(error)
        except InputFunctionException as error:
            if isinstance(error.__context__, KasuError):
                end(error.__context__)
            raise

    return checked


@cache
def can_make(path):
    """Whether a rule makes a file from what is there or can be made.

    What an input function asks for is not looked at: it ends its mistakes itself.
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


def known_files():
    """The files that targets may name, those of the plans and of rules without wildcards."""
    # A dump whose date is not pinned is no reason to ask the network now
    WORKSPACE.ask = None
    plain = (file for rule in workflow.rules for file in rule.output)
    known = {str(file) for file in plain if not file.contains_wildcard()}
    for plan in STUDIES.values():
        known.update(if_resolved(lambda: [*plan.files, *plan.report.files(RESULTS)]))
    known.update(if_resolved(lambda: CORPORA.files))
    # A report shows files that come with Kasu
    return [file for file in known if file.startswith(f"{RESULTS}/")]


def check_names(names, rules):
    """End a run for a name that is none of these rules and no file; name the nearest."""
    known = [rule.name for rule in rules]
    for name in sorted(names):
        path = name if os.path.isabs(name) else os.path.normpath(name)
        if name in known or can_make(path):
            continue
        found = "no rule, and no file that this config makes"
        if workflow.is_rule(name):
            found = "a rule with wildcards"
        expected = nearest(path, known_files() if "/" in name else known)
        end(KasuError(f"target {name}", found, expected))


def explain_names(plan):
    """A step in which Snakemake plans; names that it does not find end in one line."""

    def explained(*arguments, **named):
        stated, scheduled = workflow.dag_settings, workflow.scheduling_settings
        # Of these Snakemake says nothing
        silent = {*stated.omit_from, *([stated.batch.rulename] if stated.batch else [])}
        check_names(silent, workflow.rules)
        try:
            return plan(*arguments, **named)
        except (RuleException, WorkflowError, ValueError):
            first = scheduled.prioritytargets if scheduled else ()
            check_names({*stated.forcerun, *stated.until, *first}, workflow.rules)
            plain = [rule for rule in workflow.rules if not rule.has_wildcards()]
            check_names(stated.targets, plain)
            raise

    return explained


for each in own_rules():
    each.apply_input_function = one_line(each.apply_input_function)
# The command line of a module names rules and files of the workflow that uses it
if workflow.is_main_process and not workflow.modifier.namespace:
    workflow._prepare_dag = explain_names(workflow._prepare_dag)
    workflow._build_dag = explain_names(workflow._build_dag)
if workflow.is_main_process:
    one_line(expect_unwritten)(
        {key: value for key, value in SETTINGS.dump().items() if key != "results"},
        RESULTS,
        lambda path: any(rule.is_producer(path) for rule in own_rules()),
    )
