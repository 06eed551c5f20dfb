"""The manifest of a packet held against the files that it lists, and against what it is sealed with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from fairreport.report.attachments import seal_of
from fairreport.report.differences import Difference, Versions, differences
from fairreport.report.packet_files import MANIFEST, NAMES, OPTIONAL
from fairreport.report.preset_choice import ChosenPreset
from fairreport.report.verify_record import Looked, NotJudged
from fairreport.report.verify_versions import Alike
from fairreport.tables.asked import Asked, Held

Json = dict[str, Any]

_HASH = re.compile("[0-9a-f]{64}")

_OF_DATA: dict[str, Callable[[Any], bool]] = {
    "origin": lambda it: isinstance(it, str),
    "engine": lambda it: isinstance(it, str),
    "file_sha256": lambda it: isinstance(it, str) and _HASH.fullmatch(it) is not None,
    "file_sha256_absent": lambda it: isinstance(it, str) and it != "",
}
"""What a manifest says of the data and the results do not, and the form that each has where it is not null."""


def stated_source(data: Json) -> Held:
    """Return where a manifest says that the rows were; what is not in the form of a statement is left out."""
    listed = data.get("asked")
    asked = [
        Asked(sql=it["sql"], rows=it["rows"])
        for it in (listed if isinstance(listed, list) else [])
        if isinstance(it, dict) and isinstance(it.get("sql"), str) and type(it.get("rows")) is int
    ]
    origin, engine = (str(data.get(name) or "") for name in ("origin", "engine"))
    return Held(origin=origin, engine=engine, asked=tuple(asked))


def compare_manifest(
    files: Mapping[str, bytes],
    manifest: Any,
    document: Json,
    identifier: str,
    *,
    alike: Alike,
    chosen: ChosenPreset | None,
) -> Looked:
    """Return how a manifest differs from the files beside it.

    Every key of it is held by something: hashes and sizes by the files, title, date and fingerprint by the results,
    and the seal, a hash of everything else in it, holds versions, origin and engine, which only the pages show again.

    Parameters
    ----------
    files : mapping of str to bytes
        What travels inside.
    manifest : object
        What the manifest holds; None where there is none.
    document : dict
        The results; empty where they cannot be read.
    identifier : str
        The packet id, as it follows from the results; empty where they cannot be read.
    alike : Alike
        The versions that it states.
    chosen : ChosenPreset or None
        The preset that it states, where that is known here.
    """
    held = [
        Difference(file=name, pointer="", message="is absent from the packet") for name in NAMES if name not in files
    ]
    held += [
        Difference(file=name, pointer="", message="does not belong in a packet")
        for name in files
        if name not in {*NAMES, *OPTIONAL}
    ]
    unknown: tuple[NotJudged, ...] = ()
    if manifest is not None:
        stated = manifest if isinstance(manifest, dict) else {}
        preset = _preset(stated.get("preset"), alike, chosen)
        if preset is not None and chosen is None and not alike.worded:
            unknown = (NotJudged(what="the tables of a preset", reason="this version does not know the preset"),)
        expected = {
            **(_of_results(stated, document, identifier) if identifier else _as_stated(stated)),
            "files": [
                {"name": name, "sha256": sha256(files[name]).hexdigest(), "size": len(files[name])}
                for name in sorted((*NAMES, *OPTIONAL))
                if name != MANIFEST and name in files
            ],
            **({} if preset is None else {"preset": preset}),
            "versions": _versions(alike),
            "sealed": seal_of(stated),
        }
        held += differences(manifest, expected, Versions(are_same=True), MANIFEST)
    return Looked(text="packet id, sizes, hashes and seal in the manifest", differences=tuple(held), not_judged=unknown)


def _of_results(stated: Json, document: Json, identifier: str) -> Json:
    data = stated.get("data")
    read = data if isinstance(data, dict) else {}
    found = document.get("data")
    fingerprint = found.get("fingerprint") if isinstance(found, dict) else None
    return {
        "packet_id": identifier,
        "title": document.get("title"),
        "created": document.get("created"),
        "data": {
            "fingerprint": fingerprint,
            **{name: value if form(value := read.get(name)) else None for name, form in _OF_DATA.items()},
            **({"asked": read["asked"]} if "asked" in read else {}),
        },
    }


def _as_stated(stated: Json) -> Json:
    return {name: stated.get(name) for name in ("packet_id", "title", "created", "data")}


def _preset(stated: Any, alike: Alike, chosen: ChosenPreset | None) -> Any:
    """Return the preset as it has to be stated; that of another version may be another file."""
    if chosen is None:
        return None if alike.worded else stated
    known = chosen.document()
    return known if alike.worded else known | {"sha256": stated.get("sha256")}


def _versions(alike: Alike) -> Json:
    """Return the versions as they have to be stated: another version of fairreport may have others to state."""
    return {name: alike.stated.get(name) for name in (alike.ours if alike.worded else alike.stated)}
