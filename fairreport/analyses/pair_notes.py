"""What a reader should know beside the numbers of named pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_result import OddsRow, PooledRow, Row
from fairreport.analyses.pair_tests import SegmentedAdverseImpactRatio
from fairreport.analyses.result import Note
from fairreport.tables.pair_needs import WeightKind
from fairreport.tables.pair_tally import MeanTally, PairTally


def pair_notes(test: PairTest, tally: PairTally | MeanTally) -> tuple[Note, ...]:
    """Return the notes of a test: what was assumed, and what was left out."""
    notes = []
    if tally.weights is WeightKind.SAMPLING:
        text = (
            "Weights are of a sample: tests and intervals are linearised, and no exact test is made. "
            "Weights are taken as known; strata and clusters of a sampling design are not."
        )
        notes.append(Note(code="sampling_weights", text=text))
    if any(tally.fractional):
        names = [name for name, part in zip(tally.plan.groups, tally.fractional, strict=True) if part]
        text = (
            f"Memberships of {', '.join(names)} are proportions. Rates from a proxy are right on average only if "
            "outcome and membership are independent given the proxy; the error can have either sign."
        )
        notes.append(Note(code="fractional_membership", text=text))
    if tally.rows.missing_weight:
        text = f"{tally.rows.missing_weight:,} rows without a weight are left out."
        notes.append(Note(code="missing_weight", text=text))
    if tally.rows.missing_segment:
        text = f"{tally.rows.missing_segment:,} rows without a segment are left out."
        notes.append(Note(code="missing_segment", text=text))
    lacking = _missing(tally)
    if lacking:
        shown = ", ".join(f"{name} {n:,}" for name, n in lacking)
        text = f"Rows without a membership leave that category only: {shown}."
        notes.append(Note(code="missing_membership", text=text))
    if tally.rows.undeclared:
        parts = [f"undeclared values of {name}: {n:,} rows left out" for name, n in tally.rows.undeclared]
        text = f"{'; '.join(parts)} of that category; its share of missing rows holds them too."
        notes.append(Note(code="undeclared_groups", text=text[0].upper() + text[1:]))
    if tally.rows.reference_only:
        shown = ", ".join(tally.rows.reference_only)
        text = f"Nothing is compared in {shown}: no group there beside the reference."
        notes.append(Note(code="reference_only", text=text))
    if outside := _in_no_group(tally):
        shown = ", ".join(f"{name} {n:,}" for name, n in outside)
        text = (
            f"Rows in none of the named groups of a category: {shown}. A row whose group is not known is to be "
            "missing there, not 0 in every column."
        )
        notes.append(Note(code="in_no_group", text=text))
    if shared := _overlaps(tally):
        text = f"Some rows belong to both groups of a pair ({', '.join(shared)}); tests take them for independent."
        notes.append(Note(code="overlapping_groups", text=text))
    if isinstance(test, SegmentedAdverseImpactRatio):
        text = (
            "Q asks whether the segments share one ratio of rates; Breslow-Day with Tarone's correction asks it of "
            "odds ratios, and its p can be small where the ratios of rates are all equal."
        )
        notes.append(Note(code="homogeneity", text=text))
    return tuple(notes)


def row_notes(rows: Sequence[Row | PooledRow]) -> tuple[Note, ...]:
    """Return the notes that the rows themselves call for."""
    notes = []
    turned = [row.group for row in rows if isinstance(row, PooledRow) and row.direction_reverses]
    if turned:
        text = (
            f"The direction reverses for {', '.join(turned)}: the ratio over all rows and the ratio pooled over "
            "segments lie on different sides of 1."
        )
        notes.append(Note(code="direction_reverses", text=text))
    apart = [row.group for row in rows if isinstance(row, OddsRow) and row.interval_test_disagree]
    if apart:
        text = (
            f"Interval and test disagree for {', '.join(apart)}: the interval has equal tails, the test counts every "
            "table that is no likelier than the observed one."
        )
        notes.append(Note(code="interval_test_disagree", text=text))
    return tuple(notes)


def _overlaps(tally: PairTally | MeanTally) -> list[str]:
    """Return the pairs that are tested as if independent although rows belong to both."""
    found = []
    for position, pair in enumerate(tally.plan.pairs):
        if tally.weights is WeightKind.SAMPLING or tally.fractional[pair.protected] or tally.fractional[pair.reference]:
            continue
        if isinstance(tally, MeanTally):
            crossed = tally.pairs[position].weight
        else:
            crossed = sum(cell.crossed[position] for cell in tally.cells)
        if crossed:
            found.append(f"{tally.plan.groups[pair.protected]} and {tally.plan.groups[pair.reference]}")
    return found


def _in_no_group(tally: PairTally | MeanTally) -> list[tuple[str, int]]:
    """Return for each category how many rows are known to be in none of its groups, where rows can be counted."""
    found = []
    for c, name in enumerate(tally.plan.categories):
        members = tally.plan.members(c)
        if tally.weights is WeightKind.SAMPLING or any(tally.fractional[g] for g in members):
            continue
        if isinstance(tally, MeanTally):
            outside: float = tally.evaluated - tally.missing[c] - sum(tally.groups[g].n for g in members)
        else:
            known = sum(cell.rows - cell.missing[c] for cell in tally.cells)
            outside = known - math.fsum(cell.totals[g] for cell in tally.cells for g in members)
        if outside > 0:
            found.append((name, int(outside)))
    return found


def _missing(tally: PairTally | MeanTally) -> list[tuple[str, int]]:
    """Return for each category how many rows have no membership, those with an undeclared value aside."""
    if isinstance(tally, MeanTally):
        counts = list(tally.missing)
    else:
        counts = [sum(cell.missing[c] for cell in tally.cells) for c in range(len(tally.plan.categories))]
    undeclared = dict(tally.rows.undeclared)
    listed = zip(tally.plan.categories, counts, strict=True)
    return [(name, left) for name, n in listed if (left := n - undeclared.get(name, 0))]
