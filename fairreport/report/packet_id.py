"""The packet id: a short hash of the results."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from fairreport.audit.provenance import canonical_json

ID_LENGTH = 12


def packet_id_of(document: dict[str, Any]) -> str:
    """Return the first 12 hexadecimal digits of the sha256 of the results, the date of the run left out.

    Parameters
    ----------
    document : dict
        What `AuditRun.to_dict` returns.

    Examples
    --------
    >>> packet_id_of({"title": "a", "created": "2026-11-01"}) == packet_id_of({"title": "a", "created": None})
    True
    """
    dateless = {key: value for key, value in document.items() if key != "created"}
    return sha256(canonical_json(dateless).encode()).hexdigest()[:ID_LENGTH]
