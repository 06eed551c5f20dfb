"""The audited file counted again, and its counts held against the evidence of a document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairreport.analyses.kinds import needs_of
from fairreport.audit.audit import Audit
from fairreport.audit.document import audit_document, to_text
from fairreport.audit.record import AuditRecord
from fairreport.audit.window import Window
from fairreport.errors import DataError
from fairreport.report.data_file import hash_data_file
from fairreport.report.differences import Difference, Versions, differences
from fairreport.report.packet_files import RESULTS
from fairreport.report.preset_choice import ChosenPreset
from fairreport.report.profile_categories import published_by
from fairreport.report.strict_json import read_json
from fairreport.report.suppression import suppress

Json = dict[str, Any]


def compare_with_data(
    record: AuditRecord, document: Json, data: Any, manifest: Json, chosen: ChosenPreset | None = None
) -> tuple[str, list[Difference], list[str]]:
    """Return what was looked at, how the counts of the rows differ from the evidence, and remarks.

    Parameters
    ----------
    record : AuditRecord
        The document's, with the tests as they were stated.
    document : dict
        The results.
    data : object
        The path of the file, or what `place_of` makes of a database and a table.
    manifest : dict
        The section on data of the manifest; empty where there is none.
    chosen : ChosenPreset, optional
        The preset in use: what it has to publish is not withheld.

    Raises
    ------
    DataError
        If the rows cannot be read.
    """
    file = Path(data) if isinstance(data, (str, Path)) else None
    if file is not None and not file.exists():
        raise DataError(f"there is no file {str(file)!r}")
    window = record.data.window
    used = {name for entry in record.entries for name in needs_of(entry.test).attributes}
    audit = Audit(
        data,
        title=record.title,
        counts=record.data.counts,
        missing_values=record.data.missing_values,
        groups={name: values for name, values in record.data.declared_groups.items() if name in used},
        tests=[entry.test.model_copy(update={"name": entry.name}) for entry in record.entries],
        time_column=None if window is None else window.column,
        timezone=None if window is None else window.timezone,
    )
    counted = audit.run(_windows(record)).record
    if record.withheld is not None:
        counted = suppress(counted, record.withheld.below, published=published_by(chosen, counted))
    again: Json = read_json(to_text(audit_document(counted)).encode("utf-8", "backslashreplace"), RESULTS)
    held = list(_of_counts(document, again))
    return "rows counted again: fingerprint and counts", held, [] if file is None else [*_of_file(file, manifest)]


def _windows(record: AuditRecord) -> dict[str, Window] | None:
    """Return the window of each test; None where rows of any time were judged."""
    found = {entry.name: record.window_of(entry.name) for entry in record.entries}
    windows = {name: Window(length=it.length_seconds, end=it.end) for name, it in found.items() if it is not None}
    return windows or None


def _of_counts(document: Json, again: Json) -> Iterator[Difference]:
    exact = Versions(are_same=True)
    stated, found = document["data"]["fingerprint"], again["data"]["fingerprint"]
    yield from differences(stated, found, exact, "data", "/data/fingerprint")
    yield from differences(document.get("withheld"), again.get("withheld"), exact, "data", "/withheld")
    for i, (entry, other) in enumerate(zip(document["results"], again["results"], strict=True)):
        place = f"/results/{i}/evidence"
        yield from differences(entry["evidence"], other["evidence"], exact, "data", place)


def _of_file(data: Path, manifest: Json) -> Iterator[str]:
    stated = manifest.get("file_sha256")
    found = hash_data_file(data).sha256
    if stated is None or found is None:
        yield "The document states no hash of the audited file."
    elif stated == found:
        yield "The file is the audited one to the byte: its sha256 is the one that is stated."
    else:
        yield f"The file is not the audited one to the byte: its sha256 is {found[:12]}..., not {str(stated)[:12]}..."
