"""Nulls beside every accuracy: chance, always one value, the shortest form, fewest tokens."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet, ScoredSet, ScoredSets
from kasu.minimal_sets.pairs.design import RIGHT, WRONG
from kasu.results.statistics import worth

PAIR = (RIGHT, WRONG)


def nulls(sets: ScoredSets) -> Iterator[tuple[ModelOnSet, ScoredSet, np.ndarray]]:
    """Yield the key of each null, a set with its items, and (items) what each item counts for.

    `always X` picks the value that is right most often in the set; where one value is right
    everywhere, as in the paper's sets, that over all sets with the same values.
    `shortest form` counts characters. `fewest tokens of S` counts tokens of the form by the
    tokenizer of S, or tokens of the sentence if only these are known. `chance` solves 1 / values of
    each item. A tie counts as for a model. No null depends on the variant, so each comes once per
    level and set, under an empty variant, over the items of the system that scored most.
    """
    majority = _majorities(sets)
    done: set[ModelOnSet] = set()
    # The system that scored most comes first, so later systems add no null that is there
    for key, scored in sorted(sets.items(), key=lambda entry: -len(entry[1])):
        tokens = scored.units["form_tokens"]
        if np.isnan(tokens).any():
            tokens = scored.units["sentence_tokens"]
        value = _majority(scored)
        if (scored.right == scored.right[0]).all():
            value = majority[key.variant, key.level, scored.values]
        always = np.broadcast_to(np.array(scored.values) == value, scored.scores.shape)
        solved_by = {
            "chance": np.full(len(scored), 1 / len(scored.values)),
            f"always {value}": worth(always, scored.right),
            "shortest form": worth(-scored.units["form_length"], scored.right),
        }
        # The values of agreement pairs, `right` and `wrong`, name the answer
        if scored.values == PAIR:
            del solved_by[f"always {value}"]
        if not np.isnan(tokens).any():
            solved_by[f"fewest tokens of {key.system}"] = worth(-tokens, scored.right)
        for system, solved in solved_by.items():
            null = key._replace(system=system, variant="")
            if null not in done:
                done.add(null)
                yield null, scored, solved


def _majorities(sets: ScoredSets) -> dict[tuple, str]:
    """Return by variant, level and values the value that is most often right."""
    alike: dict[tuple, list[ScoredSet]] = {}
    for key, scored in sets.items():
        alike.setdefault((key.variant, key.level, scored.values), []).append(scored)
    return {about: _majority(*members) for about, members in alike.items()}


def _majority(*sets: ScoredSet) -> str:
    """Return the value that is most often right in sets with the same values, the first of ties."""
    counter = Counter(scored.values[at] for scored in sets for at in scored.right)
    return min(counter, key=lambda value: (-counter[value], value))
