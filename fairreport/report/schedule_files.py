"""The files of a scheduled run, all but the manifest."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from fairreport.audit.export import csv_files
from fairreport.report.checksum import checksum_text, write_packet
from fairreport.report.junit import junit_xml
from fairreport.report.manifest import Json, described, earlier_outputs
from fairreport.report.packet import Report
from fairreport.report.packet_files import RESULTS, TRENDS
from fairreport.report.schedule_summary import Told, log_line, summary_markdown
from fairreport.writing import write_together, write_whole

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
    """The files written so far, by their names relative to their folder: each as it was written, never read again."""

    files: dict[str, Json] = field(default_factory=dict)

    def add(self, name: str, content: str | bytes) -> None:
        """Take note of a file."""
        self.files[name] = described(content)


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
    tables = csv_files(record)
    write_together(folder / CSV, tables)
    for name, table in tables.items():
        written.add(f"{CSV}/{name}", table)
    _remove_stale(folder, written)
    held = {file.name: file.content for file in report.attachments}
    texts: dict[str, str | bytes] = {
        RESULTS: held[RESULTS],
        SUMMARY: summary_markdown(told),
        JUNIT: junit_xml(record, nothing=told.nothing),
        LOG: log_line(told),
    }
    texts |= {TRENDS: held[TRENDS]} if TRENDS in held else {}
    for name, text in texts.items():
        write_whole(folder / name, text)
        written.add(name, text)
    for name in (HTML, PDF):
        packet = report.pdf() if name == PDF else report.html().encode("utf-8", "backslashreplace")
        write_packet(folder / name, packet, packet_id=report.packet_id if checksum else None)
        written.add(name, packet)
        if checksum:
            written.add(f"{name}.sha256", checksum_text(name, packet, report.packet_id))


def _remove_stale(folder: Path, written: Written) -> None:
    """Remove files of the run before that this one does not have: those that its manifest names, nothing else."""
    for name in earlier_outputs(folder):
        place = PurePosixPath(name)
        if place.parts[:1] == (CSV,) and len(place.parts) == 2 and place.suffix == ".csv" and name not in written.files:
            (folder / CSV / place.name).unlink(missing_ok=True)
        elif name in _OF_ONE_WINDOW:
            (folder / name).unlink(missing_ok=True)
