"""The group that the others are compared with, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fairreport.analyses.grouping import Sized, best_group, is_sufficient
from fairreport.analyses.parameters import DisparityTest, ReferenceStrategy
from fairreport.analyses.result import Skip, SkipCode


def sufficient_groups(test: DisparityTest, groups: Sequence[Sized], evaluated: int) -> tuple[bool, ...]:
    """Tell of each group whether it has the rows, of all that are evaluated, to be judged."""
    return tuple(
        is_sufficient(g.n, evaluated, min_size=test.min_group_size, min_share=test.min_group_share) for g in groups
    )


def choose_reference(
    test: DisparityTest,
    groups: Sequence[Sized],
    sufficient: Sequence[bool],
    values: Sequence[Fraction | float | None],
) -> int | Skip:
    """Return the position of the reference among the groups, or why the test cannot be computed.

    Parameters
    ----------
    test : DisparityTest
        States the strategy.
    groups : sequence
        All groups.
    sufficient : sequence of bool
        Which of them have the rows to be judged.
    values : sequence of Fraction, float or None
        What is compared, higher being better; None where it is not defined.
    """
    named = test.reference_strategy is ReferenceStrategy.NAMED
    position = None
    if named:
        found = named_position(test, groups, sufficient)
        if isinstance(found, Skip):
            return found
        position = found
    skip = too_few_sufficient(groups, sufficient)
    if skip is not None:
        return skip
    candidates = [i for i, yes in enumerate(sufficient) if yes and values[i] is not None]
    if not candidates:
        return Skip(code=SkipCode.METRIC_UNDEFINED, reason="the metric is not defined in any group with enough rows")
    if position is not None and values[position] is None:
        label = groups[position].group[0]
        text = f"the metric is not defined in the reference group {label!r}"
        return Skip(code=SkipCode.NAMED_REFERENCE_UNDEFINED, reason=text)
    if len(candidates) < 2:
        text = "the metric is defined in one group with enough rows only; nothing can be compared"
        return Skip(code=SkipCode.TOO_FEW_DEFINED_GROUPS, reason=text)
    if position is not None:
        return position
    defined = [value for i in candidates if (value := values[i]) is not None]
    return candidates[best_group([groups[i] for i in candidates], defined)]


def named_position(test: DisparityTest, groups: Sequence[Sized], sufficient: Sequence[bool]) -> int | Skip:
    """Return the position of the named reference, or why it cannot serve."""
    label = (str(test.reference_value),)
    for i, group in enumerate(groups):
        if group.group == label:
            if sufficient[i]:
                return i
            text = (
                f"the reference group {label[0]!r} has {group.n:,} rows, too few for "
                f"min_group_size {test.min_group_size} and min_group_share {test.min_group_share}"
            )
            return Skip(code=SkipCode.NAMED_REFERENCE_INSUFFICIENT, reason=text)
    text = f"the reference group {label[0]!r} has no evaluated rows"
    return Skip(code=SkipCode.NAMED_REFERENCE_MISSING, reason=text)


def too_few_sufficient(groups: Sequence[Sized], sufficient: Sequence[bool]) -> Skip | None:
    """Return the skip for fewer than two groups with enough rows, if it applies."""
    if sum(sufficient) >= 2:
        return None
    text = f"{sum(sufficient)} of {len(groups)} groups have the rows to be judged; at least 2 are needed"
    return Skip(code=SkipCode.TOO_FEW_SUFFICIENT_GROUPS, reason=text)
