"""Groups whose verdicts come of counts alone, so that other counts can be judged as the test itself judges its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from fairreport.analyses.comparison import RateRules, RateVerdict, adjust, judge_rate, p_value, p_values_of
from fairreport.analyses.grouping import Label
from fairreport.analyses.kinds import Test
from fairreport.analyses.metric import TOLERANCE, judge_share
from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.metric_values import share_counts
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import PValueAdjustment, SignificanceTest
from fairreport.analyses.result import Finding, PValue
from fairreport.analyses.score import scoring_counts
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.stats import contrast
from fairreport.stats.fisher import fisher_exact
from fairreport.stats.significance import PValues
from fairreport.tables.tally import GroupCount, MetricTally, OutcomeTally, ScoreTally


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A group's hits and rows, and the reference's."""

    a: int
    n: int
    b: int
    m: int


class _Rules(Protocol):
    """How a kind of test decides about counts."""

    @property
    def alpha(self) -> float: ...
    @property
    def adjustment(self) -> PValueAdjustment: ...
    @property
    def requires(self) -> bool: ...
    @property
    def more_is_better(self) -> bool: ...
    def p_values(self, pairs: Sequence[Pair]) -> PValues | None: ...
    def decide(self, pair: Pair, adjusted: PValue | None) -> RateVerdict: ...
    def ratio(self, pair: Pair) -> float | None: ...
    def reach(self, pairs: Sequence[Pair]) -> list[bool]: ...


class _RateRules:
    """Rates of outcome and score tests."""

    more_is_better = True

    def __init__(self, test: OutcomeDisparity | ScoreDisparity) -> None:
        self._rules = RateRules.of(test)
        self.alpha = test.alpha
        self.adjustment = test.p_value_adjustment
        self.requires = test.require_significance

    def p_values(self, pairs: Sequence[Pair]) -> PValues | None:
        return None if self._rules.test is SignificanceTest.NONE else p_values_of(self._rules.test, *_columns(pairs))

    def decide(self, pair: Pair, adjusted: PValue | None) -> RateVerdict:
        group = GroupCount(group=(), n=pair.n, favorable=pair.a)
        return judge_rate(group, GroupCount(group=(), n=pair.m, favorable=pair.b), adjusted, self._rules)

    def ratio(self, pair: Pair) -> float | None:
        return pair.a * pair.m / (pair.n * pair.b) if pair.b else None

    def reach(self, pairs: Sequence[Pair]) -> list[bool]:
        lows = contrast.koopman_ratio(*_columns(pairs), level=1 - self.alpha).low
        return [low < self._rules.threshold for low in lows.tolist()]


class _ShareRules:
    """Metrics that are shares of rows, held against a reference group."""

    def __init__(self, test: MetricParity) -> None:
        self._test = test
        self.alpha = test.alpha
        self.adjustment = test.p_value_adjustment
        self.requires = test.require_significance
        self.more_is_better = test.better_is_higher

    def p_values(self, pairs: Sequence[Pair]) -> PValues | None:
        return fisher_exact(*_columns(pairs)) if self._test.has_test else None

    def decide(self, pair: Pair, adjusted: PValue | None) -> RateVerdict:
        return judge_share(self._test, Fraction(pair.a, pair.n), Fraction(pair.b, pair.m), adjusted)

    def ratio(self, pair: Pair) -> float | None:
        if not pair.b or not (self.more_is_better or pair.a):
            return None
        top, bottom = pair.a * pair.m, pair.n * pair.b
        return top / bottom if self.more_is_better else bottom / top

    def reach(self, pairs: Sequence[Pair]) -> list[bool]:
        a, n, b, m = _columns(pairs)
        counts = (a, n, b, m) if self.more_is_better else (b, m, a, n)
        lows = contrast.koopman_ratio(*counts, level=1 - self.alpha).low
        mark = self._test.min_ratio
        return [
            low < mark and not math.isclose(low, mark, rel_tol=TOLERANCE, abs_tol=TOLERANCE) for low in lows.tolist()
        ]


