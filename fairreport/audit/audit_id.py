"""What an audit may be called in a history."""

from __future__ import annotations

from fairreport.errors import Fault

LONGEST_ID = 200


def id_faults(text: str | None, path: str = "audit.id") -> list[Fault]:
    """Return what is wrong with a stated id; None is none.

    Examples
    --------
    >>> id_faults("hiring"), [fault.code for fault in id_faults(" ")]
    ([], ['bad_type'])
    """
    if text is None or (text.strip() and len(text.strip()) <= LONGEST_ID and text.strip().isprintable()):
        return []
    message = f"must be a printable text of 1 to {LONGEST_ID} characters, got {text[:60]!r}"
    return [Fault(code="bad_type", message=message, path=path)]
