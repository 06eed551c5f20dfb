"""How far a test of named pairs hangs on its threshold: judged again with others, from its tally."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fairreport.analyses.pair_parameters import ImpactRatioTest, PairTest
from fairreport.analyses.pair_result import PairFinding, PairTable, PooledRow, Row
from fairreport.analyses.pair_tests import ConfusionRateTest, MeanDifferenceTest, OddsRatio, RelativeRate
from fairreport.analyses.pairs import judge_pairs
from fairreport.analyses.parameters import Threshold
from fairreport.analyses.robustness import RATIO_BARS, bars_around, moved

ABOVE_ONE = (1.10, 1.20, 1.25, 1.30, 1.40)
"""Ratios above which a group is beyond, as they are tried."""
SMD_FACTORS = (0.5, 1.0, 1.5, 2.0)
"""What a standardized difference is multiplied by."""
MOST_ROWS = 4_000
"""Compared rows up to which a test is judged again."""
_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPair:
    """A compared pair: its group, its reference, and which table it stands in, where there are several.

    Attributes
    ----------
    group, reference : str
        The pair.
    table : str
        Category or segment of the table; empty without.
    quantile : float or None
        Quantile of the table.
    """

    group: str
    reference: str
    table: str = ""
    quantile: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedVariant:
    """A test of named pairs with its threshold moved.

    Attributes
    ----------
    bar : float
        The threshold.
    is_stated : bool
        Whether it is the stated one.
    thresholds : tuple of Threshold
        What its status hangs on; empty where that is the test's own.
    measurements : mapping of str to number or None
        By their documented names; empty where no pair has a verdict.
    is_skipped : bool
        Whether no pair has a verdict.
    beyond : tuple of NamedPair
        The pairs that are practically significant.
    """

    bar: float
    is_stated: bool
    thresholds: tuple[Threshold, ...]
    measurements: Mapping[str, float | int | None]
    is_skipped: bool
    beyond: tuple[NamedPair, ...]


def threshold_parameter(test: PairTest) -> str | None:
    """Return the name of the parameter that holds the threshold of a test; None for a metric of the user's own.

    Examples
    --------
    >>> from fairreport.analyses.pair_tests import OddsRatio
    >>> threshold_parameter(OddsRatio(reference_values={"sex": "M"}, outcome="hired", odds_ratio_threshold=0.8,
    ...                               percent_difference_threshold=0))
    'odds_ratio_threshold'
    """
    match test:
        case ImpactRatioTest():
            return "air_threshold"
        case ConfusionRateTest():
            return "ratio_threshold"
        case OddsRatio():
            return "odds_ratio_threshold"
        case RelativeRate():
            return "relative_rate_threshold"
        case MeanDifferenceTest():
            return "smd_threshold"
    return None


def named_bars(test: PairTest) -> tuple[float, ...]:
    """Return the thresholds that are tried, the stated one among them, in order; none without a threshold."""
    name = threshold_parameter(test)
    if name is None:
        return ()
    stated = stated_bar(test)
    if isinstance(test, MeanDifferenceTest):
        return tuple(sorted({stated, *(round(stated * factor, _DIGITS) for factor in SMD_FACTORS if factor != 1.0)}))
    above = isinstance(test, RelativeRate) or (isinstance(test, OddsRatio) and test.lower_is_favorable)
    return bars_around(stated, ABOVE_ONE if above else RATIO_BARS)


def stated_bar(test: PairTest) -> float:
    """Return the threshold that a test states."""
    return float(test.parameters()[str(threshold_parameter(test))])


def under_named_bars(test: PairTest, found: PairFinding) -> tuple[NamedVariant, ...] | None:
    """Return what a test of named pairs finds with other thresholds.

    A threshold of the test on its smallest ratio that has the same value moves along.

    Parameters
    ----------
    test : PairTest
        The test as stated.
    found : PairFinding
        What it finds as stated, with its tally.

    Returns
    -------
    tuple of NamedVariant or None
        None where there is no threshold, no tally, or more than `MOST_ROWS` compared rows.
    """
    name = threshold_parameter(test)
    if name is None or found.evidence is None or sum(len(table.rows) for table in found.tables) > MOST_ROWS:
        return None
    stated = stated_bar(test)
    variants = []
    for bar in named_bars(test):
        changed = test.model_copy(update={name: bar, "thresholds": moved(test.thresholds, stated, bar)})
        judged = judge_pairs(changed, found.evidence)
        variants.append(
            NamedVariant(
                bar=bar,
                is_stated=bar == stated,
                thresholds=changed.thresholds,
                measurements=judged.measurements,
                is_skipped=judged.skip_code is not None,
                beyond=_beyond(judged),
            )
        )
    return tuple(variants)


def _beyond(found: PairFinding) -> tuple[NamedPair, ...]:
    several = len(found.tables) > 1
    listed: list[NamedPair] = []
    for table in found.tables:
        listed += _significant(table.rows, table if several else None)
    return (*listed, *_significant(found.pooled, None))


def _significant(rows: Iterable[Row | PooledRow], table: PairTable | None) -> list[NamedPair]:
    return [
        NamedPair(
            group=row.group,
            reference=str(row.reference_group),
            table="" if table is None else table.category or table.segment or "",
            quantile=None if table is None else table.quantile,
        )
        for row in rows
        if row.practically_significant
    ]
