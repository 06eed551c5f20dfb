"""What the user stated for the words and days that a preset asks for: under its profile, or where the audit says it."""

from __future__ import annotations

from fairreport.audit.about import Origin
from fairreport.audit.record import AuditRecord
from fairreport.render.record_lines import said
from fairreport.render.views import Name, Sentence
from fairreport.report.preset_choice import ChosenPreset

_AUDIT_DATE, _DATA_SOURCE = "audit_date", "data_source"
_ELSEWHERE = {_AUDIT_DATE: "as_of", _DATA_SOURCE: "about: origin"}


def stated_text(chosen: ChosenPreset, record: AuditRecord, key: str) -> Sentence | None:
    """Return what is stated for a key of a preset; None where nothing is.

    What stands under ``profile`` goes first. Without it the date of the run is that of the audit, and the origin and
    the period of the data are its source; that they were taken from there is said.
    """
    text = chosen.profile.texts.get(key)
    if text is not None:
        return said(Name.prose(text))
    about = record.about
    if key == _AUDIT_DATE and record.created is not None:
        return said(Name.prose(record.created[: len("2026-11-30")]), " (the date of the run)")
    if key == _DATA_SOURCE and about.origin is not Origin.NOT_STATED:
        period = () if about.period is None else (", ", Name.prose(about.period))
        return said(about.origin.value.lower(), *period, " (origin and period of the data as stated on the first page)")
    return None


def where_to_state(key: str) -> str:
    """Return under which keys of a configuration a word or day is stated.

    Examples
    --------
    >>> where_to_state("audit_date"), where_to_state("distribution_date")
    ('profile: audit_date or as_of', 'profile: distribution_date')
    """
    other = _ELSEWHERE.get(key)
    return f"profile: {key}" + (f" or {other}" if other else "")
