"""Scope and criteria of each test: what was compared with what, against which threshold, and whose it is."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import ReferenceStrategy, SignificanceTest
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Line, Sentence, TestView

_LISTED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """The criteria of one test, line by line."""

    view: TestView
    lines: tuple[Line, ...]


def criteria(record: AuditRecord, test: TestRecord, view: TestView) -> Criteria:
    """Return the criteria of one test."""
    stated = test.test
    method = {line.term: line.text for line in view.method}
    lines = [
        ("Attributes", said(*joined(stated.protected_attribute_columns, ", "))),
        ("Declared groups", _declared(record, test)),
        _measured(test),
        ("Reference group", _reference(test)),
        ("Why this rate and reference", said(view.rationale) if view.rationale else said("not stated")),
        ("A group fails where", method.get("A group fails where", _see_parameters())),
        ("The test passes where", _thresholds(view)),
        ("Source of the threshold", said(view.thresholds_origin)),
        ("Comparisons", _comparisons(test)),
        ("Correction", said(_correction(test))),
        ("Minimum n", method.get("Groups judged have", _see_parameters())),
    ]
    if isinstance(stated, OutcomeDisparity) and stated.control_columns:
        lines.append(("Control columns", said(*joined(stated.control_columns, ", "))))
    if view.description:
        lines.insert(0, ("Purpose", said(view.description)))
    return Criteria(view=view, lines=tuple(Line(term=term, text=text) for term, text in lines))


def _see_parameters() -> Sentence:
    return said("see the parameters in section 11")


def _measured(test: TestRecord) -> tuple[str, Sentence]:
    stated = test.test
    if isinstance(stated, OutcomeDisparity):
        favorable = joined(stated.favorable_values, " or ")
        return "Favorable outcome", said(*joined([stated.outcome_column]), " = ", *favorable)
    return "Measured", said(*joined([stated.measured]))


def _declared(record: AuditRecord, test: TestRecord) -> Sentence:
    declared = record.data.declared_groups
    pieces: list[Sentence] = []
    for name in test.test.protected_attribute_columns:
        if name in declared:
            values = joined(declared[name][:_LISTED], ", ")
            more = len(declared[name]) - _LISTED
            rest = f" and {formats.count(more)} more" if more > 0 else ""
            pieces.append(said(*joined([name]), ": ", *values, rest, ". "))
        else:
            pieces.append(said(*joined([name]), ": none declared; every value in the data is a group. "))
    return sum(pieces[1:], pieces[0])


def _reference(test: TestRecord) -> Sentence:
    highest = test.test.reference_strategy is ReferenceStrategy.HIGHEST
    why = "chosen as the sufficient group with the highest rate" if highest else "named by the user"
    found = test.finding.reference
    if found is None:
        return said(f"none: the test was not computed ({why})")
    return said(*joined(found), f", {why}")


def _thresholds(view: TestView) -> Sentence:
    texts = [f"{line.measurement} {line.operator} {line.value}" for line in view.thresholds]
    return said(formats.listed(texts))


def _comparisons(test: TestRecord) -> Sentence:
    judged = len(test.finding.judged)
    small = sum(not row.sufficient for row in test.finding.groups)
    text = formats.plural(judged, "group compared with the reference", "groups compared with the reference")
    if small:
        text += f"; {formats.plural(small, 'group has', 'groups have')} too few rows to be compared"
    return said(text)


def _correction(test: TestRecord) -> str:
    if test.test.significance_test is SignificanceTest.NONE:
        return "none, since no significance test was asked for"
    return f"{test.finding.method.correction}, level {formats.alpha(test.test.alpha)}"
