"""Medians, quantiles and ranks: small group codes beside doubles are fetched, and sorted in numpy per group."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from fairreport.errors import DataError
from fairreport.stats.ranking import dominance, ks_distance
from fairreport.stats.sample import SortedSample
from fairreport.tables.group_codes import code_of, code_sql
from fairreport.tables.known import Known
from fairreport.tables.needs import Labels, Measure, MeasureNeeds
from fairreport.tables.ordered import OrderedGroups, SortedGroups, bound_ranks, bounds
from fairreport.tables.page_queries import count_pages, fetch_ranges
from fairreport.tables.paging import FEW_ROWS, MANY_ROWS, PagedGroups, quantile_ranks
from fairreport.tables.partition import partition
from fairreport.tables.ranks import ALL, Samples, in_threads, rank_all, rank_group
from fairreport.tables.sinks import Label, MeasureSink
from fairreport.tables.tally import (
    COMPARED_ROWS,
    Comparison,
    MetricTally,
    MomentGroup,
    QuantileEnds,
    QuantileGroup,
    QuantilePair,
    RankGroup,
    ScoreGroup,
    ScoreTally,
)
from fairreport.tables.view import Array

PAIRED_GROUPS = 20
"""Up to so many groups every pair is kept, so that another reference needs no new scan."""

BINS = 32
"""Intervals of the histograms of scores."""

_SMALL_CODE = 2
"""Bytes of the codes that rows are brought together by as they are."""

SORTED_ROWS = 20_000_000
"""Up to so many rows are sorted in memory for medians and quantiles; more are paged."""

REMOTE_SORTED_ROWS = 200_000
"""Up to so many rows are fetched for quantiles from an engine that holds them elsewhere."""


class Levels:
    """Fetches and sorts; keeps the last samples, since several tests often share them."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._view = known.view
        self._key: object = None
        self._kept: dict[bool | None, Samples] = {}

    def score(self, sink: MeasureSink, moments: MetricTally) -> ScoreTally:
        """Return the tally of a score test; `moments` holds its means and variances."""
        groups = self._ordered(sink)
        edges = _edges(self._known.ranges[sink.need.numbers[0]])
        groups.settle(_median_ranks(groups), at=edges)
        median = groups.quantile(groups.labels, 0.5)
        by_label = {group.group: group for group in moments.groups if isinstance(group, MomentGroup)}
        tally = ScoreTally(
            attributes=sink.attributes,
            score=sink.need.numbers[0],
            rows=moments.rows,
            overall_median=median,
            edges=edges,
            groups=tuple(
                ScoreGroup(
                    group=label,
                    n=groups.total(label),
                    above=groups.count_above(label, median),
                    below=groups.count_below(label, median),
                    mean=by_label[label].mean,
                    variance=by_label[label].variance,
                    median=groups.quantile((label,), 0.5),
                    histogram=groups.histogram(label, edges),
                )
                for label in groups.labels
            ),
            missing=moments.missing,
        )
        reference = sink.need.choose(tally) if sink.need.choose else None
        if reference is None or tally.rows.evaluated > COMPARED_ROWS or not isinstance(groups, SortedGroups):
            return tally
        samples = groups.samples
        compared = tuple(_compare(label, samples, reference) for label in samples if label != reference)
        return replace(tally, comparisons=compared)

    def quantiles(self, sink: MeasureSink) -> MetricTally:
        """Return the tally of a quantile metric."""
        need = sink.need
        groups = self._ordered(sink)
        several = list(combinations(groups.labels, 2)) if len(groups.labels) <= PAIRED_GROUPS else []
        groups.settle(_wanted_ranks(groups, need, several))
        overall = groups.quantile(groups.labels, need.quantile)
        listed = tuple(
            QuantileGroup(
                group=label,
                n=groups.total(label),
                value=groups.quantile((label,), need.quantile),
                above_overall=groups.count_above(label, overall),
            )
            for label in groups.labels
        )
        tally = _metric_tally(
            sink,
            groups=listed,
            overall=QuantileGroup(
                group=ALL,
                n=sum(group.n for group in listed),
                value=overall,
                above_overall=sum(group.above_overall for group in listed),
            ),
            ends=tuple(_ends(label, groups, need) for label in groups.labels),
        )
        if not several:
            several = _pairs_with_reference(groups, tally, need)
            groups.settle(_wanted_ranks(groups, need, several))
        return replace(tally, pairs=tuple(_pair(pair, groups, need.quantile) for pair in several))

    def ranks(self, sink: MeasureSink) -> MetricTally:
        """Return the tally of AUC."""
        by_class = self._samples(sink, sink.need.labels[0])
        positive, negative = by_class[True], by_class[False]
        with_error = sum(sink.sizes.values()) <= COMPARED_ROWS
        groups = in_threads(
            lambda job: rank_group(*job, positive.get(job[0]), negative.get(job[0]), with_error=with_error),
            sorted(sink.sizes.items()),
        )
        return _metric_tally(sink, groups=tuple(groups), overall=rank_all(groups, positive, negative))

    def _ordered(self, sink: MeasureSink) -> OrderedGroups:
        """Return the groups of a test, sorted in memory where they fit."""
        rows, most = sum(sink.sizes.values()), SORTED_ROWS
        if self._view.is_remote:
            most = COMPARED_ROWS if sink.need.measure is Measure.SCORE else REMOTE_SORTED_ROWS
        if self._view.weight is None and rows > most:
            paged = self._paged(sink)
            sink.hold({label: paged.total(label) for label in paged.labels})
            return paged
        return SortedGroups(self._samples(sink)[None])

    def _paged(self, sink: MeasureSink) -> PagedGroups:
        number = sink.need.numbers[0]
        known = sorted(sink.sizes)
        levels = [sorted({label[i] for label in known}) for i in range(len(sink.attributes))]
        rows = self._rows_sql(sink, levels, None)
        codes = np.array([code_of(label, levels) for label in known])
        return PagedGroups(
            known,
            self._known.ranges[number],
            lambda low, high, pages: count_pages(self._view, rows, codes, (low, high), pages),
            lambda ranges: fetch_ranges(self._view, rows, codes, ranges),
            paging=FEW_ROWS if self._view.is_remote else MANY_ROWS,
        )

    def _samples(self, sink: MeasureSink, labels: Labels | None = None) -> dict[bool | None, Samples]:
        key = (sink.attributes, sink.need.numbers[0], labels)
        if key != self._key:
            self._kept = {}  # free the last ones before fetching more
            self._kept = self._fetch(sink, labels)
            self._key = key
            found = Counter[Label]()
            for samples in self._kept.values():
                found.update({label: sample.n for label, sample in samples.items()})
            sink.hold(found)
        return self._kept

    def _fetch(self, sink: MeasureSink, labels: Labels | None) -> dict[bool | None, Samples]:
        known = sorted(sink.sizes)
        levels = [sorted({label[i] for label in known}) for i in range(len(sink.attributes))]
        if labels is not None and sum(sink.sizes.values()) > SORTED_ROWS:
            rows = self._rows_sql(sink, levels, labels)
            return {kind: self._fetch_class(rows, known, levels, kind=kind) for kind in (False, True)}
        fetched = self._whole_columns(sink, levels, labels)
        if fetched is None:
            fetched = dict(self._view.fetch_arrays(self._rows_sql(sink, levels, labels)))
        return _split(fetched, known, levels, (None,) if labels is None else (False, True))

    def _whole_columns(
        self, sink: MeasureSink, levels: Sequence[Sequence[str]], labels: Labels | None
    ) -> dict[str, Array] | None:
        """Return what `_rows_sql` gives where every row is evaluated and its group is a code; None elsewhere.

        Whole columns are handed over several times as fast as rows that a condition or a join picks.
        """
        view, name = self._view, sink.attributes[0]
        if len(levels) > 1 or view.weight is not None or not view.cells[name].is_code:
            return None
        code = {text: i for i, text in enumerate(levels[0])}
        texts = self._known.texts[name].items()
        places = {int(view.cells[name].literal(cell)): code[text] for cell, text in texts if text in code}
        if len(places) != len(texts) or sum(sink.sizes.values()) != sink.total:
            return None
        wanted = [f"{view.cells[name].expression} AS k", f"{self._known.number(sink.need.numbers[0])} AS v"]
        if labels is not None:
            wanted.append(f"{self._known.positive(labels)} AS y")
        fetched = dict(view.fetch_arrays(f"SELECT {', '.join(wanted)} FROM {view.source}"))
        codes = np.zeros(1 + max(places), dtype=np.min_scalar_type(2 * len(code)))
        codes[list(places)] = list(places.values())
        fetched["g"] = codes[fetched.pop("k")]
        if labels is not None:
            fetched["g"] = 2 * fetched["g"] + fetched.pop("y")
        return fetched

    def _fetch_class(
        self, rows: str, known: Sequence[Label], levels: Sequence[Sequence[str]], *, kind: bool
    ) -> Samples:
        """Fetch and sort one class by itself, few groups one by one: less memory at once."""
        if len(known) <= PAIRED_GROUPS:
            return {label: sample for label in known if (sample := self._fetch_group(rows, label, levels, kind=kind)).n}
        fetched = self._view.fetch_arrays(f"{rows} AND {'y' if kind else 'NOT y'}")
        codes, values, weights = fetched["g"], fetched["v"], fetched.get("w")
        samples: Samples = {}
        for label in known:
            mine = codes == 2 * code_of(label, levels) + kind
            samples[label] = SortedSample(values[mine], None if weights is None else weights[mine].astype(np.int64))
        return {label: sample for label, sample in samples.items() if sample.n}

    def _fetch_group(self, rows: str, label: Label, levels: Sequence[Sequence[str]], *, kind: bool) -> SortedSample:
        """Fetch and sort the values of one group and class."""
        wanted = "v" if self._view.weight is None else "v, w"
        code = 2 * code_of(label, levels) + kind
        fetched = dict(self._view.fetch_arrays(f"SELECT {wanted} FROM ({rows}) AS r WHERE g = {code}"))
        weights = fetched.get("w")
        return _sorted(fetched.pop("v"), None if weights is None else weights.astype(np.int64))

    def _rows_sql(self, sink: MeasureSink, levels: Sequence[Sequence[str]], labels: Labels | None) -> str:
        """Return SQL of the evaluated rows: a small code ``g``, the value ``v``, and ``w`` where rows are weighted."""
        view = self._view
        inner = [f"{view.cells[name].expression} AS k{i}" for i, name in enumerate(sink.attributes)]
        inner.append(f"{self._known.number(sink.need.numbers[0])} AS v")
        where = ["v IS NOT NULL"]
        wanted = [f"{code_sql(levels, with_class=labels is not None, is_remote=view.is_remote)} AS g", "v"]
        if labels is not None:
            inner.append(f"{self._known.positive(labels)} AS y")
            where.append("y IS NOT NULL")
        if view.weight is not None:
            inner.append(f"{view.weight} AS w")
            wanted.append("w")
            where.append("w > 0")
        joins = "".join(
            f" JOIN (VALUES {self._codes(name, levels[i])}) AS m{i}(k, code) ON s.k{i} = m{i}.k"
            for i, name in enumerate(sink.attributes)
        )
        return (
            f"SELECT {', '.join(wanted)} FROM (SELECT {', '.join(inner)} FROM {view.source}) AS s{joins} "
            f"WHERE {' AND '.join(where)}"
        )

    def _codes(self, name: str, levels: Sequence[str]) -> str:
        """Return the pairs of a raw cell and the code of its level, as SQL."""
        code = {text: i for i, text in enumerate(levels)}
        literal = self._view.cells[name].literal
        cells = self._known.texts[name].items()
        return ", ".join(f"({literal(cell)}, {code[text]})" for cell, text in cells if text in code)


