"""One test of named pairs over a frame and columns beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairreport.analyses.kinds import needs_of
from fairreport.analyses.pair_parameters import PairTest
from fairreport.audit.audit import Audit
from fairreport.audit.entry_result import PairResult
from fairreport.audit.pair_input import paired_frame
from fairreport.errors import ConfigError, Fault
from fairreport.tables.build import build
from fairreport.tables.needs import Reading
from fairreport.tables.pair_scan import PairScan
from fairreport.tables.source import at_one_moment, open_table

GroupLists = tuple[Sequence[str], Sequence[str], Sequence[str]]


def answer(
    kind: type[PairTest],
    group_data: Any,
    groups: GroupLists,
    beside: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> PairResult:
    """Return the result of one test, ready to be displayed.

    Parameters
    ----------
    kind : type
        Which test.
    group_data : DataFrame
        One column a group.
    groups : tuple of lists
        Protected groups, reference groups and categories.
    beside : mapping of str to Series or None
        Outcome, label, weights and so on, by parameter.
    parameters : mapping
        All others.

    Raises
    ------
    ConfigError
        If a parameter or a column is not what is wanted; everything at once.
    """
    lists = dict(zip(("protected_groups", "reference_groups", "group_categories"), groups, strict=True))
    stated = {role: role for role, given in beside.items() if given is not None}
    checked = kind(**lists, **stated, **parameters)  # parameters are refused before any data is looked at
    named = (*(checked.protected_groups or ()), *(checked.reference_groups or ()))
    frame, places = paired_frame(group_data, named, beside)
    test = checked if places == stated else checked.model_copy(update=places)
    table = open_table(frame)
    scans = at_one_moment(table, lambda: build(table, [needs_of(test)], Reading()))
    if isinstance(scans[0], PairScan) and scans[0].faults:
        raise ConfigError(scans[0].faults)
    (result,) = Audit(frame, tests=[test]).judge(table, scans).results
    if not isinstance(result, PairResult):
        raise TypeError(type(result).__name__)
    if result.record.finding is None and result.record.skip is not None:
        raise ConfigError(Fault(code=result.record.skip.code, message=result.record.skip.reason))
    return result
