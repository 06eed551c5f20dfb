"""Everything a packet prints, gathered once for the HTML file and the PDF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from fairreport.audit.about import DocumentStatus
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.builders import view_run
from fairreport.render.views import Line, Name, Row, RunView, Sentence, TestView
from fairreport.report.asked_part import AskedPart, asked_part
from fairreport.report.attachments import Attachment, software_versions
from fairreport.report.criteria import Criteria, criteria
from fairreport.report.data_file import DataFile
from fairreport.report.data_flow import DataFlow, data_flow
from fairreport.report.data_strings import data_strings
from fairreport.report.deciding import Deciding, deciding_of
from fairreport.report.edge_rules import edge_rules
from fairreport.report.fonts import debian_packages, font_hashes
from fairreport.report.gap_part import GapPart, gap_part
from fairreport.report.headline import headline_of
from fairreport.report.main_figure import MainFigure, main_figure
from fairreport.report.methods import MethodPart, methods_of
from fairreport.report.pair_part import PairPart, in_sections, pair_part, section_of
from fairreport.report.parameters import Parameters, Stated, parameters_of
from fairreport.report.pooling import PooledRow, pool_one_row
from fairreport.report.preset_choice import ChosenPreset
from fairreport.report.printed_table import PORTRAIT_CHARACTERS, shares
from fairreport.report.robustness import RobustnessPart, robustness_part
from fairreport.report.test_results import TestResults, results_of
from fairreport.report.used import holds_against_labels, used_by
from fairreport.report.withheld_part import WithheldPart, withheld_part
from fairreport.report.worked_example import work_rows
from fairreport.report.worked_row import WorkedRow

if TYPE_CHECKING:
    from fairreport.report.earlier import ComparedPart
    from fairreport.report.preset_part import PresetPart
    from fairreport.report.trend_part import TrendPart

WORST_SHOWN = 3
GROUP_SECTION, LABEL_SECTION = 5, 7
"""Where tests stand: those that hold something against what really happened in the second."""
_LISTED = 40
_FINDING_WIDTH = 26


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
        The figure on the page of the result: of what the state comes of.
    criteria, flow, worked, pooled, methods, rules
        The sections.
    results : tuple of TestResults
        All disparity tests, in the order in which they are printed.
    gaps : GapPart
        Everything about rate gaps; its tests stand in section 7, after those of the others that stand there.
    pairs : PairPart
        Everything about named pairs; its tests stand in sections 5 to 7, after all others that stand there.
    preset : PresetPart or None
        What the preset in use says and asks, and its tables; None where none is used.
    has_scores, has_metrics : bool
        Whether there are tests of these kinds: what the glossary explains.
    parameters, versions, fonts, provenance
        The tables of the provenance section.
    attachments : tuple of Attachment
        What travels inside.
    unprintable : Unprintable or None
        None where every character prints.
    withheld : WithheldPart or None
        Groups that are shown without their figures; None where none are by the settings.
    compared : ComparedPart or None
        What changed since an earlier packet.
    trends : TrendPart or None
        How the audit went over its windows.
    robustness : RobustnessPart
        Every test under other thresholds, references and rows.
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
    pairs: PairPart
    preset: PresetPart | None
    parameters: Parameters
    versions: tuple[tuple[str, str], ...]
    fonts: tuple[tuple[str, str], ...]
    data_origin: Name
    engine: Name
    asked: AskedPart
    data_file: DataFile
    ignored: tuple[Name, ...]
    attachments: tuple[Attachment, ...]
    unprintable: Unprintable | None
    withheld: WithheldPart | None
    compared: ComparedPart | None
    trends: TrendPart | None
    robustness: RobustnessPart

    @property
    def sections_of_tests(self) -> str:
        """Where the tests stand, in words."""
        numbers = set(self.pairs.sections)
        numbers |= {GROUP_SECTION} if self.by_group else set()
        numbers |= {LABEL_SECTION} if self.labelled or self.gaps.results else set()
        return in_sections(sorted(numbers))

    @property
    def leads(self) -> str:
        """What the state of the audit comes of: ``pairs``, ``rules`` or ``tests``."""
        return "pairs" if self.pairs.front.leads else "rules" if self.gaps.front.leads else "tests"

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
    chosen: ChosenPreset | None = None,
    compared: ComparedPart | None = None,
    trends: TrendPart | None = None,
    versions: Mapping[str, str | None] | None = None,
) -> PacketView:
    """Return everything a packet prints; `versions` are those of what made it, the ones here where absent."""
    run = view_run(record)
    pairs = list(zip(record.tests, run.tests, strict=True))
    ordered = sorted(pairs, key=_place)
    results = tuple(_results(ordered))
    labelled = sum(result.is_labelled for result in results)
    gaps = gap_part(record, run, _gap_places(len(record.rate_gaps), labelled=labelled, tests=len(results)))
    adjusted = sum(result.adjusted is not None for result in results)
    pairs_before = {5: len(results) - labelled, 6: adjusted, 7: labelled + len(record.rate_gaps)}
    named = pair_part(record, run, pairs_before)
    used = used_by(record)
    worst = tuple(_comparison(test, row) for test, row in islice(run.worst_comparisons(), WORST_SHOWN))
    deciding = deciding_of(
        run,
        [
            *((view, _section(test)) for test, view in pairs),
            *((view, section_of(entry)) for entry, view in zip(record.pairs, run.pairs, strict=True)),
        ],
    )
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
        main_figure=main_figure(
            record,
            run,
            gaps=gaps.front,
            named=named,
            deciding=len(deciding.tests),
            drawn={test.name: it.first_svg for (test, _), it in zip(ordered, results, strict=True)},
        ),
        criteria=tuple(criteria(record, test, view) for test, view in ordered),
        flow=data_flow(record),
        results=results,
        worked=(*work_rows(record), *_worked_pairs(record)),
        pooled=pool_one_row(record),
        methods=methods_of(used),
        rules=edge_rules(used),
        has_scores=any(view.analysis == "score_disparity" for view in run.tests),
        has_metrics=any(view.analysis == "metric_parity" for view in run.tests),
        gaps=gaps,
        pairs=named,
        preset=None
        if chosen is None
        else _preset(chosen, record, run, _numbers(results, ordered, gaps, named, record)),
        parameters=parameters_of(_all_stated(results, ordered, gaps, named, record)),
        versions=tuple((name, text or "not installed") for name, text in (versions or software_versions()).items()),
        fonts=tuple(font_hashes()),
        data_origin=Name.of(record.data.origin),
        engine=Name.of(record.data.engine),
        asked=asked_part(record.data.asked),
        data_file=data_file,
        ignored=tuple(Name.of(key) for entry in record.entries for key in entry.ignored),
        attachments=attachments,
        unprintable=_unprintable(record, unprintable, chosen),
        withheld=withheld_part(record),
        compared=compared,
        trends=trends,
        robustness=robustness_part(record, [*results, *gaps.results, *named.results], [test for test, _ in ordered]),
    )


def _worked_pairs(record: AuditRecord) -> tuple[WorkedRow, ...]:
    if not record.pairs:
        return ()
    from fairreport.report.worked_pair import work_pairs  # noqa: PLC0415 - only where there are named pairs

    return work_pairs(record)


def _preset(chosen: ChosenPreset, record: AuditRecord, run: RunView, numbers: Mapping[str, str]) -> PresetPart | None:
    from fairreport.report.preset_part import preset_part  # noqa: PLC0415 - most packets have none

    return preset_part(chosen, record, run, numbers)


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


def _stated(results: Sequence[TestResults], ordered: Sequence[tuple[TestRecord, TestView]]) -> Iterator[Stated]:
    for result, (test, view) in zip(results, ordered, strict=True):
        yield result.number, test.test, view.settings


def _all_stated(
    results: Sequence[TestResults],
    ordered: Sequence[tuple[TestRecord, TestView]],
    gaps: GapPart,
    named: PairPart,
    record: AuditRecord,
) -> list[Stated]:
    """Return the tests of every kind in the order of their numbers."""
    stated = [*_stated(results, ordered), *_stated_gaps(gaps, record), *_stated_pairs(named, record)]
    return sorted(stated, key=lambda it: tuple(map(int, it[0].split("."))))


def _numbers(
    results: Sequence[TestResults],
    ordered: Sequence[tuple[TestRecord, TestView]],
    gaps: GapPart,
    named: PairPart,
    record: AuditRecord,
) -> dict[str, str]:
    """Return the number of each test by its name."""
    found = {test.name: result.number for result, (test, _) in zip(results, ordered, strict=True)}
    found |= {entry.name: it.number for it, entry in zip(gaps.results, record.rate_gaps, strict=True)}
    return found | {entry.name: it.number for it, entry in zip(named.results, record.pairs, strict=True)}


def _stated_gaps(gaps: GapPart, record: AuditRecord) -> Iterator[Stated]:
    for result, entry in zip(gaps.results, record.rate_gaps, strict=True):
        yield result.number, entry.test, result.view.settings


def _stated_pairs(named: PairPart, record: AuditRecord) -> Iterator[Stated]:
    for result, entry in zip(named.results, record.pairs, strict=True):
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


def _unprintable(record: AuditRecord, characters: tuple[str, ...], chosen: ChosenPreset | None) -> Unprintable | None:
    if not characters:
        return None
    wanted = set(characters)
    further = () if chosen is None else chosen.profile.strings()
    names = [text for text in data_strings(record, further) if wanted & set(text)]
    return Unprintable(
        characters=tuple(f"U+{ord(character):04X}" for character in characters[:_LISTED]),
        more_characters=_more(len(characters) - _LISTED),
        names=tuple(Name.of(text) for text in names[:_LISTED]),
        more_names=_more(len(names) - _LISTED),
        packages=debian_packages(characters),
    )


def _more(n: int) -> str:
    return f" and {formats.count(n)} more" if n > 0 else ""
