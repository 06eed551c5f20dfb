"""Groups held against a reference by their rates, as rows of a table: outcome and score tests alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from fairreport.analyses.parameters import PValueAdjustment, ReferenceStrategy, SignificanceTest
from fairreport.analyses.result import Span
from fairreport.render import formats, rate_sentences
from fairreport.render.rate_sentences import RateFinding, RateRow, RateTest, hits_of
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Axis, Column, Line, Marks, Name, Row, Sentence, Terse
from fairreport.render.words import Kind, finding
from fairreport.stats.contrast import is_ratio_below

TESTS = {
    SignificanceTest.NONE: "none",
    SignificanceTest.Z_TEST: "pooled two-proportion z-test",
    SignificanceTest.FISHER_EXACT: "Fisher's exact test",
    SignificanceTest.CHI_SQUARE: "chi-square test with Yates's correction",
}
_P = Column(key="p_value", heading="p", brief=False)
_ADJUSTED_P = Column(key="adjusted_p", heading="Adjusted p", brief=False)
_P_ALL_PAIRS = Column(key="p_all_pairs", heading="p (all pairs)", brief=False)
_LARGEST_DRAWN = 3.0


def rate_columns(hits: Column) -> tuple[Column, ...]:
    """Return the columns of rates; `hits` is the column of their numerators."""
    return (
        Column(key="n", heading="n", terse=Terse.ALWAYS),
        hits,
        Column(key="rate", heading="Rate", terse=Terse.WITH_ROOM),
        Column(key="rate_interval", heading="Rate interval"),
        Column(key="difference", heading="Difference", brief=False),
        Column(key="difference_interval", heading="Difference interval", brief=False),
        Column(key="ratio", heading="Ratio", terse=Terse.ALWAYS),
        Column(key="ratio_interval", heading="Ratio interval", terse=Terse.ALWAYS),
    )


def tested_columns(adjustment: PValueAdjustment) -> tuple[Column, ...]:
    """Return the columns of p-values; that of adjusted ones only where they are adjusted."""
    return (_P,) if adjustment is PValueAdjustment.NONE else (_P, _ADJUSTED_P)


def p_columns(test: RateTest) -> tuple[Column, ...]:
    """Return the columns of p-values of a test of rates; none where nothing is tested."""
    tested = test.significance_test is not SignificanceTest.NONE
    return (*tested_columns(test.p_value_adjustment), _P_ALL_PAIRS) if tested else ()


def build_rows(
    test: RateTest,
    found: RateFinding,
    rows: Sequence[RateRow],
    cells_of: Callable[[RateRow], dict[str, str]],
    columns: Sequence[Column],
) -> tuple[Row, ...]:
    """Return groups as rows of a table.

    Parameters
    ----------
    test, found
        The test and what it found.
    rows : sequence of OutcomeGroup or ScoreRow
        The groups to show, in order.
    cells_of : callable
        Gives the cells of a group by column key.
    columns : sequence of Column
        The columns to fill.
    """
    reference = next(row for row in found.groups if row.is_reference)
    mark = test.impact_ratio_threshold
    built = []
    for row in rows:
        words = finding(_kind(test, row, reference), formats.threshold(mark))
        cells = cells_of(row)
        figure = f"ratio {formats.fixed(row.ratio, against=[mark])}"
        built.append(
            Row(
                group=tuple(Name.of(level) for level in row.group),
                cells=tuple(cells[column.key] for column in columns),
                finding=words,
                figure=figure,
                judged=figure,
                marks=_marks(row, mark),
                severity=math.inf if row.ratio is None else row.ratio / mark,
                sentence=rate_sentences.describe_group(test, found, row, words),
            )
        )
    return tuple(built)


def _kind(test: RateTest, row: RateRow, reference: RateRow) -> Kind:
    """Return what is found about a group, decided on its counts and verdicts, never on rounded numbers."""
    if row.is_reference:
        return Kind.REFERENCE
    if not row.sufficient:
        return Kind.NOT_ENOUGH_DATA
    mark = Fraction(str(test.impact_ratio_threshold))
    if is_ratio_below(hits_of(row), row.n, hits_of(reference), reference.n, mark):
        if row.adjusted_p is None:
            return Kind.BELOW_UNTESTED
        return Kind.BELOW_SIGNIFICANT if row.significant else Kind.BELOW_CHANCE
    low = row.ratio_interval.low if row.ratio_interval else None
    return Kind.REACHES_BELOW if low is not None and low < mark else Kind.AT_OR_ABOVE


def rate_cells(test: RateTest, row: RateRow) -> dict[str, str]:
    """Return the cells of a group by column key."""
    marks = [test.impact_ratio_threshold]
    return {
        "n": formats.count(row.n),
        "favorable": formats.count(hits_of(row)),
        "scoring": formats.count(hits_of(row)),
        "rate": formats.fixed(row.rate),
        "rate_interval": formats.span(row.rate_interval),
        "difference": formats.fixed(row.difference),
        "difference_interval": formats.span(row.difference_interval, signed=True),
        "ratio": formats.fixed(row.ratio, against=marks),
        "ratio_interval": formats.span(row.ratio_interval, against=marks),
        "p_value": formats.p_value(row.p_value, alpha=test.alpha),
        "adjusted_p": formats.p_value(row.adjusted_p, alpha=test.alpha),
        "p_all_pairs": formats.probability(row.p_all_pairs, alpha=test.alpha),
    }


def _marks(row: RateRow, mark: float) -> Marks:
    if row.is_reference:
        return Marks(value=1.0, low=None, high=None, label="reference, ratio 1")
    span = row.ratio_interval or Span(low=None, high=None)
    ends = f" ({formats.span(span, against=[mark]).replace('–', ' to ')})" if row.ratio_interval else ""
    ratio = formats.fixed(row.ratio, against=[mark])
    return Marks(
        value=row.ratio,
        low=span.low,
        high=span.high,
        label=f"ratio {ratio}{ends}, threshold {formats.threshold(mark)}",
    )


def rate_axis(mark: float, groups: Sequence[RateRow]) -> Axis:
    """Return an axis that holds the threshold, the reference and every interval of a judged group."""
    ends = [mark, 1.0]
    for row in groups:
        span = row.ratio_interval
        if row.sufficient and span:
            ends += [end for end in (span.low, row.ratio, span.high) if end is not None]
    low, high = min(ends), min(max(ends), _LARGEST_DRAWN)
    room = max(0.06 * (high - low), 0.01)
    return Axis(
        label="Ratio to the reference rate",
        low=max(0.0, low - room),
        high=high + room,
        threshold=mark,
        threshold_text=formats.threshold(mark),
        reference=1.0,
    )


def caption_of(found: RateFinding, *measured: str | Name) -> Sentence:
    """Return the caption of a table of rates; `measured` are the pieces that say of what."""
    rows = found.rows
    evaluated = "; "
    if rows is not None:
        evaluated = f", {formats.count(rows.evaluated)} of {formats.plural(rows.total, 'row', 'rows')}; "
    by = joined(found.attributes, " and ")
    intervals = f"; {rate_sentences.intervals_of(found)}"
    return said(*measured, " by ", *by, f"{evaluated}reference ", *joined(found.reference or ()), intervals)


def method_lines(test: RateTest, found: RateFinding) -> tuple[Line, ...]:
    """Return how rates are judged."""
    method = found.method
    mark = formats.threshold(test.impact_ratio_threshold)
    highest = test.reference_strategy is ReferenceStrategy.HIGHEST
    required = " and the difference significant" if test.require_significance else ""
    tested = TESTS[test.significance_test]
    if test.significance_test is not SignificanceTest.NONE:
        level = formats.alpha(test.alpha)
        tested = f"{tested}, {method.sidedness}; level {level}, adjustment {method.correction}"
    intervals = rate_sentences.intervals_of(found)
    return (
        Line(term="A group fails where", text=said(f"ratio below {mark}, decided on the counts{required}")),
        Line(term="Reference", text=said("the group with the highest rate" if highest else "named by the user")),
        Line(term="Significance", text=said(tested)),
        Line(term="Intervals", text=said(f"{intervals}, {method.difference_interval} for differences")),
        Line(term="Groups judged have", text=said(enough(test.min_group_size, test.min_group_share))),
    )


def enough(size: int, share: float) -> str:
    """Return how many rows a group needs to be judged."""
    digits = 0 if share * 100 % 1 == 0 else 1
    rows = formats.plural(size, "row", "rows")
    return f"at least {rows} and {formats.percent(share, digits)} of the evaluated rows"
