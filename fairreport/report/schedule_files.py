"""The files of a scheduled run, all but the manifest."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from fairreport.audit.export import write_csv_folder
from fairreport.report.junit import junit_xml
from fairreport.report.manifest import earlier_outputs
from fairreport.report.packet import Report
from fairreport.report.packet_files import RESULTS, TRENDS
from fairreport.report.schedule_summary import Told, log_line, summary_markdown
from fairreport.writing import write_whole

HTML = "packet.html"
PDF = "packet.pdf"
CSV = "csv"
SUMMARY = "summary.md"
JUNIT = "junit.xml"
LOG = "log.jsonl"

NOTEBOOK = "scheduled_audit.ipynb"

_OF_ONE_WINDOW = {PDF, f"{PDF}.sha256", f"{HTML}.sha256", TRENDS, NOTEBOOK}
"""What must not stand beside the page of a later window, and may have no successor."""

CONTENTS = {
    HTML: "the packet, as one page",
    PDF: "the packet, to print and to keep",
    RESULTS: "every number",
    f"{CSV}/": "every group, one file a test",
    TRENDS: "every number of the windows in the history",
    SUMMARY: "one paragraph, for a message",
    JUNIT: "one test case a test, for continuous integration",
    LOG: "one line, for a log",
    NOTEBOOK: "the notebook, as it was executed",
}
"""What the files hold."""


@dataclass(slots=True)
class Written:
    """The files written so far, relative to their folder."""

    names: list[str] = field(default_factory=list)


def write_files(report: Report, told: Told, folder: Path, written: Written, *, checksum: bool) -> None:
    """Write every file, the PDF last; what only the run before had goes.

    Parameters
    ----------
    report : Report
        The packet; what it withholds is withheld from every file.
    told : Told
        What the summary tells.
    folder : Path
        Where the files go.
    written : Written
        Takes the name of each file once it is there.
    checksum : bool
        Whether the sha256 of the packet stands in a file beside it.

    Raises
    ------
    DataError
        If a file cannot be written.
    PdfUnavailableError
        If this machine cannot write PDF; all other files are there.
    """
    record = report.record
    for path in write_csv_folder(record, folder / CSV):
        written.names.append(f"{CSV}/{path.name}")
    _remove_stale(folder, written)
    held = {file.name: file.content for file in report.attachments}
    texts: dict[str, str | bytes] = {
        RESULTS: held[RESULTS],
        SUMMARY: summary_markdown(told),
        JUNIT: junit_xml(record),
        LOG: log_line(told),
    }
    texts |= {TRENDS: held[TRENDS]} if TRENDS in held else {}
    for name, text in texts.items():
        write_whole(folder / name, text)
        written.names.append(name)
    for name in (HTML, PDF):
        report.save(folder / name, checksum=checksum)
        written.names += [it for it in (name, f"{name}.sha256") if (folder / it).is_file()]


def _remove_stale(folder: Path, written: Written) -> None:
    """Remove files of the run before that this one does not have: those that its manifest names, nothing else."""
    for name in earlier_outputs(folder):
        place = PurePosixPath(name)
        if place.parts[:1] == (CSV,) and len(place.parts) == 2 and place.suffix == ".csv" and name not in written.names:
            (folder / CSV / place.name).unlink(missing_ok=True)
        elif name in _OF_ONE_WINDOW:
            (folder / name).unlink(missing_ok=True)