def _split(
    fetched: dict[str, Array], known: Sequence[Label], levels: Sequence[Sequence[str]], kinds: tuple[bool | None, ...]
) -> dict[bool | None, Samples]:
    """Sort the values of each group, of each class where there are two, and of each class over all groups."""
    codes, values, weights = fetched.pop("g"), fetched.pop("v"), fetched.pop("w", None)
    wanted = [len(kinds) * code_of(label, levels) + position for label in known for position in range(len(kinds))]
    places_of = [(kind, label) for label in known for kind in kinds]
    if codes.dtype.itemsize > _SMALL_CODE:  # the places of the groups among each other are smaller
        codes = np.searchsorted(wanted, codes).astype(np.uint16)
        wanted = list(range(len(wanted)))
    columns = [values] if weights is None else [values, weights.astype(np.int64)]
    (values, *rest), found = partition(codes, columns, wanted[-1] + 1)
    del codes, columns
    places = {place: found[code] for place, code in zip(places_of, wanted, strict=True)}
    parts = {place: _part(values, rest, [rows]) for place, rows in places.items()}
    if len(kinds) > 1:
        all_of = {(kind, ALL): _part(values, rest, [places[kind, label] for label in known]) for kind in kinds}
        parts = all_of | parts  # the longest first
    samples = in_threads(lambda part: _sorted(*part), list(parts.values()))
    sorted_: dict[bool | None, Samples] = {kind: {} for kind in kinds}
    for (kind, label), sample in zip(parts, samples, strict=True):
        if sample.n:
            sorted_[kind][label] = sample
    return sorted_


