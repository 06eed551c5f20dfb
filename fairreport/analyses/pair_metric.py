"""Any metric of named pairs, with a bootstrap interval within the groups. The only judgement that needs rows."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from fairreport.analyses.comparison import defined
from fairreport.analyses.pair_draft import null_reasons
from fairreport.analyses.pair_reason import Reason
from fairreport.analyses.pair_result import NO_SPAN, MetricRow, PairFinding, PairTable
from fairreport.analyses.pair_sides import is_beyond
from fairreport.analyses.pair_tests import CustomDisparityMetric, name_of
from fairreport.analyses.result import Note, Span
from fairreport.errors import ConfigError, Fault
from fairreport.stats.bootstrap import IntArray, percentile_interval, resampled
from fairreport.stats.linearised import effective_size
from fairreport.stats.proportion import FloatArray
from fairreport.tables.memberships import Patterns
from fairreport.tables.needs import Reading
from fairreport.tables.pair_needs import OutcomeKind, PairNeeds, WeightKind
from fairreport.tables.pair_rows import PairRows, pair_rows
from fairreport.tables.source import Table

_NO_TEST = ("test", "p_value", "adjusted_p")
_COMPARED = ("difference", "ratio", "practically_significant")
_LIMITS = ("difference_ci_low", "difference_ci_high", "ratio_ci_low", "ratio_ci_high")
_OWN_LIMITS = ("value_ci_low", "value_ci_high")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A group's weight, value and draws."""

    total: float | int
    n_eff: float
    value: float
    draws: FloatArray


class _Caller:
    """Calls the user's metric: what it raises where it is not defined is counted, anything else is refused."""

    def __init__(self, metric: Callable[..., Any]) -> None:
        self._metric = metric
        self._takes_weights = _takes_weights(metric)
        self._undefined: dict[str, tuple[int, str]] = {}

    def __call__(self, labels: FloatArray, predictions: FloatArray, weights: FloatArray | None) -> float:
        if weights is not None and not self._takes_weights:
            message = (
                f"metric {name_of(self._metric)!r} does not take sample_weight, but rows are weighed or "
                "memberships are proportions; wanted metric(labels, predictions, sample_weight)"
            )
            raise ConfigError(Fault(code="bad_type", message=message, path="metric"))
        extra = {} if weights is None else {"sample_weight": weights}
        try:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = self._metric(labels, predictions, **extra)
        except (ArithmeticError, ValueError) as error:  # a metric that is not defined there
            kind = type(error).__name__
            times, text = self._undefined.get(kind, (0, _in_words(error)))
            self._undefined[kind] = times + 1, text
            return math.nan
        except Exception as error:  # the user's own function may raise anything
            message = f"metric {name_of(self._metric)!r} raised {_in_words(error)}"
            raise ConfigError(Fault(code="metric_failed", message=message, path="metric")) from error
        return _number(found, self._metric)

    def notes(self) -> tuple[Note, ...]:
        """Return what was raised where the metric is not defined."""
        raised = [
            f"{text} ({times:,} {'call' if times == 1 else 'calls'})"
            for _, (times, text) in sorted(self._undefined.items())
        ]
        if not raised:
            return ()
        text = f"Where it raised, the metric counts as not defined: {'; '.join(raised)}."
        return (Note(code=Reason.METRIC_UNDEFINED.value, text=text),)


def _in_words(error: Exception) -> str:
    """Return an exception's type and the first line of its message."""
    try:
        lines = str(error).splitlines()
    except Exception:  # noqa: BLE001 - an exception of the user's own
        lines = []
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def _takes_weights(metric: Callable[..., Any]) -> bool:
    """Tell whether a metric can be called with weights; what does not tell its parameters is tried."""
    try:
        signature = inspect.signature(metric)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(None, None, sample_weight=None)
    except TypeError:
        return False
    return True


def _number(found: Any, metric: Callable[..., Any]) -> float:
    """Return what a metric returned as a number, no negative zero; one too large for a float is not finite."""
    try:
        if not (isinstance(found, (str, bytes)) or np.ndim(found) or np.iscomplexobj(found)):
            return float(found) + 0.0
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        pass
    shown = "None" if found is None else f"a value of type {type(found).__name__}"
    message = f"metric {name_of(metric)!r} must return a number, got {shown}"
    raise ConfigError(Fault(code="bad_type", message=message, path="metric"))


