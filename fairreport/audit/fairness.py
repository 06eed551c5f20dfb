"""Rate gaps of a `fairness.yaml`: from the file to an answer in four states."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fairreport.analyses.calibration import CalibrationError, calibration_errors
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.rate_gaps import RuleFinding, RuleState, judge_rules, needs
from fairreport.audit.provenance import canonical_hash
from fairreport.audit.readers.fairness_yaml import read_fairness
from fairreport.errors import ConfigError, DataError, Fault, RefusedDataError
from fairreport.tables.files import refuse_strange_lines
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.gaps import count_cases
from fairreport.tables.needs import Reading
from fairreport.tables.source import open_table

EXIT_CODES = {
    RuleState.PASS: 0,
    RuleState.FAIL: 1,
    RuleState.INSUFFICIENT_EVIDENCE: 3,
    RuleState.MANUAL_REVIEW: 4,
}
REFUSED = 2

ASSUMPTIONS = (
    "Cases are independent of each other.",
    "Groups were declared before the file was read.",
    "Each rule is about the cases in which its attributes are recorded.",
    "Rates are measured against the labels that were brought.",
    "Neither a gap nor a floor settles by itself how a system treats people.",
    "What was left out is to be read before the verdict.",
)
"""What an answer takes as given."""

NOT_TOLD = (
    "which rate ought to be equal between groups",
    "anything about undeclared groups, or people who stand in the file more than once",
    "whether calibration differs by more than chance",
    "whether the labels are right",
)
"""What an answer cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FairnessAnswer:
    """What the rules of a `fairness.yaml` read.

    Attributes
    ----------
    name : str
        What the audit is called.
    test : RateGaps
        Groups, columns and rules.
    rules : tuple of RuleFinding
        What each rule reads, in the order of the file.
    calibration : tuple of CalibrationError or None
        Calibration of every group; None without a probability column.
    state : RuleState
        The gravest of the rules' states.
    tally : GapTally
        The counts that everything was judged from.
    ignored : tuple of str
        Keys of the policy that mean nothing here.
    """

    name: str
    test: RateGaps
    rules: tuple[RuleFinding, ...]
    calibration: tuple[CalibrationError, ...] | None
    state: RuleState
    tally: GapTally
    ignored: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 PASS, 1 FAIL, 3 INSUFFICIENT_EVIDENCE, 4 MANUAL_REVIEW."""
        return EXIT_CODES[self.state]

    @property
    def statements(self) -> tuple[str, ...]:
        """What the answer takes as given, with what follows from the file."""
        people = (
            f"Column {self.test.unit!r} names each person once."
            if self.test.unit is not None
            else "Each case is taken to be a different person; the file does not say who is who."
        )
        return (*ASSUMPTIONS, people, *self._budget())

    def _budget(self) -> tuple[str, ...]:
        rules, looks = len(self.rules), self.test.looks
        at = "one look" if looks == 1 else f"{looks} looks"
        if self.test.joint or rules == 1:
            over = "all rules together" if rules > 1 else "the rule"
            return (f"The guarantee holds for {over} at {at}; over more looks the error may add up.",)
        return (f"The guarantee holds for one rule at {at}; over {rules} rules or more looks the error may add up.",)


def judge_fairness(path: Path, policy: Path | None = None) -> FairnessAnswer:
    """Return what the rules of a `fairness.yaml` read.

    Parameters
    ----------
    path : Path
        The `fairness.yaml`; its cases lie beside it.
    policy : Path, optional
        A file that states the confidence level.

    Raises
    ------
    ConfigError
        With all faults of the files.
    RefusedDataError
        With everything that is wrong with the cases.
    """
    stated = read_fairness(path, policy)
    try:
        tally = count_cases(open_table(stated.cases), needs(stated.test), Reading())
    except DataError:
        refuse_strange_lines(stated.cases)
        raise
    rules = judge_rules(stated.test, tally)
    return FairnessAnswer(
        name=stated.name,
        test=stated.test,
        rules=rules,
        calibration=calibration_errors(stated.test, tally),
        state=next(state for state in RuleState if any(rule.state is state for rule in rules)),
        tally=tally,
        ignored=stated.ignored,
    )


def answer_document(answer: FairnessAnswer) -> dict[str, Any]:
    """Return an answer as JSON values."""
    calibration = answer.calibration
    return {
        "kind": "verdict",
        "name": answer.name,
        "state": answer.state.value,
        "exit_code": answer.exit_code,
        "confidence_level": answer.test.confidence_level,
        "fingerprint": canonical_hash(asdict(answer.tally)),
        "rows": answer.tally.rows,
        "rules": [_rule_document(rule) for rule in answer.rules],
        "calibration": None
        if calibration is None
        else {
            item.label: {
                "n": item.n,
                "missing": item.missing,
                "ece": item.ece,
                "noise_mean": item.noise_mean,
                "noise_p95": item.noise_p95,
            }
            for item in calibration
        },
        "assumptions": list(answer.statements),
        "cannot_tell": list(NOT_TOLD),
        "ignored": list(answer.ignored),
    }


def _rule_document(found: RuleFinding) -> dict[str, Any]:
    groups = {group.label: {k: v for k, v in asdict(group).items() if k != "label"} for group in found.groups}
    left_out = asdict(found.left_out)
    worst, worst_groups = left_out.pop("gaps"), left_out.pop("groups")
    more = found.more
    return {
        "id": found.id,
        "rate": found.rule.rate.value,
        "attribute": list(found.rule.attribute),
        "max_group_gap": found.rule.max_group_gap,
        "worst_group": found.rule.worst_group,
        "state": found.state.value,
        "reason": found.reason,
        "alpha_per_group": found.alpha_per_group,
        "groups": groups,
        "gaps": [asdict(gap) for gap in found.gaps],
        "left_out": left_out,
        "gaps_with_left_out_anywhere": worst,
        "groups_with_left_out_anywhere": {
            group["label"]: {"lower": group["lower"], "upper": group["upper"]} for group in worst_groups
        },
        "more_cases": None
        if more is None
        else {
            "size": more.size,
            "further": dict(more.further),
            "state": None if more.state is None else more.state.value,
        },
    }


def refusal_document(path: Path, error: ConfigError | DataError) -> dict[str, Any]:
    """Return a refusal as JSON values: every fault with its file, dotted path, line and message."""
    faults = error.errors if isinstance(error, (ConfigError, RefusedDataError)) else (_as_fault(error),)
    source = error.source if isinstance(error, (ConfigError, RefusedDataError)) else None
    return {
        "kind": "refusal",
        "exit_code": REFUSED,
        "file": source or path.name,
        "errors": [
            {"path": fault.path, "line": fault.line, "code": fault.code, "message": fault.message} for fault in faults
        ],
    }


def _as_fault(error: DataError) -> Fault:
    return Fault(code="unreadable", message=str(error))
