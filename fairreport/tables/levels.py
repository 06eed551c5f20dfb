"""Medians, quantiles and ranks: small group codes beside doubles are fetched, and sorted in numpy per group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from fairreport.stats.quantiles import SortedSample, order_statistic_bounds, pooled_quantile
from fairreport.stats.ranking import delong_se, dominance, ks_distance
from fairreport.tables.known import Known
from fairreport.tables.needs import Labels, MeasureNeeds
from fairreport.tables.sinks import Label, MeasureSink
from fairreport.tables.tally import (
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

COMPARED_ROWS = 5_000_000
"""Above so many rows the informational comparison of whole distributions is left out."""

_FEW_GROUPS = 8

ALL: tuple[str, ...] = ()
"""Label of all groups together."""

Samples = dict[Label, SortedSample]


class Levels:
    """Fetches and sorts; keeps the last samples, since several tests often share them."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._view = known.view
        self._key: object = None
        self._kept: dict[bool | None, Samples] = {}

    def score(self, sink: MeasureSink, moments: MetricTally) -> ScoreTally:
        """Return the tally of a score test; `moments` holds its means and variances."""
        samples = self._samples(sink)[None]
        median = pooled_quantile(list(samples.values()), 0.5)
        by_label = {group.group: group for group in moments.groups if isinstance(group, MomentGroup)}
        tally = ScoreTally(
            attributes=sink.attributes,
            score=sink.need.numbers[0],
            rows=moments.rows,
            overall_median=median,
            groups=tuple(
                ScoreGroup(
                    group=label,
                    n=sample.n,
                    above=sample.count_above(median),
                    below=sample.count_below(median),
                    mean=by_label[label].mean,
                    variance=by_label[label].variance,
                    median=sample.quantile(0.5),
                )
                for label, sample in samples.items()
            ),
            missing=moments.missing,
        )
        reference = sink.need.choose(tally) if sink.need.choose else None
        if reference is None or tally.rows.evaluated > COMPARED_ROWS:
            return tally
        compared = tuple(_compare(label, samples, reference) for label in samples if label != reference)
        return replace(tally, comparisons=compared)

    def quantiles(self, sink: MeasureSink) -> MetricTally:
        """Return the tally of a quantile metric."""
        need = sink.need
        samples = self._samples(sink)[None]
        overall = pooled_quantile(list(samples.values()), need.quantile)
        tally = _metric_tally(
            sink,
            groups=tuple(
                QuantileGroup(
                    group=label,
                    n=sample.n,
                    value=sample.quantile(need.quantile),
                    above_overall=sample.count_above(overall),
                )
                for label, sample in samples.items()
            ),
            overall=QuantileGroup(
                group=(),
                n=sum(sample.n for sample in samples.values()),
                value=overall,
                above_overall=sum(sample.count_above(overall) for sample in samples.values()),
            ),
            ends=tuple(_ends(label, sample, need) for label, sample in samples.items()),
        )
        return replace(tally, pairs=_pairs(samples, tally, need))

    def ranks(self, sink: MeasureSink) -> MetricTally:
        """Return the tally of AUC."""
        by_class = self._samples(sink, sink.need.labels[0])
        positive, negative = by_class[True], by_class[False]
        groups = tuple(
            _rank_group(label, n, positive.get(label), negative.get(label))
            for label, n in sorted(sink.sizes.items())
        )
        everyone = sum(sink.sizes.values())
        overall = _rank_group((), everyone, positive.get(ALL), negative.get(ALL), with_error=False)
        return _metric_tally(sink, groups=groups, overall=overall)

    def _samples(self, sink: MeasureSink, labels: Labels | None = None) -> dict[bool | None, Samples]:
        key = (sink.attributes, sink.need.numbers[0], labels)
        if key != self._key:
            self._kept = {}  # free the last ones before fetching more
            self._kept = self._fetch(sink, labels)
            self._key = key
        return self._kept

    def _fetch(self, sink: MeasureSink, labels: Labels | None) -> dict[bool | None, Samples]:
        view = self._view
        number = self._known.number(sink.need.numbers[0])
        known = sorted(sink.sizes)
        levels = [sorted({label[i] for label in known}) for i in range(len(sink.attributes))]
        inner = [f"{view.cells[name].expression} AS k{i}" for i, name in enumerate(sink.attributes)]
        inner.append(f"{number} AS v")
        where = ["v IS NOT NULL"]
        wanted = [f"{_code_sql(levels)} AS g", "v"]
        if labels is not None:
            inner += [f"{self._known.positive(labels)} AS y"]
            wanted.append("CAST(y AS UTINYINT) AS y")
            where.append("y IS NOT NULL")
        if view.weight is not None:
            inner.append(f"{view.weight} AS w")
            wanted.append("w")
            where.append("w > 0")
        joins = "".join(
            f" JOIN (VALUES {self._codes(name, levels[i])}) AS m{i}(k, code) ON s.k{i} = m{i}.k"
            for i, name in enumerate(sink.attributes)
        )
        sql = (
            f"SELECT {', '.join(wanted)} FROM (SELECT {', '.join(inner)} FROM {view.source}) AS s{joins} "
            f"WHERE {' AND '.join(where)}"
        )
        return _split(view.fetch_arrays(sql), known, levels)

    def _codes(self, name: str, levels: Sequence[str]) -> str:
        """Return the pairs of a raw cell and the code of its level, as SQL."""
        code = {text: i for i, text in enumerate(levels)}
        literal = self._view.cells[name].literal
        cells = self._known.texts[name].items()
        return ", ".join(f"({literal(cell)}, {code[text]})" for cell, text in cells if text in code)