def judge_metric(table: Table, test: CustomDisparityMetric, reading: Reading) -> PairFinding:
    """Return what a metric of the user's own finds.

    Rows are drawn within each group, so that a group has the same size in every draw. Where rows are weighed or
    memberships are proportions the metric gets ``sample_weight``; frequencies repeat the rows.

    Parameters
    ----------
    table : Table
        What is audited.
    test : CustomDisparityMetric
        The test with its parameters.
    reading : Reading
        How cells are to be read.

    Raises
    ------
    ConfigError
        If the columns do not hold what is wanted, everything at once; if the metric cannot take weights that are
        there, returns no number (both ``bad_type``) or raises (``metric_failed``).
    """
    need = PairNeeds(
        outcome=test.outcome,
        kind=OutcomeKind.NUMBER,
        label=test.label,
        numeric_label=True,
        protected=test.protected_groups or (),
        references=test.reference_groups or (),
        categories=test.group_categories or (),
        reference_values=test.reference_values or {},
        weight=test.sample_weight,
        weight_kind=test.weights,
    )
    rows = pair_rows(table, need, reading)
    caller = _Caller(test.metric)
    found = [_group(rows, test, i, caller) for i in range(len(rows.plan.groups))]
    listed: dict[tuple[int, int], list[int]] = {}
    for pair in rows.plan.pairs:
        listed.setdefault((pair.category, pair.reference), []).append(pair.protected)
    table_rows: list[MetricRow] = []
    for (category, reference), groups in listed.items():
        table_rows.append(_own(rows, found[reference], reference, category, test, is_reference=True))
        for group in groups:
            row = _own(rows, found[group], group, category, test, is_reference=False)
            table_rows.append(_compared(row, found[group], found[reference], rows.plan.groups[reference], test))
    judged = [row for row in table_rows if not row.is_reference]
    skipped = all(row.difference is None for row in judged)
    measurements = {
        "minImpactRatio": None,
        "maxRateDifference": None,
        "practicallySignificantCount": sum(row.practically_significant is True for row in judged),
        "undefinedGroupCount": sum(row.practically_significant is None for row in judged),
    }
    text = (
        f"Intervals are percentiles of {test.draws:,} draws with replacement within each group, seed {test.seed}. "
        "A row that belongs to two groups is drawn in each by itself."
    )
    return PairFinding(
        analysis=test.analysis,
        tables=(PairTable(rows=tuple(table_rows)),),
        rows=rows.count,
        weights=need.weight_kind,
        measurements=MappingProxyType({} if skipped else measurements),
        skip_code="all_groups_undefined" if skipped else None,
        notes=(Note(code="bootstrap", text=text), *caller.notes()),
    )


def _share(rows: PairRows, group: int) -> FloatArray:
    members = rows.members
    if isinstance(members, Patterns):
        return np.asarray((members.codes >> members.codes.dtype.type(group)) & 1, dtype=np.float64)
    return np.asarray(members.shares[group], dtype=np.float64)


def _missing(rows: PairRows, category: int) -> Any:
    members = rows.members
    if isinstance(members, Patterns):
        bit = members.codes.dtype.type(len(rows.plan.groups) + category)
        return ((members.codes >> bit) & 1).astype(np.bool_)
    return members.missing[category]


def _group(rows: PairRows, test: CustomDisparityMetric, group: int, caller: _Caller) -> _Group:
    share = _share(rows, group)
    weight = share if rows.weight is None else share * rows.weight
    at = np.flatnonzero(weight > 0)
    if test.weights is WeightKind.FREQUENCY and rows.weight is not None:
        at = np.repeat(at, rows.weight[at].astype(np.int64))
        weight = share
    if rows.times is not None:
        at = np.repeat(at, rows.times[at])
    labels, predictions, weights = rows.label, rows.outcome, weight[at]
    if labels is None:
        raise TypeError("no labels")
    # The draws are of positions: in one order of the rows they are the same whatever order the table has.
    at = at[np.lexsort((weights, predictions[at], labels[at]))]
    labels, predictions, weights = labels[at], predictions[at], weight[at]
    is_weighted = test.weights is WeightKind.SAMPLING or bool(np.any(weights != 1))

    def value(drawn: IntArray) -> float:
        return caller(labels[drawn], predictions[drawn], weights[drawn] if is_weighted else None)

    total = math.fsum(weights.tolist())
    if not len(at):
        return _Group(total=0, n_eff=0.0, value=math.nan, draws=np.full(test.draws, np.nan))
    return _Group(
        total=total if is_weighted else len(at),
        n_eff=effective_size(total, math.fsum((weights * weights).tolist())),
        value=value(np.arange(len(at))),
        draws=resampled(value, len(at), draws=test.draws, seed=test.seed, stream=group),
    )


