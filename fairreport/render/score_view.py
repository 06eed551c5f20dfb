"""The view of a score disparity test."""

from __future__ import annotations

from fairreport.analyses.result import ScoreFinding, ScoreRow
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import TestRecord
from fairreport.render import formats, rate_rows, rate_sentences
from fairreport.render.assembly import Particulars, assemble
from fairreport.render.rate_sentences import RateRow
from fairreport.render.views import Column, Name, Table, TestView

_COLUMNS = (
    *rate_rows.rate_columns(Column(key="scoring", heading="Scoring", brief=False)),
    Column(key="mean", heading="Mean"),
    Column(key="median", heading="Median", brief=False),
    Column(key="mean_difference", heading="Mean difference", brief=False),
    Column(key="median_difference", heading="Median difference", brief=False),
    Column(key="standardized_mean_difference", heading="Standardized difference", brief=False),
    Column(key="probability_of_superiority", heading="Probability of superiority (informational)", brief=False),
    Column(key="cliffs_delta", heading="Cliff's delta (informational)", brief=False),
    Column(key="ks_distance", heading="KS distance (informational)", brief=False),
)


def view_score(record: TestRecord) -> TestView:
    """Return the view of a score disparity test.

    Raises
    ------
    TypeError
        If the record is of another analysis.
    """
    test, found = record.test, record.finding
    if not isinstance(test, ScoreDisparity) or not isinstance(found, ScoreFinding):
        raise TypeError(test.analysis)
    own = Particulars(
        table=_table(test, found) if found.groups else None,
        insights=rate_sentences.insight_sentences(test, found),
        method=rate_rows.method_lines(test, found),
        threshold=test.impact_ratio_threshold,
        threshold_text=formats.threshold(test.impact_ratio_threshold),
        positional=("protected_attribute_columns", "score_column"),
    )
    return assemble(record, own)


def _table(test: ScoreDisparity, found: ScoreFinding) -> Table:
    digits = formats.digits_for(row.mean for row in found.groups)
    columns = (*_COLUMNS, *rate_rows.p_columns(test))
    side = "above" if test.higher_is_favorable else "below"
    middle = f" {side} the overall median {formats.fixed(found.overall_median, digits)}"
    return Table(
        caption=rate_rows.caption_of(found, "Share of ", Name.of(test.score_column), middle),
        attributes=tuple(Name.of(name) for name in found.attributes),
        columns=columns,
        rows=rate_rows.build_rows(test, found, found.groups, lambda row: _cells(test, row, digits), columns),
        axis=rate_rows.rate_axis(test.impact_ratio_threshold, found.groups),
    )


def _cells(test: ScoreDisparity, row: RateRow, digits: int) -> dict[str, str]:
    if not isinstance(row, ScoreRow):
        raise TypeError(type(row).__name__)
    return rate_rows.rate_cells(test, row) | {
        "mean": formats.fixed(row.mean, digits),
        "median": formats.fixed(row.median, digits),
        "mean_difference": formats.fixed(row.mean_difference, digits),
        "median_difference": formats.fixed(row.median_difference, digits),
        "standardized_mean_difference": formats.fixed(row.standardized_mean_difference),
        "probability_of_superiority": _informational(row.probability_of_superiority),
        "cliffs_delta": _informational(row.cliffs_delta),
        "ks_distance": _informational(row.ks_distance),
    }


def _informational(value: float | None) -> str:
    return formats.ABSENT if value is None else formats.fixed(value)
