"""The group that the others are compared with, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fairreport.analyses.grouping import Label, Sized, best_group, is_sufficient
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
    held: Label | None = None,
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
    held : tuple of str, optional
        Label of the group that is taken for the reference, whatever the test states.
    """
    label = held or _named(test)
    position = None
    if label is not None:
        found = named_position(test, groups, sufficient, label)
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
        name = " / ".join(groups[position].group)
        text = f"the metric is not defined in the reference group {name!r}"
        return Skip(code=SkipCode.NAMED_REFERENCE_UNDEFINED, reason=text)
    if len(candidates) < 2:
        text = "the metric is defined in one group with enough rows only; nothing can be compared"
        return Skip(code=SkipCode.TOO_FEW_DEFINED_GROUPS, reason=text)
    if position is not None:
        return position
    defined = [value for i in candidates if (value := values[i]) is not None]
    return candidates[best_group([groups[i] for i in candidates], defined)]


def _named(test: DisparityTest) -> Label | None:
    """Return the label of the reference that a test names."""
    return (str(test.reference_value),) if test.reference_strategy is ReferenceStrategy.NAMED else None


def named_position(
    test: DisparityTest, groups: Sequence[Sized], sufficient: Sequence[bool], label: Label
) -> int | Skip:
    """Return the position of the named reference, or why it cannot serve."""
    name = " / ".join(label)
    for i, group in enumerate(groups):
        if group.group == label:
            if sufficient[i]:
                return i
            text = (
                f"the reference group {name!r} has {group.n:,} rows, too few for "
                f"min_group_size {test.min_group_size} and min_group_share {test.min_group_share}"
            )
            return Skip(code=SkipCode.NAMED_REFERENCE_INSUFFICIENT, reason=text)
    text = f"the reference group {name!r} has no evaluated rows"
    return Skip(code=SkipCode.NAMED_REFERENCE_MISSING, reason=text)


def too_few_sufficient(groups: Sequence[Sized], sufficient: Sequence[bool]) -> Skip | None:
    """Return the skip for fewer than two groups with enough rows, if it applies."""
    if sum(sufficient) >= 2:
        return None
    text = f"{sum(sufficient)} of {len(groups)} groups have the rows to be judged; at least 2 are needed"
    return Skip(code=SkipCode.TOO_FEW_SUFFICIENT_GROUPS, reason=text)
