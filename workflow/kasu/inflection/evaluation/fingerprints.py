"""The figures of task 1 that were published language by language, for fingerprints."""

from functools import cache

from kasu.inflection.evaluation.pairs import COPY
from kasu.inflection.evaluation.printed import cell_of, read_printed
from kasu.results.published import PublishedFiles
from kasu.transduction.fingerprints.target import PublishedTask

# By column and variant, the part that the variant lacks of the published system
_ZURICH = {
    "static": "learning from optimal actions",
    "expert": "exploration of its own states",
    "explored": "roll-outs",
    "standard_cell": "the coupled cell",
}
ABLATIONS = {
    "iitbhu-iiith-01": {"no_tag_attention": "attention to the features"},
    "iitbhu-iiith-02": {"no_tag_attention": "attention to the features"},
    "kucst-01": {"two_orders": "the third order"},
    # The program that was submitted had a bug, the rerun had not
    "racai-01": {"corrected": "the weights that a bug kept as drawn"},
    "rerun racai-01": {"submitted": "training of all weights"},
    "rerun msu-04": {
        "no_gate": "the copy gate",
        "no_paradigms": "the start from paradigms",
        "no_endings": "symbols of endings",
    },
    "hamburg-01": dict.fromkeys(("plain", "wide"), "patches and the choice on dev"),
    "ua-04": {"likelihood": "rewards"},
    "uzh-01": _ZURICH,
    "uzh-02": _ZURICH,
    "waseda-01": {
        "baseline": "analogies and both networks",
        "holistic": "both networks and the choice on dev",
        "seq2seq": "the choice on dev",
        "augmented": "the choice on dev",
    },
}


def fingerprint_task(published: PublishedFiles) -> PublishedTask:
    """Return the columns of the submissions and of the baseline, from the printed figures."""
    printed = read_printed(published)

    @cache
    def columns(setting: str) -> dict[str, dict[str, float]]:
        return {
            system: {
                language: value
                for language in printed.languages(setting)
                if (value := printed.value(system, setting, language)) is not None
            }
            for system in ("baseline", *printed.submissions(setting))
        }

    return PublishedTask(
        "inflection", COPY, cell_of, columns,
        nulls=(COPY,), reruns=printed.reruns, dev=printed.dev, ablations=ABLATIONS,
    )  # fmt: skip
