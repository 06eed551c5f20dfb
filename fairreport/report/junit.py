"""An audit as JUnit XML, which continuous integration reads: one test case a test."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET  # written here, never read

from fairreport.audit.gate import Status
from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord
from fairreport.render import formats
from fairreport.render.builders import view_run

_FAILED = {Status.FAILING}
_UNDECIDED = {Status.SKIPPED, Status.INSUFFICIENT_EVIDENCE, Status.MANUAL_REVIEW}


def junit_xml(record: AuditRecord, *, nothing: str | None = None) -> str:
    r"""Return an audit as JUnit XML.

    A failing test is a failure. One that was skipped, has too little evidence or asks for a person's review is
    skipped, with the reason: it neither failed nor passed. The clock is never asked, so every time is 0.

    Parameters
    ----------
    record : AuditRecord
        What was found.
    nothing : str, optional
        Why nothing was judged; it then stands in place of what each test found.

    Examples
    --------
    >>> import fairreport as fr
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> run = fr.Audit(rows).outcome_disparity("sex", "hired", 1).run()
    >>> "failures=\"0\"" in junit_xml(run.record)
    True
    """
    title = formats.printable(record.title)
    failed = sum(entry.status in _FAILED for entry in record.entries)
    undecided = sum(entry.status in _UNDECIDED for entry in record.entries)
    counts = {"tests": str(len(record.entries)), "failures": str(failed), "errors": "0"}
    suites = ET.Element("testsuites", {"name": title, **counts, "time": "0"})
    suite = ET.SubElement(suites, "testsuite", {"name": title, **counts, "skipped": str(undecided), "time": "0"})
    headlines = {id(entry): view.headline.text for entry, view in _views(record)}
    for entry in record.entries:
        _add_case(suite, entry, headlines[id(entry)] if nothing is None else nothing)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _views(record: AuditRecord) -> list[tuple[Entry, Any]]:
    run = view_run(record)
    return list(zip(record.entries, run.entries, strict=True))


def _add_case(suite: ET.Element, entry: Entry, headline: str) -> None:
    name, kind = formats.printable(entry.name), entry.test.analysis
    case = ET.SubElement(suite, "testcase", {"name": name, "classname": f"fairreport.{kind}", "time": "0"})
    text = formats.printable(headline)
    if entry.status in _FAILED:
        failure = ET.SubElement(case, "failure", {"message": text, "type": entry.status.value})
        failure.text = "\n".join(_missed(entry)) or text
    elif entry.status in _UNDECIDED:
        ET.SubElement(case, "skipped", {"message": f"{entry.status.value.replace('_', ' ')}: {text}"})


def _missed(entry: Entry) -> list[str]:
    """Return the thresholds that do not hold."""
    if isinstance(entry, GapRecord):
        return []
    checks = entry.thresholds if not isinstance(entry, PairRecord) or entry.finding is not None else ()
    return [
        f"{check.measurement} = {formats.measurement(check.measurement, check.actual, against=(check.value,))}; "
        f"wanted {check.operator.value} {formats.limit(check.value)}"
        for check in checks
        if check.passed is False
    ]
