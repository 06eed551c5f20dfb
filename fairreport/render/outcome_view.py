"""The view of an outcome disparity test."""

from __future__ import annotations

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.result import OutcomeFinding, OutcomeGroup, PValue
from fairreport.audit.record import TestRecord
from fairreport.render import formats, rate_rows, rate_sentences, record_lines
from fairreport.render.assembly import Particulars, assemble
from fairreport.render.rate_sentences import RateRow
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Column, Line, Name, Table, TestView

_POSITIONAL = ("protected_attribute_columns", "outcome_column", "favorable_values")
_COLUMNS = rate_rows.rate_columns(Column(key="favorable", heading="Favorable", brief=False))
_ADJUSTED = "adjusted"
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


def view_outcome(record: TestRecord) -> TestView:
    """Return the view of an outcome disparity test.

    Raises
    ------
    TypeError
        If the record is of another analysis.
    """
    test, found = record.test, record.finding
    if not isinstance(test, OutcomeDisparity) or not isinstance(found, OutcomeFinding):
        raise TypeError(test.analysis)
    own = Particulars(
        table=_table(test, found) if found.groups else None,
        adjusted=_adjusted_table(test, found) if found.groups and test.control_columns else None,
        reversals=rate_sentences.reversal_sentences(test, found),
        insights=rate_sentences.insight_sentences(test, found),
        method=_method(test, found),
        threshold=test.impact_ratio_threshold,
        threshold_text=formats.threshold(test.impact_ratio_threshold),
        positional=_POSITIONAL,
        measurements=_measurements(record, found, test.impact_ratio_threshold),
    )
    return assemble(record, own)


def _measurements(record: TestRecord, found: OutcomeFinding, mark: float) -> tuple[tuple[str, str], ...]:
    """Return the measurements; an omnibus p-value too small for a number is told by its logarithm.

    Adjusted ones are left out where no controls were asked for.
    """
    lines = record_lines.measurement_lines(record, against=[mark])
    if not record.test.parameters().get("control_columns"):
        lines = tuple((name, text) for name, text in lines if not name.startswith(_ADJUSTED))
    omnibus = found.omnibus_log10_p
    if omnibus is None or record.measurements.get("chiSquarePValue") is not None:
        return lines
    tiny = formats.p_value(PValue(p=None, log10=omnibus))
    return tuple((name, tiny if name == "chiSquarePValue" else text) for name, text in lines)


def _table(test: OutcomeDisparity, found: OutcomeFinding) -> Table:
    columns = (*_COLUMNS, *rate_rows.p_columns(test), *((_ADJUSTED_RATIO,) if test.control_columns else ()))
    mark = test.impact_ratio_threshold
    measured = ("Rate of ", Name.of(test.outcome_column), " = ", *joined(test.favorable_values, " or "))
    return Table(
        caption=rate_rows.caption_of(found, *measured),
        attributes=tuple(Name.of(name) for name in found.attributes),
        columns=columns,
        rows=rate_rows.build_rows(test, found, found.groups, lambda row: _cells(test, row), columns),
        axis=rate_rows.rate_axis(mark, found.groups),
    )


def _cells(test: OutcomeDisparity, row: RateRow) -> dict[str, str]:
    cells = rate_rows.rate_cells(test, row)
    compared = isinstance(row, OutcomeGroup) and row.sufficient and not row.is_reference
    ratio = row.adjusted_impact_ratio if isinstance(row, OutcomeGroup) else None
    return cells | {"adjusted_ratio": formats.fixed(ratio) if compared else formats.ABSENT}


def _adjusted_table(test: OutcomeDisparity, found: OutcomeFinding) -> Table:
    start, end = "Within ", " (Mantel-Haenszel), beside the ratio over all rows"
    rows = rate_rows.build_rows(test, found, found.judged, lambda row: _adjusted_cells(test, row), _ADJUSTED_COLUMNS)
    return Table(
        caption=said(start, *rate_sentences.within(test), end),
        attributes=tuple(Name.of(name) for name in found.attributes),
        columns=_ADJUSTED_COLUMNS,
        rows=rows,
        axis=None,
    )


def _adjusted_cells(test: OutcomeDisparity, row: RateRow) -> dict[str, str]:
    if not isinstance(row, OutcomeGroup):
        raise TypeError(type(row).__name__)
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


def _method(test: OutcomeDisparity, found: OutcomeFinding) -> tuple[Line, ...]:
    lines = [*rate_rows.method_lines(test, found), Line(term="All groups at once", text=said(found.method.omnibus))]
    if test.control_columns:
        text = said("Mantel-Haenszel ratio and odds ratio within ", *rate_sentences.within(test))
        lines.append(Line(term="Adjusted figures", text=text))
    return tuple(lines)
