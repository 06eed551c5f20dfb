"""Rows accounted for and sums gathered in one grouping, where enough is known beforehand to write it down.

The outline of a Parquet file says that no cell is missing, where the numbers lie and, of a label column with two
values, which ones. Grids and expressions follow from that before any row is read. What is read has to bear it out:
each row has one of the two labels, values lie where they should, sums are finite and fine enough. Where anything is
otherwise nothing is kept and no test was fed: rows are accounted for and summed in two passes, to the same digits.
That both labels occur, and where numbers end that are summed as errors only, is taken as stated, as DuckDB itself
takes it when it filters.

An engine elsewhere is asked the same of its rows, which costs it a third of a grouping; or it is guessed, from the
first rows or from what such numbers mostly are, and the grouping itself tells whether the guess was right
(`fairreport.tables.one_grouping`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fairreport.tables.grid import FEW_ROWS, pieces_for
from fairreport.tables.known import Known, in_order
from fairreport.tables.moments import Totals, finish
from fairreport.tables.needs import Loss, Measure, MeasureNeeds
from fairreport.tables.one_grouping import MOST_GROUPS, CheckedGrouping, OneGrouping
from fairreport.tables.outline import Outline, guess, outline
from fairreport.tables.sinks import Label, MeasureSink
from fairreport.tables.sql_limits import OutOfRangeError
from fairreport.tables.streams import OF_SUMS, Stream, refusal_of_range
from fairreport.tables.view import NumericView

StreamTotals = Mapping[Stream, Mapping[Label, Totals]]


def gather_at_once(view: NumericView, sinks: Sequence[MeasureSink]) -> tuple[Known, StreamTotals] | None:
    """Feed every test its rows; return what is known of the view and the totals, None where it takes two passes.

    Parameters
    ----------
    view : NumericView
        What is grouped.
    sinks : sequence of MeasureSink
        The tests.
    """
    attributes = sinks[0].attributes
    labels = tuple(dict.fromkeys(item.column for sink in sinks for item in sink.need.labels))
    if any(sink.attributes != attributes for sink in sinks) or not set(labels).isdisjoint(attributes):
        return None
    if view.is_remote and not any(sink.need.measure in OF_SUMS for sink in sinks):
        return None  # to account for the rows takes one grouping as well
    stated = guess(view, labels)
    while stated is not None:
        once = _plan(view, sinks, labels, stated)
        if once is None:
            return None
        try:
            rows = list(view.fetch_rows(once.sql()))
        except OutOfRangeError:
            if stated.rows is not None:
                raise
            stated = outline(view, labels)
            continue
        if len(rows) > MOST_GROUPS:
            return None
        settled = once.settled(rows)
        if settled is None:
            stated = once.found(rows) if stated.rows is None else None
            continue
        sums = settled.sums(rows)
        if sums is None:
            return None
        for sink in sinks:
            settled.feed(sink, rows)
        known = replace(settled.known, texts=in_order(view, settled.texts))
        return known, {stream: finish(known, sinks[0], stream, groups) for stream, groups in sums.items()}
    return None


def _plan(
    view: NumericView, sinks: Sequence[MeasureSink], labels: Sequence[str], stated: Outline
) -> OneGrouping | None:
    """Return the one grouping; None where the file does not say enough, or what refuses a test."""
    if any(refusal_of_range(sink.need, stated.ranges) for sink in sinks):
        return None
    folders = {name: folder for sink in sinks for name, folder in zip(sink.columns, sink.folders, strict=True)}
    texts: dict[str, dict[object, str | None]] = {name: {} for name in view.cells}
    for name in labels:
        texts[name] = {cell: folders[name](view.cells[name].restore(cell)) for cell in stated.ends[name]}
        if None in texts[name].values():
            return None
    ranges = dict(stated.ranges)
    if stated.rows is None:  # so that a logarithm is guarded whatever the first rows hold
        ranges |= {sink.need.probability: (0.0, 1.0) for sink in sinks if sink.need.probability is not None}
    rows = FEW_ROWS if stated.rows is None and view.is_small else stated.rows
    unsure = () if view.is_remote else (sink.need for sink in sinks if not _tells(sink.need))
    kind = CheckedGrouping if view.is_remote else OneGrouping
    return kind(
        known=Known(view=view, texts=texts, finite=frozenset(view.numbers), ranges=ranges),
        texts=texts,
        folders=folders,
        stated=stated,
        attributes=sinks[0].attributes,
        labels=tuple(labels),
        needs=tuple(sink.need for sink in sinks),
        checked=tuple(dict.fromkeys(name for need in unsure for name in need.numbers)),
        pieces=pieces_for(rows, whole=view.sums_wholes),
    )


def _tells(need: MeasureNeeds) -> bool:
    """Tell whether the sums of a test tell of a number that is not finite; those of clipped probabilities do not."""
    return need.measure is Measure.RESIDUALS or need.loss in {Loss.ABSOLUTE_ERROR, Loss.SQUARED_ERROR, Loss.BRIER}
