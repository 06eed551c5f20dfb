"""Words and numbers of trends: when a window was, what a chart says, what chance would find."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from fairreport.audit.gate import Status
from fairreport.audit.trend import Chance, ChangeTest, TestTrend, Trends, length_of
from fairreport.audit.trend_evidence import TrendWindow
from fairreport.render import formats
from fairreport.render.phrases import Name, Sentence
from fairreport.render.words import State, state
from fairreport.stats.cusum import Turn

_DAY = 86_400
_UNITS = ((7 * _DAY, "week", "weeks"), (_DAY, "day", "days"), (3_600, "hour", "hours"))
_LISTED = 3


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
    """Return how many windows there are, and from when to when."""
    windows = trends.windows
    length = length_of(windows[-1])
    of = "" if length is None else f" of {duration(length)}"
    first = windows[0].start or windows[0].end
    last = windows[-1].end
    told = f"{formats.plural(len(windows), 'window', 'windows')}{of}"
    if first is None or last is None:
        return Sentence((f"{told}, without dates.",))
    return Sentence((f"{told}, from {moment(first)} to {moment(last)}.",))


def remarks_of(trends: Trends) -> Iterator[Sentence]:
    """Yield what a reader should know of the windows: those that are missing, and records that a re-run replaced."""
    missing = [when(trends.windows[i]) for i in trends.missing]
    if missing:
        places = formats.plural(len(missing), "place", "places")
        shown = formats.listed(missing[:_LISTED])
        more = f" and {len(missing) - _LISTED} more" if len(missing) > _LISTED else ""
        yield Sentence((f"Windows are missing in {places}: before {shown}{more}. Lines break there.",))
    replaced = trends.evidence.superseded
    if replaced:
        verb = "was" if replaced == 1 else "were"
        records = formats.plural(replaced, "record", "records")
        yield Sentence((f"{records} {verb} replaced by a re-run of the same window; the latest is shown.",))
    for name, n in trends.evidence.withheld:
        groups = formats.plural(n, "group", "groups")
        text = f": {groups} with few rows in some window, and every measurement, are withheld."
        yield Sentence((Name.of(name), text))


def state_of(status: str | None) -> State | None:
    """Return a status of a history in words; None where the test was not run."""
    return state(Status(status)) if status in list(Status) else None


def headline_of(trend: TestTrend, trends: Trends) -> Sentence:
    """Return what a test comes to in the latest window, and where that first changed."""
    series = trend.series
    run = [i for i, status in enumerate(series.statuses) if status is not None]
    latest = state_of(series.statuses[run[-1]])
    word = "not known" if latest is None else latest.word
    same = sum(series.statuses[i] == series.statuses[run[-1]] for i in run)
    pieces = [f"{word.capitalize()} in the latest window"]
    if run[-1] != len(trends.windows) - 1:
        pieces = [f"{word.capitalize()} when it was last run, {when(trends.windows[run[-1]])}"]
    if len(run) > 1:
        pieces.append(f", and in {same:,} of {len(run):,} windows")
    if trend.turned:
        at = trend.turned[0]
        before = run[run.index(at) - 1]
        old, new = (state_of(series.statuses[i]) for i in (before, at))
        change = f"{'' if old is None else old.word} to {'' if new is None else new.word}"
        pieces.append(f"; it first changed with {when(trends.windows[at])}, from {change}")
        if len(trend.turned) > 1:
            pieces.append(f", and {formats.plural(len(trend.turned), 'time', 'times')} in all")
    elif len(run) > 1:
        pieces.append("; it never changed")
    return Sentence((f"{''.join(pieces)}.",))


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
    return Sentence(
        ("By chance alone ", Name.of(chance.test), f" would find {many}{expected} differences a year: {told}.")
    )
