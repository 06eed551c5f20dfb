"""From the rows of the table to those that a test of named pairs evaluates, category by category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairreport.analyses.notes import WORDS_FOR_MISSING
from fairreport.analyses.pair_result import PairFinding
from fairreport.audit.record import PairRecord
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Name, Sentence
from fairreport.tables.pair_needs import WeightKind
from fairreport.tables.pair_tally import MeanTally, PairTally


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryFlow:
    """The rows of one category of a test: in, left out for each reason, and what remains; dashes where skipped.

    Attributes
    ----------
    test, category : Name
        Which one it is.
    rows_in, no_weight, no_segment, evaluated, missing, share, known : str
        As they print.
    """

    test: Name
    category: Name
    rows_in: str
    no_weight: str
    no_segment: str
    evaluated: str
    missing: str
    share: str
    known: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFlow:
    """The data of all tests of named pairs.

    Attributes
    ----------
    rows : tuple of CategoryFlow
        One per test and category.
    repeats : bool
        Whether weights of some test repeat rows.
    unknown : tuple of Sentence
        Groups whose names read like "unknown", of each category.
    """

    rows: tuple[CategoryFlow, ...]
    repeats: bool
    unknown: tuple[Sentence, ...]


def pair_flow(records: Sequence[tuple[PairRecord, Name]]) -> PairFlow:
    """Return what was left out by the tests of named pairs, each with its name as it prints."""
    return PairFlow(
        rows=tuple(row for record, name in records for row in _rows(record, name)),
        repeats=any(it.finding is not None and it.finding.weights is WeightKind.FREQUENCY for it, _ in records),
        unknown=tuple(dict.fromkeys(sentence for record, _ in records for sentence in _unknown(record))),
    )


def _unknown(record: PairRecord) -> Iterator[Sentence]:
    found: dict[str, list[str]] = {}
    for table in record.finding.tables if record.finding else ():
        for row in table.rows:
            groups = found.setdefault(row.group_category, [])
            if row.group.strip().lower() in WORDS_FOR_MISSING and row.group not in groups:
                groups.append(row.group)
    for category, groups in found.items():
        if groups:
            yield said(Name.of(category), ": ", *joined(groups, ", "))


def _rows(record: PairRecord, name: Name) -> Iterator[CategoryFlow]:
    finding = record.finding
    if finding is None:
        categories = record.test.group_categories or tuple(record.test.reference_values or ())
        for category in dict.fromkeys(categories):
            yield _flow(name, category, [formats.ABSENT] * 7)
        return
    rows = finding.rows
    start = [formats.count(rows.total), formats.count(rows.missing_weight)]
    start.append(formats.ABSENT if rows.missing_segment is None else formats.count(rows.missing_segment))
    for category, missing, known in _categories(finding):
        everyone = None if missing is None else known + missing
        share = None if everyone is None else missing / everyone if missing and everyone else 0.0
        own = [formats.ABSENT if n is None else formats.count(n) for n in (everyone, missing)]
        yield _flow(
            name,
            category,
            [*start, *own, formats.ABSENT if share is None else formats.percent(share), formats.count(known)],
        )


def _categories(finding: PairFinding) -> Iterator[tuple[str, int | None, int]]:
    """Yield each category with its rows without a membership, None where that is not known, and those with one."""
    tally = finding.evidence
    if isinstance(tally, PairTally):
        everyone = sum(cell.rows for cell in tally.cells)
        for position, category in enumerate(tally.plan.categories):
            missing = sum(cell.missing[position] for cell in tally.cells)
            yield category, missing, everyone - missing
    elif isinstance(tally, MeanTally):
        for category, missing in zip(tally.plan.categories, tally.missing, strict=True):
            yield category, missing, tally.evaluated - missing
    else:
        seen = {row.group_category: row for table in finding.tables for row in table.rows}
        for category, row in seen.items():
            lacking, known = row.percent_missing, row.observations
            # The share is of whole numbers of rows, so that the quotient is one but for rounding.
            yield category, None if lacking == 1 else round(known * lacking / (1 - lacking)), known


def _flow(test: Name, category: str, texts: Sequence[str]) -> CategoryFlow:
    rows_in, no_weight, no_segment, evaluated, missing, share, known = texts
    return CategoryFlow(
        test=test,
        category=Name.of(category),
        rows_in=rows_in,
        no_weight=no_weight,
        no_segment=no_segment,
        evaluated=evaluated,
        missing=missing,
        share=share,
        known=known,
    )
