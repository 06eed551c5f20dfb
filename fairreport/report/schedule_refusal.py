"""A run that was refused, in a folder where an earlier one left files: what speaks of a result says so instead."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree as ET  # written here, never read

from fairreport.errors import FairreportError
from fairreport.render import formats
from fairreport.render.markdown import escape
from fairreport.report.manifest import REFUSED, earlier_outputs, write_refusal
from fairreport.report.schedule_files import JUNIT, LOG, SUMMARY
from fairreport.tables.credentials import without_credentials
from fairreport.writing import write_whole


def refuse_in(folder: Path, reason: str, *, now: str | None) -> None:
    """Write the manifest of a run that was refused, and replace what the run before left for people and programs.

    Only files that its manifest named are replaced. The packet of that run stays until a later run writes one.

    Parameters
    ----------
    folder : Path
        Where the manifest goes.
    reason : str
        Why it was refused; no password is written.
    now : str or None
        What time it is.
    """
    said = without_credentials(reason)
    write_refusal(folder, said, now=now)
    texts = {SUMMARY: summary_of(said), JUNIT: junit_of(said), LOG: log_of(said)}
    for name in earlier_outputs(folder):
        if name in texts:
            with suppress(FairreportError):  # the manifest is what counts
                write_whole(folder / name, texts[name])


def summary_of(reason: str) -> str:
    """Return the paragraph of a run that was refused.

    Examples
    --------
    >>> print(summary_of("there is no file"), end="")
    **The run was refused** (exit code 2): there is no file
    """
    return f"**The run was refused** (exit code {REFUSED}): {escape(formats.printable(reason))}\n"


def junit_of(reason: str) -> str:
    """Return JUnit XML in which the run itself is the one case, with an error."""
    counts = {"tests": "1", "failures": "0", "errors": "1"}
    suites = ET.Element("testsuites", {"name": "fairreport", **counts, "time": "0"})
    suite = ET.SubElement(suites, "testsuite", {"name": "fairreport", **counts, "skipped": "0", "time": "0"})
    case = ET.SubElement(suite, "testcase", {"name": "scheduled run", "classname": "fairreport.schedule", "time": "0"})
    ET.SubElement(case, "error", {"message": formats.printable(reason), "type": "refused"})
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def log_of(reason: str) -> str:
    """Return the line for a log."""
    stated = {"event": "fairreport.schedule", "status": "refused", "exit_code": REFUSED, "reason": reason}
    return json.dumps(stated, ensure_ascii=True) + "\n"
