"""The view of an outcome disparity test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import ReferenceStrategy, SignificanceTest
from fairreport.analyses.result import OutcomeGroup, PValue
from fairreport.audit.record import TestRecord
from fairreport.render import formats, outcome_sentences, record_lines
from fairreport.render.record_lines import joined, said
from fairreport.render.views import (
    Axis,
    Column,
    Counts,
    Line,
    Marks,
    Name,
    Row,
    Sentence,
    Table,
    Terse,
    TestView,
)
from fairreport.render.words import FindingWords, Kind, Side, finding, state
from fairreport.stats.contrast import is_ratio_below

_TESTS = {
    SignificanceTest.NONE: "none",
    SignificanceTest.Z_TEST: "pooled two-proportion z-test",
    SignificanceTest.FISHER_EXACT: "Fisher's exact test",
    SignificanceTest.CHI_SQUARE: "chi-square test with Yates's correction",
}
_COLUMNS = (
    Column(key="n", heading="n", terse=Terse.ALWAYS),
    Column(key="favorable", heading="Favorable", brief=False),
    Column(key="rate", heading="Rate", terse=Terse.WITH_ROOM),
    Column(key="rate_interval", heading="Rate interval"),
    Column(key="difference", heading="Difference", brief=False),
    Column(key="difference_interval", heading="Difference interval", brief=False),
    Column(key="ratio", heading="Ratio", terse=Terse.ALWAYS),
    Column(key="ratio_interval", heading="Ratio interval", terse=Terse.ALWAYS),
)
_P_COLUMNS = (
    Column(key="p_value", heading="p", brief=False),
    Column(key="adjusted_p", heading="Adjusted p", brief=False),
    Column(key="p_all_pairs", heading="p (all pairs)", brief=False),
)
_ADJUSTED_RATIO = Column(key="adjusted_ratio", heading="Adjusted ratio")
_ADJUSTED_COLUMNS = (
    Column(key="n", heading="n"),
    Column(key="ratio", heading="Ratio"),
    Column(key="adjusted_ratio", heading="Adjusted ratio"),
    Column(key="adjusted_ratio_interval", heading="Adjusted ratio interval"),
    Column(key="adjusted_odds_ratio", heading="Adjusted odds ratio"),
    Column(key="adjusted_odds_interval", heading="Adjusted odds ratio interval"),
    Column(key="strata_used", heading="Strata used"),
    Column(key="direction", heading="Direction"),
)
_LARGEST_DRAWN = 3.0


def view_outcome(record: TestRecord) -> TestView:
    """Return the view of an outcome disparity test."""
    test, found = record.test, record.finding
    mark = test.impact_ratio_threshold
    table = _table(record) if found.groups else None
    counts = _count(table.rows) if table else Counts()
    skip = found.skip
    reason = None if skip is None else Name.prose(skip.reason)
    return TestView(
        name=Name.of(record.name),
        analysis=test.analysis,
        state=state(record.status),
        skip_code=None if skip is None else skip.code.value,
        skip_reason=reason,
        headline=said("Not computed: ", reason) if reason else _headline(table),
        counts_sentence=outcome_sentences.count_groups(counts, formats.threshold(mark)) if table else None,
        counts=counts,
        table=table,
        adjusted=_adjusted_table(record) if table and test.control_columns else None,
        reversals=outcome_sentences.reversal_sentences(record),
        thresholds=record_lines.threshold_lines(record, against=[mark]),
        thresholds_origin=record_lines.thresholds_origin(record),
        measurements=_measurements(record),
        flow=record_lines.flow_lines(found.rows),
        notes=record_lines.note_lines(found.notes),
        insights=outcome_sentences.insight_sentences(record),
        method=_method(record),
        settings=record_lines.setting_lines(record),
        description=None if test.description is None else Name.prose(test.description),
        rationale=None if test.rationale is None else Name.prose(test.rationale),
        code=record_lines.call(record, ("protected_attribute_columns", "outcome_column", "favorable_values")),
    )


def _measurements(record: TestRecord) -> tuple[tuple[str, str], ...]:
    """Return the measurements; an omnibus p-value too small for a number is told by its logarithm."""
    lines = record_lines.measurement_lines(record, against=[record.test.impact_ratio_threshold])
    omnibus = record.finding.omnibus_log10_p
    if omnibus is None or record.measurements.get("chiSquarePValue") is not None:
        return lines
    tiny = formats.p_value(PValue(p=None, log10=omnibus))
    return tuple((name, tiny if name == "chiSquarePValue" else text) for name, text in lines)


def _headline(table: Table | None) -> Sentence:
    rows = [row for row in table.rows if row.is_comparison] if table else []
    return min(rows, key=lambda row: row.severity).sentence if rows else said("No group was compared.")


def find(test: OutcomeDisparity, row: OutcomeGroup, reference: OutcomeGroup) -> FindingWords:
    """Return what is found about a group, decided on its counts and verdicts, never on rounded numbers."""
    mark = test.impact_ratio_threshold
    return finding(_kind(test, row, reference), formats.threshold(mark))


def _kind(test: OutcomeDisparity, row: OutcomeGroup, reference: OutcomeGroup) -> Kind:
    if row.is_reference:
        return Kind.REFERENCE
    if not row.sufficient:
        return Kind.NOT_ENOUGH_DATA
    mark = Fraction(str(test.impact_ratio_threshold))
    if is_ratio_below(row.favorable, row.n, reference.favorable, reference.n, mark):
        if row.adjusted_p is None:
            return Kind.BELOW_UNTESTED
        return Kind.BELOW_SIGNIFICANT if row.significant else Kind.BELOW_CHANCE
    low = row.ratio_interval.low if row.ratio_interval else None
    return Kind.REACHES_BELOW if low is not None and low < mark else Kind.AT_OR_ABOVE


def _count(rows: Sequence[Row]) -> Counts:
    sides = [row.finding.side for row in rows]
    return Counts(
        below=sides.count(Side.BELOW),
        inconclusive=sides.count(Side.INCONCLUSIVE),
        meets=sides.count(Side.MEETS),
        too_few=sides.count(Side.TOO_FEW),
        reference=sides.count(Side.REFERENCE),
        not_tested=sides.count(Side.NOT_TESTED),
    )


def _table(record: TestRecord) -> Table:
    test, found = record.test, record.finding
    tested = test.significance_test is not SignificanceTest.NONE
    columns = (
        *_COLUMNS,
        *(_P_COLUMNS if tested else ()),
        *((_ADJUSTED_RATIO,) if test.control_columns else ()),
    )
    reference = next(row for row in found.groups if row.is_reference)
    keys = [column.key for column in columns]
    rows = tuple(_row(record, row, reference, keys) for row in found.groups)
    return Table(
        caption=_caption(record),
        attributes=tuple(Name.of(name) for name in found.attributes),
        columns=columns,
        rows=rows,
        axis=_axis(test.impact_ratio_threshold, found.groups),
    )


def _row(record: TestRecord, row: OutcomeGroup, reference: OutcomeGroup, keys: Sequence[str]) -> Row:
    words = find(record.test, row, reference)
    cells = _cells(record.test, row)
    mark = record.test.impact_ratio_threshold
    return Row(
        group=tuple(Name.of(level) for level in row.group),
        cells=tuple(cells[key] for key in keys),
        finding=words,
        figure=f"ratio {cells['ratio']}",
        marks=_marks(row, cells, mark),
        severity=(math.inf if row.ratio is None else row.ratio / mark),
        sentence=outcome_sentences.describe_group(record, row, words),
    )


def _cells(test: OutcomeDisparity, row: OutcomeGroup) -> dict[str, str]:
    marks = [test.impact_ratio_threshold]
    return {
        "n": formats.count(row.n),
        "favorable": formats.count(row.favorable),
        "rate": formats.fixed(row.rate),
        "rate_interval": formats.span(row.rate_interval),
        "difference": formats.fixed(row.difference),
        "difference_interval": formats.span(row.difference_interval, signed=True),
        "ratio": formats.fixed(row.ratio, against=marks),
        "ratio_interval": formats.span(row.ratio_interval, against=marks),
        "p_value": formats.p_value(row.p_value, alpha=test.alpha),
        "adjusted_p": formats.p_value(row.adjusted_p, alpha=test.alpha),
        "p_all_pairs": formats.probability(row.p_all_pairs, alpha=test.alpha),
        "adjusted_ratio": _adjusted(row, row.adjusted_impact_ratio),
    }


def _adjusted(row: OutcomeGroup, value: float | None) -> str:
    """Return an adjusted figure; a dash for groups that were not compared."""
    return formats.fixed(value) if row.sufficient and not row.is_reference else formats.ABSENT


def _marks(row: OutcomeGroup, cells: dict[str, str], mark: float) -> Marks:
    span = row.ratio_interval
    if row.is_reference:
        return Marks(value=1.0, low=None, high=None, label="reference, ratio 1")
    ends = f" ({cells['ratio_interval'].replace('–', ' to ')})" if span else ""
    return Marks(
        value=row.ratio,
        low=span.low if span else None,
        high=span.high if span else None,
        label=f"ratio {cells['ratio']}{ends}, threshold {formats.threshold(mark)}",
    )


def _axis(mark: float, groups: Sequence[OutcomeGroup]) -> Axis:
    """Return an axis that holds the threshold, the reference and every interval of a judged group."""
    ends = [mark, 1.0]
    for row in groups:
        span = row.ratio_interval
        if row.sufficient and span:
            ends += [end for end in (span.low, row.ratio, span.high) if end is not None]
    low, high = min(ends), min(max(ends), max(_LARGEST_DRAWN, mark))
    room = max(0.06 * (high - low), 0.01)
    return Axis(
        label="Ratio to the reference rate",
        low=max(0.0, low - room),
        high=high + room,
        threshold=mark,
        threshold_text=formats.threshold(mark),
        reference=1.0,
    )


def _caption(record: TestRecord) -> Sentence:
    test, found = record.test, record.finding
    rows = found.rows
    evaluated = (
        ""
        if rows is None
        else f", {formats.count(rows.evaluated)} of {formats.plural(rows.total, 'row', 'rows')}"
    )
    return said(
        "Rate of ",
        Name.of(test.outcome_column),
        " = ",
        *joined(test.favorable_values, " or "),
        " by ",
        *joined(found.attributes, " and "),
        evaluated + "; reference ",
        *joined(found.reference or ()),
        f"; {outcome_sentences.method_finding(found)}",
    )


def _adjusted_table(record: TestRecord) -> Table:
    test, found = record.test, record.finding
    reference = next(row for row in found.groups if row.is_reference)
    rows = []
    for row in found.judged:
        cells = _adjusted_cells(test, row)
        texts = tuple(cells[column.key] for column in _ADJUSTED_COLUMNS)
        rows.append(replace(_row(record, row, reference, ()), cells=texts))
    return Table(
        caption=said(
            "Within ", *outcome_sentences.within(test), " (Mantel-Haenszel), beside the ratio over all rows"
        ),
        attributes=tuple(Name.of(name) for name in found.attributes),
        columns=_ADJUSTED_COLUMNS,
        rows=tuple(rows),
        axis=None,
    )


def _adjusted_cells(test: OutcomeDisparity, row: OutcomeGroup) -> dict[str, str]:
    ratio, adjusted = row.ratio, row.adjusted_impact_ratio
    direction = formats.UNDEFINED
    if ratio is not None and adjusted is not None:
        direction = "reverses" if (ratio - 1) * (adjusted - 1) < 0 else "same"
    return {
        "n": formats.count(row.n),
        "ratio": formats.fixed(ratio, against=[test.impact_ratio_threshold, 1]),
        "adjusted_ratio": formats.fixed(adjusted, against=[1]),
        "adjusted_ratio_interval": formats.span(row.adjusted_ratio_interval),
        "adjusted_odds_ratio": formats.fixed(row.adjusted_odds_ratio),
        "adjusted_odds_interval": formats.span(row.adjusted_odds_interval),
        "strata_used": formats.count(row.strata_used),
        "direction": direction,
    }


def _method(record: TestRecord) -> tuple[Line, ...]:
    test, method = record.test, record.finding.method
    mark = formats.threshold(test.impact_ratio_threshold)
    highest = test.reference_strategy is ReferenceStrategy.HIGHEST
    fails = f"ratio below {mark}, decided on the counts" + (
        " and the difference significant" if test.require_significance else ""
    )
    tested = _TESTS[test.significance_test]
    if test.significance_test is not SignificanceTest.NONE:
        tested = (
            f"{tested}, {method.sidedness}; level {formats.alpha(test.alpha)}, adjustment {method.correction}"
        )
    share = formats.percent(test.min_group_share, 0 if test.min_group_share * 100 % 1 == 0 else 1)
    enough = (
        f"at least {formats.plural(test.min_group_size, 'row', 'rows')} and {share} of the evaluated rows"
    )
    lines = [
        ("A group fails where", said(fails)),
        ("Reference", said("the group with the highest rate" if highest else "named by the user")),
        ("Significance", said(tested)),
        (
            "Intervals",
            said(
                outcome_sentences.method_finding(record.finding),
                f", {method.difference_interval} for differences",
            ),
        ),
        ("Groups judged have", said(enough)),
        ("All groups at once", said(method.omnibus)),
    ]
    if test.control_columns:
        text = "Mantel-Haenszel ratio and odds ratio within "
        lines.append(("Adjusted figures", said(text, *outcome_sentences.within(test))))
    return tuple(Line(term=term, text=text) for term, text in lines)