def _columns(pairs: Sequence[Pair]) -> tuple[list[int], list[int], list[int], list[int]]:
    return [p.a for p in pairs], [p.n for p in pairs], [p.b for p in pairs], [p.m for p in pairs]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedGroup:
    """A judged group: its label, its evaluated rows, and its counts beside the reference's."""

    label: Label
    rows: int
    pair: Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Other counts of one group.

    Attributes
    ----------
    place : int
        Which group of its family.
    pair : Pair
        What it and the reference have in the place of their own counts.
    family : PValues or None
        The p-values of all groups, where the reference's counts are not its own and p-values are adjusted.
    """

    place: int
    pair: Pair
    family: PValues | None = None


class Family:
    """The judged groups of one test with their reference, which stays the reference whatever the counts become.

    Parameters
    ----------
    rules
        How the test decides.
    groups : sequence of CountedGroup
        All judged groups: they are tested together.
    """

    def __init__(self, rules: _Rules, groups: Sequence[CountedGroup]) -> None:
        self.rules = rules
        self.groups = tuple(groups)
        self._raw = rules.p_values([group.pair for group in self.groups])

    @property
    def has_test(self) -> bool:
        """Whether groups are tested."""
        return self._raw is not None

    @property
    def needs_p(self) -> bool:
        """Whether a verdict hangs on significance."""
        return self.rules.requires and self.has_test

    def as_stated(self) -> list[RateVerdict]:
        """Return what the test decides about every group."""
        if self._raw is None:
            return [self.rules.decide(group.pair, None) for group in self.groups]
        adjusted = adjust(self.rules.adjustment, self._raw)
        found = map(p_value, adjusted.p.tolist(), adjusted.log10_p.tolist())
        return [self.rules.decide(group.pair, p) for group, p in zip(self.groups, found, strict=True)]

    def reach(self, pairs: Sequence[Pair]) -> list[bool]:
        """Tell of counts whether the interval of their ratio reaches below the threshold: an undefined one does not."""
        return self.rules.reach(pairs) if pairs else []

    def others_at(self, b: int) -> PValues | None:
        """Return the p-values of all groups where the reference has `b` hits."""
        return self.rules.p_values([Pair(a=g.pair.a, n=g.pair.n, b=b, m=g.pair.m) for g in self.groups])

    def judge(self, cases: Sequence[Case]) -> list[RateVerdict]:
        """Return what the test decides about a group under other counts, one case at a time."""
        tested = self.rules.p_values([case.pair for case in cases]) if cases else None
        if tested is None or self._raw is None:
            return [self.rules.decide(case.pair, None) for case in cases]
        return [
            self.rules.decide(case.pair, self._adjusted(case.place, p, log10, case.family or self._raw))
            for case, p, log10 in zip(cases, tested.p.tolist(), tested.log10_p.tolist(), strict=True)
        ]

    def decide_by_size(self, pair: Pair) -> bool:
        """Tell whether counts are below the threshold, or beyond the gap that the test allows; significance aside."""
        return self.rules.decide(pair, None).below

    def _adjusted(self, place: int, p: float, log10: float, family: PValues) -> PValue:
        """Return an adjusted p-value, or one on the same side of alpha: nothing else hangs on it.

        Adjustment makes no p-value smaller, and none larger than itself times the number of groups.
        """
        alpha = self.rules.alpha
        if self.rules.adjustment is PValueAdjustment.NONE or p >= alpha or p * len(self.groups) < alpha:
            return p_value(p, log10)
        all_p, all_log = np.array(family.p, dtype=float), np.array(family.log10_p, dtype=float)
        all_p[place], all_log[place] = p, log10
        found = adjust(self.rules.adjustment, PValues(p=all_p, log10_p=all_log))
        return p_value(float(found.p[place]), float(found.log10_p[place]))


def family_of(test: Test, found: Finding) -> Family | None:
    """Return the judged groups of a test; None where counts alone do not decide, or nothing is compared with a group.

    Counts decide outcome tests, score tests (rows beyond the overall median, which stays where it is), and metrics
    that are shares of rows and held against a reference group.
    """
    if found.reference is None or not found.judged:
        return None
    counts = _counts(test, found)
    if counts is None:
        return None
    b, m = counts[found.reference]
    groups = [
        CountedGroup(label=row.group, rows=row.n, pair=Pair(a=a, n=n, b=b, m=m))
        for row in found.judged
        if (a := counts[row.group][0], n := counts[row.group][1])[1]
    ]
    if not groups:
        return None
    return Family(_ShareRules(test) if isinstance(test, MetricParity) else _RateRules(test), groups)


def _counts(test: Test, found: Finding) -> dict[Label, tuple[int, int]] | None:
    """Return hits and rows of every group, by label."""
    tally = found.evidence
    if isinstance(test, OutcomeDisparity) and isinstance(tally, OutcomeTally):
        return {g.group: (g.favorable, g.n) for g in tally.groups}
    if isinstance(test, ScoreDisparity) and isinstance(tally, ScoreTally):
        return {g.group: (g.favorable, g.n) for g in scoring_counts(test, tally)}
    if isinstance(test, MetricParity) and isinstance(tally, MetricTally):
        shares = share_counts(test.metric, tally)
        if shares is not None and test.comparison is ComparedWith.REFERENCE:
            return {g.group: pair for g, pair in zip(tally.groups, shares, strict=True)}
    return None
