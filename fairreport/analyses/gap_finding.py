"""What a test of rate gaps finds: every rule, calibration, and the counts they were judged from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairreport.analyses.calibration import CalibrationError, calibration_errors
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.rate_gaps import RuleFinding, RuleState, judge_rules
from fairreport.analyses.refusal import Refusal
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.gaps import GapScan


@dataclass(frozen=True, slots=True, kw_only=True)
class GapFinding:
    """What a test of rate gaps finds.

    Attributes
    ----------
    skip : Refusal or None
        Why nothing was computed; then there are no rules.
    rules : tuple of RuleFinding
        What each rule reads, in their order.
    calibration : tuple of CalibrationError or None
        Calibration of every group; None without a probability column.
    evidence : GapTally or None
        The counts that everything was judged from.
    """

    skip: Refusal | None = None
    rules: tuple[RuleFinding, ...] = ()
    calibration: tuple[CalibrationError, ...] | None = None
    evidence: GapTally | None = None

    @property
    def state(self) -> RuleState | None:
        """The gravest of the rules' states; None where the test was skipped."""
        return next((state for state in RuleState if self.count(state)), None)

    @property
    def measurements(self) -> Mapping[str, int]:
        """How many rules read what; empty where the test was skipped."""
        if not self.rules:
            return {}
        return {
            "ruleCount": len(self.rules),
            "failingRuleCount": self.count(RuleState.FAIL),
            "manualReviewRuleCount": self.count(RuleState.MANUAL_REVIEW),
            "insufficientEvidenceRuleCount": self.count(RuleState.INSUFFICIENT_EVIDENCE),
        }

    def count(self, state: RuleState) -> int:
        """Return how many rules read a state."""
        return sum(rule.state is state for rule in self.rules)


def judge_gaps(test: RateGaps, scan: GapScan) -> GapFinding:
    """Return what a test of rate gaps finds in the tally of its scan."""
    if scan.tally is None:
        return GapFinding(skip=Refusal.of(scan.faults))
    return GapFinding(
        rules=judge_rules(test, scan.tally),
        calibration=calibration_errors(test, scan.tally),
        evidence=scan.tally,
    )
