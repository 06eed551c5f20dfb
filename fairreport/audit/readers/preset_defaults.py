"""A preset's values for parameters that the user left to their defaults; what the user stated stays."""

from __future__ import annotations

from typing import TypeVar

from fairreport.analyses.stated import StatedTest
from fairreport.audit.readers.preset import Preset

T = TypeVar("T", bound=StatedTest)


def with_defaults(test: T, preset: Preset) -> T:
    """Return a test with the values of a preset in the place of those that nobody stated.

    Parameters with the preset's value, stated or not, have the preset as their origin.

    Examples
    --------
    >>> from fairreport.analyses.outcome_parameters import OutcomeDisparity
    >>> from fairreport.audit.readers.preset import find_preset
    >>> test = OutcomeDisparity(protected_attribute_columns="sex", outcome_column="hired", favorable_values=1)
    >>> made = with_defaults(test, find_preset("two_standard_deviations"))
    >>> made.significance_test.value, made.origin("significance_test"), made.origin("min_group_size")
    ('z_test', 'preset', 'default')
    """
    brought = {item.name: item.value for item in preset.parameters if test.analysis in item.analyses}
    if not brought:
        return test
    stated = {name: getattr(test, name) for name in test.model_fields_set}
    made = type(test)(**(brought | stated))
    values = made.parameters()
    return made.attributed(name for name, value in brought.items() if values[name] == value)
