"""Section 8: how far each verdict hangs on thresholds, references, rows without an attribute, and single persons.

Everything here is worked out from the counts that the packet carries, so that it can be recomputed from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from fairreport.analyses.kinds import Test
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_tests import AdverseImpactRatio, MeanDifferenceTest, OddsRatio, RelativeRate
from fairreport.analyses.result import MetricFinding
from fairreport.analyses.robustness import (
    compares_with_all,
    needs_new_scan,
    under_limits,
    under_ratios,
    under_references,
)
from fairreport.analyses.robustness_counts import family_of
from fairreport.analyses.robustness_missing import missing_at_worst
from fairreport.analyses.robustness_moved import persons_moved
from fairreport.analyses.robustness_named import under_named_bars
from fairreport.analyses.robustness_rules import under_bars
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.render import words
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import joined, said
from fairreport.render.words import State
from fairreport.report.robustness_bars import named_part, rules_part
from fairreport.report.robustness_groups import missing_part, moved_part
from fairreport.report.robustness_table import Labels, SmallTable
from fairreport.report.robustness_variants import Part, bar_part, reference_part
from fairreport.report.test_results import TestResults
from fairreport.tables.tally import Scan

if TYPE_CHECKING:
    from fairreport.report.gap_results import GapResults
    from fairreport.report.pair_results import PairResults

CHANGES = ("Thresholds", "Reference groups", "Rows that lack an attribute", "One person moved")
"""What is changed, as the columns of the overview are headed."""
NOT_APPLICABLE = "—"
"""What an overview says of a change that a test does not allow; why stands with the test."""
_SECTION = 8
_FEWEST_ROWS, _MOST_ROWS, _ROWS_OF_ALL = 10, 20, 60
"""Groups that a table tells of, fewer where there are many tests."""


Results: TypeAlias = "TestResults | GapResults | PairResults"
"""What sections 5 to 7 print about a test, of any kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustTest:
    """What the packet says about the robustness of one test.

    Attributes
    ----------
    number, anchor : str
        Such as ``"8.2"`` and ``"robustness-2"``.
    results : str
        Its number in sections 5 to 7.
    name : Name
        Its name.
    state : State
        What it comes to as stated.
    lead : Sentence or None
        What changes it, and what does not; None where nothing could be varied.
    tables : tuple of SmallTable
        In the order of the section's introduction.
    remarks : tuple of Sentence
        What was not worked out, and why.
    overview : tuple of str
        What each change of `CHANGES` does, in a word or two.
    """

    number: str
    anchor: str
    results: str
    name: Name
    state: State
    lead: Sentence | None
    tables: tuple[SmallTable, ...]
    remarks: tuple[Sentence, ...]
    overview: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessPart:
    """Section 8: one entry a test; which changes occur, so that they are explained once."""

    tests: tuple[RobustTest, ...]
    has_references: bool
    has_missing: bool
    has_moved: bool
    has_rules: bool

    @property
    def is_any(self) -> bool:
        """Whether anything was worked out."""
        return any(test.lead for test in self.tests)

    @property
    def columns(self) -> tuple[tuple[int, str], ...]:
        """Position and heading of the columns of the overview: the changes that apply to some test."""
        return tuple(
            (i, heading)
            for i, heading in enumerate(CHANGES)
            if any(test.overview[i] != NOT_APPLICABLE for test in self.tests)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """What the changes do, None where one does not apply; and why."""

    thresholds: Part | None = None
    limits: Part | None = None
    references: Part | None = None
    missing: Part | None = None
    moved: Part | None = None
    rules: Part | None = None
    remarks: tuple[Sentence, ...] = ()

    @property
    def all(self) -> tuple[Part, ...]:
        several = (self.thresholds, self.limits, self.rules, self.references, self.missing, self.moved)
        return tuple(part for part in several if part is not None)


def robustness_part(record: AuditRecord, results: Sequence[Results], ordered: Sequence[TestRecord]) -> RobustnessPart:
    """Return what section 8 says.

    Parameters
    ----------
    record : AuditRecord
        The audit.
    results : sequence of TestResults, GapResults and PairResults
        What sections 5 to 7 print about its tests: disparity tests, then rate gaps, then named pairs.
    ordered : sequence of TestRecord
        The disparity tests in the same order.
    """
    entries: list[Entry] = [*ordered, *record.rate_gaps, *record.pairs]
    numbered = sorted(zip(results, entries, strict=True), key=lambda it: _place(it[0].number))
    most = max(_FEWEST_ROWS, min(_MOST_ROWS, _ROWS_OF_ALL // max(1, len(entries))))
    parts = [_parts(record, entry, most) for _, entry in numbered]
    return RobustnessPart(
        tests=tuple(
            _test(i, shown, entry, found)
            for i, ((shown, entry), found) in enumerate(zip(numbered, parts, strict=True), start=1)
        ),
        has_references=any(found.references for found in parts),
        has_missing=any(found.missing for found in parts),
        has_moved=any(found.moved for found in parts),
        has_rules=any(found.rules for found in parts),
    )


def _parts(record: AuditRecord, entry: Entry, most: int) -> _Parts:
    if isinstance(entry, GapRecord):
        found = _of_gaps(entry)
    elif isinstance(entry, PairRecord):
        found = _of_pairs(entry)
    else:
        found = _of_test(entry, most)
    if not found.all or record.withheld is None or record.withheld.of(entry.name) is None:
        return found
    remark = said("Worked out among the groups that are shown; the state above is that of all groups.")
    return replace(found, remarks=(*found.remarks, remark))


def _place(number: str) -> tuple[int, ...]:
    return tuple(map(int, number.split(".")))


def _test(i: int, shown: Results, entry: Entry, found: _Parts) -> RobustTest:
    return RobustTest(
        number=f"{_SECTION}.{i}",
        anchor=f"robustness-{i}",
        results=shown.number,
        name=shown.view.name,
        state=words.state(entry.status),
        lead=_lead(found.all) if found.all else None,
        tables=tuple(part.table for part in found.all if part.table),
        remarks=found.remarks,
        overview=tuple(
            NOT_APPLICABLE if part is None else part.brief
            for part in (found.thresholds or found.rules, found.references, found.missing, found.moved)
        ),
    )


def _lead(parts: Sequence[Part]) -> Sentence:
    """Return what changes a test, and under what it holds."""
    changes, holds = [p.text for p in parts if p.changes], [p.text for p in parts if not p.changes]
    if not changes:
        return said("Holds under all of these: ") + _listed(holds) + said(".")
    lead = said("Changes under: ") + _listed(changes) + said(".")
    return lead + said(" Holds under: ") + _listed(holds) + said(".") if holds else lead


def _listed(several: Sequence[Sentence]) -> Sentence:
    found = several[0]
    for sentence in several[1:]:
        found = found + said("; ") + sentence
    return found


def _of_test(entry: TestRecord, most: int) -> _Parts:
    test, found = entry.test, entry.finding
    if found.skip is not None or found.evidence is None or len(found.judged) == 0:
        return _Parts(remarks=(said("It was not computed, so that nothing can be varied."),))
    scan = Scan(tally=found.evidence)
    labels = Labels([row.group for row in found.groups])
    family = family_of(test, found)
    references = under_references(test, scan, found)
    missing = missing_at_worst(family, found, most) if family else None
    moved = persons_moved(family, most) if family else None
    tested = family is not None and family.has_test
    limits = under_limits(test, scan)
    return _Parts(
        thresholds=bar_part(under_ratios(test, scan), labels, of_gap=False),
        limits=bar_part(limits, labels, of_gap=True) if limits else None,
        references=reference_part(entry, references, labels) if references else None,
        missing=missing_part(test, missing, found.attributes, labels, has_test=tested) if missing else None,
        moved=moved_part(test, moved, labels, has_test=tested) if moved else None,
        remarks=tuple(_remarks(entry, counted=family is not None)),
    )


def _remarks(entry: TestRecord, *, counted: bool) -> Iterator[Sentence]:
    test, found = entry.test, entry.finding
    lacking = found.rows.missing_attribute if found.rows else 0
    if compares_with_all(test):
        yield said("Groups are compared with all evaluated rows, so that no group is the reference.")
    elif needs_new_scan(test, found):
        yield said("Quantiles against another reference need a new scan: there are too many groups for all pairs.")
    if not lacking:
        yield said("No row lacks ", *joined(found.attributes, " or "), ", so that none is to be placed.")
    if not counted:
        yield said(_why_uncounted(test, lacking=lacking))
    elif isinstance(test, ScoreDisparity):
        yield said("A score counts as beyond the overall median or not; the median stays where it is.")
    elif isinstance(test, MetricParity) and isinstance(found, MetricFinding) and lacking and _is_of_some(found):
        yield said(f"All rows that lack an attribute are taken for rows that the {test.metric.label} is of.")


def _is_of_some(found: MetricFinding) -> bool:
    """Tell whether a metric is computed on some of the rows of a group only."""
    return any(row.support < row.n for row in found.groups)


def _why_uncounted(test: Test, *, lacking: int) -> str:
    what = "One person moved is" if not lacking else "Rows that lack an attribute, and one person moved, are"
    if compares_with_all(test):
        return f"{what} not worked out: the value that groups are compared with would change as well."
    label = test.metric.label if isinstance(test, MetricParity) else "the value"
    return f"{what} not worked out: {label} is no share of rows, and what single rows do to it is not in the counts."


def _of_gaps(entry: GapRecord) -> _Parts:
    if not entry.finding.rules:
        return _Parts(remarks=(said("It was not computed, so that nothing can be varied."),))
    remarks = [
        said("A rule holds every pair of groups, or every group, against its bar, so that no group is the reference."),
        said("What left-out cases placed anywhere could change stands with each rule in section 7."),
    ]
    return _Parts(rules=rules_part([under_bars(rule) for rule in entry.finding.rules]), remarks=tuple(remarks))


def _of_pairs(entry: PairRecord) -> _Parts:
    if entry.finding is None or entry.skip is not None:
        return _Parts(remarks=(said("It was not computed, so that nothing can be varied."),))
    tried = under_named_bars(entry.test, entry.finding)
    remarks = [said("Each pair names its own reference, so that no other one is tried.")]
    if isinstance(entry.test, AdverseImpactRatio):
        text = "What one person moved and missing memberships at their worst change stands beside each AIR"
        remarks.append(said(f"{text} in section 5."))
    else:
        remarks.append(said("Missing memberships, and one person moved, are worked out for plain AIRs only."))
    if tried is None:
        remarks.insert(0, said(_why_untried(entry.test)))
    part = named_part(tried, what=_beyond(entry.test)) if tried else None
    return _Parts(thresholds=part, remarks=tuple(remarks))


def _why_untried(test: PairTest) -> str:
    if test.analysis == "custom_disparity_metric":
        return "A metric of the user's own is computed from rows, so that it is not judged again here."
    return "There are too many pairs to judge all of them again under other thresholds."


def _beyond(test: PairTest) -> str:
    """Return on which side of its threshold a pair is beyond, as the heading of a column."""
    if isinstance(test, MeanDifferenceTest):
        return "Standardized difference beyond"
    if isinstance(test, RelativeRate):
        return "Relative rate above"
    if isinstance(test, OddsRatio):
        return "Odds ratio above" if test.lower_is_favorable else "Odds ratio below"
    return "Ratio below"
