"""What no part of a document tells of another part, so that verifying must take it as stated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairreport.audit.rebuild import CELL_NOTES, OpaqueError, Rebuilt
from fairreport.report.verify_record import Taken

Json = dict[str, Any]

_AUTHOR = "title, created, about; of each test name, description, rationale, threshold_source, ignored"
_READING = "data: counts, missing_values, declared_groups"
_PARAMETERS = "parameters and thresholds of each test, and whether these are the default"

_OF_ROWS = {
    "comparisons": "pairs of scores and the largest gap between distributions",
    "overall_median": "medians",
    "edges": "the distribution",
    "pairs": "counts above the pooled quantile",
    "ends": "order statistics around the quantile",
    "bins": "sums of probabilities",
    "centre": "sums of numbers",
}
_OF_GROUP_ROWS = {
    "mean": "means",
    "variance": "variances",
    "median": "medians",
    "histogram": "the distribution",
    "explained": "R squared",
    "greater": "pairs of ranks",
    "delong_se": "DeLong's standard error",
    "value": "quantiles",
}


def taken_as_stated(
    document: Json, *, is_packet: bool, rebuilt: Rebuilt, has_preset: bool = False
) -> tuple[Taken, ...]:
    """Return what had to be taken as stated.

    Parameters
    ----------
    document : dict
        The results.
    is_packet : bool
        Whether a packet id holds what nothing else does.
    rebuilt : Rebuilt
        What could be made again from them.
    has_preset : bool
        Whether the packet lays out the tables of a preset.
    """
    return tuple(_taken(document, is_packet=is_packet, rebuilt=rebuilt, has_preset=has_preset))


def _taken(document: Json, *, is_packet: bool, rebuilt: Rebuilt, has_preset: bool) -> Iterator[Taken]:
    held = "held by the packet id" if is_packet else "held by nothing in a results.json by itself"
    yield Taken(pointer=_AUTHOR, reason=f"words of the author; {held}")
    yield Taken(pointer=_READING, reason=f"how the file was read; {held}")
    yield Taken(pointer=_PARAMETERS, reason=f"every result was recomputed with them; {held}")
    if is_packet:
        yield Taken(pointer="manifest: origin, engine, file_sha256, versions", reason="where the numbers were made")
        if has_preset:
            reason = "which tables are laid out, and what the author stated for them; held by the manifest only"
            yield Taken(pointer="manifest: preset", reason=reason)
    for hindrance in rebuilt.misfits:
        if isinstance(hindrance, OpaqueError):
            yield Taken(pointer=hindrance.pointer, reason=f"the test {hindrance.message}")
    if document.get("withheld"):
        yield Taken(
            pointer="/withheld",
            reason="groups that are withheld, and whether tests and thresholds pass with them: their counts do not "
            "travel, so that no figure of theirs could be recomputed",
        )
    if rebuilt.fingerprint_stated:
        yield Taken(pointer="data: fingerprint", reason="no test has evidence that it could be computed from")
    results = document.get("results")
    for i, entry in enumerate(results if isinstance(results, list) else []):
        if isinstance(entry, dict):
            yield from _of_entry(entry, f"/results/{i}")


def _of_entry(entry: Json, pointer: str) -> Iterator[Taken]:
    evidence = entry.get("evidence")
    if entry.get("status") != "skipped" and evidence is None:
        return  # computed from rows, and said so
    if not isinstance(evidence, dict):
        yield Taken(pointer=f"{pointer}/skip_reason", reason="the test has no evidence; why is as stated")
        return
    found = [words for name, words in _OF_ROWS.items() if evidence.get(name)]
    groups = evidence.get("groups")
    first = groups[0] if isinstance(groups, list) and groups and isinstance(groups[0], dict) else {}
    found += [words for name, words in _OF_GROUP_ROWS.items() if name in first]
    found += ["cutoffs"] if "quantiles" in entry else []
    more = f"; {', '.join(dict.fromkeys(found))} were made from rows, which do not travel" if found else ""
    yield Taken(pointer=f"{pointer}/evidence", reason=f"the counts; held by the fingerprint{more}")
    notes = entry.get("notes")
    for i, note in enumerate(notes if isinstance(notes, list) else []):
        if isinstance(note, dict) and note.get("code") in CELL_NOTES:
            yield Taken(pointer=f"{pointer}/notes/{i}/text", reason="about cells of the file, which no count tells")
