"""What a packet prints of trends, at the end of section 8: figures and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairreport.audit.record import AuditRecord
from fairreport.audit.trend import Trends
from fairreport.render.phrases import Sentence
from fairreport.render.trend_plot import trend_svg
from fairreport.render.trend_view import SeriesRow, TrendsView, TrendView, view_trends
from fairreport.report.figure_box import FigureBox, figure_box
from fairreport.report.history_record import entry_of, rows_of
from fairreport.report.history_trends import ChangeSettings, trends_of

DRAWN_GROUPS, LISTED_GROUPS = 15, 40
_ID = "this audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendTest:
    """One test as it is printed.

    Attributes
    ----------
    view : TrendView
        Its words and numbers.
    figure : FigureBox or None
        None for a single window.
    not_drawn, not_listed : int
        Groups that the figure and the table leave out.
    """

    view: TrendView
    figure: FigureBox | None
    not_drawn: int
    not_listed: int

    @property
    def groups(self) -> tuple[SeriesRow, ...]:
        """The groups of the table."""
        return self.view.groups[:LISTED_GROUPS]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPart:
    """Everything that a packet prints of trends.

    Attributes
    ----------
    view : TrendsView
        Words and numbers.
    tests : tuple of TrendTest
        Its tests, with their figures.
    is_attached : bool
        Whether the windows before this one travel inside.
    """

    view: TrendsView
    tests: tuple[TrendTest, ...]
    is_attached: bool

    @property
    def chances(self) -> tuple[Sentence, ...]:
        """What chance would find in a year."""
        return self.view.chances


def trend_part(trends: Trends | None, record: AuditRecord) -> TrendPart | None:
    """Return what a packet prints of trends.

    Parameters
    ----------
    trends : Trends, optional
        Of the history of the audit. Without, an audit of a window still says what chance would find in a year.
    record : AuditRecord
        The audit.

    Returns
    -------
    TrendPart or None
        None without trends and without a window.
    """
    found = trends if trends is not None else _of_one_window(record)
    if found is None:
        return None
    view = view_trends(found)
    drawn = len(found.windows) > 1
    tests = []
    for test, its_view in zip(found.tests, view.tests, strict=True):
        groups = len(test.series.groups)
        box = figure_box(trend_svg(found, test, groups=DRAWN_GROUPS)) if drawn else None
        tests.append(
            TrendTest(
                view=its_view,
                figure=box,
                not_drawn=max(0, groups - DRAWN_GROUPS),
                not_listed=max(0, groups - LISTED_GROUPS),
            )
        )
    return TrendPart(view=view, tests=tuple(tests) if drawn else (), is_attached=trends is not None)


def trend_strings(part: TrendPart | None) -> Iterator[str]:
    """Yield everything of it that comes from data."""
    if part is None:
        return
    yield part.view.title.text
    for test in part.view.tests:
        yield test.name.text
        yield from (row.name.text for row in (*test.values, *test.groups))


def _of_one_window(record: AuditRecord) -> Trends | None:
    if record.data.window is None:
        return None
    rows = rows_of(record, _ID, None, "")
    entries = [entry_of(list(row.values()), _ID) for row in rows]
    return trends_of(entries, audit_id=_ID, settings=ChangeSettings())
