"""What cannot be true of a tally: columns that are not its test's, and counts that do not add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import AnyTest, Test
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_tests import AdverseImpactRatioByQuantile
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.provenance import AnyTally
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.pair_needs import PairPlan
from fairreport.tables.pair_tally import MeanTally, PairTally
from fairreport.tables.tally import (
    MetricTally,
    OutcomeTally,
    QuantileGroup,
    RankGroup,
    ScoreTally,
    ShareGroup,
    Tally,
)

Contradiction = tuple[str, str]
"""The JSON pointer below the evidence, and what is wrong there."""


def contradictions(test: AnyTest, tally: AnyTally, *, is_partial: bool = False) -> Iterator[Contradiction]:
    """Yield what cannot be true of the tally of a test; nothing of one that was counted from rows.

    Parameters
    ----------
    test : AnyTest
        The test.
    tally : AnyTally
        Its evidence.
    is_partial : bool
        Whether groups are withheld, so that the others may add up to less than the whole.
    """
    match test, tally:
        case RateGaps(), GapTally():
            yield from _of_gaps(test, tally)
        case PairTest(), PairTally() | MeanTally():
            yield from _of_pairs(test, tally)
        case (
            (OutcomeDisparity() | ScoreDisparity() | MetricParity()),
            (OutcomeTally() | ScoreTally() | MetricTally()),
        ):
            yield from _of_columns(test, tally)
            yield from _of_rows(tally, is_partial=is_partial)
            yield from _of_counts(tally, is_partial=is_partial)


def _of_counts(tally: Tally, *, is_partial: bool) -> Iterator[Contradiction]:
    if isinstance(tally, OutcomeTally):
        yield from _of_outcomes(tally, is_partial=is_partial)
    elif isinstance(tally, ScoreTally):
        yield from _of_scores(tally)
    else:
        yield from _of_metrics(tally, is_partial=is_partial)


def _misses(parts: int, whole: int, *, is_partial: bool) -> bool:
    """Tell whether parts are not those of a whole: they add up to it, or to less where some are withheld."""
    return parts > whole if is_partial else parts != whole


def _of_pairs(test: PairTest, tally: PairTally | MeanTally) -> Iterator[Contradiction]:
    if test.protected_groups is None:
        yield from _differs("/plan/categories", tally.plan.categories, tuple(test.reference_values or ()))
    else:
        plan = PairPlan.of(test.protected_groups, test.reference_groups or (), test.group_categories or ())
        yield from _differs("/plan", tally.plan, plan)
    yield from _differs("/weights", tally.weights.value, test.weights.value)
    if isinstance(test, AdverseImpactRatioByQuantile) and isinstance(tally, PairTally):
        yield from _differs("/tables", tuple(table.quantile for table in tally.tables), test.quantiles)


def _differs(pointer: str, found: object, wanted: object) -> Iterator[Contradiction]:
    if found != wanted:
        yield pointer, f"is {found!r} where the parameters say {wanted!r}"


def _of_columns(test: Test, tally: Tally) -> Iterator[Contradiction]:
    yield from _differs("/attributes", tally.attributes, tuple(sorted(test.protected_attribute_columns)))
    if isinstance(test, OutcomeDisparity) and isinstance(tally, OutcomeTally):
        yield from _differs("/outcome", tally.outcome, test.outcome_column)
        yield from _differs("/favorable_values", tally.favorable_values, tuple(sorted(test.favorable_values)))
        yield from _differs("/controls", tally.controls, tuple(sorted(test.control_columns or ())))
    elif isinstance(test, ScoreDisparity) and isinstance(tally, ScoreTally):
        yield from _differs("/score", tally.score, test.score_column)
    elif isinstance(test, MetricParity) and isinstance(tally, MetricTally):
        columns = sorted(getattr(test, parameter) for parameter in test.metric.columns)
        yield from _differs("/columns", sorted(tally.columns), columns)
        positive = tuple(sorted(test.positive_values or ())) if test.metric.labels else ()
        yield from _differs("/positive_values", tally.positive_values, positive)


def _of_rows(tally: Tally, *, is_partial: bool) -> Iterator[Contradiction]:
    rows = tally.rows
    if rows.with_inputs > rows.total:
        yield "/rows/with_inputs", f"{rows.with_inputs:,} is more than all {rows.total:,} rows"
    left = rows.with_inputs - rows.missing_attribute - rows.undeclared
    if rows.evaluated != left:
        yield "/rows/evaluated", f"is {rows.evaluated:,} where the other counts leave {left:,}"
    counted = sum(group.n for group in tally.groups)
    if _misses(counted, rows.evaluated, is_partial=is_partial):
        yield "/groups", f"have {counted:,} rows where {rows.evaluated:,} were evaluated"
    labels = [group.group for group in tally.groups]
    if len(set(labels)) < len(labels):
        yield "/groups", "name a group twice"
    for i, group in enumerate(tally.groups):
        if len(group.group) != len(tally.attributes):
            yield f"/groups/{i}/group", f"has {len(group.group)} levels for {len(tally.attributes)} attributes"
        if group.n < 1:
            yield f"/groups/{i}/n", f"is {group.n:,}; a group that is listed has rows"
    for i, missing in enumerate(tally.missing):
        if not 0 <= missing.n <= rows.missing_attribute:
            yield f"/missing/{i}/n", f"is {missing.n:,} where {rows.missing_attribute:,} rows lack an attribute"
        if missing.favorable is not None and not 0 <= missing.favorable <= missing.n:
            yield f"/missing/{i}/favorable", f"is {missing.favorable:,} of {missing.n:,}"


def _part(pointer: str, part: int, whole: int) -> Iterator[Contradiction]:
    if not 0 <= part <= whole:
        yield pointer, f"is {part:,} of {whole:,}"


def _of_outcomes(tally: OutcomeTally, *, is_partial: bool) -> Iterator[Contradiction]:
    for i, group in enumerate(tally.groups):
        yield from _part(f"/groups/{i}/favorable", group.favorable, group.n)
    known = {group.group: group for group in tally.groups}
    in_strata: Counter[tuple[str, ...]] = Counter()
    for i, cell in enumerate(tally.strata):
        yield from _part(f"/strata/{i}/favorable", cell.favorable, cell.n)
        in_strata[cell.group] += cell.n
    for label, n in in_strata.items():
        if label not in known or n > known[label].n:
            yield "/strata", f"have {n:,} rows of {' / '.join(label)!r}, more than the group has"
    with_controls = sum(in_strata.values()) + tally.rows_without_controls
    if tally.strata and _misses(with_controls, tally.rows.evaluated, is_partial=is_partial):
        yield "/strata", "do not add up to the evaluated rows that have every control"
    if len(tally.unmatched) == tally.n_unmatched_values:
        unfavorable = tally.rows.evaluated - sum(group.favorable for group in tally.groups)
        listed = sum(value.n for value in tally.unmatched)
        if _misses(listed, unfavorable, is_partial=is_partial):
            yield "/unmatched", f"have {listed:,} rows where {unfavorable:,} evaluated rows are not favorable"


def _of_scores(tally: ScoreTally) -> Iterator[Contradiction]:
    sizes = {group.group: group.n for group in tally.groups}
    for i, group in enumerate(tally.groups):
        yield from _part(f"/groups/{i}/above", group.above, group.n)
        yield from _part(f"/groups/{i}/below", group.below, group.n - group.above)
        if sum(group.histogram) != group.n:
            yield f"/groups/{i}/histogram", f"has {sum(group.histogram):,} rows where the group has {group.n:,}"
    for i, pair in enumerate(tally.comparisons):
        pairs = sizes.get(pair.group, 0) * sizes.get(pair.reference, 0)
        if pair.greater + pair.equal + pair.less != pairs:
            yield f"/comparisons/{i}", f"does not add up to the {pairs:,} pairs of its groups"


def _of_metrics(tally: MetricTally, *, is_partial: bool) -> Iterator[Contradiction]:
    kinds = {type(group) for group in (*tally.groups, *([tally.overall] if tally.overall else []))}
    if len(kinds) > 1:
        yield "/groups", "are of several kinds"
    for i, group in enumerate(tally.groups):
        for kind, check in _OF_GROUP.items():
            if isinstance(group, kind):
                yield from check(f"/groups/{i}", group)
    if isinstance(tally.overall, ShareGroup):
        for field in ("n", "support", "hits"):
            total = sum(getattr(group, field) for group in tally.groups)
            if _misses(total, getattr(tally.overall, field), is_partial=is_partial):
                yield f"/overall/{field}", f"is not the {total:,} of the groups together"


def _of_share(pointer: str, group: ShareGroup) -> Iterator[Contradiction]:
    yield from _part(f"{pointer}/support", group.support, group.n)
    yield from _part(f"{pointer}/hits", group.hits, group.support)


def _of_ranks(pointer: str, group: RankGroup) -> Iterator[Contradiction]:
    yield from _part(f"{pointer}/positives", group.positives, group.n)
    pairs = group.positives * (group.n - group.positives)
    yield from _part(f"{pointer}/greater", group.greater, pairs)
    yield from _part(f"{pointer}/equal", group.equal, pairs - group.greater)


def _of_quantile(pointer: str, group: QuantileGroup) -> Iterator[Contradiction]:
    yield from _part(f"{pointer}/above_overall", group.above_overall, group.n)


_OF_GROUP: dict[type, Callable[[str, Any], Iterator[Contradiction]]] = {
    ShareGroup: _of_share,
    RankGroup: _of_ranks,
    QuantileGroup: _of_quantile,
}


def _of_gaps(test: RateGaps, tally: GapTally) -> Iterator[Contradiction]:
    yield from _differs("/attributes", tally.attributes, tuple(test.attributes))
    yield from _differs("/declared", tally.declared, tuple(test.attributes.values()))
    yield from _differs("/label", tally.label, test.label)
    yield from _differs("/prediction", tally.prediction, test.prediction)
    for i, cell in enumerate(tally.cells):
        if cell.n < 1 or cell.label not in {0, 1} or cell.prediction not in {0, 1, None}:
            yield f"/cells/{i}", "must have a label of 0 or 1, a prediction of 0, 1 or null, and cases"
    counted = sum(cell.n for cell in tally.cells)
    if counted != tally.rows:
        yield "/cells", f"have {counted:,} cases where the table has {tally.rows:,} rows"
    for i, item in enumerate(tally.bins):
        yield from _part(f"/bins/{i}/positives", item.positives, item.n)
