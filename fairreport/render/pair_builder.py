"""From the record of a test of named pairs to its view."""

from __future__ import annotations

from dataclasses import replace

from fairreport.analyses.pair_result import PairFinding
from fairreport.analyses.pair_tests import ConfusionRateTest
from fairreport.audit.record import PairRecord
from fairreport.render import formats, pair_sentences, record_lines
from fairreport.render.pair_levels import listed, overview
from fairreport.render.pair_methods import call, flow_lines, method_lines, weight_sentences
from fairreport.render.pair_pooled import pooled_view
from fairreport.render.pair_reasons import Undefined, undefined_sentences
from fairreport.render.pair_tables import PairPrinter, level_of
from fairreport.render.pair_view import PairCounts, PairTableView, PairTestView, PooledView
from fairreport.render.phrases import Name, Names, Sentence
from fairreport.render.record_lines import said
from fairreport.render.table_view import Table
from fairreport.render.words import state

_NEVER_SHORTENED, _SEVERAL = 16, 2
"""Names up to so many characters are whole everywhere; of longer ones, so many could look alike."""

_TOLD = frozenset({"sampling_weights", "fractional_membership", "direction_reverses", "homogeneity"})
"""Codes of the notes that stand elsewhere in the view in words of its own."""

_CAUTIONS = {
    "sampling_weights": "Sampling weights: tests and intervals are linearised.",
    "fractional_membership": "Memberships are proportions: rates rest on the proxy.",
    "overlapping_groups": "Some rows belong to both groups of a pair.",
    "interval_test_disagree": "Interval and test disagree for some groups.",
}


def view_pairs(record: PairRecord, *, levels: bool = True) -> PairTestView:
    """Return the view of a test of named pairs.

    Parameters
    ----------
    record : PairRecord
        The test.
    levels : bool
        Whether each quantile, category or segment has a table of its own; the notebook shows them all in one.
    """
    view = _bare(record)
    if record.finding is None:
        return view
    printer = PairPrinter(record.test, record.finding)
    view = _filled(view, record, printer, record.finding)
    if levels or not printer.has_levels:
        view = replace(view, tables=_tables(printer))
    worst = view.comparisons
    view = replace(view, headline=worst[0].sentence) if worst and not view.is_skipped else view
    return _apart(view, record.finding)


def _bare(record: PairRecord) -> PairTestView:
    """Return the view as far as it goes without a finding."""
    test, skip = record.test, record.skip
    reason = None if skip is None else Name.prose(skip.reason)
    return PairTestView(
        name=Name.of(record.name),
        analysis=test.analysis,
        state=state(record.status),
        skip_code=None if skip is None else skip.code,
        skip_reason=reason,
        headline=_headline(record, reason),
        counts_sentence=None,
        reference=None,
        rule=said(""),
        counts=PairCounts(),
        tables=(),
        overview=None,
        listed=None,
        n_listed=0,
        pooled=None,
        undefined=(),
        weights=(),
        thresholds=record_lines.threshold_lines(record),
        thresholds_origin=record_lines.thresholds_origin(record),
        thresholds_stated=not record.default_threshold,
        measurements=(),
        flow=(),
        notes=(),
        insights=(),
        cautions=(),
        method=(),
        settings=record_lines.setting_lines(record),
        description=None if test.description is None else Name.prose(test.description),
        rationale=None if test.rationale is None else Name.prose(test.rationale),
        code=call(record),
    )


def _headline(record: PairRecord, reason: Name | None) -> Sentence:
    """Return why there is nothing to say."""
    if reason is None:
        return said("No pair was compared.")
    if record.finding is None:
        start = record_lines.not_computed(None if record.skip is None else record.skip.code)
        return said(start, reason, "" if reason.text.endswith((".", "?")) else ".")
    return said(Name.prose(f"{reason.text[:1].upper()}{reason.text[1:]}."))


