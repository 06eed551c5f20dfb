"""A packet held against its own evidence: every figure and verdict computed again from the counts inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairreport.audit.document import audit_document, entry_document, to_text
from fairreport.audit.export import groups_csv
from fairreport.audit.from_json import MisfitError
from fairreport.audit.rebuild import OpaqueError, Rebuilt, rebuild
from fairreport.audit.record import AuditRecord
from fairreport.errors import DataError
from fairreport.report.attachments import software_versions
from fairreport.report.configuration import configuration_yaml
from fairreport.report.differences import Difference, Tally, Versions, count_leaves, differences, is_prose
from fairreport.report.packet_files import (
    CONFIGURATION,
    GROUPS,
    MANIFEST,
    NAMES,
    OPTIONAL,
    RESULTS,
    PacketFiles,
    PacketKind,
    open_packet,
)
from fairreport.report.packet_id import packet_id_of
from fairreport.report.preset_choice import ChosenPreset, stated_preset
from fairreport.report.strict_json import read_json
from fairreport.report.text_difference import first_difference
from fairreport.report.verify_beside import compare_checksum, read_beside
from fairreport.report.verify_data import compare_with_data
from fairreport.report.verify_record import Check, Verification
from fairreport.report.verify_taken import taken_as_stated

Json = dict[str, Any]

_COMPUTE = ("fairreport", "numpy", "scipy")
"""Packages whose versions decide the last digit of a number."""

_STATED_KEYS = frozenset(
    {
        "name",
        "analysis",
        "subtype",
        "description",
        "threshold_source",
        "rationale",
        "parameters",
        "evidence",
        "ignored",
    }
)


def verify(path: str | Path, data: str | Path | None = None) -> Verification:
    """Return whether a packet agrees with the evidence inside it, and every place where it does not.

    Each test is judged again from its stated parameters and the counts in its evidence, by the code that makes
    audits, and every field of the results is compared. Of a packet, its files are compared with each other and with
    the manifest, and its pages are drawn again where the versions are the same.

    Parameters
    ----------
    path : path
        A PDF or HTML packet, or a ``results.json``.
    data : path, optional
        The audited file: it is counted again with the parameters inside, and the counts are compared.

    Raises
    ------
    DataError
        If the file, or the data, cannot be read.
    PdfUnavailableError
        If it is a PDF and no reader is installed.

    Examples
    --------
    >>> import tempfile
    >>> import fairreport as fr
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "results.json"
    ...     text = fr.Audit(rows).outcome_disparity("sex", "hired", 1).run().to_json(file)
    ...     verify(file).agrees
    ...     _ = file.write_text(text.replace('"ratio": 0.8', '"ratio": 0.9'))
    ...     [difference.pointer for difference in verify(file).differences]
    True
    ['/results/0/groups/0/ratio', '/results/0/insights/0/numbers/ratio']
    """
    packet = open_packet(path)
    document = _document(packet)
    is_packet = packet.kind is not PacketKind.RESULTS
    manifest = read_json(packet.files[MANIFEST], MANIFEST) if MANIFEST in packet.files else None
    stated = _section(manifest, "versions")
    ours = software_versions()
    versions = Versions(are_same=not stated or all(stated.get(name) == ours[name] for name in _COMPUTE))
    origin, engine = (str(_section(manifest, "data").get(name) or "") for name in ("origin", "engine"))
    rebuilt = rebuild(document, origin=origin, engine=engine)
    chosen = stated_preset(manifest.get("preset")) if isinstance(manifest, dict) else None
    found = _Found()
    remade = _written_again(rebuilt)
    _compare_results(found, document, remade, versions)
    record = rebuilt.record if isinstance(remade, bytes) else None
    if isinstance(remade, bytes) and record is not None:
        _compare_texts(found, packet.files, remade, record, versions, chosen=chosen)
    identifier = packet_id_of(document)
    if is_packet:
        beside = read_beside(packet.files)
        found.differences += beside.differences
        preset = _section(manifest, "preset")
        known = {} if chosen is None else chosen.document()
        expected = known if versions.are_same else preset
        _compare_manifest(found, packet.files, manifest, document, identifier, preset=expected)
        from fairreport.report.verify_pages import Pages, compare_pages  # noqa: PLC0415 - drawing waits for matplotlib

        pages = Pages(
            packet=packet,
            packet_id=identifier,
            manifest=_section(manifest, "data"),
            drawn_alike=stated == ours and (not preset or chosen is not None),
            chosen=chosen,
            branding=beside.branding,
            earlier=beside.earlier,
            trends=beside.trends,
        )
        found.add(*compare_pages(pages, record))
        found.add(*compare_checksum(Path(path), packet, identifier))
    else:
        found.remarks.append(
            "A results.json by itself has neither hashes nor a packet id: parameters that change no result, and words "
            "of the author, are held by nothing."
        )
    if data is not None and record is not None:
        found.add(*compare_with_data(record, document, Path(data), _section(manifest, "data"), chosen))
    elif data is not None:
        found.remarks.append("The rows were not counted again, because the results cannot be recomputed.")
    if stated and not versions.are_same:
        found.remarks.append(_other_versions(stated, ours))
    return Verification(
        source=packet.name,
        kind=packet.kind.value,
        title=str(document.get("title")),
        packet_id=identifier,
        fingerprint=str(_section(document, "data").get("fingerprint")),
        checks=tuple(found.checks),
        differences=tuple(found.differences),
        taken_as_stated=taken_as_stated(document, is_packet=is_packet, rebuilt=rebuilt, has_preset=chosen is not None),
        remarks=tuple(found.remarks),
        recomputed=found.recomputed,
        n_tests_taken=sum(isinstance(it, OpaqueError) for it in rebuilt.misfits),
        with_data=data is not None and record is not None,
    )


@dataclass(slots=True, kw_only=True)
class _Found:
    """What has been found so far."""

    checks: list[Check] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    recomputed: Tally = field(default_factory=Tally)

    def add(self, text: str, differences: Iterable[Difference], remarks: Iterable[str] = ()) -> None:
        held = list(differences)
        if text:
            self.checks.append(Check(text=text, n_differences=len(held)))
        self.differences += held
        self.remarks += remarks


def _document(packet: PacketFiles) -> Json:
    document = read_json(packet.files[RESULTS], RESULTS)
    if not isinstance(document, dict) or not {"schema_version", "results"} <= document.keys():
        one = isinstance(document, dict) and "evidence" in document
        found = "it holds one test only" if one else "it is another kind of JSON"
        raise DataError(f"{RESULTS!r} in {packet.name!r} holds no audit: {found}")
    return document


def _section(holder: Any, name: str) -> Json:
    """Return an object inside another, an empty one where there is none."""
    found = holder.get(name) if isinstance(holder, dict) else None
    return found if isinstance(found, dict) else {}


def _written_again(rebuilt: Rebuilt) -> bytes | Rebuilt:
    """Return the results written again; what could be rebuilt where that cannot be done."""
    if rebuilt.record is None:
        return rebuilt
    try:
        return to_text(audit_document(rebuilt.record)).encode("utf-8", "backslashreplace")
    except Exception as error:  # noqa: BLE001 - counts that no table gives can break any formula
        misfit = MisfitError("/results", f"cannot be written again ({type(error).__name__}: {error})")
        return Rebuilt(entries=(), record=None, misfits=(misfit,))


def _compare_results(found: _Found, document: Json, remade: bytes | Rebuilt, versions: Versions) -> None:
    held: list[Difference] = []
    if isinstance(remade, bytes):
        again = read_json(remade, RESULTS)
        held += differences(document, again, versions, RESULTS)
        found.recomputed = _count(again)
    else:
        stated = document["results"] if isinstance(document["results"], list) else []
        for i, (entry, text) in enumerate(zip(remade.entries, stated, strict=False)):
            if not isinstance(entry, MisfitError):
                held += differences(text, _as_read(entry_document(entry)), versions, RESULTS, f"/results/{i}")
        opaque = [it for it in remade.misfits if isinstance(it, OpaqueError)]
        hindering = [it for it in remade.misfits if it not in opaque]
        held += [Difference(file=RESULTS, pointer=it.pointer, message=it.message) for it in hindering]
        if opaque:
            found.remarks.append(_opaque(len(opaque)))
    if not versions.are_same:
        worded = sum(map(is_prose, held))
        held = [difference for difference in held if not is_prose(difference)]
        if worded:
            found.remarks.append(f"Sentences that this version words otherwise: {worded:,}.")
    found.add("figures, verdicts, notes and reasons, recomputed from the evidence", held)


def _opaque(n: int) -> str:
    tests = f"{n:,} tests were" if n > 1 else "One test was"
    return (
        f"{tests} computed by a function of the user's own, from rows that do not travel, and had to be taken as "
        "stated; so had what is said of the audit as a whole."
    )


def _as_read(document: Json) -> Json:
    """Return a document as it is read back from JSON."""
    read: Json = read_json(to_text(document).encode("utf-8", "backslashreplace"), RESULTS)
    return read


def _count(document: Json) -> Tally:
    entries = [{key: value for key, value in entry.items() if key not in _STATED_KEYS} for entry in document["results"]]
    whole = [document["status"], document["exit_code"], document["assumptions"]]
    return count_leaves([entries, whole, document["data"]["fingerprint"]])


def _compare_texts(
    found: _Found,
    files: Mapping[str, bytes],
    results: bytes,
    record: AuditRecord,
    versions: Versions,
    *,
    chosen: ChosenPreset | None,
) -> None:
    """Compare the files that are made of the results, byte for byte."""
    remade = {
        RESULTS: results,
        GROUPS: groups_csv(record).encode("utf-8", "backslashreplace"),
        CONFIGURATION: configuration_yaml(record, None if chosen is None else chosen.settings()).encode(
            "utf-8", "backslashreplace"
        ),
    }
    held: list[Difference] = []
    present = [name for name in remade if name in files and not (name == RESULTS and found.differences)]
    for name in present:
        text = remade[name]
        if files[name] != text:
            held.append(first_difference(name, files[name], text))
    if versions.are_same:
        found.add(f"{', '.join(present)}, written again: the same bytes" if present else "", held)
    elif held:
        found.remarks.append(f"{', '.join(item.file for item in held)}, written again, differ in their bytes.")


def _compare_manifest(
    found: _Found, files: Mapping[str, bytes], manifest: Any, document: Json, identifier: str, *, preset: Json
) -> None:
    absent = "is absent from the packet"
    held = [Difference(file=name, pointer="", message=absent) for name in NAMES if name not in files]
    held += [
        Difference(file=name, pointer="", message="does not belong in a packet")
        for name in files
        if name not in {*NAMES, *OPTIONAL}
    ]
    if manifest is not None:
        data = _section(manifest, "data")
        expected = {
            "packet_id": identifier,
            "title": document.get("title"),
            "created": document.get("created"),
            "files": [
                {"name": name, "sha256": sha256(files[name]).hexdigest(), "size": len(files[name])}
                for name in sorted((*NAMES, *OPTIONAL))
                if name != MANIFEST and name in files
            ],
            "data": {
                "fingerprint": _section(document, "data").get("fingerprint"),
                **{name: data.get(name) for name in ("origin", "engine", "file_sha256", "file_sha256_absent")},
            },
            **({"preset": preset} if preset else {}),
            "versions": {name: _section(manifest, "versions").get(name) for name in software_versions()},
        }
        held += differences(manifest, expected, Versions(are_same=True), MANIFEST)
    found.add("packet id, sizes and hashes in the manifest", held)


def _other_versions(stated: Json, ours: dict[str, str | None]) -> str:
    others = [f"{name} {stated.get(name)} (here {ours[name]})" for name in _COMPUTE if stated.get(name) != ours[name]]
    return (
        f"Other versions computed the document: {', '.join(others)}. Numbers are taken to agree within a relative 1e-9."
    )
