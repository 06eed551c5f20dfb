"""What trends are made of: the windows of an audit, and what each test found in each of them, as it was found then."""

from __future__ import annotations

from dataclasses import dataclass

BASELINE = 12
"""Windows of the baseline, where nothing else is stated."""
ODDS_RATIO = 1.5
"""Change of the odds to look for, where nothing else is stated."""
TOO_FEW = "not enough data"
"""The verdict of a group with fewer rows than the test asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendWindow:
    """One window [start, end).

    Attributes
    ----------
    start, end : str or None
        ISO 8601; a run without a window has its date as end, or nothing.
    rows : int or None
        Rows inside; None where that was not counted.
    rows_without_time : int or None
        Rows of the whole table that had no usable time when the window was judged; they are in no window.
    """

    start: str | None
    end: str | None
    rows: int | None = None
    rows_without_time: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePoint:
    """A measurement in one window.

    Attributes
    ----------
    value, low, high : float or None
        What was measured, and the interval of the group that it is about, where that has one.
    group : str
        That group, or two of them; empty where it is about no single one.
    n : int or None
        Rows of that group, of the smaller one of two.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    group: str = ""
    n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueSeries:
    """A measurement over all windows.

    Attributes
    ----------
    name : str
        Its documented name, or the id of a rule.
    operator : str or None
        Of the threshold that it is held against; None without.
    threshold : float or None
        That threshold.
    points : tuple of ValuePoint or None
        One a window; None where the test was not run or not computed.
    """

    name: str
    operator: str | None = None
    threshold: float | None = None
    points: tuple[ValuePoint | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPoint:
    """A group in one window.

    Attributes
    ----------
    n : int or None
        Its rows.
    hits, cases : int or None
        Counted events and what they are counted among, where the value is such a share.
    value, low, high : float or None
        Its rate, or what else the test compares, with the interval.
    ratio, ratio_low, ratio_high : float or None
        Against the reference.
    verdict : str
        ``failing``, ``not failing``, ``reference``, ``not enough data`` or ``no verdict``; empty where there is none.
    """

    n: int | None
    hits: int | None = None
    cases: int | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    verdict: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSeries:
    """A group over all windows; None where it has no row, or the test was not computed."""

    label: str
    points: tuple[GroupPoint | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSeries:
    """A test over all windows.

    Attributes
    ----------
    name, analysis : str
        The test, as the latest window has it.
    no_change_test : str or None
        Why its groups have no test of change, in words; None where they have one.
    alpha : float or None
        Level of its comparisons in the latest window; of rate gaps the error budget of a rule.
    adjustment : str
        Correction for several comparisons; ``simultaneous`` for rate gaps.
    statuses : tuple of str or None
        What it came to in each window; None where it was not run.
    counting : tuple of str or None
        Hash of what it counted.
    comparisons : tuple of int or None
        Groups that were tested, or rules.
    values : tuple of ValueSeries
        Its measurements, those with a threshold first.
    groups : tuple of GroupSeries
        Its groups, worst of the latest window first.
    """

    __test__ = False  # a name that test collectors must not take for theirs

    name: str
    analysis: str
    no_change_test: str | None = None
    alpha: float | None = None
    adjustment: str = "none"
    statuses: tuple[str | None, ...]
    counting: tuple[str | None, ...]
    comparisons: tuple[int | None, ...]
    values: tuple[ValueSeries, ...] = ()
    groups: tuple[GroupSeries, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendEvidence:
    """Everything that trends are judged from.

    Attributes
    ----------
    audit_id, title : str
        The audit, as the history and its latest run call it.
    windows : tuple of TrendWindow
        Oldest first.
    tests : tuple of TestSeries
        In the order of the latest run.
    superseded : int
        Records that a re-run replaced.
    baseline : int
        Windows of the baseline.
    odds_ratio : float
        Change of the odds to look for, either way.
    withheld : tuple of (str, int)
        Tests of which groups were left out of this, and how many.
    """

    audit_id: str
    title: str
    windows: tuple[TrendWindow, ...]
    tests: tuple[TestSeries, ...]
    superseded: int = 0
    baseline: int = BASELINE
    odds_ratio: float = ODDS_RATIO
    withheld: tuple[tuple[str, int], ...] = ()
