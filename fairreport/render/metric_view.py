"""The view of a metric parity test."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.parameters import ReferenceStrategy
from fairreport.analyses.result import MetricFinding, MetricRow
from fairreport.audit.record import TestRecord
from fairreport.render import formats, metric_sentences
from fairreport.render.assembly import Particulars, assemble
from fairreport.render.metric_axis import (
    digits_of,
    direction_of,
    drawn_span,
    heading_of,
    metric_axis,
    ratio_mark,
    span_text,
)
from fairreport.render.rate_rows import enough, tested_columns
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Column, Line, Marks, Name, Row, Sentence, Table, Terse, TestView
from fairreport.render.words import FindingWords, Kind, finding, gap_finding

_TOLERANCE = 1e-12
_BEHIND_THOSE_BELOW = math.nextafter(1.0, 0.0)
_DELONG = Column(key="delong_interval", heading="DeLong interval (informational)", brief=False)


def view_metric(record: TestRecord) -> TestView:
    """Return the view of a metric parity test.

    Raises
    ------
    TypeError
        If the record is of another analysis.
    """
    test, found = record.test, record.finding
    if not isinstance(test, MetricParity) or not isinstance(found, MetricFinding):
        raise TypeError(test.analysis)
    own = Particulars(
        table=_table(test, found) if found.groups else None,
        remarks=_remarks(found),
        insights=metric_sentences.insight_sentences(test, found),
        method=_method(test, found),
        threshold=test.min_ratio,
        threshold_text=formats.threshold(test.min_ratio),
        limit_text="" if test.max_difference is None else formats.threshold(test.max_difference),
        judged_by=_judged_by(test),
        positional=("protected_attribute_columns", "parity_metric"),
    )
    return assemble(record, own)


def _judged_by(test: MetricParity) -> str:
    return "ratio" if test.max_difference is None else "ratio or gap"


def _remarks(found: MetricFinding) -> tuple[Sentence, ...]:
    if any(row.ratio is not None and row.ratio < 0 for row in found.groups):
        return (said(f"The ratio of a value below 0 is {metric_sentences.NO_MEANING}."),)
    return ()


def _columns(test: MetricParity, found: MetricFinding) -> tuple[Column, ...]:
    has_interval = found.method.rate_interval != "none"
    interval = Column(key="interval", heading="Interval", terse=Terse.WITH_ROOM)
    return (
        Column(key="n", heading="n", terse=Terse.ALWAYS),
        Column(key="support", heading="Support", brief=False),
        Column(key="value", heading=heading_of(test), terse=Terse.ALWAYS),
        *((interval,) if has_interval else ()),
        *((_DELONG,) if any(row.delong_interval for row in found.groups) else ()),
        Column(key="gap", heading="Gap", terse=Terse.ALWAYS),
        Column(key="difference", heading="Difference", brief=False),
        *(_contrast("difference", "Difference interval") if found.method.difference_interval != "none" else ()),
        Column(key="ratio", heading="Ratio", terse=Terse.ALWAYS),
        *(_contrast("ratio", "Ratio interval") if found.method.ratio_interval != "none" else ()),
        *(tested_columns(test.p_value_adjustment) if test.has_test else ()),
    )


def _contrast(of: str, heading: str) -> tuple[Column, ...]:
    return (Column(key=f"{of}_interval", heading=heading, brief=False),)


def _table(test: MetricParity, found: MetricFinding) -> Table:
    columns = _columns(test, found)
    digits = digits_of(found)
    return Table(
        caption=_caption(test, found, digits),
        attributes=tuple(Name.of(name) for name in found.attributes),
        columns=columns,
        rows=tuple(_row(test, found, row, columns, digits) for row in found.groups),
        axis=metric_axis(test, found),
        finding_heading=f"Finding ({_judged_by(test)})",
    )


def _row(test: MetricParity, found: MetricFinding, row: MetricRow, columns: Sequence[Column], digits: int) -> Row:
    words = _words(test, found, row)
    cells = _cells(test, row, digits)
    value = f"{test.metric.label} {cells['value']}"
    drawn = drawn_span(row)
    return Row(
        group=tuple(Name.of(level) for level in row.group),
        cells=tuple(cells[column.key] for column in columns),
        finding=words,
        figure=value,
        judged=metric_sentences.judged_text(test, row, words, digits) or value,
        marks=Marks(value=row.value, low=drawn.low, high=drawn.high, label=f"{value}{_ends(row, cells['interval'])}"),
        severity=_severity(test, row),
        sentence=metric_sentences.describe_group(test, found, row, words, digits),
    )


def _ends(row: MetricRow, interval: str) -> str:
    """Return the interval as an addition to the value; nothing where there is none."""
    if row.interval.low is None and row.interval.high is None:
        return ""
    what = "interval " if interval[:1].isalpha() else ""
    return f" ({what}{interval.replace('–', ' to ')})"


def _severity(test: MetricParity, row: MetricRow) -> float:
    """Return the ratio over its threshold, where a ratio says how bad a group is.

    A gap, and a ratio of a value below 0, cannot be ranked among ratios: groups that fail by one stand behind those
    with a ratio below the threshold, and before all that are not below.
    """
    ratio = None if row.ratio is None or row.ratio < 0 else row.ratio / test.min_ratio
    if ratio is not None and _is_less(row.ratio, test.min_ratio):
        return ratio
    is_negative = row.ratio is not None and row.ratio < 0
    if row.worse and (is_negative or _is_less(test.max_difference, row.gap)):
        return _BEHIND_THOSE_BELOW
    return math.inf if ratio is None else max(ratio, 1.0)


def _words(test: MetricParity, found: MetricFinding, row: MetricRow) -> FindingWords:
    """Return what is found about a group: by its ratio, or by its gap where only that decides."""
    text = formats.threshold(test.min_ratio)
    if row.is_reference or not row.sufficient:
        return finding(Kind.REFERENCE if row.is_reference else Kind.NOT_ENOUGH_DATA, text)
    by_gap = row.worse and _is_less(test.max_difference, row.gap)
    if row.worse and _is_less(row.ratio, test.min_ratio):
        return finding(_below(row), text, judges="ratio")
    if by_gap or (row.ratio is None and row.value is not None and test.max_difference is not None):
        return gap_finding(_below(row) if by_gap else Kind.AT_OR_ABOVE, formats.threshold(test.max_difference or 0))
    return finding(_above(test, found, row), text, judges="ratio")


def _above(test: MetricParity, found: MetricFinding, row: MetricRow) -> Kind:
    """Return what is found about a group that is not below; the interval decides whether that is sure.

    Where the ratio has no interval of its own, that of the value is held against the value at the threshold,
    as in the drawing: the comparison value is then taken as fixed.
    """
    if row.value is None:
        return Kind.NOT_DEFINED
    if row.ratio is None:
        return Kind.NO_RATIO
    if row.ratio_interval is not None:
        reaches = _is_less(row.ratio_interval.low, test.min_ratio)
    else:
        mark = ratio_mark(test, found)
        low, high = row.interval.low, row.interval.high
        reaches = _is_less(low, mark) if test.better_is_higher else _is_less(mark, high)
    return Kind.REACHES_BELOW if reaches else Kind.AT_OR_ABOVE


def _is_less(value: float | None, other: float | None) -> bool:
    """Tell whether a number is below another by more than rounding."""
    if value is None or other is None:
        return False
    return value < other and not math.isclose(value, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def _below(row: MetricRow) -> Kind:
    if row.adjusted_p is None:
        return Kind.BELOW_UNTESTED
    return Kind.BELOW_SIGNIFICANT if row.significant else Kind.BELOW_CHANCE


def _cells(test: MetricParity, row: MetricRow, digits: int) -> dict[str, str]:
    delong = row.delong_interval
    return {
        "n": formats.count(row.n),
        "support": formats.count(row.support),
        "value": formats.fixed(row.value, digits),
        "interval": span_text(test, row.interval, digits),
        "delong_interval": formats.ABSENT if delong is None else span_text(test, delong, digits),
        "gap": metric_sentences.gap_text(test, row, digits),
        "difference": formats.fixed(row.difference, digits),
        "difference_interval": formats.span(row.difference_interval, signed=True),
        "ratio": metric_sentences.ratio_text(test, row),
        "ratio_interval": formats.span(row.ratio_interval, against=[test.min_ratio]),
        "p_value": formats.p_value(row.p_value, alpha=test.alpha),
        "adjusted_p": formats.p_value(row.adjusted_p, alpha=test.alpha),
    }


def _caption(test: MetricParity, found: MetricFinding, digits: int) -> Sentence:
    rows = found.rows
    evaluated = ""
    if rows is not None:
        evaluated = f", {formats.count(rows.evaluated)} of {formats.plural(rows.total, 'row', 'rows')}"
    point = formats.fixed(found.comparison_value, digits)
    columns = joined((getattr(test, parameter) for parameter in test.metric.columns), " and ")
    label = f"{heading_of(test)} of "
    level = f"; {formats.level(found.method.level)} intervals: {found.method.rate_interval}"
    level = "; no intervals" if found.method.rate_interval == "none" else level
    by = (f" ({direction_of(test)}) by ", *joined(found.attributes, " and "))
    if found.reference is None:
        return said(label, *columns, *by, f"{evaluated}; compared with all evaluated rows, {point}{level}")
    return said(label, *columns, *by, f"{evaluated}; reference ", *joined(found.reference), f", {point}{level}")


def _method(test: MetricParity, found: MetricFinding) -> tuple[Line, ...]:
    method = found.method
    fails = f"worse, with a ratio below {formats.threshold(test.min_ratio)}"
    if test.max_difference is not None:
        fails += f" or a gap above {formats.threshold(test.max_difference)}"
    if test.require_significance:
        fails += ", and the difference significant"
    tested = method.test
    if test.has_test:
        tested += f", {method.sidedness}; level {formats.alpha(test.alpha)}, adjustment {method.correction}"
    ratios = f"{method.ratio_interval} for ratios"
    if method.ratio_interval == "none":
        ratios = "the ratio has none, so that of the value is held against the value at the threshold"
    best = test.reference_strategy is ReferenceStrategy.HIGHEST
    reference = "the group with the best value" if best else "named by the user"
    if test.comparison is ComparedWith.OVERALL:
        reference = "none: groups are compared with all evaluated rows"
    return (
        Line(term="Metric", text=said(f"{test.metric.label}: {test.metric.formula}; {direction_of(test)}")),
        Line(term="A group fails where", text=said(fails)),
        Line(term="Reference", text=said(reference)),
        Line(term="Significance", text=said(tested)),
        Line(term="Intervals", text=said(f"{formats.level(method.level)}: {method.rate_interval}; {ratios}")),
        Line(term="Groups judged have", text=said(enough(test.min_group_size, test.min_group_share))),
    )