def _code_sql(levels: Sequence[Sequence[str]]) -> str:
    """Return SQL of one small integer per combination of levels."""
    size = math.prod(len(level) for level in levels)
    code = "0"
    for i, level in enumerate(levels):
        code = f"({code} * {len(level)} + m{i}.code)"
    kind = "UTINYINT" if size <= 2**8 else "USMALLINT" if size <= 2**16 else "BIGINT"
    return f"CAST({code} AS {kind})"


def _split(
    fetched: Mapping[str, Array], known: Sequence[Label], levels: Sequence[Sequence[str]]
) -> dict[bool | None, Samples]:
    """Sort the values of each group, and of each class where there is one."""
    codes = [_code(label, levels) for label in known]
    parts: dict[bool | None, Array | None] = {None: None}
    if "y" in fetched:
        parts = {True: fetched["y"] == 1, False: fetched["y"] == 0}
    return {kind: _samples_of(fetched, mask, known, codes) for kind, mask in parts.items()}


def _code(label: Label, levels: Sequence[Sequence[str]]) -> int:
    code = 0
    for text, level in zip(label, levels, strict=True):
        code = code * len(level) + level.index(text)
    return code


def _samples_of(
    fetched: Mapping[str, Array], mask: Array | None, known: Sequence[Label], codes: Sequence[int]
) -> Samples:
    g, v, w = fetched["g"], fetched["v"], fetched.get("w")
    if mask is not None:
        g, v, w = g[mask], v[mask], None if w is None else w[mask]
    samples: Samples = {} if mask is None else {ALL: _sample(v, w)}
    if len(known) <= _FEW_GROUPS:
        for label, code in zip(known, codes, strict=True):
            hit = g == code
            samples[label] = _sample(v[hit], None if w is None else w[hit])
    else:
        order = np.argsort(g, kind="stable")
        placed = g[order].astype(np.int64)
        starts, ends = np.searchsorted(placed, codes, "left"), np.searchsorted(placed, codes, "right")
        for label, start, end in zip(known, starts, ends, strict=True):
            rows = order[start:end]
            samples[label] = _sample(v[rows], None if w is None else w[rows])
    return {label: sample for label, sample in samples.items() if sample.n}


def _sample(values: Array, weights: Array | None) -> SortedSample:
    return SortedSample(values, None if weights is None else weights.astype(np.int64))


def _compare(label: Label, samples: Samples, reference: Label) -> Comparison:
    pairs = dominance(samples[label], samples[reference])
    return Comparison(
        group=label,
        reference=reference,
        greater=pairs.greater,
        equal=pairs.equal,
        less=pairs.less,
        ks_distance=ks_distance(samples[label], samples[reference]),
    )


def _ends(label: Label, sample: SortedSample, need: MeasureNeeds) -> QuantileEnds:
    low, high = order_statistic_bounds(sample, need.quantile, level=need.level)
    return QuantileEnds(group=label, level=need.level, low=low, high=high)


def _pairs(samples: Samples, tally: MetricTally, need: MeasureNeeds) -> tuple[QuantilePair, ...]:
    labels = list(samples)
    if len(labels) <= PAIRED_GROUPS:
        chosen = list(combinations(labels, 2))
    else:
        reference = need.choose(tally) if need.choose else None
        chosen = [(label, reference) for label in labels if label != reference] if reference else []
    return tuple(_pair(first, second, samples, need.quantile) for first, second in chosen)


def _pair(first: Label, second: Label, samples: Samples, q: float) -> QuantilePair:
    pooled = pooled_quantile([samples[first], samples[second]], q)
    return QuantilePair(
        group=first,
        reference=second,
        pooled=pooled,
        above=samples[first].count_above(pooled),
        above_reference=samples[second].count_above(pooled),
    )


def _rank_group(
    label: Label,
    n: int,
    positive: SortedSample | None,
    negative: SortedSample | None,
    *,
    with_error: bool = True,
) -> RankGroup:
    if positive is None or negative is None:
        present = 0 if positive is None else positive.n
        return RankGroup(group=label, n=n, positives=present, greater=0, equal=0, delong_se=None)
    pairs = dominance(positive, negative)
    return RankGroup(
        group=label,
        n=n,
        positives=positive.n,
        greater=pairs.greater,
        equal=pairs.equal,
        delong_se=delong_se(positive, negative) if with_error else None,
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