def _own(
    rows: PairRows, found: _Group, group: int, category: int, test: CustomDisparityMetric, *, is_reference: bool
) -> MetricRow:
    counts = np.ones(rows.n, dtype=np.int64) if rows.times is None else rows.times
    if test.weights is WeightKind.FREQUENCY and rows.weight is not None:
        counts = counts * rows.weight.astype(np.int64)
    everyone, missing = int(counts.sum()), int(counts[_missing(rows, category)].sum())
    reasons: dict[str, str] = {}
    value = defined(found.value)
    interval = _span(found.draws, test)
    why = Reason.METRIC_UNDEFINED if found.total else Reason.EMPTY_GROUP
    if value is None:
        reasons |= null_reasons(("value", *_OWN_LIMITS), why)
        interval = NO_SPAN
    elif interval == NO_SPAN:
        reasons |= null_reasons(_OWN_LIMITS, Reason.UNDEFINED_DRAWS)
    return MetricRow(
        group=rows.plan.groups[group],
        group_category=rows.plan.categories[category],
        is_reference=is_reference,
        observations=everyone - missing,
        percent_missing=missing / everyone if everyone else 0.0,
        n_eff=found.n_eff,
        total=found.total,
        value=value,
        value_interval=interval,
        undefined_draws=int(np.count_nonzero(~np.isfinite(found.draws))),
        reasons=reasons,
    )


def _span(draws: FloatArray, test: CustomDisparityMetric) -> Span:
    low, high = percentile_interval(draws, level=test.confidence_level)
    return Span(low=defined(low + 0.0), high=defined(high + 0.0))  # no negative zero


def _compared(row: MetricRow, group: _Group, reference: _Group, name: str, test: CustomDisparityMetric) -> MetricRow:
    reasons = dict(row.reasons) | null_reasons(_NO_TEST, Reason.BOOTSTRAP)
    own: dict[str, Any] = {
        "group": row.group,
        "group_category": row.group_category,
        "reference_group": name,
        "observations": row.observations,
        "percent_missing": row.percent_missing,
        "n_eff": row.n_eff,
        "total": row.total,
        "value": row.value,
        "value_interval": row.value_interval,
    }
    if not (math.isfinite(group.value) and math.isfinite(reference.value)):
        empty = not (group.total and reference.total)
        reasons |= null_reasons((*_COMPARED, *_LIMITS), Reason.EMPTY_GROUP if empty else Reason.METRIC_UNDEFINED)
        return MetricRow(**own, reasons=reasons)
    worse, better = (reference, group) if test.lower_is_better else (group, reference)
    gaps = better.draws - worse.draws
    undefined = int(np.count_nonzero(~np.isfinite(gaps)))
    difference = better.value - worse.value
    ratio = worse.value / better.value + 0.0 if better.value else None  # 0 over a negative value is 0
    span = _span(gaps, test)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio_span = NO_SPAN if ratio is None else _span(worse.draws / better.draws, test)
    if ratio is None:
        reasons["ratio"] = Reason.DIVISOR_ZERO.value
    if span == NO_SPAN:
        reasons |= null_reasons(_LIMITS[:2], Reason.UNDEFINED_DRAWS)
    if ratio_span == NO_SPAN:
        reasons |= null_reasons(_LIMITS[2:], Reason.DIVISOR_ZERO if ratio is None else Reason.UNDEFINED_DRAWS)
    verdict, why = _verdict(test, difference, ratio, span)
    if why is not None:
        reasons["practically_significant"] = why.value
    return MetricRow(
        **own,
        difference=difference,
        difference_interval=span,
        ratio=ratio,
        ratio_interval=ratio_span,
        undefined_draws=undefined,
        practically_significant=verdict,
        reasons=reasons,
    )


def _verdict(
    test: CustomDisparityMetric, difference: float, ratio: float | None, span: Span
) -> tuple[bool | None, Reason | None]:
    """Return whether a group is beyond every stated threshold with an interval of the difference above 0."""
    if test.ratio_threshold is None and test.difference_threshold is None:
        return None, Reason.NO_THRESHOLD
    if test.ratio_threshold is not None and ratio is None:
        return None, Reason.DIVISOR_ZERO
    if span.low is None:
        return None, Reason.UNDEFINED_DRAWS
    beyond = span.low > 0
    if test.ratio_threshold is not None and ratio is not None:
        beyond &= is_beyond(ratio, test.ratio_threshold, above=False)
    if test.difference_threshold is not None:
        beyond &= is_beyond(difference, test.difference_threshold, above=True)
    return beyond, None
