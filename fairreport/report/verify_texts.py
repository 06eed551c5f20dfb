"""The files of a packet that are made of its results, held against the same files written again."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping

import yaml

from fairreport.audit.export import groups_csv
from fairreport.audit.record import AuditRecord
from fairreport.report.configuration import configuration_yaml
from fairreport.report.differences import TOLERANCE, Difference
from fairreport.report.packet_files import CONFIGURATION, GROUPS, RESULTS
from fairreport.report.preset_choice import ChosenPreset
from fairreport.report.text_difference import first_difference
from fairreport.report.verify_record import Looked, NotJudged
from fairreport.report.verify_versions import Alike


def compare_texts(
    files: Mapping[str, bytes],
    results: bytes,
    record: AuditRecord,
    *,
    alike: Alike,
    chosen: ChosenPreset | None,
    with_results: bool,
) -> Looked:
    """Return how the files that are made of the results differ from those written again.

    Where other versions computed the numbers, decimals in the table of groups may differ in their last digits; where
    another version of fairreport wrote the files, a table or a configuration of another shape cannot be judged.

    Parameters
    ----------
    files : mapping of str to bytes
        What travels inside.
    results : bytes
        The results, written again.
    record : AuditRecord
        What they say.
    alike : Alike
        The versions that the manifest states.
    chosen : ChosenPreset or None
        The preset in use.
    with_results : bool
        Whether the results are looked at too; not where they differ anyway.
    """
    settings = None if chosen is None else chosen.settings()
    remade = {
        RESULTS: results,
        GROUPS: groups_csv(record).encode("utf-8", "backslashreplace"),
        CONFIGURATION: configuration_yaml(record, settings).encode("utf-8", "backslashreplace"),
    }
    present = [name for name in remade if name in files and (with_results or name != RESULTS)]
    if not present:
        return Looked()
    apart = [name for name in present if files[name] != remade[name]]
    named = ", ".join(present)
    if alike.computed:
        held = tuple(first_difference(name, files[name], remade[name]) for name in apart)
        return Looked(text=f"{named}, written again: the same bytes", differences=held)
    found = [_otherwise(name, files[name], remade[name], alike) for name in apart]
    remark = f"{', '.join(apart)}, written again, differ in their bytes." if apart else ""
    return Looked(
        text=f"{named}, written again",
        differences=tuple(item for one in found for item in one.differences),
        remarks=(remark,) if remark else (),
        not_judged=tuple(item for one in found for item in one.not_judged),
    )


def _otherwise(name: str, stated: bytes, remade: bytes, alike: Alike) -> Looked:
    """Return what the bytes of other versions mean; the results were compared leaf by leaf before."""
    if name == RESULTS:
        return Looked()
    held = tuple(_of_cells(stated, remade)) if name == GROUPS else _of_yaml(stated, remade)
    if held is None or (name == GROUPS and not held):
        return Looked()
    if alike.worded or all(item.pointer.startswith("row ") for item in held):
        return Looked(differences=held)
    reason = "this version writes it in another shape"
    return Looked(not_judged=(NotJudged(what=name, reason=reason),))


def _of_yaml(stated: bytes, remade: bytes) -> tuple[Difference, ...] | None:
    """Return how two configurations differ; None where they say the same."""
    try:
        same = yaml.safe_load(stated) == yaml.safe_load(remade)
    except (yaml.YAMLError, ValueError, RecursionError):
        same = False
    return None if same else (first_difference(CONFIGURATION, stated, remade),)


def _of_cells(stated: bytes, remade: bytes) -> Iterator[Difference]:
    one, other = (list(csv.reader(io.StringIO(text.decode("utf-8", "replace")))) for text in (stated, remade))
    if [len(row) for row in one] != [len(row) for row in other] or one[:1] != other[:1]:
        yield first_difference(GROUPS, stated, remade)
        return
    for number, (row, again) in enumerate(zip(one[1:], other[1:], strict=True), start=2):
        for column, cell, found in zip(one[0], row, again, strict=True):
            if not _is_near(cell, found):
                yield Difference(file=GROUPS, pointer=f"row {number}, {column}", stated=cell, recomputed=found)


def _is_near(cell: str, found: str) -> bool:
    if cell == found:
        return True
    if "." not in cell or "." not in found:  # whole numbers are counts
        return False
    try:
        return math.isclose(float(cell), float(found), rel_tol=TOLERANCE, abs_tol=1e-15)
    except ValueError:
        return False
