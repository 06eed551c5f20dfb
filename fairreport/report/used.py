"""What the computed tests of a packet use: the methods section explains that and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairreport.analyses.gap_parameters import GapInterval, RateGaps
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.metrics import Metric, MetricTest
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.pair_result import RowTest
from fairreport.analyses.parameters import DisparityTest, PValueAdjustment, ReferenceStrategy, SignificanceTest
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.report.pair_used import PairUsed, pairs_used
from fairreport.tables.needs import Measure

_OF_PAIRS = {SignificanceTest.FISHER_EXACT: RowTest.FISHER, SignificanceTest.CHI_SQUARE: RowTest.CHI_SQUARE}
"""The tests of rows of named pairs that tests of rates can make as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """The tests that were computed, asked for what they use."""

    outcomes: tuple[OutcomeDisparity, ...]
    scores: tuple[ScoreDisparity, ...]
    metrics: tuple[MetricParity, ...]
    gaps: tuple[RateGaps, ...] = ()
    pairs: PairUsed = field(default_factory=PairUsed)

    @property
    def rates(self) -> tuple[OutcomeDisparity | ScoreDisparity, ...]:
        """Tests that compare rates with a reference."""
        return (*self.outcomes, *self.scores)

    @property
    def all(self) -> tuple[DisparityTest, ...]:
        """Every computed disparity test."""
        return (*self.rates, *self.metrics)

    @property
    def has_rates(self) -> bool:
        """Whether rates are compared with a reference."""
        return bool(self.rates)

    @property
    def has_shares(self) -> bool:
        """Whether anything is a share of rows: rates, or metrics of that kind."""
        return self.has_rates or self.gathers(Measure.SHARE) or self.pairs.has_exact_ratios

    @property
    def has_share_contrasts(self) -> bool:
        """Whether shares are compared with those of a reference group, by intervals of their ratio."""
        return self._contrasts_shares or self.pairs.has_exact_ratios

    @property
    def has_share_differences(self) -> bool:
        """Whether shares are compared with those of a reference group, by intervals of their difference."""
        return self._contrasts_shares or self.pairs.has_exact_beside

    @property
    def _contrasts_shares(self) -> bool:
        return self.has_rates or any(test.metric.is_rate for test in self.against_reference)

    @property
    def against_reference(self) -> tuple[MetricParity, ...]:
        """Metric tests that compare with a reference group."""
        return tuple(test for test in self.metrics if test not in self.against_all)

    @property
    def against_all(self) -> tuple[MetricParity, ...]:
        """Metric tests that compare with all evaluated rows."""
        return tuple(test for test in self.metrics if test.comparison.value == "overall")

    @property
    def has_controls(self) -> bool:
        """Whether any outcome test has control columns."""
        return any(test.control_columns for test in self.outcomes)

    @property
    def has_p_values(self) -> bool:
        """Whether any test has a p-value."""
        return self.pairs.has_p_values or any(_is_tested(test) for test in self.all)

    @property
    def chooses_reference(self) -> bool:
        """Whether a reference is chosen from the data."""
        tests = (*self.rates, *self.against_reference)
        return any(test.reference_strategy is ReferenceStrategy.HIGHEST for test in tests)

    @property
    def catalogue(self) -> tuple[Metric, ...]:
        """Each metric that is used, once, in the order of the tests."""
        return tuple({test.metric.name: test.metric for test in self.metrics}.values())

    @property
    def bounds_pairs(self) -> bool:
        """Whether gaps are bounded pair by pair."""
        return any(test.interval is GapInterval.PAIRWISE for test in self.gaps)

    @property
    def bounds_at_once(self) -> bool:
        """Whether gaps are bounded by the intervals of their groups."""
        return any(test.interval is GapInterval.SIMULTANEOUS for test in self.gaps)

    @property
    def calibrates(self) -> bool:
        """Whether calibration is shown by group."""
        return any(test.probability is not None for test in self.gaps)

    def gathers(self, measure: Measure) -> bool:
        """Tell whether a metric gathers this of each group."""
        return any(test.metric.measure is measure for test in self.metrics)

    def measures(self, *names: str) -> bool:
        """Tell whether one of these metrics is used."""
        return any(test.metric.name in names for test in self.metrics)

    def makes(self, kind: SignificanceTest) -> bool:
        """Tell whether rates are tested this way."""
        stated = any(test.significance_test is kind for test in self.rates)
        return stated or (kind in _OF_PAIRS and _OF_PAIRS[kind] in self.pairs.tests)

    def tests_by(self, kind: MetricTest) -> bool:
        """Tell whether metrics are tested this way."""
        stated = any(test.has_test and test.metric.test is kind for test in self.metrics)
        return stated or (kind is MetricTest.WELCH and RowTest.WELCH_T in self.pairs.tests)

    def adjusts(self, adjustment: PValueAdjustment) -> bool:
        """Tell whether p-values are adjusted this way."""
        stated = any(test.p_value_adjustment is adjustment and _is_tested(test) for test in self.all)
        return stated or self.pairs.adjusts(adjustment)


def used_by(record: AuditRecord) -> Used:
    """Return what the computed tests of an audit use."""
    tests = [test.test for test in record.tests if test.finding.skip is None]
    return Used(
        outcomes=tuple(test for test in tests if isinstance(test, OutcomeDisparity)),
        scores=tuple(test for test in tests if isinstance(test, ScoreDisparity)),
        metrics=tuple(test for test in tests if isinstance(test, MetricParity)),
        gaps=tuple(entry.test for entry in record.rate_gaps if entry.finding.skip is None),
        pairs=pairs_used(record),
    )


def holds_against_labels(test: TestRecord) -> bool:
    """Tell whether a test holds predictions or scores against what really happened."""
    return isinstance(test.test, MetricParity) and "ground_truth_column" in test.test.metric.columns


def _is_tested(test: DisparityTest) -> bool:
    if isinstance(test, MetricParity):
        return test.has_test
    return isinstance(test, OutcomeDisparity | ScoreDisparity) and test.significance_test is not SignificanceTest.NONE
