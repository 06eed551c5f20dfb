"""A row worked by hand: its steps, and the steps that every kind of test has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from fairreport.analyses.kinds import Test
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.analyses.result import MetricRow, OutcomeGroup, PValue, ScoreRow, Span
from fairreport.render import formats
from fairreport.render.views import Name

DIGITS = 6
_LEAST_FIXED = 0.001

AnyRow = OutcomeGroup | ScoreRow | MetricRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step.

    Attributes
    ----------
    term : str
        What is computed.
    formula : str
        In letters.
    numbers : str
        The same with the numbers of the row.
    result : str
        What comes out.
    """

    term: str
    formula: str
    numbers: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedRow:
    """A row worked by hand.

    Attributes
    ----------
    kind : str
        What it is an example of, such as ``"outcome rates"``.
    test, group : Name
        Which row it is.
    against : Name or None
        The reference group; None where the row is held against all evaluated rows.
    letters : tuple of (str, str)
        The letters of the formulas with their numbers.
    level : str
        The confidence level.
    steps : tuple of Step
        In the order in which one would compute.
    """

    kind: str
    test: Name
    group: Name
    against: Name | None
    letters: tuple[tuple[str, str], ...]
    level: str
    steps: tuple[Step, ...]


def label(group: Sequence[str]) -> Name:
    """Return a group as one name."""
    return Name.of(" / ".join(group))


def shown(value: float | None) -> str:
    """Return a number with the decimals of a worked row: six, more for very small ones.

    Examples
    --------
    >>> shown(0.5), shown(0.0000123456)
    ('0.500000', '0.00001235')
    """
    return formats.fixed(value, _digits(value))


def taken(value: float | None) -> str:
    """Return a number that is taken away from another, a negative one in brackets.

    Examples
    --------
    >>> taken(0.5), taken(-0.5)
    ('0.500000', '(−0.500000)')
    """
    text = shown(value)
    return f"({text})" if text.startswith("−") else text


def p_inside(value: PValue | None, *, times: int = 1) -> str:
    """Return a p-value with which a reader goes on to reckon, with the decimals that the printed result needs.

    Parameters
    ----------
    value : PValue or None
        The p-value.
    times : int
        What it is multiplied with at most.

    Examples
    --------
    >>> p_inside(PValue(p=0.04321678, log10=-1.364)), p_inside(PValue(p=0.04321678, log10=-1.364), times=40)
    ('0.043217', '0.0432168')
    >>> p_inside(PValue(p=6.8567e-08, log10=-7.16389)), p_inside(PValue(p=None, log10=-312.5))
    ('6.85670e-8', '3.16228e-313')
    """
    if value is None or value.log10 is None or value.p == 0:
        return formats.p_value(value)
    more = len(f"{times}") - 1
    if value.p is not None and value.p >= _LEAST_FIXED:
        return formats.fixed(value.p, DIGITS + more)
    exponent = math.floor(value.log10)
    mantissa = 10 ** (value.log10 - exponent) if value.p is None else value.p / 10.0**exponent
    return f"{formats.fixed(mantissa, DIGITS - 1 + more)}e{exponent}"


def ends(span: Span | None) -> str:
    """Return an interval with the decimals of a worked row."""
    several = (None, None) if span is None else (span.low, span.high)
    return formats.span(span, max(map(_digits, several)), signed=True)


def _digits(value: float | None) -> int:
    return max(DIGITS, formats.digits_for([value]) + 1)


def ratio_of(row: AnyRow) -> float:
    """Return the ratio of a row, infinite where it has none: what the worst row is chosen by."""
    return math.inf if row.ratio is None else row.ratio


class WithPValue(Protocol):
    """A row with a p-value, before and after adjustment."""

    @property
    def p_value(self) -> PValue | None:
        """Before adjustment."""

    @property
    def adjusted_p(self) -> PValue | None:
        """After it."""


def adjustment_steps(test: Test, rows: Sequence[AnyRow], row: AnyRow) -> Iterator[Step]:
    """Yield how the p-value of a row is adjusted for those of all rows that were tested.

    Parameters
    ----------
    test : Test
        The test.
    rows : sequence
        All rows of its finding.
    row
        The row that is worked.
    """
    yield from adjusted_steps(test.p_value_adjustment, rows, row)


def adjusted_steps(adjustment: PValueAdjustment, rows: Sequence[WithPValue], row: WithPValue) -> Iterator[Step]:
    """Yield how the p-value of a row is adjusted for those of the rows that are adjusted together."""
    if adjustment is PValueAdjustment.NONE or row.p_value is None:
        return
    tested = sorted((other for other in rows if other.p_value is not None), key=lambda other: _size(other.p_value))
    size, rank = formats.count(len(tested)), formats.count(tested.index(row) + 1)
    p = p_inside(row.p_value, times=len(tested))
    if adjustment is PValueAdjustment.HOLM:
        yield Step(
            term=f"Holm, rank {rank} of {size}",
            formula="(K − r + 1) p, at most 1 and at least that of rank r − 1",
            numbers=f"({size} − {rank} + 1) × {p}",
            result=formats.p_value(row.adjusted_p),
        )
    else:
        yield Step(
            term=f"Benjamini-Hochberg, rank {rank} of {size}",
            formula="(K / r) p, at most 1 and at most that of rank r + 1",
            numbers=f"({size} / {rank}) × {p}",
            result=formats.p_value(row.adjusted_p),
        )


def fisher_step(term: str, counts: tuple[int, int, int, int], p_value: PValue | None) -> Step:
    """Return Fisher's test of a of n against b of m."""
    a, n, b, m = counts
    return Step(
        term=term,
        formula="Σ P(x) over all x with P(x) ≤ P(a), margins fixed",
        numbers=f"n = {formats.count(n)}, m = {formats.count(m)}, a + b = {formats.count(a + b)}, "
        f"a = {formats.count(a)}",
        result=formats.p_value(p_value),
    )


def wilson_step(term: str, letters: str, counts: tuple[int, int], z: float, interval: Span) -> Step:
    """Return Wilson's interval of so many hits among so many rows."""
    hits, n = counts
    root = z * math.sqrt(z * z + 4 * hits * (n - hits) / n)
    return Step(
        term=term,
        formula=f"(2k + z² ± z √(z² + 4k (N − k) / N)) / (2 (N + z²)), k, N = {letters}",
        numbers=f"({shown(2 * hits + z * z)} ± {shown(root)}) / {shown(2 * (n + z * z))}",
        result=ends(interval),
    )


def _size(value: PValue | None) -> tuple[float, float]:
    if value is None or value.log10 is None:
        return (-math.inf, 0.0)
    return (value.log10, value.p or 0.0)
