"""Named pairs pooled over the segments that both groups share: ratio, tests of it, and whether segments agree."""

from __future__ import annotations

from fairreport.analyses.pair_result import ChiFigure, PooledRow
from fairreport.render import formats
from fairreport.render.pair_kinds import ends, number
from fairreport.render.pair_tables import PairPrinter, without_empty_columns
from fairreport.render.pair_view import PooledView, gravity
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import joined, said
from fairreport.render.table_view import Column, Table, Terse

_MOST_SEGMENTS = 8

_COLUMNS = (
    Column(key="segments", heading="Segments used"),
    Column(key="crude", heading="AIR over all rows", terse=Terse.WITH_ROOM),
    Column(key="figure", heading="Pooled AIR", terse=Terse.ALWAYS),
    Column(key="interval", heading="Pooled AIR interval", terse=Terse.ALWAYS),
    Column(key="difference", heading="Difference"),
    Column(key="p", heading="CMH p"),
    Column(key="q_p", heading="p of one ratio (Q)"),
)
_BESIDE = (
    Column(key="cmh", heading="CMH statistic"),
    Column(key="cmh_corrected", heading="corrected"),
    Column(key="cmh_corrected_p", heading="corrected p"),
    Column(key="z", heading="z, linearised"),
    Column(key="q", heading="Q (df)"),
    Column(key="odds", heading="Pooled odds ratio"),
    Column(key="odds_interval", heading="its interval"),
    Column(key="breslow", heading="Breslow-Day-Tarone (df), of odds ratios only"),
    Column(key="breslow_p", heading="its p"),
    Column(key="reverses", heading="Direction reverses"),
)
_YES = {True: "yes", False: "no", None: formats.ABSENT}


def pooled_view(printer: PairPrinter) -> PooledView | None:
    """Return the pooled pairs of a test, worst first; None without segments."""
    pooled = printer.finding.pooled
    if not pooled:
        return None
    where = ("Pooled over segments, ",)
    rows = [printer.row(row, _cells(printer, row), where=where) for row in pooled]
    beside = [printer.row(row, _beside(printer, row), where=where) for row in pooled]
    weighted = any(row.z is not None or "weighted" in row.reasons.values() for row in pooled)
    heading = f"{'Adjusted ' if printer.pooled_bars.is_adjusted else ''}{'p' if weighted else 'CMH p'}"
    columns = tuple(Column(key=c.key, heading=heading, terse=c.terse) if c.key == "p" else c for c in _COLUMNS)
    return PooledView(
        table=Table(
            caption=printer.caption("Pooled over the segments where both groups occur (Mantel-Haenszel)"),
            attributes=printer.attributes,
            columns=columns,
            rows=tuple(sorted(rows, key=gravity)),
            axis=printer.axis,
        ),
        beside=without_empty_columns(
            Table(
                caption=said(
                    "Behind the pooled ratio. Q asks whether the segments share one ratio of rates; Breslow-Day-Tarone "
                    "asks it of odds ratios only, and its p can be small where the ratios of rates are all equal"
                ),
                attributes=printer.attributes,
                columns=_BESIDE,
                rows=tuple(sorted(beside, key=gravity)),
                axis=None,
            )
        ),
        reversals=tuple(_reversal(printer, row) for row in pooled if row.direction_reverses),
        segments=tuple(line for row in pooled if (line := _segments(printer, row)) is not None),
    )


def _cells(printer: PairPrinter, row: PooledRow) -> tuple[str, ...]:
    printing = printer.printing
    return (
        formats.count(len(row.segments_used)),
        number(row.crude_air, against=(*printing.marks, 1.0)),
        printing.figure(row.air),
        printer.interval(row.air_interval),
        printing.gap(row.rate_difference),
        printing.p(row),
        formats.p_value(row.ratio_q.p_value, alpha=printer.bars.alpha),
    )


def _beside(printer: PairPrinter, row: PooledRow) -> tuple[str, ...]:
    alpha = printer.bars.alpha
    return (
        number(row.cmh.statistic, 2),
        number(row.cmh_corrected.statistic, 2),
        formats.p_value(row.cmh_corrected.p_value, alpha=alpha),
        number(row.z, 2),
        _chi(row.ratio_q),
        number(row.odds_ratio, against=(1.0,)),
        ends(row.odds_interval, against=(1.0,)),
        _chi(row.breslow_day_tarone),
        formats.p_value(row.breslow_day_tarone.p_value, alpha=alpha),
        _YES[row.direction_reverses],
    )


def _chi(figure: ChiFigure) -> str:
    return formats.ABSENT if figure.statistic is None else f"{formats.fixed(figure.statistic, 2)} ({figure.df})"


def _reversal(printer: PairPrinter, row: PooledRow) -> Sentence:
    crude, pooled = number(row.crude_air, against=[1.0]), number(row.air, against=[1.0])
    told = f": AIR {crude} over all rows, {pooled} pooled over segments; the direction reverses."
    return said(*printer.said_name(row), " against ", Name.of(row.reference_group), told)


def _segments(printer: PairPrinter, row: PooledRow) -> Sentence | None:
    """Return which segments a pair leaves out and which say nothing."""
    dropped = _some(row.segments_dropped)
    silent = _some(row.segments_uninformative)
    pieces: list[str | Name] = []
    if dropped:
        pieces += ["not used, one of the groups does not occur: ", *dropped]
    if silent:
        pieces += ["; " if pieces else "", "uninformative, all or none favorable: ", *silent]
    return said(*printer.said_name(row), ": ", *pieces, ".") if pieces else None


def _some(names: tuple[str, ...]) -> tuple[str | Name, ...]:
    rest = len(names) - _MOST_SEGMENTS
    more = (f" and {formats.count(rest)} more",) if rest > 0 else ()
    return (*joined(names[:_MOST_SEGMENTS], ", "), *more)
