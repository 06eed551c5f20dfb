"""A packet held against its own evidence: every figure and verdict computed again from the counts inside."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairreport.audit.document import audit_document, entry_document, to_text
from fairreport.audit.from_json import MisfitError
from fairreport.audit.rebuild import OpaqueError, Rebuilt, rebuild
from fairreport.errors import DataError
from fairreport.report.differences import Difference, Tally, Versions, count_leaves, differences, is_prose
from fairreport.report.packet_files import MANIFEST, RESULTS, PacketFiles, PacketKind, open_packet
from fairreport.report.packet_id import packet_id_of
from fairreport.report.page_words import places
from fairreport.report.preset_choice import stated_preset
from fairreport.report.strict_json import read_json
from fairreport.report.verify_beside import compare_checksum, read_beside
from fairreport.report.verify_data import compare_with_data
from fairreport.report.verify_manifest import compare_manifest, stated_source
from fairreport.report.verify_record import Check, Looked, NotJudged, Verification
from fairreport.report.verify_taken import taken_as_stated
from fairreport.report.verify_texts import compare_texts
from fairreport.report.verify_versions import Alike, alike_of
from fairreport.tables.places import StoredObjects, place_of

Json = dict[str, Any]

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


def verify(path: str | Path, data: str | Path | None = None, *, table: str | None = None) -> Verification:
    """Return whether a packet agrees with the evidence inside it, and every place where it does not.

    Each test is judged again from its stated parameters and the counts in its evidence, by the code that makes
    audits, and every field of the results is compared. Of a packet, its files are compared with each other and with
    the manifest, and its pages are drawn again, with the versions that it states printed on them.

    Where the versions here are the stated ones, everything has to agree to the byte. Where others made the packet,
    numbers may differ in their last digits, and its pages are judged by their words and numbers; what another version
    of fairreport puts otherwise is not judged. The document agrees, and the exit code is 0, only where everything was
    judged and nothing differs; it is 1 where something differs, and 3 where nothing does, but something that a
    reader sees, such as pages by templates of the user's own, was not judged.

    Parameters
    ----------
    path : path
        A PDF or HTML packet, or a ``results.json``.
    data : path, optional
        The audited file, or the URL of a database: it is counted again with the parameters inside, and the counts are
        compared.
    table : str, optional
        Which table of the database.

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
    is_packet = packet.kind is not PacketKind.RESULTS
    found = _Found()
    manifest = _manifest(packet, found)
    document = _document(packet, found)
    stated = _section(manifest, "data")
    alike = alike_of(manifest)
    chosen = stated_preset(manifest.get("preset")) if isinstance(manifest, dict) else None
    rebuilt = rebuild(document, stated_source(stated)) if document else Rebuilt(entries=(), record=None)
    remade = _written_again(rebuilt)
    if document:
        _compare_results(found, document, remade, alike)
    record = rebuilt.record if isinstance(remade, bytes) else None
    if isinstance(remade, bytes) and record is not None:
        files, agrees = packet.files, not found.differences
        found.take(compare_texts(files, remade, record, alike=alike, chosen=chosen, with_results=agrees))
    counted = ""
    identifier = packet_id_of(document) if document else ""
    if is_packet:
        beside = read_beside(packet.files)
        found.differences += beside.differences
        found.take(compare_manifest(packet.files, manifest, document, identifier, alike=alike, chosen=chosen))
        from fairreport.report.verify_pages import Pages, compare_pages  # noqa: PLC0415 - drawing waits for matplotlib

        pages = Pages(
            packet=packet,
            packet_id=identifier,
            manifest=stated,
            alike=alike,
            unknown_preset=bool(_section(manifest, "preset")) and chosen is None,
            chosen=chosen,
            branding=beside.branding,
            earlier=beside.earlier,
            trends=beside.trends,
        )
        if document:
            found.take(compare_pages(pages, record))
        text, apart = compare_checksum(Path(path), packet, identifier)
        found.take(Looked(text=text, differences=tuple(apart)))
    else:
        found.remarks.append(
            "A results.json by itself has neither hashes nor a packet id: parameters that change no result, and words "
            "of the author, are held by nothing."
        )
    if data is not None and record is not None:
        place = place_of(data, table)
        counted = "file" if isinstance(place, (str, Path, StoredObjects)) else "table"
        text, apart, remarks = compare_with_data(record, document, place, stated, chosen)
        found.take(Looked(text=text, differences=tuple(apart), remarks=tuple(remarks)))
    elif data is not None:
        found.remarks.append("The rows were not counted again, because the results cannot be recomputed.")
    if alike.others:
        found.remarks.append(
            f"Other versions computed the document: {alike.others}. Numbers are taken to agree within a relative 1e-9."
        )
    return Verification(
        source=packet.name,
        kind=packet.kind.value,
        title=str(document.get("title")) if document else "not known",
        packet_id=identifier or "not known",
        fingerprint=str(_section(document, "data").get("fingerprint")),
        checks=tuple(found.checks),
        differences=tuple(found.differences),
        not_judged=tuple(found.not_judged),
        taken_as_stated=taken_as_stated(document, is_packet=is_packet, rebuilt=rebuilt, has_preset=chosen is not None),
        remarks=tuple(found.remarks),
        recomputed=found.recomputed,
        n_tests_taken=sum(isinstance(it, OpaqueError) for it in rebuilt.misfits),
        with_data=counted,
    )


