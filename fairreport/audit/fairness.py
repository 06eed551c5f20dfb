"""Rate gaps of a `fairness.yaml`: from the file to an answer in four states."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fairreport.analyses.gap_finding import GapFinding, judge_gaps
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.rate_gaps import RuleFinding, RuleState, needs
from fairreport.audit.gap_assumptions import NOT_TOLD, statements
from fairreport.audit.gap_document import calibration_document, rule_document
from fairreport.audit.gate import exit_code, status_of_rules
from fairreport.audit.provenance import canonical_hash
from fairreport.audit.readers.fairness_yaml import read_fairness
from fairreport.errors import ConfigError, DataError, Fault, RefusedDataError
from fairreport.tables.files import refuse_strange_lines
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.gaps import GapScan, count_cases
from fairreport.tables.needs import Reading
from fairreport.tables.source import open_table

EXIT_CODES = {state: exit_code(status_of_rules(state)) for state in RuleState}
REFUSED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FairnessAnswer:
    """What the rules of a `fairness.yaml` read.

    Attributes
    ----------
    name : str
        What the audit is called.
    test : RateGaps
        Groups, columns and rules.
    finding : GapFinding
        What was found.
    tally : GapTally
        The counts that everything was judged from.
    ignored : tuple of str
        Keys of the policy that mean nothing here.
    """

    name: str
    test: RateGaps
    finding: GapFinding
    tally: GapTally
    ignored: tuple[str, ...]

    @property
    def rules(self) -> tuple[RuleFinding, ...]:
        """What each rule reads, in the order of the file."""
        return self.finding.rules

    @property
    def state(self) -> RuleState:
        """The gravest of the rules' states."""
        return next(state for state in RuleState if self.finding.count(state))

    @property
    def exit_code(self) -> int:
        """0 PASS, 1 FAIL, 3 INSUFFICIENT_EVIDENCE, 4 MANUAL_REVIEW."""
        return EXIT_CODES[self.state]

    @property
    def statements(self) -> tuple[str, ...]:
        """What the answer takes as given, with what follows from the file."""
        given = (
            said for code, said, _, _ in statements(self.test, self.finding) if code != "calibration_never_decides"
        )
        return ("Cases are independent of each other.", *(f"{said}." for said in given))


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
    return FairnessAnswer(
        name=stated.name,
        test=stated.test,
        finding=judge_gaps(stated.test, GapScan(tally=tally)),
        tally=tally,
        ignored=stated.ignored,
    )


def answer_document(answer: FairnessAnswer) -> dict[str, Any]:
    """Return an answer as JSON values."""
    return {
        "kind": "verdict",
        "name": answer.name,
        "state": answer.state.value,
        "exit_code": answer.exit_code,
        "confidence_level": answer.test.confidence_level,
        "fingerprint": canonical_hash(asdict(answer.tally)),
        "rows": answer.tally.rows,
        "rules": [rule_document(rule) for rule in answer.rules],
        "calibration": calibration_document(answer.finding),
        "assumptions": list(answer.statements),
        "cannot_tell": list(NOT_TOLD),
        "ignored": list(answer.ignored),
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
