"""Words and numbers of trends: when a window was, what a chart says, what chance would find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from fairreport.audit.gate import Status
from fairreport.audit.trend import Chance, ChangeTest, TestTrend, Trends
from fairreport.audit.trend_evidence import TrendWindow
from fairreport.audit.trend_windows import length_of, usual_length
from fairreport.render import formats
from fairreport.render.phrases import Name, Sentence
from fairreport.render.words import State, state
from fairreport.stats.cusum import Turn

_DAY = 86_400
_UNITS = ((7 * _DAY, "week", "weeks"), (_DAY, "day", "days"), (3_600, "hour", "hours"))
_LISTED = 3
_CLOCK = 3_600


def when(window: TrendWindow) -> str:
    """Return a window in words, dates alone where it begins and ends at midnight.

    Examples
    --------
    >>> when(TrendWindow(start="2026-03-02T00:00:00Z", end="2026-03-09T00:00:00Z"))
    '2026-03-02 to 2026-03-09'
    """
    if window.end is None:
        return "no window"
    if window.start is None:
        return moment(window.end)
    return f"{moment(window.start)} to {moment(window.end)}"


def moment(text: str) -> str:
    """Return a time as a date where it is midnight, else with hours and minutes."""
    found = datetime.fromisoformat(text)
    is_midnight = (found.hour, found.minute, found.second, found.microsecond) == (0, 0, 0, 0)
    return found.strftime("%Y-%m-%d" if is_midnight else "%Y-%m-%d %H:%M")


def duration(seconds: float) -> str:
    """Return a length of time in the largest unit that it is whole in.

    Examples
    --------
    >>> duration(604800.0), duration(86400.0), duration(5400.0)
    ('1 week', '1 day', '1.5 hours')
    """
    for unit, one, many in _UNITS:
        if seconds >= unit and seconds % unit == 0:
            return formats.plural(round(seconds / unit), one, many)
    return f"{formats.measured(seconds / 3_600)} hours"


def lead_of(trends: Trends) -> Sentence:
    """Return how many windows there are, of which lengths, and from when to when."""
    windows = trends.windows
    first = windows[0].start or windows[0].end
    last = windows[-1].end
    told = _counted(windows)
    if first is None or last is None:
        return Sentence((f"{told}, without dates.",))
    return Sentence((f"{told}, from {moment(first)} to {moment(last)}.",))


def _counted(windows: Sequence[TrendWindow]) -> str:
    """Return windows counted by their lengths; days that a clock made shorter or longer are days."""
    usual = usual_length(windows)
    counts = Counter(length_of(window) for window in windows)
    shifted = [length for length in counts if _is_shifted(length, usual)]
    moved = sum(counts.pop(length) for length in shifted)
    if usual is not None:
        counts[usual] += moved
    parts = [
        f"{formats.plural(n, 'window', 'windows') if i == 0 else formats.count(n)}{_of(length)}"
        for i, (length, n) in enumerate(counts.most_common(_LISTED))
    ]
    rest = sum(n for _, n in counts.most_common()[_LISTED:])
    if rest:
        parts.append(f"{formats.count(rest)} of other lengths")
    clock = f", {formats.count(moved)} of them shorter or longer by a change of the clock" if moved else ""
    return f"{formats.listed(parts)}{clock}"


def _of(length: float | None) -> str:
    return "" if length is None else f" of {duration(length)}"


def _is_shifted(length: float | None, usual: float | None) -> bool:
    """Tell whether a length is the usual one, of whole days, but for a change of the clock."""
    if length is None or usual is None or usual % _DAY or length == usual:
        return False
    return abs(length - usual) <= _CLOCK


def remarks_of(trends: Trends) -> Iterator[Sentence]:
    """Yield what a reader should know besides: rows of no window, records that a re-run replaced, withheld groups."""
    yield from without_time(trends.windows)
    replaced = trends.evidence.superseded
    if replaced:
        verb = "was" if replaced == 1 else "were"
        records = formats.plural(replaced, "record", "records")
        yield Sentence((f"{records} {verb} replaced by a re-run of the same window; the latest is shown.",))
    for name, n in trends.evidence.withheld:
        groups = formats.plural(n, "group", "groups")
        text = f": {groups} with few rows in some window or beside such, and every measurement, are withheld."
        yield Sentence((Name.of(name), text))


def without_time(windows: Sequence[TrendWindow]) -> Iterator[Sentence]:
    """Yield how many rows are in no window because they have no usable time, as the latest run counted them."""
    counted = [window for window in windows if window.rows_without_time is not None]
    most = max((window.rows_without_time or 0 for window in counted), default=0)
    if not most:
        return
    latest = counted[-1].rows_without_time or 0
    rows = formats.plural(latest or most, "row", "rows")
    when_it_was = f"when the window {when(counted[-1])} was judged" if latest else "at most, when earlier windows were"
    yield Sentence((f"{rows} had no usable time {when_it_was}; such rows are in no window.",))


def state_of(status: str | None) -> State | None:
    """Return a status of a history in words; None where the test was not run."""
    return state(Status(status)) if status in list(Status) else None


def headline_of(trend: TestTrend, trends: Trends) -> Sentence:
    """Return what a test comes to in its latest window, and where its verdict first changed."""
    statuses, windows = trend.series.statuses, trends.windows
    run = [i for i in trend.timeline.positions if statuses[i] is not None]
    judged = [i for i in run if statuses[i] != Status.SKIPPED]
    pieces = [_latest(trend, windows, run, judged)]
    if len(run) > 1 and judged:
        same = sum(statuses[i] == statuses[judged[-1]] for i in judged)
        verdicts = " with a verdict" if len(judged) < len(run) else ""
        pieces.append(f", and in {same:,} of {formats.plural(len(judged), 'window', 'windows')}{verdicts}")
    if trend.turned:
        at = trend.turned[0]
        old, new = _word(statuses[judged[judged.index(at) - 1]]), _word(statuses[at])
        pieces.append(f"; it first changed with {when(windows[at])}, from {old} to {new}")
        if len(trend.turned) > 1:
            pieces.append(f", and {formats.plural(len(trend.turned), 'time', 'times')} in all")
    elif len(judged) > 1:
        pieces.append("; it never changed")
    return Sentence((f"{''.join(pieces)}.",))


def _latest(trend: TestTrend, windows: Sequence[TrendWindow], run: Sequence[int], judged: Sequence[int]) -> str:
    """Return what the latest window came to; where that is nothing, the latest verdict and its window."""
    at = run[-1]
    word = _word(trend.series.statuses[at]).capitalize()
    if judged and judged[-1] != at:
        verdict = _word(trend.series.statuses[judged[-1]]).capitalize()
        nothing = "held no row" if windows[at].rows == 0 else "was skipped"
        return (
            f"The latest window, {when(windows[at])}, {nothing}. {verdict} in the latest that has a verdict, "
            f"{when(windows[judged[-1]])}"
        )
    if at != trend.timeline.positions[-1]:
        return f"{word} when it was last run, {when(windows[at])}"
    empty = ", which held no row" if windows[at].rows == 0 else ""
    return f"{word} in the latest window, {when(windows[at])}{empty}"


def _word(status: str | None) -> str:
    found = state_of(status)
    return "not known" if found is None else found.word


def figures_words(trend: TestTrend, trends: Trends) -> str:
    """Return of which window the figures of a test are, and why not of the latest; empty where there are none."""
    at = trend.latest_figures
    if at is None:
        return ""
    latest = trend.timeline.positions[-1]
    shown = f"window {when(trends.windows[at])}"
    if trend.has_latest_figures:
        return f"{shown}, the latest"
    empty = trends.windows[latest].rows == 0
    why = "held no row" if empty else "has none" if trend.series.statuses[latest] else "was not judged by this test"
    return f"{shown}; the latest, {when(trends.windows[latest])}, {why}"


def recounted_sentence(trend: TestTrend, trends: Trends) -> Sentence | None:
    """Return where what is counted changed; what came before is in no test of change."""
    if not trend.recounted:
        return None
    shown = formats.listed(when(trends.windows[i]) for i in trend.recounted[:_LISTED])
    return Sentence((f"What is counted changed with {shown}; the test of change begins anew there.",))


def change_words(change: ChangeTest, trends: Trends) -> str:
    """Return what the chart of a group says, in a few words."""
    if change.chart is None:
        return f"no test of change: {change.reason}"
    if not change.signals:
        return "no change signalled"
    earlier = len(change.signals) - len(change.present)
    if change.present:
        first = change.present[0][1]
        higher = first.signal is Turn.HIGHER
        since = begin(trends.windows[change.began(first)])
        more = f"; {formats.plural(earlier, 'signal', 'signals')} earlier" if earlier else ""
        return f"{'▲ higher' if higher else '▼ lower'} than the baseline since about {since}{more}"
    at, mark = change.signals[-1]
    turn = "higher" if mark.signal is Turn.HIGHER else "lower"
    latest = f"the latest ({turn}) with the window of {begin(trends.windows[at])}"
    return f"no change signalled now; {formats.plural(earlier, 'signal', 'signals')} earlier, {latest}"


def tested_words(trend: TestTrend) -> tuple[Sentence, ...]:
    """Return what the test of change comes to, in how many windows, against how many; nothing where there is none."""
    charted = [change for change in trend.changes if change.chart is not None]
    if trend.reason or not charted:
        return ()
    signalled = sum(bool(change.present) for change in charted)
    found = f"a change is signalled in {formats.count(signalled)} of" if signalled else "none is signalled in"
    n, baseline = len(charted[0].marks), formats.count(len(charted[0].baseline))
    tested = f"{formats.plural(n, 'window was', 'windows were')} tested against a baseline of {baseline}"
    own = "" if signalled else "; a difference that the baseline holds already is no change"
    return (Sentence((f"Test of change: {found} {formats.plural(len(charted), 'group', 'groups')}; {tested}{own}.",)),)


def no_change_words(trend: TestTrend) -> tuple[Sentence, ...]:
    """Return why groups have no test of change."""
    if trend.reason:
        return (Sentence((f"No test of change: {trend.reason}.",)),)
    counts = Counter(change.reason for change in trend.changes if change.chart is None)
    return tuple(
        Sentence((f"No test of change in {formats.plural(n, 'group', 'groups')}: {reason}.",))
        for reason, n in counts.most_common()
    )


def begin(window: TrendWindow) -> str:
    """Return when a window begins, or the date of a run without one."""
    found = window.start or window.end
    return "no date" if found is None else moment(found)


def method_lines(trend: TestTrend, trends: Trends) -> Iterator[Sentence]:
    """Yield how the test of change is tuned, with what it can and cannot see."""
    charts = [change.chart for change in trend.changes if change.chart is not None]
    if not charts or trend.windows_a_year is None:
        return
    evidence = trends.evidence
    lowest = min(chart.average_run_length for chart in charts)
    wanted = 2 * trend.windows_a_year
    yield Sentence(
        (
            f"Test of change: a two-sided CUSUM of the log-likelihood ratio for each group, against its rate over the "
            f"first {evidence.baseline} windows, for odds {formats.measured(evidence.odds_ratio)} times as high or as "
            f"low. Each chart is tuned so that, while the rate stays, a false alarm comes once in "
            f"{formats.measured(round(wanted))} windows (two years) or less often; the least patient here has one in "
            f"{formats.measured(round(lowest))} windows.",
        )
    )
    alarms = formats.fixed(trend.false_alarms_a_year, 1)
    yield Sentence(
        (
            f"{formats.plural(len(charts), 'chart', 'charts')}: {alarms} false alarms a year together at most, if each "
            f"baseline has the true rate. A baseline misses it by chance: with 12 windows of 100 cases false alarms "
            f"come nearly twice as often, with 26 about 1.4 times (simulated), with smaller windows more often still. "
            f"A change smaller than halfway to the one looked for builds up no signal.",
        )
    )


def chance_sentence(chance: Chance) -> Sentence:
    """Return how many findings a year chance alone would bring: windows x comparisons x alpha."""
    expected = formats.fixed(chance.expected, 1)
    alpha = formats.alpha(chance.alpha)
    many = "at most " if chance.is_bound else "about "
    comparisons = formats.plural(chance.comparisons, "comparison", "comparisons")
    told = f"{formats.measured(round(chance.windows))} windows x {comparisons} x {alpha}"
    if chance.is_assumed:
        pace = f"if each window follows on the one before, {_every(chance.step)}"
    else:
        pace = f"if windows come {_every(chance.step)} as so far"
    return Sentence(
        (
            "By chance alone “",
            Name.of(chance.test),
            f"” would find {many}{expected} differences a year: {told}, {pace}.",
        )
    )


def _every(seconds: float) -> str:
    """Return how often something comes that comes after so many seconds: ``every week``, ``every 12 hours``."""
    return f"every {duration(seconds).removeprefix('1 ')}"