@dataclass(slots=True, kw_only=True)
class _Found:
    """What has been found so far."""

    checks: list[Check] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    not_judged: list[NotJudged] = field(default_factory=list)
    recomputed: Tally = field(default_factory=Tally)

    def take(self, looked: Looked) -> None:
        if looked.text:
            self.checks.append(Check(text=looked.text, n_differences=len(looked.differences)))
        self.differences += looked.differences
        self.remarks += looked.remarks
        self.not_judged += looked.not_judged


def _manifest(packet: PacketFiles, found: _Found) -> Any:
    """Return what the manifest holds; None where there is none, or none that can be read, which is a difference."""
    if MANIFEST not in packet.files:
        return None
    try:
        return read_json(packet.files[MANIFEST], MANIFEST)
    except DataError as error:
        found.differences.append(Difference(file=MANIFEST, pointer="", message=str(error)))
        return None


def _document(packet: PacketFiles, found: _Found) -> Json:
    """Return the results; an empty mapping where a packet's cannot be read, which is a difference.

    A file without a manifest is no packet, so that there is nothing for its results to differ from.
    """
    try:
        return _results(packet)
    except DataError as error:
        if MANIFEST not in packet.files:
            raise
        found.differences.append(Difference(file=RESULTS, pointer="", message=str(error)))
        return {}


def _results(packet: PacketFiles) -> Json:
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


def _compare_results(found: _Found, document: Json, remade: bytes | Rebuilt, alike: Alike) -> None:
    held: list[Difference] = []
    left: list[NotJudged] = []
    versions = Versions(are_same=alike.computed)
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
            one = len(opaque) == 1
            what = "a test by a function of the user's own" if one else "tests by functions of the user's own"
            left.append(NotJudged(what=what, reason=_opaque(len(opaque))))
    if not alike.computed:
        worded = [item for item in held if is_prose(item) and (not alike.worded or _is_near(item))]
        held = [item for item in held if item not in worded]
        if worded:
            reason = f"other versions put {len(worded):,} of them otherwise, the first at {worded[0].pointer}"
            left.append(NotJudged(what="sentences of the results", reason=reason))
    text = "figures, verdicts, notes and reasons, recomputed from the evidence"
    found.take(Looked(text=text, differences=tuple(held), not_judged=tuple(left)))


def _is_near(item: Difference) -> bool:
    """Tell whether two sentences differ in the last digits of their decimals only."""
    return all(place.is_near for place in places([item.stated], [item.recomputed]))


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
