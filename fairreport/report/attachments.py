"""What travels inside a packet: the results, the groups, the configuration and a manifest of them."""

from __future__ import annotations

import base64
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import fairreport
from fairreport.audit.document import to_text
from fairreport.audit.export import groups_csv
from fairreport.audit.provenance import canonical_hash
from fairreport.audit.record import AuditRecord
from fairreport.report.branding import PLAIN, Branding, branding_json
from fairreport.report.configuration import configuration_yaml
from fairreport.report.data_file import DataFile

if TYPE_CHECKING:
    from fairreport.audit.trend import Trends
    from fairreport.report.earlier import Earlier
    from fairreport.report.preset_choice import ChosenPreset

_PACKAGES = ("numpy", "scipy", "duckdb", "matplotlib", "weasyprint")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file inside a packet.

    Attributes
    ----------
    name, media_type, description : str
        What the file is called, its MIME type, and what it holds in a few words.
    content : bytes
        The file.
    """

    name: str
    media_type: str
    description: str
    content: bytes

    @property
    def sha256(self) -> str:
        """The sha256 of the file, in hexadecimal."""
        return sha256(self.content).hexdigest()

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return len(self.content)

    @property
    def data_uri(self) -> str:
        """The file as an address that holds it."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.content).decode()}"


def software_versions() -> dict[str, str | None]:
    """Return the versions of what computed and drew the packet; None for what is not installed."""
    found: dict[str, str | None] = {"fairreport": fairreport.__version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def build_attachments(
    record: AuditRecord,
    document: dict[str, Any],
    *,
    packet_id: str,
    data_file: DataFile,
    chosen: ChosenPreset | None = None,
    branding: Branding = PLAIN,
    earlier: Earlier | None = None,
    trends: Trends | None = None,
) -> tuple[Attachment, ...]:
    """Return the attachments of a packet, sorted by name; row data is never among them.

    Parameters
    ----------
    record : AuditRecord
        What was found.
    document : dict
        The same as JSON values, which `audit_document` returns.
    packet_id : str
        Identifier of the packet.
    data_file : DataFile
        Hash of the audited file, or why there is none.
    chosen : ChosenPreset, optional
        The preset in use.
    branding : Branding
        How the packet looks.
    earlier : Earlier, optional
        The earlier audit that it is compared with.
    trends : Trends, optional
        How the audit went over its windows.
    """
    files = [
        _attachment(
            "audit.yaml",
            "application/yaml",
            "Configuration: every test and parameter, ready to run again",
            configuration_yaml(record, None if chosen is None else chosen.settings()),
        ),
        _attachment("groups.csv", "text/csv", "Every group of every test, with all figures", groups_csv(record)),
        _attachment(
            "results.json",
            "application/json",
            "All results with the evidence they were computed from",
            to_text(document),
        ),
    ]
    if not branding.is_plain:
        what = "Looks of this document: logo, colours, line at the foot"
        files.append(_attachment("presentation.json", "application/json", what, branding_json(branding)))
    if earlier is not None:
        what = "The earlier results that section 8 compares with"
        files.append(_attachment("earlier.json", "application/json", what, earlier.text))
    if trends is not None:
        from fairreport.report.trend_file import trends_text  # noqa: PLC0415 - most packets have none

        what = "The windows of the audit that section 8 shows over time"
        files.append(_attachment("trends.json", "application/json", what, trends_text(trends)))
    files.sort(key=lambda file: file.name)
    manifest = _attachment(
        "manifest.json",
        "application/json",
        "Names, sizes and hashes of the other attachments; versions",
        _manifest(record, files, packet_id=packet_id, data_file=data_file, chosen=chosen),
    )
    return tuple(sorted((*files, manifest), key=lambda file: file.name))


def _attachment(name: str, media_type: str, description: str, text: str) -> Attachment:
    encoded = text.encode("utf-8", "backslashreplace")  # half a surrogate pair, which JSON can only escape
    return Attachment(name=name, media_type=media_type, description=description, content=encoded)


def _manifest(
    record: AuditRecord,
    files: Sequence[Attachment],
    *,
    packet_id: str,
    data_file: DataFile,
    chosen: ChosenPreset | None,
) -> str:
    content = {
        "packet_id": packet_id,
        "title": record.title,
        "created": record.created,
        "files": [{"name": file.name, "sha256": file.sha256, "size": file.size} for file in files],
        "data": {
            "fingerprint": record.data.fingerprint,
            "origin": record.data.origin,
            "engine": record.data.engine,
            "file_sha256": data_file.sha256,
            "file_sha256_absent": data_file.reason or None,
            **({"asked": [asdict(it) for it in record.data.asked]} if record.data.asked else {}),
        },
        **({} if chosen is None else {"preset": chosen.document()}),
        "versions": software_versions(),
    }
    return json.dumps(content | {"sealed": seal_of(content)}, ensure_ascii=False, indent=1) + "\n"


def seal_of(manifest: Mapping[str, Any]) -> str:
    """Return the sha256 of everything else that a manifest states, so that none of it changes by itself.

    Examples
    --------
    >>> seal_of({"packet_id": "a", "sealed": "b"}) == seal_of({"packet_id": "a"}) != seal_of({"packet_id": "c"})
    True
    """
    return canonical_hash({key: value for key, value in manifest.items() if key != "sealed"})
