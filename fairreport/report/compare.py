"""Two audits held against each other: what changed, worst first. Neither is verified here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from fairreport.audit.document import audit_document
from fairreport.audit.entry_result import AnyResult, EntryResult
from fairreport.audit.from_json import from_json
from fairreport.audit.gate import exit_code
from fairreport.audit.result import AuditRun
from fairreport.errors import ConfigError, DataError, Fault
from fairreport.report.compare_groups import compare_groups
from fairreport.report.compare_record import Change, Comparison, TestChange, gravity
from fairreport.report.packet_files import RESULTS, open_packet
from fairreport.report.strict_json import read_json

if TYPE_CHECKING:
    from fairreport.report.packet import Report

Json = dict[str, Any]
Compared: TypeAlias = "AuditRun | AnyResult | Report | str | Path"

_LEVEL = 0.95


def compare(old: Compared, new: Compared) -> Comparison:
    """Return what changed between two audits: verdicts, rates, groups, parameters and data, worst change first.

    Parameters
    ----------
    old, new : path, AuditRun, result or Report
        A run, one of its results, a report, or the path of a packet or a ``results.json``. Nothing is verified; see
        `verify`.

    Raises
    ------
    ConfigError
        If either is something else.
    DataError
        If a file cannot be read.
    PdfUnavailableError
        If one is a PDF and no reader is installed.

    Examples
    --------
    >>> import fairreport as fr
    >>> def run(hired):
    ...     rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * hired + [0] * (50 - hired) + [1] * 30 + [0] * 10}
    ...     return fr.Audit(rows).outcome_disparity("sex", "hired", 1).run()
    >>> found = compare(run(32), run(24))
    >>> found.old_status, found.new_status, found.got_worse
    ('passing', 'failing', True)
    >>> group = found.tests[0].groups[0]
    >>> group.group, round(group.difference, 2), round(group.low, 3), round(group.high, 3)
    ('sex = F', -0.16, -0.337, 0.033)
    """
    return _held_together(*_document(old), *_document(new))


def compare_documents(old: Json, new: Json) -> Comparison:
    """Return what changed between the results of two audits, as `compare` does.

    Raises
    ------
    DataError
        If they cannot be compared.
    """
    return _held_together(str(old.get("title")), old, str(new.get("title")), new)


def document_of(it: Compared) -> Json:
    """Return the results of whatever can be compared.

    Raises
    ------
    ConfigError
        If it is something else.
    DataError
        If a file cannot be read or holds no audit.
    """
    return _document(it)[1]


def _held_together(old_name: str, before: Json, new_name: str, after: Json) -> Comparison:
    try:
        return _compared(old_name, before, new_name, after)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise DataError(f"the results cannot be compared: {type(error).__name__}: {error}") from None


def _document(it: object) -> tuple[str, Json]:
    if isinstance(it, AuditRun):
        return it.record.title, it.to_dict()
    if isinstance(it, EntryResult):
        whole = it.run.to_dict() | {"status": it.status.value, "exit_code": exit_code(it.status)}
        return it.name, whole | {"results": [it.to_dict()]}
    if not isinstance(it, (str, Path)):
        from fairreport.report.packet import Report  # noqa: PLC0415 - drawing waits for matplotlib

        if isinstance(it, Report):
            return it.record.title, audit_document(it.record)
        message = f"must be a run, a result, a report or a path, got a {type(it).__name__}"
        raise ConfigError(Fault(code="bad_type", message=message))
    packet = open_packet(it)
    document = read_json(packet.files[RESULTS], RESULTS)
    if not isinstance(document, dict) or not isinstance(document.get("results"), list):
        raise DataError(f"{RESULTS!r} in {packet.name!r} holds no audit")
    return packet.name, document


def _compared(old_name: str, before: Json, new_name: str, after: Json) -> Comparison:
    for document in (before, after):
        _check_shape(document)
    same_data = before["data"]["fingerprint"] == after["data"]["fingerprint"]
    tests = [_test(old, new) for old, new in _pairs(before["results"], after["results"])]
    return Comparison(
        old=old_name,
        new=new_name,
        old_status=str(before["status"]),
        new_status=str(after["status"]),
        same_data=same_data,
        audit=tuple(_of_audit(before, after)),
        tests=tuple(sorted(tests, key=_worst_first)),
    )


def _check_shape(document: Json) -> None:
    """Refuse a document whose names, verdicts and measurements are not of their types."""
    from_json(str, document["data"]["fingerprint"], "/data/fingerprint")
    from_json(str, document["status"], "/status")
    for i, entry in enumerate(document["results"]):
        for name in ("name", "analysis", "test_status"):
            from_json(str, entry[name], f"/results/{i}/{name}")
        for name, value in entry["measurements"].items():
            from_json(int | float | None, value, f"/results/{i}/measurements/{name}")


def _of_audit(before: Json, after: Json) -> Iterator[Change]:
    yield from changes({"title": before["title"]}, {"title": after["title"]})
    yield from changes(before["about"], after["about"], "about.")
    yield from changes(before["data"], after["data"], "data.")


def changes(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> Iterator[Change]:
    """Yield the items that differ between two mappings, in the order of the later one."""
    for name in dict.fromkeys((*new, *old)):
        if old.get(name) != new.get(name):
            yield Change(name=f"{prefix}{name}", old=old.get(name), new=new.get(name))


Pair = tuple[Json | None, Json | None]


def _pairs(before: list[Json], after: list[Json]) -> Iterator[Pair]:
    """Yield the tests of both audits: by name, then by kind and parameters, then those in one only."""
    left = {entry["name"]: entry for entry in before}
    unmatched = []
    for entry in after:
        other = left.get(entry["name"])
        if other is not None and other["analysis"] == entry["analysis"]:
            yield left.pop(entry["name"]), entry
        else:
            unmatched.append(entry)
    for entry in unmatched:
        renamed = next((name for name, other in left.items() if _is_same_test(other, entry)), None)
        yield (None if renamed is None else left.pop(renamed)), entry
    for entry in left.values():
        yield entry, None


def _is_same_test(old: Json, new: Json) -> bool:
    return bool(old["analysis"] == new["analysis"] and _values(old) == _values(new))


def _values(entry: Json) -> Json:
    return {name: stated["value"] for name, stated in entry["parameters"].items()}


def _test(old: Json | None, new: Json | None) -> TestChange:
    either = new or old
    if either is None:
        raise ValueError("a test stands in neither audit")
    if old is None or new is None:
        return TestChange(
            name=either["name"],
            analysis=either["analysis"],
            old_name=None if old is None else old["name"],
            old_status=None if old is None else old["test_status"],
            new_status=None if new is None else new["test_status"],
        )
    return TestChange(
        name=new["name"],
        analysis=new["analysis"],
        old_name=old["name"],
        old_status=old["test_status"],
        new_status=new["test_status"],
        parameters=tuple(changes(_values(old), _values(new))),
        thresholds=tuple(_thresholds(old, new)),
        verdicts=tuple(_verdicts(old, new)),
        measurements=tuple(changes(old["measurements"], new["measurements"])),
        groups=compare_groups(old, new, level=_level(new), same_data=old["evidence"] == new["evidence"]),
    )


def _level(entry: Json) -> float:
    level = (entry.get("method") or {}).get("level")
    return level if isinstance(level, float) and 0 < level < 1 else _LEVEL


def _thresholds(old: Json, new: Json) -> Iterator[Change]:
    """Yield thresholds that were stated otherwise, and those that hold otherwise."""
    before, after = (
        {f"{it['measurement']} {it['operator']} {it['value']!r}": it["passed"] for it in entry.get("thresholds", ())}
        for entry in (old, new)
    )
    for name in dict.fromkeys((*after, *before)):
        was, is_now = (_held(side, name) for side in (before, after))
        if was != is_now:
            yield Change(name=name, old=was, new=is_now)


def _held(side: Mapping[str, bool | None], name: str) -> str | None:
    if name not in side:
        return None
    return {True: "holds", False: "does not hold", None: "cannot be held"}[side[name]]


def _verdicts(old: Json, new: Json) -> Iterator[Change]:
    yield from changes({"skipped": old["skip_code"]}, {"skipped": new["skip_code"]})
    yield from changes({"reference": old.get("reference")}, {"reference": new.get("reference")})
    before, after = ({f"rule {it['id']}": it["state"] for it in entry.get("rules", ())} for entry in (old, new))
    yield from changes(before, after)


def _worst_first(test: TestChange) -> tuple[int, int, float, bool]:
    both = test.old_status is not None and test.new_status is not None
    worse = gravity(test.new_status) - gravity(test.old_status) if both else 0
    newly = sum(group.got_worse for group in test.groups)
    drop = max((group.ratio_drop for group in test.groups), default=0.0)
    return -worse, -newly, -drop, not test.is_changed
