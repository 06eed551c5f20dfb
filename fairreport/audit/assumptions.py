"""Assumptions and limitations, built from the options that were used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fairreport.analyses.gap_finding import GapFinding
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import AnyTest, Test
from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.metrics import MetricTest
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_result import PairFinding
from fairreport.analyses.parameters import PValueAdjustment, ReferenceStrategy, SignificanceTest
from fairreport.analyses.result import Finding
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.gap_assumptions import INDEPENDENCE, statements
from fairreport.audit.pair_assumptions import OF_PAIRS, pair_statements

AnyFinding = Finding | GapFinding | PairFinding | None
Pair = tuple[str, AnyTest, AnyFinding]
Applies = Callable[[Test, Finding], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """Something taken as given, what follows where it does not hold, and the tests it touches."""

    number: int
    code: str
    title: str
    text: str
    consequence: str
    tests: tuple[str, ...]


def _always(_test: Test, _finding: Finding) -> bool:
    return True


def _has_p_values(test: Test, _finding: Finding) -> bool:
    if isinstance(test, MetricParity):
        return test.has_test
    return test.significance_test is not SignificanceTest.NONE


def _compares_groups(test: Test) -> bool:
    return not (isinstance(test, MetricParity) and test.comparison is ComparedWith.OVERALL)


def _chooses_reference(test: Test, _finding: Finding) -> bool:
    return _compares_groups(test) and test.reference_strategy is ReferenceStrategy.HIGHEST


def _names_reference(test: Test, _finding: Finding) -> bool:
    return _compares_groups(test) and test.reference_strategy is ReferenceStrategy.NAMED


def _compares_overall(test: Test, _finding: Finding) -> bool:
    return not _compares_groups(test)


def _is_rate_test(test: Test, _finding: Finding) -> bool:
    return not isinstance(test, MetricParity)


def _is_score_test(test: Test, _finding: Finding) -> bool:
    return isinstance(test, ScoreDisparity)


def _uses_labels(test: Test, _finding: Finding) -> bool:
    return isinstance(test, OutcomeDisparity) or (isinstance(test, MetricParity) and bool(test.ground_truth_column))


def _uses_welch(test: Test, finding: Finding) -> bool:
    return isinstance(test, MetricParity) and test.metric.test is MetricTest.WELCH and _has_p_values(test, finding)


def _unadjusted(test: Test, finding: Finding) -> bool:
    several = sum(group.p_value is not None for group in finding.groups) > 1
    return several and test.p_value_adjustment is PValueAdjustment.NONE


def _adjusted(test: Test, finding: Finding) -> bool:
    return _has_p_values(test, finding) and test.p_value_adjustment is not PValueAdjustment.NONE


def _loses_rows(_test: Test, finding: Finding) -> bool:
    return finding.rows is not None and finding.rows.missing_attribute > 0


def _leaves_out_undeclared(_test: Test, finding: Finding) -> bool:
    return finding.rows is not None and finding.rows.undeclared > 0


def _sets_groups_aside(_test: Test, finding: Finding) -> bool:
    return any(not group.sufficient for group in finding.groups)


def _controls(test: Test, _finding: Finding) -> bool:
    return isinstance(test, OutcomeDisparity) and bool(test.control_columns)


def _needs_significance(test: Test, _finding: Finding) -> bool:
    return test.require_significance


_CATALOGUE: tuple[tuple[str, str, str, str, Applies], ...] = (
    (
        INDEPENDENCE,
        "Cases are independent",
        "Each row is taken as a case decided independently of the others; nothing in the data can show this.",
        "Where one person stands in several rows, or rows are ranked against each other, intervals are too narrow "
        "and p-values too small.",
        _always,
    ),
    (
        "declared_groups",
        "Groups are those in the data",
        "Group membership is taken as recorded in the named columns; it was neither collected nor checked here.",
        "People recorded in the wrong group, or in none that fits them, are counted where the record puts them.",
        _always,
    ),
    (
        "outcome_as_recorded",
        "Outcomes and labels are taken as ground truth",
        "Outcomes and labels are taken as recorded; the listed values are favorable or positive, every other is not.",
        "An error in the record, or a label that means something else for some people, goes into every number.",
        _uses_labels,
    ),
    (
        "four_fifths_indicator",
        "The four-fifths flag is an indicator only",
        "A ratio below 0.80 is a screening indicator. It is no legal determination, in either direction.",
        "Smaller gaps can matter, and larger ones can come from small numbers: read the intervals and the counts.",
        _is_rate_test,
    ),
    (
        "p_value_meaning",
        "A small p-value says that chance is unlikely",
        "A p-value is the probability of a difference at least this unlikely if the groups had the same rate.",
        "It does not say that a gap is unjustified, nor how large it is; a large one does not show that there is none.",
        _has_p_values,
    ),
    (
        "data_chosen_reference",
        "The reference group is chosen from the data",
        "Groups are compared with the best group in the same data that has the rows to be judged.",
        "The best of several groups is partly best by chance: ratios are lower and p-values smaller than against a "
        "reference named beforehand. The column p (all pairs) counts every pair.",
        _chooses_reference,
    ),
    (
        "named_reference",
        "The reference group is named by the user",
        "Groups are compared with a group that the user named.",
        "Ratios above 1 are possible, and another reference would give other ratios.",
        _names_reference,
    ),
    (
        "overall_comparison",
        "Groups are compared with all evaluated rows",
        "The comparison value is that of all evaluated rows; the test is of each group against the rest of them.",
        "A large group is close to the whole it is part of; two groups are one comparison counted twice.",
        _compares_overall,
    ),
    (
        "score_median",
        "Scoring is measured against the overall median",
        "A row scores where it is strictly beyond the median of all evaluated rows; the score is taken as given.",
        "What happens far from the median, where decisions are often made, is not seen in the scoring rate.",
        _is_score_test,
    ),
    (
        "averages",
        "Averages are compared by Welch's test",
        "Per-row values are taken as independent, with averages close to normal.",
        "With few rows and a long tail the p-value is rough; read the interval and the group size.",
        _uses_welch,
    ),
    (
        "unadjusted_multiplicity",
        "P-values are not adjusted for the number of comparisons",
        "Each comparison is tested by itself.",
        "Among many comparisons some are significant by chance: at level 0.05 about one in twenty.",
        _unadjusted,
    ),
    (
        "adjusted_multiplicity",
        "P-values are adjusted within each test",
        "The adjustment covers the comparisons of one test, given its reference; not several tests taken together.",
        "Over a whole audit with several tests, findings by chance are more likely than the level says.",
        _adjusted,
    ),
    (
        "significance_required",
        "A group counts as failing only where its difference is significant too",
        "A ratio below the threshold without a significant difference does not count as failing.",
        "With few rows a large gap can pass; the table still shows it as below the threshold.",
        _needs_significance,
    ),
    (
        "missing_attributes",
        "Rows without a group are left out",
        "Rows that lack a protected attribute cannot be placed in a group and leave the evaluation.",
        "Where people without a recorded attribute are treated differently, the evaluated rows are another population.",
        _loses_rows,
    ),
    (
        "undeclared_groups",
        "Rows of undeclared groups are left out",
        "The user declared the groups to be compared; rows with another value are left out and counted.",
        "Nothing is said about people in undeclared groups.",
        _leaves_out_undeclared,
    ),
    (
        "small_groups",
        "Groups with too few rows are not judged",
        "Groups below the minimum size or share are listed with their counts, without a verdict.",
        "A disparity in a small group is not found here; not enough data is no finding of parity.",
        _sets_groups_aside,
    ),
    (
        "control_columns",
        "Adjusted figures compare like with like in the control columns only",
        "Mantel-Haenszel figures assume the same ratio in every combination of the control columns; verdicts use the "
        "unadjusted ratio.",
        "Controls that are themselves shaped by group membership can hide a disparity; absent ones can create one.",
        _controls,
    ),
)


def build_assumptions(tests: Sequence[Pair]) -> tuple[Assumption, ...]:
    """Return the assumptions that the given tests make, numbered, each with the tests it touches."""
    touched: dict[tuple[str, str, str, str], list[str]] = {statement[:4]: [] for statement in _CATALOGUE}
    for name, test, finding in tests:
        for statement in _taken_as_given(test, finding):
            touched.setdefault(statement, []).append(name)
    told = ((statement, names) for statement, names in touched.items() if names)
    return tuple(
        Assumption(number=number, code=code, title=title, text=text, consequence=consequence, tests=tuple(names))
        for number, ((code, title, text, consequence), names) in enumerate(told, start=1)
    )


def _taken_as_given(test: AnyTest, finding: AnyFinding) -> Iterator[tuple[str, str, str, str]]:
    """Yield what one test takes as given."""
    if isinstance(test, RateGaps) and isinstance(finding, GapFinding):
        yield from (statement[:4] for statement in _CATALOGUE if statement[0] == INDEPENDENCE)
        yield from statements(test, finding)
    elif isinstance(test, PairTest):
        yield from (statement[:4] for statement in _CATALOGUE if statement[0] in OF_PAIRS)
        if isinstance(finding, PairFinding):
            yield from pair_statements(test, finding)
    elif isinstance(test, (OutcomeDisparity, ScoreDisparity, MetricParity)) and isinstance(finding, Finding):
        yield from (statement[:4] for statement in _CATALOGUE if statement[4](test, finding))
