"""From the rows of the table to the cases of each rule: what was left out, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.record import GapRecord
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Name, Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFlow:
    """The rows of one rule: in, left out for each reason, the share of those against its limit, and what remains.

    Attributes
    ----------
    test, rule : Name
        Which rule it is.
    rows_in, missing_attribute, undeclared, share, limit : str
        As they print; dashes where the test was skipped and nothing was counted.
    exceeds : bool
        Whether more cases are left out than the rule allows.
    with_prediction, without_prediction : str
        Cases that the rate is about, in declared groups.
    """

    test: Name
    rule: Name
    rows_in: str
    missing_attribute: str
    undeclared: str
    share: str
    limit: str
    exceeds: bool
    with_prediction: str
    without_prediction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GapFlow:
    """The data of all tests of rate gaps.

    Attributes
    ----------
    rows : tuple of RuleFlow
        One per rule.
    undeclared : tuple of Sentence
        The values that were seen but not declared, of each attribute.
    is_counted : bool
        Whether anything was counted; not where every test was skipped.
    """

    rows: tuple[RuleFlow, ...]
    undeclared: tuple[Sentence, ...]
    is_counted: bool


def gap_flow(records: Sequence[tuple[GapRecord, Name]]) -> GapFlow:
    """Return what was left out by the tests of rate gaps, each with its name as it prints."""
    seen = dict.fromkeys(sentence for record, _ in records for sentence in _undeclared(record))
    return GapFlow(
        rows=tuple(row for record, name in records for row in _rows(record, name)),
        undeclared=tuple(seen),
        is_counted=any(record.finding.evidence is not None for record, _ in records),
    )


def _rows(record: GapRecord, name: Name) -> list[RuleFlow]:
    evidence = record.finding.evidence
    if evidence is None:
        return [
            _flow(name, Name.of(rule.id), [formats.ABSENT] * 6, limit=formats.level(rule.max_left_out), exceeds=False)
            for rule in record.test.rules
        ]
    return [_counted(name, found, evidence.rows) for found in record.finding.rules]


def _counted(name: Name, found: RuleFinding, rows: int) -> RuleFlow:
    left, limit = found.left_out, found.rule.max_left_out
    counts = (
        rows,
        left.missing_attribute,
        left.undeclared_value,
        sum(group.observed for group in found.groups),
        sum(group.missing for group in found.groups),
    )
    rows_in, missing, undeclared, with_prediction, without = map(formats.count, counts)
    share = formats.percent(left.share, against=[limit])
    texts = [rows_in, missing, undeclared, share, with_prediction, without]
    return _flow(name, Name.of(found.id), texts, limit=formats.level(limit), exceeds=left.exceeds)


def _flow(test: Name, rule: Name, texts: Sequence[str], *, limit: str, exceeds: bool) -> RuleFlow:
    rows_in, missing, undeclared, share, with_prediction, without = texts
    return RuleFlow(
        test=test,
        rule=rule,
        rows_in=rows_in,
        missing_attribute=missing,
        undeclared=undeclared,
        share=share,
        limit=limit,
        exceeds=exceeds,
        with_prediction=with_prediction,
        without_prediction=without,
    )


def _undeclared(record: GapRecord) -> list[Sentence]:
    evidence = record.finding.evidence
    return [
        said(Name.of(attribute), ": ", *joined(values, ", "))
        for attribute, values in (evidence.undeclared if evidence else ())
        if values
    ]