def _part(values: Array, weights: Sequence[Array], rows: Sequence[slice]) -> list[Array]:
    return [
        column[rows[0]] if len(rows) == 1 else np.concatenate([column[place] for place in rows])
        for column in (values, *weights)
    ]


def _sorted(values: Array, weights: Array | None = None) -> SortedSample:
    """Return a sample of values that nobody else needs in their order: sorted where they lie."""
    if weights is not None:
        return SortedSample(values, weights)
    values.sort()
    if values.size and not math.isfinite(values[-1]):  # rows are asked for only where all of these were finite
        raise DataError("the rows changed while they were read: a number is none any more")
    return SortedSample(values, is_sorted=True)


def _compare(label: Label, samples: Mapping[Label, SortedSample], reference: Label) -> Comparison:
    pairs = dominance(samples[label], samples[reference])
    return Comparison(
        group=label,
        reference=reference,
        greater=pairs.greater,
        equal=pairs.equal,
        less=pairs.less,
        ks_distance=ks_distance(samples[label], samples[reference]),
    )


def _edges(ends: tuple[float, float]) -> tuple[float, ...]:
    """Return the edges of the histograms: equal widths between the smallest and the largest value."""
    low, high = ends
    if low == high:
        return (low, high)
    return (*(low + (high - low) * (i / BINS) for i in range(BINS)), high)


