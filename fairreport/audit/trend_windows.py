"""The windows of a history in time: how long they are, how often they come, which are missing or do not touch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from statistics import median

from fairreport.audit.trend_evidence import TrendWindow

YEAR = 365.25 * 86_400
_ALIKE = 0.1
"""Spacings that differ by so much of their median are the same: months are."""
_FEWEST_STEPS = 4
"""So many spacings must be there before windows are taken to come more often than one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often windows come.

    Attributes
    ----------
    step : float
        Seconds from one to the next.
    is_assumed : bool
        Whether that is their length, because they are too few or too irregular to tell how often they come.
    """

    step: float
    is_assumed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Seam:
    """A window that does not begin where the one before ended.

    Attributes
    ----------
    position : int
        The later of the two.
    seconds : float
        Between them, in no window; below 0, so long do both go, and count rows twice.
    """

    position: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The windows of one test, or of several that share them.

    Attributes
    ----------
    positions : tuple of int
        Its windows; those that only other tests have are not among them.
    pace : Pace or None
        How often they come; None where that is not known.
    missing : tuple of int
        Positions before which at least one window is missing.
    seams : tuple of Seam
        Where windows do not touch though none is missing; those that are so by design are not among them.
    usual_gap : float
        Seconds between one window and the next mostly; below 0 where they overlap by design.
    """

    positions: tuple[int, ...]
    pace: Pace | None = None
    missing: tuple[int, ...] = ()
    seams: tuple[Seam, ...] = ()
    usual_gap: float = 0.0


def timeline_of(windows: Sequence[TrendWindow], run: Sequence[int]) -> Timeline:
    """Return the windows of a test that was run in some of them.

    Parameters
    ----------
    windows : sequence of TrendWindow
        All windows of the audit, oldest first.
    run : sequence of int
        Positions of those in which the test was run.
    """
    positions = tuple(_own(windows, run))
    own = [windows[i] for i in positions]
    pace = pace_of(own)
    missing = {positions[i] for i in _missing(own, None if pace is None else pace.step)}
    gaps = [
        Seam(position=i, seconds=gap)
        for i, (a, b) in zip(positions[1:], pairwise(own), strict=True)
        if i not in missing and (gap := gap_between(a, b)) is not None
    ]
    usual, n = Counter(gap.seconds for gap in gaps).most_common(1)[0] if gaps else (0.0, 0)
    by_design = usual if n > 1 and 2 * n >= len(gaps) else 0.0
    return Timeline(
        positions=positions,
        pace=pace,
        missing=tuple(sorted(missing)),
        seams=tuple(gap for gap in gaps if gap.seconds not in {0.0, by_design}),
        usual_gap=by_design,
    )


def _own(windows: Sequence[TrendWindow], run: Sequence[int]) -> Iterator[int]:
    """Yield the windows of a test: those it was run in, and those between of the same kind, in which others were."""
    kept = set(run)
    length = length_of(windows[run[-1]]) if run else None
    for i, window in enumerate(windows):
        if i in kept or (length_of(window) == length and not any(_is_shared(window, windows[j]) for j in run)):
            yield i


def _is_shared(a: TrendWindow, b: TrendWindow) -> bool:
    """Tell whether two windows have time in common."""
    gaps = (gap_between(a, b), gap_between(b, a))
    return all(gap is not None and gap < 0 for gap in gaps)


def pace_of(windows: Sequence[TrendWindow]) -> Pace | None:
    """Return how often windows come, oldest first; None where neither that nor their length is known.

    The median of the spacings counts where at least half of them are like it; windows that overlap by it must have
    come so a few times. Else one window is taken to follow the other: a single one judged out of turn, say, does not
    make weekly windows come twice a week.
    """
    ends = [_moment(window.end) for window in windows if window.end is not None]
    steps = [(b - a).total_seconds() for a, b in pairwise(ends) if b > a]
    length = usual_length(windows)
    if steps:
        usual = median(steps)
        is_regular = 2 * sum(abs(step - usual) <= _ALIKE * usual for step in steps) >= len(steps)
        follows = length is None or usual >= (1 - _ALIKE) * length or len(steps) >= _FEWEST_STEPS
        if length is None or (is_regular and follows):
            return Pace(step=usual, is_assumed=False)
    return None if length is None else Pace(step=length, is_assumed=True)


def usual_length(windows: Sequence[TrendWindow]) -> float | None:
    """Return the length that most windows have, the latest of several such; None where none has a start."""
    lengths = [length for window in reversed(windows) if (length := length_of(window)) is not None]
    return Counter(lengths).most_common(1)[0][0] if lengths else None


def length_of(window: TrendWindow) -> float | None:
    """Return the length of a window in seconds; None where it has no start."""
    if window.start is None or window.end is None:
        return None
    return (_moment(window.end) - _moment(window.start)).total_seconds()


def gap_between(earlier: TrendWindow, later: TrendWindow) -> float | None:
    """Return the seconds between two windows, below 0 where they overlap; None where an end is not known."""
    if earlier.end is None or later.start is None:
        return None
    return (_moment(later.start) - _moment(earlier.end)).total_seconds()


def overlap_of(earlier: TrendWindow, later: TrendWindow) -> float:
    """Return how much of the later window lies in the earlier one, 0 to 1."""
    length, gap = length_of(later), gap_between(earlier, later)
    if not length or gap is None:
        return 0.0
    return min(1.0, max(0.0, -gap / length))


def _missing(windows: Sequence[TrendWindow], step: float | None) -> Iterator[int]:
    for position, (earlier, later) in enumerate(pairwise(windows), start=1):
        if step is None or earlier.end is None or later.end is None:
            continue
        if (_moment(later.end) - _moment(earlier.end)).total_seconds() > 1.5 * step:
            yield position


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found
