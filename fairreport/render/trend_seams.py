"""Windows that are missing, hold no row, or do not touch, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairreport.audit.trend import TestTrend, Trends
from fairreport.audit.trend_evidence import TrendWindow
from fairreport.audit.trend_windows import Timeline
from fairreport.render import formats
from fairreport.render.phrases import Name, Sentence
from fairreport.render.trend_words import duration, when

_LISTED = 3


def seams_of(trends: Trends) -> tuple[Sentence, ...]:
    """Return what the windows leave out or count twice, once for all tests that share them."""
    shared: dict[tuple[int, ...], list[TestTrend]] = {}
    for test in trends.tests:
        shared.setdefault(test.timeline.positions, []).append(test)
    return tuple(
        Sentence((*(_named(tests) if len(shared) > 1 else ()), text))
        for tests in shared.values()
        for text in _told(tests[0].timeline, trends.windows)
    )


def _named(tests: Sequence[TestTrend]) -> tuple[str | Name, ...]:
    more = f" and {formats.plural(len(tests) - 1, 'other test', 'other tests')}" if len(tests) > 1 else ""
    return (Name.of(tests[0].series.name), f"{more}: ")


def _told(timeline: Timeline, windows: Sequence[TrendWindow]) -> Iterator[str]:
    empty = [when(windows[i]) for i in timeline.positions if windows[i].rows == 0]
    if empty:
        held = "held no row" if len(empty) == 1 else "held no row each"
        yield f"{formats.plural(len(empty), 'window', 'windows')} {held}: {_listed(empty)}."
    missing = [when(windows[i]) for i in timeline.missing]
    if missing:
        places = formats.plural(len(missing), "place", "places")
        yield f"Windows are missing in {places}: before {_listed(missing)}. Lines break there."
    if timeline.usual_gap > 0:
        yield f"Between one window and the next lie {duration(timeline.usual_gap)} that no window covers."
    if timeline.usual_gap < 0:
        yield f"Windows overlap by {duration(-timeline.usual_gap)}: rows are counted in more than one."
    for begins, effect, seams in (
        ("after", "rows between are in neither", [it for it in timeline.seams if it.seconds > 0]),
        ("before", "rows of that time are counted in both", [it for it in timeline.seams if it.seconds < 0]),
    ):
        listed = [
            f"{when(windows[it.position])} begins {duration(abs(it.seconds))} {begins} the end of the window before it"
            for it in seams
        ]
        if listed:
            yield f"Windows do not touch: {_listed(listed)}; {effect}."


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _LISTED:,} more" if len(texts) > _LISTED else ""
    return f"{formats.listed(texts[:_LISTED])}{more}"