def _median_ranks(groups: OrderedGroups) -> list[tuple[Sequence[Label], int]]:
    together: list[Sequence[Label]] = [groups.labels, *((label,) for label in groups.labels)]
    return [(labels, rank) for labels in together for rank in quantile_ranks(_rows(groups, labels), 0.5)]


def _wanted_ranks(
    groups: OrderedGroups, need: MeasureNeeds, pairs: Sequence[tuple[Label, Label]]
) -> list[tuple[Sequence[Label], int]]:
    q = need.quantile
    together: list[Sequence[Label]] = [groups.labels, *((label,) for label in groups.labels), *pairs]
    wanted = [(labels, rank) for labels in together for rank in quantile_ranks(_rows(groups, labels), q)]
    for label in groups.labels:
        wanted += [((label,), rank) for rank in bound_ranks(groups.total(label), q, need.level)]
    return wanted


def _rows(groups: OrderedGroups, labels: Sequence[Label]) -> int:
    return sum(groups.total(label) for label in labels)


def _ends(label: Label, groups: OrderedGroups, need: MeasureNeeds) -> QuantileEnds:
    low, high = bounds(groups, label, need.quantile, need.level)
    return QuantileEnds(group=label, level=need.level, low=low, high=high)


def _pairs_with_reference(groups: OrderedGroups, tally: MetricTally, need: MeasureNeeds) -> list[tuple[Label, Label]]:
    reference = need.choose(tally) if need.choose else None
    return [(label, reference) for label in groups.labels if label != reference] if reference else []


def _pair(pair: tuple[Label, Label], groups: OrderedGroups, q: float) -> QuantilePair:
    first, second = pair
    pooled = groups.quantile(pair, q)
    return QuantilePair(
        group=first,
        reference=second,
        pooled=pooled,
        above=groups.count_above(first, pooled),
        above_reference=groups.count_above(second, pooled),
    )


def _metric_tally(
    sink: MeasureSink,
    *,
    groups: tuple[QuantileGroup, ...] | tuple[RankGroup, ...],
    overall: QuantileGroup | RankGroup,
    pairs: tuple[QuantilePair, ...] = (),
    ends: tuple[QuantileEnds, ...] = (),
) -> MetricTally:
    need = sink.need
    return MetricTally(
        attributes=sink.attributes,
        columns=(*need.numbers, *(labels.column for labels in need.labels)),
        positive_values=tuple(sorted(need.labels[-1].positive)) if need.labels else (),
        rows=sink.row_count(),
        groups=groups,
        overall=overall,
        pairs=pairs,
        ends=ends,
        missing=sink.missing(with_favorable=False),
    )
