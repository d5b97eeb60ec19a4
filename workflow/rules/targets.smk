"""Names of files and rules that do not exist end in one line; included last, it knows all rules."""

from kasu.base.errors import nearest
from snakemake.exceptions import InputFunctionException, RuleException


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


def known_files():
    """Return the files that targets may name: those of plans and of rules without wildcards."""
    # A dump whose date is not pinned is no reason to ask the network now
    WORKSPACE.ask = None
    known = plain_outputs()
    for study in STUDIES:
        known.update(if_resolved(shown_files, study))
    known.update(if_resolved(from_plan(CORPORA, "files")))
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
        expected = nearest(path, known_files() if "/" in name else known)
        if workflow.is_rule(name):
            found = "a rule with wildcards"
        elif name in SECTIONS:
            found = "a study that this config does not have"
            expected = f"a section {name} in the config; empty, `{name}: {{}}`, it has the defaults"
        end(KasuError(f"target {name}", found, expected))


def explain_names(plan):
    """Wrap a step in which Snakemake plans, so that names that it does not find end in one line."""

    def explained(*arguments, **named):
        check_names(silent_names(), workflow.rules)
        try:
            return plan(*arguments, **named)
        except (RuleException, WorkflowError, ValueError):
            check_names(named_rules(), workflow.rules)
            plain = [rule for rule in workflow.rules if not rule.has_wildcards()]
            check_names(targets(), plain)
            raise

    return explained


for each in own_rules():
    wrap_functions(each, one_line)
# The command line of a module names rules and files of the workflow that uses it
if workflow.is_main_process and not is_module():
    wrap_planning(explain_names)
if workflow.is_main_process:
    one_line(expect_unwritten)(
        {key: value for key, value in CONFIG.items() if key != "results"},
        RESULTS,
        is_own,
    )
