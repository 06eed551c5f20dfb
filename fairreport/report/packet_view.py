"""Everything a packet prints, gathered once for the HTML file and the PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from fairreport.audit.about import DocumentStatus
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.builders import view_run
from fairreport.render.views import Line, Name, Row, RunView, Sentence, TestView
from fairreport.report.attachments import Attachment, software_versions
from fairreport.report.criteria import Criteria, criteria
from fairreport.report.data_file import DataFile
from fairreport.report.data_flow import DataFlow, data_flow
from fairreport.report.data_strings import data_strings
from fairreport.report.deciding import Deciding, deciding_of
from fairreport.report.edge_rules import edge_rules
from fairreport.report.figure_box import FigureBox, figure_box
from fairreport.report.fonts import debian_packages, font_hashes
from fairreport.report.gap_figure import rule_figure
from fairreport.report.gap_front import worst_rules
from fairreport.report.gap_part import GapPart, gap_part
from fairreport.report.headline import headline_of
from fairreport.report.methods import MethodPart, methods_of
from fairreport.report.parameters import Parameters, Stated, parameters_of
from fairreport.report.pooling import PooledRow, pool_one_row
from fairreport.report.printed_table import PORTRAIT_CHARACTERS, shares
from fairreport.report.test_results import MAIN_ROWS, TestResults, figure_caption, lowest_svg, results_of
from fairreport.report.used import holds_against_labels, used_by
from fairreport.report.worked_example import work_rows
from fairreport.report.worked_row import WorkedRow

WORST_SHOWN = 3
GROUP_SECTION, LABEL_SECTION = 5, 7
"""Where tests stand: those that hold something against what really happened in the second."""
_LISTED = 40
_FINDING_WIDTH = 26
MAIN_HEIGHT = 205.0
"""Height of the figure on the page of the result, in points; it gives a line to each test said to decide."""
_LINE_HEIGHT = 13.0
_COUNTS_HEIGHT, _RULE_HEIGHT = 45.0, 22.0
"""What rules take of that height where they stand beside groups that are compared with a reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A judged group with its test and where that stands; `value` is its rate, or what else the test compares."""

    test: Name
    row: Row
    n: str
    value: str
    ratio: str
    ratio_interval: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MainFigure:
    """The figure on the page of the result: its test, what it shows, and what it leaves out in which section."""

    test: Name
    caption: str
    box: FigureBox
    cut: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unprintable:
    """Characters that no font at hand prints, the names they stand in, and the packages that bring fonts."""

    characters: tuple[str, ...]
    more_characters: str
    names: tuple[Name, ...]
    more_names: str
    packages: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketView:
    """Everything a packet prints.

    Attributes
    ----------
    run : RunView
        The audit.
    packet_id : str
        Short hash of the results.
    origin, status : str
        The banner and the mark.
    is_draft : bool
        Whether the document is still being worked on.
    about : tuple of Line
        The cover.
    headline : Sentence
        The worst finding, with the n of both sides.
    deciding : Deciding
        The stated thresholds that the state comes of.
    worst : tuple of Comparison
        The worst comparisons of all tests.
    worst_widths : tuple of str
        Widths of the columns of their table, in CSS.
    main_figure : MainFigure or None
        The figure on the page of the result: that of the test with the worst comparison.
    criteria, flow, worked, pooled, methods, rules
        The sections.
    results : tuple of TestResults
        All disparity tests, in the order in which they are printed.
    gaps : GapPart
        Everything about rate gaps; its tests stand in section 7, after those of the others that stand there.
    has_scores, has_metrics : bool
        Whether there are tests of these kinds: what the glossary explains.
    parameters, versions, fonts, provenance
        The tables of the provenance section.
    attachments : tuple of Attachment
        What travels inside.
    unprintable : Unprintable or None
        None where every character prints.
    """

    run: RunView
    packet_id: str
    origin: str
    status: str
    is_draft: bool
    about: tuple[Line, ...]
    headline: Sentence
    deciding: Deciding
    worst: tuple[Comparison, ...]
    worst_widths: tuple[str, ...]
    main_figure: MainFigure | None
    criteria: tuple[Criteria, ...]
    flow: DataFlow
    results: tuple[TestResults, ...]
    worked: tuple[WorkedRow, ...]
    pooled: PooledRow | None
    methods: tuple[MethodPart, ...]
    rules: tuple[str, ...]
    has_scores: bool
    has_metrics: bool
    gaps: GapPart
    parameters: Parameters
    versions: tuple[tuple[str, str], ...]
    fonts: tuple[tuple[str, str], ...]
    data_origin: Name
    engine: Name
    data_file: DataFile
    ignored: tuple[Name, ...]
    attachments: tuple[Attachment, ...]
    unprintable: Unprintable | None

    @property
    def sections_of_tests(self) -> str:
        """Where the tests stand, in words."""
        in_second = bool(self.labelled or self.gaps.results)
        return "sections 5 and 7" if self.by_group and in_second else "section 7" if in_second else "section 5"

    @property
    def n_tests(self) -> int:
        """How many tests of all kinds there are."""
        return len(self.run.entries)

    @property
    def by_group(self) -> tuple[TestResults, ...]:
        """The tests of section 5."""
        return tuple(result for result in self.results if not result.is_labelled)

    @property
    def labelled(self) -> tuple[TestResults, ...]:
        """The tests of section 7, which hold something against what really happened."""
        return tuple(result for result in self.results if result.is_labelled)


def view_packet(
    record: AuditRecord,
    *,
    packet_id: str,
    attachments: tuple[Attachment, ...],
    data_file: DataFile,
    unprintable: tuple[str, ...],
) -> PacketView:
    """Return everything a packet prints."""
    run = view_run(record)
    pairs = list(zip(record.tests, run.tests, strict=True))
    ordered = sorted(pairs, key=_place)
    results = tuple(_results(ordered))
    labelled = sum(result.is_labelled for result in results)
    gaps = gap_part(record, run, _gap_places(len(record.rate_gaps), labelled=labelled, tests=len(results)))
    used = used_by(record)
    worst = tuple(_comparison(test, row) for test, row in islice(run.worst_comparisons(), WORST_SHOWN))
    deciding = deciding_of(run, [(view, _section(test)) for test, view in pairs])
    highest = MAIN_HEIGHT - _LINE_HEIGHT * len(deciding.tests)
    if pairs and gaps.front.worst:
        highest -= _COUNTS_HEIGHT + _RULE_HEIGHT * len(gaps.front.worst)
    main = None if gaps.front.leads else _main_figure(pairs, worst, highest=highest)
    about = record.about
    return PacketView(
        run=run,
        packet_id=packet_id,
        origin=about.origin.value,
        status=about.status.value,
        is_draft=about.status is DocumentStatus.DRAFT,
        about=tuple(line for line in run.about if line.term not in {"Status", "Origin of the data"}),
        headline=headline_of(run),
        deciding=deciding,
        worst=worst,
        worst_widths=_worst_widths(worst),
        main_figure=main or _rule_figure(record, run, highest=highest),
        criteria=tuple(criteria(record, test, view) for test, view in ordered),
        flow=data_flow(record),
        results=results,
        worked=work_rows(record),
        pooled=pool_one_row(record),
        methods=methods_of(used),
        rules=edge_rules(used),
        has_scores=any(view.analysis == "score_disparity" for view in run.tests),
        has_metrics=any(view.analysis == "metric_parity" for view in run.tests),
        gaps=gaps,
        parameters=parameters_of([*_stated(results, ordered), *_stated_gaps(gaps, record)]),
        versions=tuple((name, text or "not installed") for name, text in software_versions().items()),
        fonts=tuple(font_hashes()),
        data_origin=Name.of(record.data.origin),
        engine=Name.of(record.data.engine),
        data_file=data_file,
        ignored=tuple(Name.of(key) for entry in record.entries for key in entry.ignored),
        attachments=attachments,
        unprintable=_unprintable(record, unprintable),
    )


def _place(pair: tuple[TestRecord, TestView]) -> tuple[bool, int]:
    """Sort tests of section 7 after those of section 5, single attributes first."""
    return holds_against_labels(pair[0]), len(pair[0].test.protected_attribute_columns)


def _section(test: TestRecord) -> int:
    return LABEL_SECTION if holds_against_labels(test) else GROUP_SECTION


def _results(ordered: list[tuple[TestRecord, TestView]]) -> Iterator[TestResults]:
    numbers = {LABEL_SECTION: 0, GROUP_SECTION: 0}
    for position, (test, view) in enumerate(ordered, start=1):
        section = _section(test)
        numbers[section] += 1
        yield results_of(test, view, number=f"{section}.{numbers[section]}", anchor=f"test-{position}")


def _rule_figure(record: AuditRecord, run: RunView, *, highest: float) -> MainFigure | None:
    """Return the figure of the rule that reads worst."""
    for position, view in worst_rules(run.gaps)[:1]:
        entry = record.rate_gaps[position]
        found = entry.finding.rules[run.gaps[position].rules.index(view)]
        figure = rule_figure(entry, found, view, rows=MAIN_ROWS, highest=highest, prefix="main-")
        return MainFigure(test=view.id, caption=figure.caption, box=figure.box, cut="", section=str(LABEL_SECTION))
    return None


def _stated(results: Sequence[TestResults], ordered: Sequence[tuple[TestRecord, TestView]]) -> Iterator[Stated]:
    for result, (test, view) in zip(results, ordered, strict=True):
        yield result.number, test.test, view.settings


def _stated_gaps(gaps: GapPart, record: AuditRecord) -> Iterator[Stated]:
    for result, entry in zip(gaps.results, record.rate_gaps, strict=True):
        yield result.number, entry.test, result.view.settings


def _gap_places(n: int, *, labelled: int, tests: int) -> list[tuple[str, str]]:
    """Return number and anchor of each test of rate gaps."""
    return [(f"{LABEL_SECTION}.{labelled + i}", f"test-{tests + i}") for i in range(1, n + 1)]


def _comparison(test: TestView, row: Row) -> Comparison:
    cells = {} if test.table is None else {c.key: row.cells[i] for i, c in enumerate(test.table.columns)}
    return Comparison(
        test=test.name,
        row=row,
        n=cells.get("n", formats.ABSENT),
        value=cells.get("rate", cells.get("value", formats.ABSENT)),
        ratio=cells.get("ratio", formats.ABSENT),
        ratio_interval=cells.get("ratio_interval", formats.ABSENT),
    )


def _worst_widths(worst: tuple[Comparison, ...]) -> tuple[str, ...]:
    """Return widths that no number is wider than; names share what is left."""
    if not worst:
        return ()
    numbers = [[it.n, it.value, it.ratio, it.ratio_interval] for it in worst]
    heads = ("n", "Value", "Ratio", "Ratio interval")
    figures = [
        max(len(head), *map(len, cells)) + 2 for head, cells in zip(heads, zip(*numbers, strict=True), strict=True)
    ]
    left = max(30, PORTRAIT_CHARACTERS - sum(figures) - _FINDING_WIDTH)
    return shares([left // 2, left - left // 2, *figures, _FINDING_WIDTH])


def _main_figure(
    pairs: list[tuple[TestRecord, TestView]], worst: tuple[Comparison, ...], *, highest: float
) -> MainFigure | None:
    for test, view in pairs:
        if worst and view.name == worst[0].test:
            svg, cut = lowest_svg(test)
            box = figure_box(svg, highest=highest, prefix="main-")
            section = _section(test)
            return MainFigure(test=view.name, caption=figure_caption(view), box=box, cut=cut, section=str(section))
    return None


def _unprintable(record: AuditRecord, characters: tuple[str, ...]) -> Unprintable | None:
    if not characters:
        return None
    wanted = set(characters)
    names = [text for text in data_strings(record) if wanted & set(text)]
    return Unprintable(
        characters=tuple(f"U+{ord(character):04X}" for character in characters[:_LISTED]),
        more_characters=_more(len(characters) - _LISTED),
        names=tuple(Name.of(text) for text in names[:_LISTED]),
        more_names=_more(len(names) - _LISTED),
        packages=debian_packages(characters),
    )


def _more(n: int) -> str:
    return f" and {formats.count(n)} more" if n > 0 else ""