def _filled(view: PairTestView, record: PairRecord, printer: PairPrinter, finding: PairFinding) -> PairTestView:
    counts = _counts(printer)
    listing, n_listed = listed(printer)
    marks = printer.printing.marks
    return replace(
        view,
        counts=counts,
        counts_sentence=pair_sentences.counts_sentence(counts, printer.bars) if counts.compared else None,
        reference=Name.of(printer.references[0]) if len(printer.references) == 1 else None,
        rule=pair_sentences.rule_sentence(printer),
        overview=overview(printer),
        listed=listing,
        n_listed=n_listed,
        pooled=pooled_view(printer),
        undefined=undefined_sentences(_undefined(printer)),
        weights=weight_sentences(finding),
        thresholds=record_lines.threshold_lines(record, against=marks),
        measurements=record_lines.measurement_lines(record, against=marks),
        flow=flow_lines(finding),
        notes=record_lines.note_lines(note for note in finding.notes if note.code not in _TOLD),
        insights=pair_sentences.insights_of(printer),
        cautions=tuple(said(_CAUTIONS[note.code]) for note in finding.notes if note.code in _CAUTIONS),
        method=method_lines(record, printer),
    )


def _counts(printer: PairPrinter) -> PairCounts:
    rows = [row for table in printer.finding.tables for row in table.rows if not row.is_reference]
    return pair_sentences.counts_of(printer.words(row).kind for row in (*rows, *printer.finding.pooled))


def _tables(printer: PairPrinter) -> tuple[PairTableView, ...]:
    found = []
    for table in printer.finding.tables:
        level = level_of(table)
        start = said(*_what(printer)) if level is None else level.title
        caption = printer.caption(*start.pieces)
        shown = printer.table(table, caption, () if level is None else level.where)
        title = said("") if level is None else level.title
        found.append(
            PairTableView(
                level=title,
                name=None if level is None else level.name,
                quantile=table.quantile,
                table=shown,
                beside=printer.beside(table),
            )
        )
    return tuple(found)


def _what(printer: PairPrinter) -> tuple[str | Name, ...]:
    """Return what the only table of a test shows."""
    test = printer.test
    if isinstance(test, ConfusionRateTest):
        rate = printer.printing.rate
        return f"{rate[0].upper()}{rate[1:]} of ", Name.of(test.outcome), " against ", Name.of(test.label)
    return f"{printer.kind.axis.partition(',')[0]} of ", Name.of(printer.test.measured)


def _undefined(printer: PairPrinter) -> list[Undefined]:
    found = []
    for table in printer.finding.tables:
        level = level_of(table)
        where = () if level is None else level.where
        found += [Undefined(name=(*where, *printer.said_name(row)), reasons=row.reasons) for row in table.rows]
    found += [
        Undefined(name=("Pooled, ", *printer.said_name(row)), reasons=row.reasons) for row in printer.finding.pooled
    ]
    return [row for row in found if row.reasons]


def _apart(view: PairTestView, finding: PairFinding) -> PairTestView:
    """Return the view, long names of groups kept apart from one another wherever they are shortened."""
    rows = [row for table in finding.tables for row in table.rows]
    raw = {name for row in rows for name in (row.group, row.reference_group, row.group_category) if name is not None}
    raw |= {name for table in finding.tables for name in (table.segment, table.category) if name is not None}
    texts = {formats.printable(name) for name in raw}
    if sum(len(text) > _NEVER_SHORTENED for text in texts) < _SEVERAL:
        return view
    names = Names(sorted(texts))

    def kept(table: Table | None) -> Table | None:
        if table is None:
            return None
        columns = tuple(replace(it, level=it.level.apart(names)) if it.level else it for it in table.columns)
        return replace(table.apart(names), columns=columns)

    def all_kept(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
        return tuple(it.apart(names) for it in sentences)

    def pooled(shown: PooledView | None) -> PooledView | None:
        return shown and PooledView(
            table=shown.table.apart(names),
            beside=shown.beside.apart(names),
            reversals=all_kept(shown.reversals),
            segments=all_kept(shown.segments),
        )

    return replace(
        view,
        headline=view.headline.apart(names),
        reference=view.reference and view.reference.apart(names),
        tables=tuple(
            replace(
                it,
                level=it.level.apart(names),
                name=it.name and it.name.apart(names),
                table=it.table.apart(names),
                beside=tuple(table.apart(names) for table in it.beside),
            )
            for it in view.tables
        ),
        overview=kept(view.overview),
        listed=kept(view.listed),
        pooled=pooled(view.pooled),
        undefined=all_kept(view.undefined),
        weights=all_kept(view.weights),
        insights=all_kept(view.insights),
    )
